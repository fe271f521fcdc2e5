//! Quantiles, computed from the nearer end of a distribution.

use super::Law;
use super::cut_normal::CutNormal;
use super::distribution::{Distribution, gamma_tails, log_normal, pareto_least, weibull_scale};
use super::tail::{Curve, Tail};
use super::triangle::Triangle;
use statrs::distribution::{ContinuousCDF, Normal};
use statrs::function::gamma::ln_gamma;

impl Distribution<'_> {
    /// Returns the quantile in time units, for laws that are drawn by a table. `resolution` is a negligible time,
    /// `start` a guess.
    pub(super) fn quantile(&self, tail: Tail, resolution: f64, start: f64) -> f64 {
        match self.law {
            Law::Weibull { shape, mean } => weibull_scale(*shape, *mean) * tail.hazard().powf(1.0 / shape),
            Law::Pareto { shape, mean } => pareto_least(*shape, *mean) * (tail.hazard() / shape).exp(),
            Law::LogNormal { mean, cv } => {
                let (location, scale) = log_normal(*mean, *cv);
                // The normal law is symmetric: the upper quantile is minus the lower one.
                let z = Normal::standard().inverse_cdf(tail.probability());
                let z = if matches!(tail, Tail::Lower(_)) { z } else { -z };
                (location + scale * z).exp()
            }
            Law::Triangular { low, mode, high } => Triangle { low: *low, mode: *mode, high: *high }.quantile(tail),
            Law::Normal { location, deviation } => {
                CutNormal { location: *location, deviation: *deviation }.quantile(tail)
            }
            Law::Gamma { shape, mean } => gamma(*shape, *mean, tail, resolution, start),
            Law::Erlang { stages, mean } => gamma(f64::from(*stages), *mean, tail, resolution, start),
            Law::HyperExponential { branches } => {
                let density = |time: f64| branches.iter().map(|(p, mean)| p / mean * (-time / mean).exp()).sum();
                solve(tail, resolution, start, |time| {
                    let (lower, upper) = self.tails(time);
                    Curve { lower, upper, density: density(time) }
                })
            }
            Law::HypoExponential { .. } | Law::Coxian { .. } | Law::PhaseType { .. } => {
                solve(tail, resolution, start, |time| self.of_phases(time))
            }
            Law::Exponential { mean } => mean * tail.hazard(),
            Law::Deterministic { .. } | Law::Uniform { .. } | Law::Empirical { .. } => self.law.mean(),
        }
    }
}

fn gamma(shape: f64, mean: f64, tail: Tail, resolution: f64, start: f64) -> f64 {
    let norm = shape * (shape / mean).ln() - ln_gamma(shape);
    solve(tail, resolution, start, |time| {
        let (lower, upper) = gamma_tails(shape, time / mean);
        Curve { lower, upper, density: (norm + (shape - 1.0) * time.ln() - shape * time / mean).exp() }
    })
}

/// Finds the time with the requested tail. Uses Newton's steps on the logarithm of the tail, and bisection where a step
/// leaves the bracket.
///
/// Returns zero if the quantile is below `resolution`.
fn solve(tail: Tail, resolution: f64, start: f64, curve: impl Fn(f64) -> Curve) -> f64 {
    // Where the guess is far above the resolution, the quantile is rarely below.
    if start < 16.0 * resolution && tail.is_reached(curve(resolution)) {
        return 0.0;
    }
    let (mut low, mut high) = (resolution, start.max(2.0 * resolution));
    while !tail.is_reached(curve(high)) && high.is_finite() {
        low = high;
        high *= 2.0;
    }
    let target = tail.probability().ln();
    let mut time = if start > low && start < high { start } else { f64::midpoint(low, high) };
    for _ in 0..200 {
        let now = curve(time);
        if tail.is_reached(now) {
            high = time;
        } else {
            low = time;
        }
        let probability = tail.pick(now);
        // The slope of the logarithm of a tail is density over probability.
        let slope = now.density / probability;
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
