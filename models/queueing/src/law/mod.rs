//! Service and inter-arrival laws: what a modeller writes, and how a random word becomes a number of ticks.
//!
//! A [`Law`] is given in time units. [`Law::sampler_at`] compiles it to a [`Sampler`], integers alone, which turns one
//! uniform 32-bit word into one duration of at least one tick. The host ([`Sampler::draw`]) and the kernels
//! ([`law::draw`](crate::kernels::law)) follow the same algorithm and give the same bits on every device:
//!
//! | law | duration for the word `x` |
//! | --- | --- |
//! | deterministic | its value, in ticks |
//! | exponential | [`imminent_common::exponential`] of `x`, scaled by the mean in ticks `m < 2^32`: `(E(x) m + 2^26) >> 27` |
//! | uniform | `low + (x (high - low + 1) >> 32)`, `low` and `high` in ticks |
//! | empirical | value number `(x n) >> 32` of the `n` values, in their order, in ticks |
//! | every other | interpolated in a [quantile table](QuantileTable) |
//!
//! A result of 0 ticks becomes 1. Times are rounded to the nearest tick when the law is compiled. How long a tick is, [`tick_of`] chooses.
//!
//! # Quantile tables
//! The word `x` stands for the probability `u = v / 2^33` with `v = 2x + 1`. Let `w = v` in the lower half, where
//! `v < 2^32`, and `w = 2^33 - v` in the upper half; `w` is odd. Let `b`, from 1 to 32, be the number of bits of `w`: its octave is
//! `[2^(b-1), 2^b)`, which is cut into 64 equal segments. Then
//!
//! * `f = (w << (32 - b)) mod 2^31`, the place of `w` in its octave;
//! * `k = 64 (b - 1) + (f >> 25)`, the number of its segment, and `r = f mod 2^25`, the place in the segment;
//! * the duration is `q[k] + (((q[k + 1] - q[k]) r + 2^24) >> 25)` in the lower half, where `q` rises, and
//!   `q[k] - (((q[k] - q[k + 1]) r + 2^24) >> 25)` in the upper half, where `q` falls.
//!
//! Each half has 2,049 entries: `q[k]` is the quantile of the probability `p = 2^(b-34) (1 + s / 64)`, `k = 64 (b - 1) + s`, in
//! ticks, in the lower half, and of `1 - p` in the upper half; the last entry of both is the median. The products need more than 64
//! bits: `d r + 2^24 >> 25` is `(d >> 25) r + (((d mod 2^25) r + 2^24) >> 25)`.
//!
//! The quantiles come from the host's floating-point functions, so two hosts may differ in the last tick of an entry. The table is part
//! of the configuration of a model, not of an engine: [`Network::fingerprint`](crate::Network) covers it.
//!
//! Between two entries the quantile function is taken for a straight line. Where it falls with the logarithm of the probability, as that of every
//! law with an exponential tail, this is wrong by at most `1/32,768` of the mean. Nothing is drawn beyond the probabilities `2^-33` and
//! `1 - 2^-33`. Together they leave the mean of all draws within `2e-5` of the law's for coefficients of variation up to 2, and within `4e-3` for the
//! heaviest tails allowed; [`Sampler::mean_ticks`] has it exactly.

mod check;
mod column;
mod distribution;
mod error;
mod quantile;
mod sampler;
mod scale;
mod shape;
mod table;

pub use error::LawError;
pub use sampler::Sampler;
pub use scale::tick_of;
pub use shape::{LawName, LawShape, LawShapeError};
pub use table::QuantileTable;

use imminent_common::time::Tick;
use serde::{Deserialize, Serialize};

/// The greatest shape of a gamma or Weibull law and the most stages of an Erlang law: 10^6.
pub const MAX_SHAPE: f64 = 1e6;

/// The least shape of a gamma or Weibull law: 1/10.
pub const MIN_SHAPE: f64 = 0.1;

/// The greatest coefficient of variation of a log-normal law: 100.
pub const MAX_VARIATION: f64 = 100.0;

/// The most values of an empirical law: 2^24.
pub const MAX_VALUES: usize = 1 << 24;

