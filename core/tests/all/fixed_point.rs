//! Elementary functions in fixed point against `f64`.

use imminent_core::fixed::{cosine_q30, exp_negative_q63, exp_q32, ln_1p_q32, sine_q30, square_root};
use proptest::prelude::*;

/// Number of words in a dense scan; they lie `2^32 / DENSE` apart, with the low bits varied.
const DENSE: u32 = 1 << 22;

/// Returns words that cover the whole range densely, and both sides of every power of two.
fn dense() -> impl Iterator<Item = u32> {
    let edges = (0..32).flat_map(|bit| [(1_u32 << bit) - 1, 1 << bit, (1 << bit) + 1]);
    (0..DENSE).map(|i| (i << 10) | (i.wrapping_mul(2_654_435_769) >> 22)).chain(edges)
}

fn sine_error(angle: u32) -> f64 {
    let exact = (f64::from(angle) / 2_f64.powi(32) * std::f64::consts::TAU).sin();
    (f64::from(sine_q30(angle)) / 2_f64.powi(30) - exact).abs()
}

#[test]
fn sines_are_within_the_documented_error() {
    for angle in dense() {
        assert!(sine_error(angle) < 2_f64.powf(-29.8), "{angle}: {:e}", sine_error(angle));
    }
}

/// Run after changes of the algorithm: `cargo test --release -- --ignored whole`.
#[test]
#[ignore = "long: visits all 2^32 angles, run it in release"]
fn sines_of_the_whole_circle_are_within_the_documented_error() {
    let worst = (0..=u32::MAX).map(sine_error).fold(0.0, f64::max);
    println!("largest error 2^{:.3}", worst.log2());
    assert!(worst < 2_f64.powf(-29.8));
}

#[test]
fn quarters_of_a_turn_are_exact() {
    let one = 1 << 30;
    assert_eq!([0, 1 << 30, 1 << 31, 3 << 30].map(sine_q30), [0, one, 0, -one]);
    assert_eq!([0, 1 << 30, 1 << 31, 3 << 30].map(cosine_q30), [one, 0, -one, 0]);
}

#[test]
fn exponentials_are_within_the_documented_error() {
    for word in dense() {
        // From -24 to 22 in the units of the argument.
        let x = ((i128::from(word) * 46) >> 32 << 32 | i128::from(word.reverse_bits())) as i64 - (24 << 32);
        let exact = (x as f64 / 2_f64.powi(32)).exp();
        let error = (exp_q32(x) as f64 / 2_f64.powi(32) - exact).abs();
        assert!(error < 2_f64.powf(-32.9) + if x > 0 { exact * 2_f64.powi(-39) } else { 0.0 }, "{x}: {error:e}");
    }
}

#[test]
fn exponentials_saturate() {
    // 32 ln 2 lies between these.
    assert!(exp_q32(95_265_423_098) < u64::MAX);
    for x in [95_265_423_099, 23 << 32, (1 << 38) + 5, i64::MAX] {
        assert_eq!(exp_q32(x), u64::MAX, "{x}");
    }
    for x in [-(23 << 32), -(1 << 38) - 5, i64::MIN + 1, i64::MIN] {
        assert_eq!(exp_q32(x), 0, "{x}");
    }
    for x in [45 << 32, 1 << 38, (1 << 38) + 1, u64::MAX] {
        assert_eq!(exp_negative_q63(x), 0, "{x}");
    }
}

#[test]
fn negative_exponentials_are_within_the_documented_error() {
    for word in dense() {
        // Up to 46 in the units of the argument.
        let x = ((u64::from(word) * 46) >> 32 << 32) | u64::from(word.reverse_bits());
        let exact = (-(x as f64) / 2_f64.powi(32)).exp();
        let error = (exp_negative_q63(x) as f64 / 2_f64.powi(63) - exact).abs();
        assert!(error < exact * 2_f64.powi(-39) + 2_f64.powi(-63), "{x}: {error:e}");
    }
}

#[test]
fn logarithms_are_within_the_documented_error() {
    for f in dense() {
        let error = (ln_1p_q32(f) as f64 / 2_f64.powi(32) - (f64::from(f) / 2_f64.powi(32)).ln_1p()).abs();
        assert!(error < 2_f64.powi(-28), "{f}: {error:e}");
    }
}

proptest! {
    #[test]
    fn square_roots_are_rounded_down(x: u64, shift in 0_u32..64) {
        let x = x >> shift;
        let root = u128::from(square_root(x));
        prop_assert!(root * root <= u128::from(x) && u128::from(x) < (root + 1) * (root + 1));
    }

    #[test]
    fn sines_are_odd_and_cosines_are_shifted(angle: u32) {
        prop_assert_eq!(sine_q30(angle.wrapping_neg()), -sine_q30(angle));
        prop_assert_eq!(cosine_q30(angle), sine_q30(angle.wrapping_add(1 << 30)));
    }
}
