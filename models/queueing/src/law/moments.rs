//! Means and variances of laws.

use super::Law;
use super::cut_normal::CutNormal;
use super::phases::Phases;
use super::triangle::Triangle;
use statrs::function::gamma::ln_gamma;

impl Law {
    /// Creates a Weibull law of a scale: the time that a duration exceeds with probability `1/e`.
    #[must_use]
    pub fn weibull_of_scale(shape: f64, scale: f64) -> Self {
        Self::Weibull { shape, mean: scale * ln_gamma(1.0 + 1.0 / shape).exp() }
    }

    /// Creates a Pareto law of a scale: the least duration. A shape of at most 1 gives no mean, which
    /// [`check`](Self::check) refuses.
    #[must_use]
    pub fn pareto_of_scale(shape: f64, scale: f64) -> Self {
        Self::Pareto { shape, mean: scale * shape / (shape - 1.0) }
    }

    /// Returns the mean duration, in time units.
    #[must_use]
    pub fn mean(&self) -> f64 {
        match self {
            Self::Exponential { mean }
            | Self::Erlang { mean, .. }
            | Self::Gamma { mean, .. }
            | Self::LogNormal { mean, .. }
            | Self::Weibull { mean, .. }
            | Self::Pareto { mean, .. } => *mean,
            Self::Deterministic { value } => *value,
            Self::Uniform { low, high } => f64::midpoint(*low, *high),
            Self::HyperExponential { branches } => branches.iter().map(|(probability, mean)| probability * mean).sum(),
            Self::Triangular { low, mode, high } => (low + mode + high) / 3.0,
            Self::Normal { location, deviation } => CutNormal { location: *location, deviation: *deviation }.mean(),
            Self::HypoExponential { means } => means.iter().sum(),
            Self::Coxian { .. } | Self::PhaseType { .. } => self.phase_moments().0,
            Self::Empirical { values } => values.iter().sum::<f64>() / values.len() as f64,
        }
    }

    /// Returns the squared coefficient of variation: variance over the square of the mean. It is infinite for a Pareto
    /// law of a shape of at most 2.
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
            Self::Pareto { shape, .. } if *shape <= 2.0 => f64::INFINITY,
            Self::Pareto { shape, .. } => 1.0 / (shape * (shape - 2.0)),
            Self::Triangular { low, mode, high } => {
                Triangle { low: *low, mode: *mode, high: *high }.squared_variation()
            }
            Self::Normal { location, deviation } => {
                let law = CutNormal { location: *location, deviation: *deviation };
                law.variance() / law.mean().powi(2)
            }
            Self::HypoExponential { means } => means.iter().map(|mean| mean * mean).sum::<f64>() / self.mean().powi(2),
            Self::Coxian { .. } | Self::PhaseType { .. } => {
                let (mean, square) = self.phase_moments();
                square / (mean * mean) - 1.0
            }
            Self::Empirical { values } => {
                let mean = self.mean();
                values.iter().map(|value| (value / mean - 1.0).powi(2)).sum::<f64>() / values.len() as f64
            }
        }
    }

    fn phase_moments(&self) -> (f64, f64) {
        self.phases().as_ref().map_or((f64::NAN, f64::NAN), Phases::moments)
    }
}
