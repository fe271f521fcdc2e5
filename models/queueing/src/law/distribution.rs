//! Moments and distribution functions.

use super::Law;
use statrs::distribution::{ContinuousCDF, Normal};
use statrs::function::gamma::{gamma_lr, gamma_ur, ln_gamma};

impl Law {
    /// Returns the mean duration, in time units.
    #[must_use]
    pub fn mean(&self) -> f64 {
        match self {
            Self::Exponential { mean }
            | Self::Erlang { mean, .. }
            | Self::Gamma { mean, .. }
            | Self::LogNormal { mean, .. }
            | Self::Weibull { mean, .. } => *mean,
            Self::Deterministic { value } => *value,
            Self::Uniform { low, high } => f64::midpoint(*low, *high),
            Self::HyperExponential { branches } => branches.iter().map(|(probability, mean)| probability * mean).sum(),
            Self::Empirical { values } => values.iter().sum::<f64>() / values.len() as f64,
        }
    }

    /// Returns the squared coefficient of variation: variance over the square of the mean.
    #[must_use]
    pub fn squared_variation(&self) -> f64 {
        match self {
            Self::Exponential { .. } => 1.0,
            Self::Deterministic { .. } => 0.0,
            Self::Uniform { low, high } => ((high - low) / self.mean()).powi(2) / 12.0,
            Self::Erlang { stages, .. } => 1.0 / f64::from(*stages),
            Self::HyperExponential { branches } => {
                let second: f64 = branches.iter().map(|(probability, mean)| 2.0 * probability * mean * mean).sum();
                second / self.mean().powi(2) - 1.0
            }
            Self::Gamma { shape, .. } => 1.0 / shape,
            Self::LogNormal { cv, .. } => cv * cv,
            Self::Weibull { shape, .. } => (ln_gamma(1.0 + 2.0 / shape) - 2.0 * ln_gamma(1.0 + 1.0 / shape)).exp_m1(),
            Self::Empirical { values } => {
                let mean = self.mean();
                values.iter().map(|value| (value / mean - 1.0).powi(2)).sum::<f64>() / values.len() as f64
            }
        }
    }

    /// Returns the probability of a duration of at most `time`.
    #[must_use]
    pub fn cdf(&self, time: f64) -> f64 {
        self.tails(time).0
    }

    /// Returns the probabilities of a duration of at most `time` and of a longer one, each without cancellation where
    /// it is small.
    pub(super) fn tails(&self, time: f64) -> (f64, f64) {
        let from_lower = |lower: f64| (lower.clamp(0.0, 1.0), (1.0 - lower).clamp(0.0, 1.0));
        if time <= 0.0 && !matches!(self, Self::Empirical { .. } | Self::Uniform { .. }) {
            return (0.0, 1.0);
        }
        match self {
            Self::Exponential { mean } => exponential_tails(time / mean),
            Self::Deterministic { value } => from_lower(if time >= *value { 1.0 } else { 0.0 }),
            Self::Uniform { low, high } if high > low => from_lower((time - low) / (high - low)),
            Self::Uniform { low, .. } => from_lower(if time >= *low { 1.0 } else { 0.0 }),
            Self::Erlang { stages, mean } => gamma_tails(f64::from(*stages), time / mean),
            Self::Gamma { shape, mean } => gamma_tails(*shape, time / mean),
            Self::HyperExponential { branches } => {
                branches.iter().fold((0.0, 0.0), |(lower, upper), (probability, mean)| {
                    let (below, above) = exponential_tails(time / mean);
                    (lower + probability * below, upper + probability * above)
                })
            }
            Self::LogNormal { mean, cv } => {
                let (location, scale) = log_normal(*mean, *cv);
                let z = (time.ln() - location) / scale;
                let normal = Normal::standard();
                (normal.cdf(z), normal.sf(z))
            }
            Self::Weibull { shape, mean } => {
                let hazard = (time / weibull_scale(*shape, *mean)).powf(*shape);
                (-(-hazard).exp_m1(), (-hazard).exp())
            }
            Self::Empirical { values } => {
                let below = values.iter().filter(|value| **value <= time).count();
                from_lower(below as f64 / values.len() as f64)
            }
        }
    }
}

fn exponential_tails(time: f64) -> (f64, f64) {
    (-(-time).exp_m1(), (-time).exp())
}

/// Returns the tails of the gamma law of mean 1; `time` is above 0.
pub(super) fn gamma_tails(shape: f64, time: f64) -> (f64, f64) {
    let x = shape * time;
    if x <= 0.0 {
        return (0.0, 1.0);
    }
    if !x.is_finite() {
        return (1.0, 0.0);
    }
    (gamma_lr(shape, x), gamma_ur(shape, x))
}

/// Returns mean and standard deviation of the logarithm of a log-normal duration.
pub(super) fn log_normal(mean: f64, cv: f64) -> (f64, f64) {
    let variance = (cv * cv).ln_1p();
    (mean.ln() - variance / 2.0, variance.sqrt())
}

pub(super) fn weibull_scale(shape: f64, mean: f64) -> f64 {
    mean / ln_gamma(1.0 + 1.0 / shape).exp()
}
