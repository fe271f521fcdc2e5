//! A law compiled to ticks.

use super::{Law, LawError, MAX_SHAPE, MAX_VALUES, MAX_VARIATION, MIN_SHAPE, QuantileTable};
use crate::exponential::service_ticks;
use crate::time::{TimeError, mean_service_ticks, ticks_from_units, units_from_ticks};

/// A [`Law`] compiled to ticks: turns one random word into one duration of at least one tick, by the algorithm of
/// [`law`](super).
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Sampler {
    /// Always so many ticks.
    Constant(u64),
    /// Exponential with so many ticks as its mean.
    Exponential(u32),
    /// From `low` to `low + span` ticks, both included.
    Uniform {
        /// The least duration.
        low: u64,
        /// How much longer the greatest is.
        span: u64,
    },
    /// One of these many ticks.
    Empirical(Vec<u64>),
    /// By quantiles.
    Quantiles(QuantileTable),
}

impl Sampler {
    pub(super) fn new(law: &Law) -> Result<Self, LawError> {
        let name = law.name();
        match law {
            Law::Exponential { mean } => {
                positive(name, "mean", *mean)?;
                return Ok(Self::Exponential(mean_service_ticks(*mean).map_err(LawError::Mean)?));
            }
            Law::Deterministic { value } => {
                positive(name, "value", *value)?;
                return Ok(Self::Constant(ticks(name, *value)?.max(1)));
            }
            Law::Uniform { low, high } => {
                if !(0.0 <= *low && low <= high && high.is_finite()) {
                    return Err(LawError::Interval { low: *low, high: *high });
                }
                let (low, high) = (ticks(name, *low)?, ticks(name, *high)?);
                return Ok(Self::Uniform { low, span: high - low });
            }
            Law::Empirical { values } => {
                if values.is_empty() || values.len() > MAX_VALUES {
                    return Err(LawError::Values { values: values.len(), limit: MAX_VALUES });
                }
                let ticks = (1..).zip(values).map(|(number, &value)| {
                    if value.is_finite() && value >= 0.0 {
                        ticks(name, value)
                    } else {
                        Err(LawError::Value { number, value })
                    }
                });
                return Ok(Self::Empirical(ticks.collect::<Result<_, _>>()?));
            }
            Law::Erlang { stages, mean } => {
                positive(name, "mean", *mean)?;
                within(name, "stages", f64::from(*stages), 1.0, MAX_SHAPE)?;
            }
            Law::Gamma { shape, mean } | Law::Weibull { shape, mean } => {
                positive(name, "mean", *mean)?;
                within(name, "shape", *shape, MIN_SHAPE, MAX_SHAPE)?;
            }
            Law::LogNormal { mean, cv } => {
                positive(name, "mean", *mean)?;
                within(name, "cv", *cv, 1e-6, MAX_VARIATION)?;
            }
            Law::HyperExponential { branches } => {
                let sum: f64 = branches.iter().map(|(probability, _)| probability).sum();
                let all_positive = branches.iter().all(|(probability, _)| *probability > 0.0);
                if !all_positive || sum.is_nan() || (sum - 1.0).abs() > 1e-9 {
                    return Err(LawError::Branches { sum });
                }
                for (_, mean) in branches {
                    positive(name, "mean", *mean)?;
                }
            }
        }
        // The mean is at least a tick, or there is nothing to tell apart.
        if law.mean() < units_from_ticks(1) {
            return Err(LawError::Mean(TimeError::MeanService { units: law.mean() }));
        }
        Ok(Self::Quantiles(QuantileTable::new(law)?))
    }

    /// The duration in ticks, at least 1, for one random word.
    #[inline]
    #[must_use]
    pub fn draw(&self, word: u32) -> u64 {
        let ticks = match self {
            Self::Constant(ticks) => *ticks,
            Self::Exponential(mean) => service_ticks(word, *mean),
            Self::Uniform { low, span } => low + scaled(word, span + 1),
            Self::Empirical(values) => {
                values.get(((u64::from(word) * values.len() as u64) >> 32) as usize).copied().unwrap_or(1)
            }
            Self::Quantiles(table) => table.draw(word),
        };
        ticks.max(1)
    }

    /// The mean of the draws over all words, in ticks: what a simulation's law has, rounding and interpolation included.
    ///
    /// For the exponential law it is the mean it was given, from which the draws differ by less than `1e-7` of it.
    #[must_use]
    pub fn mean_ticks(&self) -> f64 {
        match self {
            Self::Constant(ticks) => *ticks as f64,
            Self::Exponential(mean) => f64::from(*mean),
            Self::Uniform { low, span } => {
                // Zero counts as one.
                let zeros = if *low == 0 { 1.0 / (*span as f64 + 1.0) } else { 0.0 };
                *low as f64 + *span as f64 / 2.0 + zeros
            }
            Self::Empirical(values) => {
                values.iter().map(|&ticks| ticks.max(1) as f64).sum::<f64>() / values.len() as f64
            }
            Self::Quantiles(table) => table.mean(),
        }
    }
}

/// `(word * range) >> 32` without overflow, for a range up to 2^63.
#[inline]
fn scaled(word: u32, range: u64) -> u64 {
    let word = u64::from(word);
    (range >> 32) * word + (((range & 0xFFFF_FFFF) * word) >> 32)
}

fn ticks(law: &'static str, units: f64) -> Result<u64, LawError> {
    ticks_from_units(units).map_err(|_| LawError::TooLong { law, units })
}

fn positive(law: &'static str, parameter: &'static str, value: f64) -> Result<(), LawError> {
    if value.is_finite() && value > 0.0 { Ok(()) } else { Err(LawError::NotPositive { law, parameter, value }) }
}

fn within(law: &'static str, parameter: &'static str, value: f64, low: f64, high: f64) -> Result<(), LawError> {
    if (low..=high).contains(&value) { Ok(()) } else { Err(LawError::OutOfRange { law, parameter, value, low, high }) }
}
