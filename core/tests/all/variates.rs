//! The device library's variates against their laws.

#![allow(clippy::unwrap_used)]

use imminent_core::random::{Pcg32, exponential_q27, normal_q28, poisson, scaled_ticks};
use proptest::prelude::*;

/// Words at the ends of the range, and around powers of two.
fn edge_words() -> Vec<u32> {
    let near = |word: u32| [word.wrapping_sub(1), word, word.wrapping_add(1)];
    (0..32).flat_map(|bit| near(1 << bit)).chain(near(u32::MAX)).collect()
}

#[test]
fn exponential_variates_are_within_the_documented_error() {
    let many = (0..1_000_000_u32).map(|i| i.wrapping_mul(2_654_435_769));
    for word in edge_words().into_iter().chain(many) {
        // 1 - u is exact where u is close to 1.
        let rest = f64::from(u32::MAX - word) * 2.0 + 1.0;
        let u = (f64::from(word) * 2.0 + 1.0) / 2_f64.powi(33);
        let exact = if word > 1 << 31 { -(-rest / 2_f64.powi(33)).ln_1p() } else { -u.ln() };
        let error = (f64::from(exponential_q27(word)) / 2_f64.powi(27) - exact).abs();
        assert!(error < 2_f64.powi(-24), "{word}: {error:e}");
    }
}

#[test]
fn variates_scale_to_at_least_a_tick() {
    assert_eq!(scaled_ticks(0, 1_000_000), 1);
    assert_eq!(scaled_ticks(1 << 27, 1_000_000), 1_000_000);
    assert_eq!(scaled_ticks(u32::MAX, u64::from(u32::MAX)), 137_438_953_408);
}

/// Returns the probability below `-x` under the standard normal law, for `x` of at least 0, by a series near 0 and a
/// continued fraction further out.
fn normal_tail(x: f64) -> f64 {
    if x < 3.0 {
        let (mut term, mut sum) = (x, x);
        for odd in (3..200).step_by(2) {
            term *= x * x / f64::from(odd);
            sum += term;
        }
        return 0.5 - sum * normal_density(x);
    }
    let rest = (1..200).rev().fold(x, |rest, k| x + f64::from(k) / rest);
    normal_density(x) / rest
}

fn normal_density(x: f64) -> f64 {
    (-x * x / 2.0).exp() / std::f64::consts::TAU.sqrt()
}

/// Returns the distance of a normal variate from the true quantile, by a step of Newton's method.
fn normal_error(word: u32) -> f64 {
    let odd = if word >> 31 == 0 { word } else { !word };
    let x = -f64::from(normal_q28(odd)) / 2_f64.powi(28);
    let u = (f64::from(odd) * 2.0 + 1.0) / 2_f64.powi(33);
    ((normal_tail(x) - u) / normal_density(x)).abs()
}

#[test]
fn normal_variates_are_within_the_documented_error() {
    let many = (0..1_000_000_u32).map(|i| i.wrapping_mul(2_654_435_769));
    for word in edge_words().into_iter().chain(many).chain(0..1000) {
        assert!(normal_error(word) < 2_f64.powi(-26), "{word}: {:e}", normal_error(word));
        assert_eq!(normal_q28(word), -normal_q28(!word), "{word}");
    }
    assert!(f64::from(normal_q28(u32::MAX)) < 6.34 * 2_f64.powi(28));
}

/// Run after changes of the algorithm: `cargo test --release -- --ignored whole`.
#[test]
#[ignore = "long: visits 2^31 words, run it in release"]
fn normal_variates_of_the_whole_domain_are_within_the_documented_error() {
    let worst = (0..=u32::MAX / 2).map(normal_error).fold(0.0, f64::max);
    println!("largest error 2^{:.3}", worst.log2());
    assert!(worst < 2_f64.powi(-26));
}

/// Means of Poisson variates, and the documented error of cumulative probabilities.
const MEANS: [(f64, i32); 12] = [
    (0.001, -32),
    (0.5, -32),
    (1.0, -32),
    (3.7, -32),
    (15.999, -32),
    (16.0, -19),
    (23.5, -19),
    (32.0, -22),
    (64.0, -25),
    (128.0, -28),
    (400.0, -28),
    (700.0, -28),
];

