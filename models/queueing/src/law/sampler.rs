//! A law compiled to ticks.

use super::{Law, LawError, QuantileTable, tick_of};
use imminent_common::exponential::service_ticks;
use imminent_common::time::Tick;

/// A [`Law`] compiled to ticks. It turns one random word into one duration of at least one tick, by the algorithm of
/// [`law`](super).
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Sampler {
    /// Constant duration, in ticks.
    Constant(u64),
    /// Exponential duration with this mean, in ticks.
    Exponential(u32),
    /// Uniform duration from `low` to `low + span` ticks, both included.
    Uniform {
        /// Shortest duration, in ticks.
        low: u64,
        /// Difference of the longest and the shortest duration, in ticks.
        span: u64,
    },
    /// One of the listed durations, in ticks.
    Empirical(Vec<u64>),
    /// Duration from a table of quantiles.
    Quantiles(QuantileTable),
}

impl Law {
    /// Compiles the law to ticks of the [default](Tick::DEFAULT) length.
    ///
    /// # Errors
    /// Same as [`sampler_at`](Self::sampler_at).
    pub fn sampler(&self) -> Result<Sampler, LawError> {
        self.sampler_at(Tick::DEFAULT)
    }

    /// Compiles the law to ticks of the given length.
    ///
    /// # Errors
    /// [`LawError`] for an invalid parameter, a mean of less than a tick, and durations beyond
    /// [`MAX_TICKS`](imminent_common::time::MAX_TICKS).
    pub fn sampler_at(&self, tick: Tick) -> Result<Sampler, LawError> {
        self.check_against(tick)?;
        let name = self.name();
        let ticks = |units: f64| tick.ticks(units).map_err(|_| LawError::too_long(name, units, tick));
        Ok(match self {
            // The exponential algorithm needs a mean of 32 bits; a longer one is drawn by quantiles.
            Self::Exponential { mean } => match tick.mean_service(*mean) {
                Ok(mean) => Sampler::Exponential(mean),
                Err(_) => Sampler::Quantiles(QuantileTable::new(self, tick)?),
            },
            Self::Deterministic { value } => Sampler::Constant(ticks(*value)?.max(1)),
            Self::Uniform { low, high } => {
                let (low, high) = (ticks(*low)?, ticks(*high)?);
                Sampler::Uniform { low, span: high - low }
            }
            Self::Empirical { values } => {
                Sampler::Empirical(values.iter().map(|&value| ticks(value)).collect::<Result<_, _>>()?)
            }
            _ => Sampler::Quantiles(QuantileTable::new(self, tick)?),
        })
    }
}

impl Law {
    /// Checks all that makes [`sampler_at`](Self::sampler_at) fail but the longest duration: the parameters, and that
    /// the mean is not less than a tick.
    fn check_against(&self, tick: Tick) -> Result<(), LawError> {
        self.check()?;
        let has_mean = !matches!(self, Self::Uniform { .. } | Self::Empirical { .. } | Self::Deterministic { .. });
        if has_mean && self.mean() < tick.units(1) {
            let (units, least) = (self.mean(), tick.units(1));
            return Err(LawError::TooShort { law: self.name(), units, least });
        }
        Ok(())
    }

    /// Checks that the law can be compiled to some tick, without a table of quantiles.
    ///
    /// # Errors
    /// [`LawError`], as for [`sampler_at`](Self::sampler_at) with the tick that suits the law.
    pub(crate) fn check_alone(&self) -> Result<(), LawError> {
        // The tick depends on the longest duration, which needs right parameters.
        self.check()?;
        let tick = tick_of([self]);
        self.check_against(tick)?;
        let units = self.greatest_draw();
        tick.ticks(units).map(drop).map_err(|_| LawError::too_long(self.name(), units, tick))
    }
}

impl Sampler {
    /// Returns the duration in ticks, at least 1, for one random word.
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

    /// Returns the mean of the draws over all words, in ticks, including rounding and interpolation.
    ///
    /// For the exponential law it is the mean of the rounded variate; the draws differ from it by less than `1e-7` of
    /// it.
    #[must_use]
    pub fn mean_ticks(&self) -> f64 {
        match self {
            Self::Constant(ticks) => *ticks as f64,
            Self::Exponential(mean) => rounded_exponential(f64::from(*mean)),
            Self::Uniform { low, span } => {
                // A draw of zero counts as one tick.
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

/// Computes `(word * range) >> 32` without overflow, for a range up to 2^63.
#[inline]
fn scaled(word: u32, range: u64) -> u64 {
    let word = u64::from(word);
    (range >> 32) * word + (((range & 0xFFFF_FFFF) * word) >> 32)
}

/// Returns the mean of an exponential duration of mean `mean` ticks, rounded to the nearest tick, where 0 counts as 1.
///
/// The probabilities of at least `1/2, 3/2, 5/2, ...` ticks add up to `1 / (2 sinh(1 / (2 mean)))`; less than half a
/// tick adds its probability.
fn rounded_exponential(mean: f64) -> f64 {
    // Above 10^6 rounding adds less than a part in 10^12; a mean of 0 is not a law, and networks refuse it.
    if mean > 1e6 || mean == 0.0 {
        return mean;
    }
    let half = 0.5 / mean;
    0.5 / half.sinh() - (-half).exp_m1()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_mean_of_a_short_exponential_is_that_of_its_draws() {
        for mean in [1, 2, 3, 10, 100] {
            let sampler = Sampler::Exponential(mean);
            // Every 2^12th word, from the middle of its interval.
            let words = (0..1_u32 << 20).map(|word| (word << 12) + (1 << 11));
            let drawn = words.map(|word| sampler.draw(word) as f64).sum::<f64>() / f64::from(1 << 20);
            let error = sampler.mean_ticks() / drawn - 1.0;
            assert!(error.abs() < 1e-5, "{mean}: {drawn} instead of {}", sampler.mean_ticks());
        }
        // A mean of two ticks is drawn a tenth too long.
        assert!((Sampler::Exponential(2).mean_ticks() / 2.0 - 1.1002).abs() < 1e-4);
    }
}
