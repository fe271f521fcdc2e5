//! Service and inter-arrival laws: their definition, and how a random word becomes a number of ticks.
//!
//! A [`Law`] is given in time units. [`Law::sampler_at`] compiles it to a [`Sampler`], which uses integers only. A
//! sampler turns one uniform 32-bit word into one duration of at least one tick. The host ([`Sampler::draw`]) and the
//! kernels ([`law::draw`](crate::kernels::law)) follow the same algorithm and give the same bits on every device:
//!
//! | law | duration for the word `x` |
//! | --- | --- |
//! | deterministic | its value, in ticks |
//! | exponential | [`imminent_common::exponential`] of `x`, scaled by the mean in ticks `m < 2^32`: `(E(x) m + 2^26) >> 27` |
//! | uniform | `low + (x (high - low + 1) >> 32)`, `low` and `high` in ticks |
//! | empirical | value number `(x n) >> 32` of the `n` values, in their order, in ticks |
//! | every other | interpolated in a [quantile table](QuantileTable) |
//!
//! A result of 0 ticks becomes 1. Times are rounded to the nearest tick when the law is compiled. [`tick_of`] chooses
//! the length of a tick.
//!
//! # Quantile tables
//! The word `x` stands for the probability `u = v / 2^33` with `v = 2x + 1`. Let `w = v` in the lower half, where
//! `v < 2^32`, and `w = 2^33 - v` in the upper half; `w` is odd. Let `b`, from 1 to 32, be the number of bits of `w`:
//! its octave is `[2^(b-1), 2^b)`, which is cut into 64 equal segments. Then
//!
//! * `f = (w << (32 - b)) mod 2^31`, the place of `w` in its octave;
//! * `k = 64 (b - 1) + (f >> 25)`, the number of its segment, and `r = f mod 2^25`, the place in the segment;
//! * the duration is `q[k] + (((q[k + 1] - q[k]) r + 2^24) >> 25)` in the lower half, where `q` rises, and
//!   `q[k] - (((q[k] - q[k + 1]) r + 2^24) >> 25)` in the upper half, where `q` falls.
//!
//! Each half has 2,049 entries: `q[k]` is the quantile of the probability `p = 2^(b-34) (1 + s / 64)`,
//! `k = 64 (b - 1) + s`, in ticks, in the lower half, and of `1 - p` in the upper half; the last entry of both is the
//! median. The products need more than 64 bits: `d r + 2^24 >> 25` is `(d >> 25) r + (((d mod 2^25) r + 2^24) >> 25)`.
//!
//! The quantiles come from the host's floating-point functions, so two hosts may differ in the last tick of an entry.
//! The table belongs to the configuration of a model, not to an engine: [`Network::fingerprint`](crate::Network) covers
//! it.
//!
//! Between two entries the quantile function is approximated by a straight line. If it falls with the logarithm of the
//! probability, as for every law with an exponential tail, the error is at most `1/32,768` of the mean. Probabilities
//! below `2^-33` and above `1 - 2^-33` are not drawn. Together these keep the mean of all draws within `2e-5` of the
//! law's for coefficients of variation up to 2, and within `4e-3` for the heaviest tails allowed but Pareto's.
//! [`Sampler::mean_ticks`] computes it exactly.
//!
//! The part of a Pareto law of shape `a` beyond `1 - 2^-33` has the share `2^(-33 (1 - 1/a))` of its mean: 0.05 % for
//! `a = 1.5`, 1 % for 1.25, 12.5 % for 1.1. Draws are shorter by as much on average, and have a variance even where the
//! law has none.
//!
//! # Phases
//! Laws of phases (`hypo-exponential`, `coxian`, `phase-type`) are times until a Markov chain of at most [`MAX_PHASES`]
//! phases ends. Their distribution functions are computed by uniformization and repeated squaring, from positive terms
//! alone, so that both tails keep their digits.

mod check;
mod column;
mod cut_normal;
mod distribution;
mod error;
mod flow;
mod moments;
mod phases;
mod quantile;
mod sampler;
mod scale;
mod shape;
mod table;
mod tail;
mod triangle;