/// A law of positive durations, in time units. Its serialised form is [`LawShape`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "LawShape", into = "LawShape")]
pub enum Law {
    /// Memoryless.
    Exponential {
        /// Its mean.
        mean: f64,
    },
    /// Always the same.
    Deterministic {
        /// The duration.
        value: f64,
    },
    /// Every duration from `low` to `high` alike.
    Uniform {
        /// The least duration.
        low: f64,
        /// The greatest duration.
        high: f64,
    },
    /// The sum of `stages` exponential durations.
    Erlang {
        /// How many stages.
        stages: u32,
        /// Mean of the sum.
        mean: f64,
    },
    /// One of several exponential durations.
    HyperExponential {
        /// Probability and mean of each; the probabilities add up to one.
        branches: Vec<(f64, f64)>,
    },
    /// The gamma law.
    Gamma {
        /// Its shape; the squared coefficient of variation is one over it.
        shape: f64,
        /// Its mean.
        mean: f64,
    },
    /// A duration whose logarithm is normal.
    LogNormal {
        /// Its mean.
        mean: f64,
        /// Its coefficient of variation: standard deviation over mean.
        cv: f64,
    },
    /// The Weibull law.
    Weibull {
        /// Its shape: 1 is exponential, below 1 has the heavier tail.
        shape: f64,
        /// Its mean.
        mean: f64,
    },
    /// One of the values measured, each alike.
    Empirical {
        /// The values, in their order.
        values: Vec<f64>,
    },
}

impl Law {
    /// Compiles the law to ticks of the [default](Tick::DEFAULT) length.
    ///
    /// # Errors
    /// Those of [`sampler_at`](Self::sampler_at).
    pub fn sampler(&self) -> Result<Sampler, LawError> {
        self.sampler_at(Tick::DEFAULT)
    }

    /// Compiles the law to ticks of a length.
    ///
    /// # Errors
    /// [`LawError`] for a parameter that makes no sense, a mean of less than a tick, and durations beyond [`MAX_TICKS`](imminent_common::time::MAX_TICKS).
    pub fn sampler_at(&self, tick: Tick) -> Result<Sampler, LawError> {
        Sampler::new(self, tick)
    }

    /// The law's name in configurations.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Exponential { .. } => "exponential",
            Self::Deterministic { .. } => "deterministic",
            Self::Uniform { .. } => "uniform",
            Self::Erlang { .. } => "erlang",
            Self::HyperExponential { .. } => "hyper-exponential",
            Self::Gamma { .. } => "gamma",
            Self::LogNormal { .. } => "log-normal",
            Self::Weibull { .. } => "weibull",
            Self::Empirical { .. } => "empirical",
        }
    }

    /// The same law stretched to another mean.
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
            | Self::Deterministic { value: of_law } => *of_law = mean,
            Self::Uniform { low, high } => (*low, *high) = (*low * stretch, *high * stretch),
            Self::HyperExponential { branches } => branches.iter_mut().for_each(|(_, mean)| *mean *= stretch),
            Self::Empirical { values } => values.iter_mut().for_each(|value| *value *= stretch),
        }
        law
    }

    /// The law's parameters as bits: equal laws have equal keys, and no others.
    pub(crate) fn key(&self) -> (&'static str, Vec<u64>) {
        let parameters = match self {
            Self::Exponential { mean } => vec![mean.to_bits()],
            Self::Deterministic { value } => vec![value.to_bits()],
            Self::Uniform { low, high } => vec![low.to_bits(), high.to_bits()],
            Self::Erlang { stages, mean } => vec![u64::from(*stages), mean.to_bits()],
            Self::HyperExponential { branches } => {
                branches.iter().flat_map(|(probability, mean)| [probability.to_bits(), mean.to_bits()]).collect()
            }
            Self::Gamma { shape, mean } | Self::Weibull { shape, mean } => vec![shape.to_bits(), mean.to_bits()],
            Self::LogNormal { mean, cv } => vec![mean.to_bits(), cv.to_bits()],
            Self::Empirical { values } => values.iter().map(|value| value.to_bits()).collect(),
        };
        (self.name(), parameters)
    }
}

#[cfg(test)]
mod tests;
