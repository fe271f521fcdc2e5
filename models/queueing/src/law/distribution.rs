//! Distribution functions.

use super::Law;
use super::cut_normal::CutNormal;
use super::flow::Flow;
use super::tail::Curve;
use super::triangle::Triangle;
use statrs::distribution::{ContinuousCDF, Normal};
use statrs::function::gamma::{gamma_lr, gamma_ur, ln_gamma};

/// Distribution of a law, prepared for many times.
pub(super) struct Distribution<'a> {
    pub(super) law: &'a Law,
    /// Probabilities over time of the chain of a law of phases.
    pub(super) flow: Option<Flow>,
}

impl Law {
    /// Returns the probability of a duration of at most `time`.
    #[must_use]
    pub fn cdf(&self, time: f64) -> f64 {
        self.distribution().tails(time).0
    }

    /// Prepares the distribution of a law whose parameters have been checked.
    pub(super) fn distribution(&self) -> Distribution<'_> {
        Distribution { law: self, flow: self.phases().as_ref().map(Flow::new) }
    }
}

impl Distribution<'_> {
    /// Returns the probabilities of a duration of at most `time` and of a longer one, each without cancellation where
    /// it is small.
    pub(super) fn tails(&self, time: f64) -> (f64, f64) {
        let from_lower = |lower: f64| (lower.clamp(0.0, 1.0), (1.0 - lower).clamp(0.0, 1.0));
        if time <= 0.0 && !matches!(self.law, Law::Empirical { .. } | Law::Uniform { .. }) {
            return (0.0, 1.0);
        }
        match self.law {
            Law::Exponential { mean } => hazard_tails(time / mean),
            Law::Deterministic { value } => from_lower(if time >= *value { 1.0 } else { 0.0 }),
            Law::Uniform { low, high } if high > low => from_lower((time - low) / (high - low)),
            Law::Uniform { low, .. } => from_lower(if time >= *low { 1.0 } else { 0.0 }),
            Law::Erlang { stages, mean } => gamma_tails(f64::from(*stages), time / mean),
            Law::Gamma { shape, mean } => gamma_tails(*shape, time / mean),
            Law::HyperExponential { branches } => {
                branches.iter().fold((0.0, 0.0), |(lower, upper), (probability, mean)| {
                    let (below, above) = hazard_tails(time / mean);
                    (lower + probability * below, upper + probability * above)
                })
            }
            Law::LogNormal { mean, cv } => {
                let (location, scale) = log_normal(*mean, *cv);
                let z = (time.ln() - location) / scale;
                let normal = Normal::standard();
                (normal.cdf(z), normal.sf(z))
            }
            Law::Weibull { shape, mean } => hazard_tails((time / weibull_scale(*shape, *mean)).powf(*shape)),
            Law::Pareto { shape, mean } => hazard_tails(shape * (time / pareto_least(*shape, *mean)).ln().max(0.0)),
            Law::Triangular { low, mode, high } => Triangle { low: *low, mode: *mode, high: *high }.tails(time),
            Law::Normal { location, deviation } => CutNormal { location: *location, deviation: *deviation }.tails(time),
            Law::HypoExponential { .. } | Law::Coxian { .. } | Law::PhaseType { .. } => {
                let Curve { lower, upper, .. } = self.of_phases(time);
                (lower, upper)
            }
            Law::Empirical { values } => {
                let below = values.iter().filter(|value| **value <= time).count();
                from_lower(below as f64 / values.len() as f64)
            }
        }
    }

    pub(super) fn of_phases(&self, time: f64) -> Curve {
        let none = Curve { lower: f64::NAN, upper: f64::NAN, density: f64::NAN };
        self.flow.as_ref().map_or(none, |flow| flow.at(time))
    }
}

/// Returns the tails for a cumulative hazard: minus the logarithm of the upper tail.
fn hazard_tails(hazard: f64) -> (f64, f64) {
    (-(-hazard).exp_m1(), (-hazard).exp())
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

/// Returns the least duration of a Pareto law.
pub(super) fn pareto_least(shape: f64, mean: f64) -> f64 {
    mean * (shape - 1.0) / shape
}