pub use error::{LawError, LawShapeError};
pub use sampler::Sampler;
pub use scale::tick_of;
pub use shape::{LawName, LawShape};
pub use table::QuantileTable;

use serde::{Deserialize, Serialize};

/// Greatest shape of a gamma or Weibull law, and greatest number of stages of an Erlang law: 10^6.
pub const MAX_SHAPE: f64 = 1e6;

/// Smallest shape of a gamma or Weibull law: 1/10.
pub const MIN_SHAPE: f64 = 0.1;

/// Greatest coefficient of variation of a log-normal law: 100.
pub const MAX_VARIATION: f64 = 100.0;

/// Smallest shape of a Pareto law: 1.1. Draws of a heavier tail would miss more than an eighth of the mean.
pub const MIN_PARETO_SHAPE: f64 = 1.1;

/// Largest number of phases of a law `hypo-exponential`, `coxian` or `phase-type`: 64.
pub const MAX_PHASES: usize = 64;

/// Largest number of values of an empirical law: 2^24.
pub const MAX_VALUES: usize = 1 << 24;

/// A law of positive durations, in time units. Its serialised form is [`LawShape`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "LawShape", into = "LawShape")]
pub enum Law {
    /// Exponential law, which is memoryless.
    Exponential {
        /// Mean duration.
        mean: f64,
    },
    /// Constant duration.
    Deterministic {
        /// Duration of every draw.
        value: f64,
    },
    /// Uniform law: all durations from `low` to `high` are equally likely.
    Uniform {
        /// Shortest duration.
        low: f64,
        /// Longest duration.
        high: f64,
    },
    /// The sum of `stages` exponential durations.
    Erlang {
        /// Number of exponential stages.
        stages: u32,
        /// Mean of the sum.
        mean: f64,
    },
    /// Mixture of several exponential laws.
    HyperExponential {
        /// Probability and mean of each branch; the probabilities add up to one.
        branches: Vec<(f64, f64)>,
    },
    /// Gamma law.
    Gamma {
        /// Shape parameter, the inverse of the squared coefficient of variation.
        shape: f64,
        /// Mean duration.
        mean: f64,
    },
    /// Log-normal law: the logarithm of the duration is normal.
    LogNormal {
        /// Mean duration.
        mean: f64,
        /// Coefficient of variation: standard deviation over mean.
        cv: f64,
    },
    /// Weibull law.
    Weibull {
        /// Shape parameter: 1 is exponential, below 1 has a heavier tail.
        shape: f64,
        /// Mean duration.
        mean: f64,
    },
    /// Pareto law: the duration exceeds `t` with a probability proportional to `t^-shape`, from a least duration on.
    Pareto {
        /// Shape parameter, above 1. The variance is infinite up to 2.
        shape: f64,
        /// Mean duration.
        mean: f64,
    },
    /// Triangular law: the density rises in a straight line from `low` to `mode` and falls in one to `high`.
    Triangular {
        /// Shortest duration.
        low: f64,
        /// Likeliest duration.
        mode: f64,
        /// Longest duration.
        high: f64,
    },
    /// Normal law, given that it is above 0.
    Normal {
        /// Mean of the normal law before it is cut at 0, not negative.
        location: f64,
        /// Standard deviation of the normal law before it is cut at 0.
        deviation: f64,
    },
    /// The sum of exponential durations of different means.
    HypoExponential {
        /// Mean of each phase, in their order.
        means: Vec<f64>,
    },
    /// Coxian law: exponential phases in a row, after each of which the duration may end.
    Coxian {
        /// Mean of each phase, in their order.
        means: Vec<f64>,
        /// Probability to go on to the next phase, for each phase but the last.
        onward: Vec<f64>,
    },
    /// Phase-type law: the time until a Markov chain of transient states, called phases, ends.
    PhaseType {
        /// Probability of each phase at the beginning; they add up to one.
        initial: Vec<f64>,
        /// Sub-generator, row by row: rates from phase to phase, and on the diagonal minus the rate of leaving a phase.
        generator: Vec<Vec<f64>>,
    },
    /// Empirical law: one of the measured values, all equally likely.
    Empirical {
        /// Measured values, in their order.
        values: Vec<f64>,
    },
}

