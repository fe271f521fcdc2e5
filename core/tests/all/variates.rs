//! The device library's variates against the logarithm.

#![allow(clippy::unwrap_used)]

use imminent_core::random::{Pcg32, exponential_q27, scaled_ticks};
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

proptest! {
    #[test]
    fn uniform_integers_are_below_their_bound(state: u64, bound: u32) {
        let mut rng = Pcg32::new(state, 1);
        let drawn = rng.below(bound);
        prop_assert!(drawn < bound || bound == 0 && drawn == 0);
    }
}
