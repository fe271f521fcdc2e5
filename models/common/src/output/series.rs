//! Series with known laws, for the tests of this module.

use crate::streams::StreamKey;
use rand_core::Rng as _;

/// Draws from the uniform law on the open interval from 0 to 1.
pub(super) fn uniform(rng: &mut rand_pcg::Pcg32) -> f64 {
    (f64::from(rng.next_u32()) + 0.5) / 4_294_967_296.0
}

/// Draws from the standard normal law, by Box and Muller.
pub(super) fn normal(rng: &mut rand_pcg::Pcg32) -> f64 {
    let radius = (-2.0 * uniform(rng).ln()).sqrt();
    radius * (std::f64::consts::TAU * uniform(rng)).cos()
}

/// Returns `length` values of the autoregressive process `x = phi x + noise` around `mean`. It starts at the value
/// `start`, or with the stationary law.
pub(super) fn autoregressive(seed: u64, phi: f64, mean: f64, start: Option<f64>, length: usize) -> Vec<f64> {
    let mut rng = StreamKey::new(seed, 0).node(0).generator();
    let mut x = start.unwrap_or_else(|| mean + normal(&mut rng) / (1.0 - phi * phi).sqrt());
    (0..length)
        .map(|_| {
            let now = x;
            x = mean + phi * (x - mean) + normal(&mut rng);
            now
        })
        .collect()
}