impl Law {
    /// Returns the kind of the law.
    #[must_use]
    pub const fn kind(&self) -> LawName {
        match self {
            Self::Exponential { .. } => LawName::Exponential,
            Self::Deterministic { .. } => LawName::Deterministic,
            Self::Uniform { .. } => LawName::Uniform,
            Self::Erlang { .. } => LawName::Erlang,
            Self::HyperExponential { .. } => LawName::HyperExponential,
            Self::Gamma { .. } => LawName::Gamma,
            Self::LogNormal { .. } => LawName::LogNormal,
            Self::Weibull { .. } => LawName::Weibull,
            Self::Pareto { .. } => LawName::Pareto,
            Self::Triangular { .. } => LawName::Triangular,
            Self::Normal { .. } => LawName::Normal,
            Self::HypoExponential { .. } => LawName::HypoExponential,
            Self::Coxian { .. } => LawName::Coxian,
            Self::PhaseType { .. } => LawName::PhaseType,
            Self::Empirical { .. } => LawName::Empirical,
        }
    }

    /// Returns the name of the law in configurations.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        self.kind().as_str()
    }

    /// Returns the law, rescaled to another mean.
    #[must_use]
    pub fn with_mean(&self, mean: f64) -> Self {
        let stretch = mean / self.mean();
        let mut law = self.clone();
        match &mut law {
            Self::Exponential { mean: of_law }
            | Self::Erlang { mean: of_law, .. }
            | Self::Gamma { mean: of_law, .. }
            | Self::LogNormal { mean: of_law, .. }
            | Self::Weibull { mean: of_law, .. }
            | Self::Pareto { mean: of_law, .. }
            | Self::Deterministic { value: of_law } => *of_law = mean,
            Self::Uniform { low, high } => (*low, *high) = (*low * stretch, *high * stretch),
            Self::HyperExponential { branches } => branches.iter_mut().for_each(|(_, mean)| *mean *= stretch),
            Self::Triangular { low, mode, high } => [low, mode, high].into_iter().for_each(|end| *end *= stretch),
            Self::Normal { location, deviation } => {
                (*location, *deviation) = (*location * stretch, *deviation * stretch)
            }
            Self::HypoExponential { means: times }
            | Self::Coxian { means: times, .. }
            | Self::Empirical { values: times } => {
                times.iter_mut().for_each(|time| *time *= stretch);
            }
            Self::PhaseType { generator, .. } => generator.iter_mut().flatten().for_each(|rate| *rate /= stretch),
        }
        law
    }

    /// Returns the parameters of the law as bits. Two laws are equal exactly if their keys are.
    pub(crate) fn key(&self) -> (&'static str, Vec<u64>) {
        let bits = |values: &[f64]| values.iter().map(|value| value.to_bits()).collect();
        let parameters = match self {
            Self::Exponential { mean } => bits(&[*mean]),
            Self::Deterministic { value } => bits(&[*value]),
            Self::Uniform { low, high } => bits(&[*low, *high]),
            Self::Erlang { stages, mean } => bits(&[f64::from(*stages), *mean]),
            Self::HyperExponential { branches } => {
                branches.iter().flat_map(|(probability, mean)| [probability.to_bits(), mean.to_bits()]).collect()
            }
            Self::Gamma { shape, mean } | Self::Weibull { shape, mean } | Self::Pareto { shape, mean } => {
                bits(&[*shape, *mean])
            }
            Self::LogNormal { mean, cv } => bits(&[*mean, *cv]),
            Self::Triangular { low, mode, high } => bits(&[*low, *mode, *high]),
            Self::Normal { location, deviation } => bits(&[*location, *deviation]),
            Self::HypoExponential { means: values } | Self::Empirical { values } => bits(values),
            // The number of phases follows from that of the parameters.
            Self::Coxian { means, onward } => bits(&[means.as_slice(), onward].concat()),
            Self::PhaseType { initial, generator } => bits(&[initial.as_slice(), &generator.concat()].concat()),
        };
        (self.name(), parameters)
    }
}

#[cfg(test)]
mod tests;
