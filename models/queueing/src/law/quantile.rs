//! Quantiles, computed from the nearer end of a distribution.

use super::Law;
use super::distribution::{gamma_tails, log_normal, weibull_scale};
use statrs::distribution::{ContinuousCDF, Normal};
use statrs::function::gamma::ln_gamma;

/// A probability measured from the nearer end, which preserves the digits of small ones.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Tail {
    /// Probability of a value at or below the quantile.
    Lower(f64),
    /// Probability of a value above the quantile.
    Upper(f64),
}

impl Tail {
    fn pick(self, (lower, upper): (f64, f64)) -> f64 {
        match self {
            Self::Lower(_) => lower,
            Self::Upper(_) => upper,
        }
    }

    fn probability(self) -> f64 {
        match self {
            Self::Lower(p) | Self::Upper(p) => p,
        }
    }

    /// Returns minus the logarithm of the upper tail.
    fn hazard(self) -> f64 {
        match self {
            Self::Lower(p) => -(-p).ln_1p(),
            Self::Upper(p) => -p.ln(),
        }
    }

    /// Returns `true` if a point with these tails lies at the quantile or above it.
    fn is_reached(self, tails: (f64, f64)) -> bool {
        match self {
            Self::Lower(p) => tails.0 >= p,
            Self::Upper(p) => tails.1 <= p,
        }
    }
}

impl Law {
    /// Returns the quantile in time units, for laws that are drawn by a table. `resolution` is a negligible time,
    /// `start` a guess.
    pub(super) fn quantile(&self, tail: Tail, resolution: f64, start: f64) -> f64 {
        match self {
            Self::Weibull { shape, mean } => weibull_scale(*shape, *mean) * tail.hazard().powf(1.0 / shape),
            Self::LogNormal { mean, cv } => {
                let (location, scale) = log_normal(*mean, *cv);
                // The normal law is symmetric: the upper quantile is minus the lower one.
                let z = Normal::standard().inverse_cdf(tail.probability());
                let z = if matches!(tail, Tail::Lower(_)) { z } else { -z };
                (location + scale * z).exp()
            }
            Self::Gamma { shape, mean } => gamma(*shape, *mean, tail, resolution, start),
            Self::Erlang { stages, mean } => gamma(f64::from(*stages), *mean, tail, resolution, start),
            Self::HyperExponential { branches } => {
                let density = |time: f64| branches.iter().map(|(p, mean)| p / mean * (-time / mean).exp()).sum();
                solve(tail, resolution, start, |time| self.tails(time), density)
            }
            Self::Exponential { mean } => mean * tail.hazard(),
            Self::Deterministic { .. } | Self::Uniform { .. } | Self::Empirical { .. } => self.mean(),
        }
    }
}

fn gamma(shape: f64, mean: f64, tail: Tail, resolution: f64, start: f64) -> f64 {
    let norm = shape * (shape / mean).ln() - ln_gamma(shape);
    let density = |time: f64| (norm + (shape - 1.0) * time.ln() - shape * time / mean).exp();
    solve(tail, resolution, start, |time| gamma_tails(shape, time / mean), density)
}

/// Finds the time with the requested tail. Uses Newton's steps on the logarithm of the tail, and bisection where a step
/// leaves the bracket.
///
/// Returns zero if the quantile is below `resolution`.
fn solve(
    tail: Tail,
    resolution: f64,
    start: f64,
    tails: impl Fn(f64) -> (f64, f64),
    density: impl Fn(f64) -> f64,
) -> f64 {
    if tail.is_reached(tails(resolution)) {
        return 0.0;
    }
    let (mut low, mut high) = (resolution, start.max(2.0 * resolution));
    while !tail.is_reached(tails(high)) && high.is_finite() {
        low = high;
        high *= 2.0;
    }
    let target = tail.probability().ln();
    let mut time = if start > low && start < high { start } else { f64::midpoint(low, high) };
    for _ in 0..200 {
        let now = tails(time);
        if tail.is_reached(now) {
            high = time;
        } else {
            low = time;
        }
        let probability = tail.pick(now);
        // The slope of the logarithm of a tail is density over probability.
        let slope = density(time) / probability;
        let step = (probability.ln() - target) / slope;
        let newton = if matches!(tail, Tail::Lower(_)) { time - step } else { time + step };
        let next = if newton.is_finite() && newton > low && newton < high { newton } else { f64::midpoint(low, high) };
        let done = (next - time).abs() <= 1e-14 * next || high - low <= 1e-15 * high;
        time = next;
        if done {
            break;
        }
    }
    time
}