/// Each result's words end where its cumulative probability does: the last word of every result is found by bisection.
#[test]
fn poisson_variates_have_the_documented_probabilities() {
    for (mean, error) in MEANS {
        let q32 = (mean * 2_f64.powi(32)) as u64;
        let mean = q32 as f64 / 2_f64.powi(32);
        let mut term = (-mean).exp();
        let mut cumulative = term;
        for count in 0..poisson(u32::MAX, q32) {
            let (mut low, mut high) = (0_u64, 1_u64 << 32);
            while low < high {
                let middle = (low + high) / 2;
                if poisson(middle as u32, q32) <= count { low = middle + 1 } else { high = middle }
            }
            let found = low as f64 / 2_f64.powi(32);
            // One word is a step of 2^-32.
            let bound = 2_f64.powi(error) + 2_f64.powi(-32);
            assert!((found - cumulative).abs() < bound, "mean {mean}, {count}: {found} for {cumulative}");
            term *= mean / f64::from(count + 1);
            cumulative += term;
        }
    }
}

#[test]
fn poisson_variates_of_mean_zero_are_zero_and_the_largest_mean_is_no_overflow() {
    assert_eq!([0, 1 << 31, u32::MAX].map(|word| poisson(word, 0)), [0; 3]);
    let most = (1 << 63) - 1;
    let spread = |word| i64::from(poisson(word, most)) - (1 << 31);
    assert!(spread(1 << 31).abs() <= 1);
    assert!((293_300..293_900).contains(&spread(u32::MAX)) && (-293_900..-293_300).contains(&spread(0)));
}

#[test]
fn drawn_variates_have_the_moments_of_their_laws() {
    const DRAWS: u32 = 1_000_000;
    let mut rng = Pcg32::new(17, 4);
    let mut moments = |mut draw: Box<dyn FnMut(&mut Pcg32) -> f64>| {
        let (mut sum, mut squares) = (0.0, 0.0);
        for _ in 0..DRAWS {
            let x = draw(&mut rng);
            sum += x;
            squares += x * x;
        }
        let mean = sum / f64::from(DRAWS);
        (mean, squares / f64::from(DRAWS) - mean * mean)
    };
    // Five standard errors of the mean, and of the variance of a law with a kurtosis up to that of the exponential.
    let mut check = |law: &str, mean: f64, variance: f64, draw: Box<dyn FnMut(&mut Pcg32) -> f64>| {
        let (found_mean, found_variance) = moments(draw);
        assert!((found_mean - mean).abs() < 0.005 * variance.sqrt(), "{law}: mean {found_mean}");
        assert!((found_variance - variance).abs() < 0.015 * variance, "{law}: variance {found_variance}");
    };
    check("uniform", 4.5, 8.25, Box::new(|rng| rng.uniform(0, 9) as f64));
    check("bernoulli", 0.25, 0.1875, Box::new(|rng| f64::from(u8::from(rng.bernoulli(1 << 30)))));
    check("normal", 0.0, 1.0, Box::new(|rng| f64::from(rng.normal_q28()) / 2_f64.powi(28)));
    check("poisson of 2.5", 2.5, 2.5, Box::new(|rng| f64::from(rng.poisson(5 << 31))));
    check("poisson of 100", 100.0, 100.0, Box::new(|rng| f64::from(rng.poisson(100 << 32))));
}

/// Pearson's statistic of 100 values, whose expectation is 99 and whose standard deviation 14.1.
#[test]
fn uniform_integers_are_equally_frequent() {
    let mut rng = Pcg32::new(3, 9);
    let mut counts = [0_i32; 100];
    for _ in 0..1_000_000 {
        counts[usize::try_from(rng.uniform(50, 149) - 50).unwrap()] += 1;
    }
    let statistic: f64 = counts.iter().map(|&count| f64::from(count - 10_000).powi(2) / 10_000.0).sum();
    assert!((40.0..170.0).contains(&statistic), "{statistic}");
}

proptest! {
    #[test]
    fn uniform_integers_lie_between_their_bounds(state: u64, a: u64, b: u64) {
        let drawn = Pcg32::new(state, 1).uniform(a.min(b), a.max(b));
        prop_assert!((a.min(b)..=a.max(b)).contains(&drawn));
        let (a, b) = (a as i64, b as i64);
        let drawn = Pcg32::new(state, 1).uniform(a.min(b) as u64, a.max(b) as u64) as i64;
        prop_assert!((a.min(b)..=a.max(b)).contains(&drawn));
    }

    #[test]
    fn variates_grow_with_their_word(a: u32, b: u32, mean in 0_u64..1 << 40) {
        prop_assert!(poisson(a.min(b), mean) <= poisson(a.max(b), mean));
        prop_assert!(normal_q28(a.min(b)) <= normal_q28(a.max(b)));
    }

    #[test]
    fn uniform_integers_are_below_their_bound(state: u64, bound: u32) {
        let mut rng = Pcg32::new(state, 1);
        let drawn = rng.below(bound);
        prop_assert!(drawn < bound || bound == 0 && drawn == 0);
    }
}
