//! Simulation time: a whole number of ticks.
//!
//! Users give times in time units (those of their mean service times). Engines use only `u64` ticks, so a clock never
//! rounds and two engines never disagree about an order. The length of a [`Tick`] is 2^-20 time units, unless another
//! power of two represents very short or very long durations better.

use crate::number::Shown;
use thiserror::Error;

/// Number of ticks in one time unit by [`Tick::DEFAULT`]: 2^20.
///
/// A mean service of 10 units is then 10,485,760 ticks. Rounding a service time to a whole tick is a relative error of
/// about 10^-7, and `u64` time lasts for 10^13 units.
pub const TICKS_PER_UNIT: u64 = 1 << 20;

/// Longest span of time that can be requested, in ticks: 2^60, about 10^12 units.
pub const MAX_TICKS: u64 = 1 << 60;

/// Time that never comes: later than every event.
pub const NEVER: u64 = u64::MAX;

/// Length of a tick: a power of two of a time unit. Conversion to ticks and back therefore only rounds to a whole tick.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Tick {
    /// Binary logarithm of the number of ticks in a time unit.
    bits: i32,
}

impl Default for Tick {
    fn default() -> Self {
        Self::DEFAULT
    }
}

impl Tick {
    /// Tick of all models whose durations it represents well: 2^-20 time units.
    pub const DEFAULT: Self = Self { bits: 20 };

    /// Bound on the binary logarithm: the longest and the shortest tick are 2^100 and 2^-100 time units.
    pub const MAX_BITS: i32 = 100;

    /// Creates a tick of `2^-bits` time units; the magnitude of `bits` is clamped to
    /// [`MAX_BITS`](Self::MAX_BITS).
    #[must_use]
    pub const fn of_bits(bits: i32) -> Self {
        let most = Self::MAX_BITS;
        Self {
            bits: if bits > most {
                most
            } else if bits < -most {
                -most
            } else {
                bits
            },
        }
    }

    /// Returns the binary logarithm of the number of ticks in a time unit.
    #[must_use]
    pub const fn bits(self) -> i32 {
        self.bits
    }

    /// Returns the number of ticks in a time unit, a power of two; below 1 if a tick is longer than a time unit.
    #[must_use]
    pub const fn per_unit(self) -> f64 {
        // The exponent bits of a double, which is exact.
        f64::from_bits(((self.bits + 1023) as u64) << 52)
    }

    /// Converts ticks to time units.
    #[must_use]
    pub fn units(self, ticks: u64) -> f64 {
        ticks as f64 / self.per_unit()
    }

    /// Converts time units to the nearest whole tick.
    ///
    /// # Errors
    /// [`TimeError::NotATime`] for a negative number or one that is not finite, [`TimeError::TooLong`] beyond
    /// [`MAX_TICKS`].
    pub fn ticks(self, units: f64) -> Result<u64, TimeError> {
        if !units.is_finite() || units < 0.0 {
            return Err(TimeError::NotATime { units });
        }
        let ticks = (units * self.per_unit()).round();
        if ticks > MAX_TICKS as f64 {
            return Err(TimeError::TooLong { units, limit: self.units(MAX_TICKS) });
        }
        Ok(ticks as u64)
    }

    /// Converts a mean service time to ticks: at least one, and below 2^32, which lets a service fit `u64` arithmetic.
    ///
    /// # Errors
    /// [`TimeError::NotAMean`] if the mean is not a duration, [`TimeError::MeanService`] if it is outside that range.
    pub fn mean_service(self, units: f64) -> Result<u32, TimeError> {
        if !units.is_finite() || units <= 0.0 {
            return Err(TimeError::NotAMean { units });
        }
        let (least, greatest) = (self.units(1), self.units(u64::from(u32::MAX)));
        let outside = TimeError::MeanService { units, least, greatest };
        let ticks = self.ticks(units).ok().and_then(|ticks| u32::try_from(ticks).ok());
        ticks.filter(|&ticks| ticks > 0).ok_or(outside)
    }
}

/// Reasons why a time in user units cannot be expressed in ticks.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum TimeError {
    /// A number is negative, infinite or not a number.
    #[error("{} is not a time: give a number of time units that is finite and not negative", Shown(*units))]
    NotATime {
        /// Number given.
        units: f64,
    },
    /// A number is beyond [`MAX_TICKS`].
    #[error("{} time units are too long: at most {} are supported", Shown(*units), Shown(*limit))]
    TooLong {
        /// Number given.
        units: f64,
        /// Longest time, in time units.
        limit: f64,
    },
    /// A mean service time that is negative, zero, infinite or not a number.
    #[error("a mean service of {} time units is not possible: give a finite number above 0", Shown(*units))]
    NotAMean {
        /// Number given.
        units: f64,
    },
    /// A mean service time rounds to no tick, or does not fit 32 bits.
    #[error(
        "a mean service of {} time units is outside {} .. {}: count in another time unit",
        Shown(*units),
        Shown(*least),
        Shown(*greatest)
    )]
    MeanService {
        /// Number given.
        units: f64,
        /// Smallest mean, in time units.
        least: f64,
        /// Greatest mean, in time units.
        greatest: f64,
    },
}

/// Converts time units to the nearest whole tick of the [default](Tick::DEFAULT) length.
///
/// # Errors
/// Same as [`Tick::ticks`].
pub fn ticks_from_units(units: f64) -> Result<u64, TimeError> {
    Tick::DEFAULT.ticks(units)
}

/// Converts ticks of the [default](Tick::DEFAULT) length to time units.
#[must_use]
pub fn units_from_ticks(ticks: u64) -> f64 {
    Tick::DEFAULT.units(ticks)
}

/// Converts a mean service time to ticks of the [default](Tick::DEFAULT) length: at least one, and below 2^32.
///
/// # Errors
/// Same as [`Tick::mean_service`].
pub fn mean_service_ticks(units: f64) -> Result<u32, TimeError> {
    Tick::DEFAULT.mean_service(units)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn units_become_the_nearest_tick() {
        assert_eq!(ticks_from_units(10.0).unwrap(), 10 << 20);
        assert_eq!(ticks_from_units(0.4 / TICKS_PER_UNIT as f64).unwrap(), 0);
        assert_eq!(ticks_from_units(0.5 / TICKS_PER_UNIT as f64).unwrap(), 1);
    }

    #[test]
    fn what_is_not_a_time_is_an_error() {
        for units in [-1.0, f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
            assert!(matches!(ticks_from_units(units), Err(TimeError::NotATime { .. })));
        }
        let error = ticks_from_units(1e300).unwrap_err();
        assert!(matches!(error, TimeError::TooLong { .. }));
        assert_eq!(error.to_string(), "1e300 time units are too long: at most 1099511627776 are supported");
    }

    #[test]
    fn a_mean_service_has_between_one_and_two_to_the_32_ticks() {
        assert_eq!(mean_service_ticks(1.0 / TICKS_PER_UNIT as f64).unwrap(), 1);
        assert_eq!(mean_service_ticks(4095.5).unwrap(), (4095 << 20) + (1 << 19));
        for units in [1e-9, 4096.0] {
            assert!(matches!(mean_service_ticks(units), Err(TimeError::MeanService { .. })), "{units}");
        }
        for units in [0.0, -1.0, f64::NAN] {
            assert!(matches!(mean_service_ticks(units), Err(TimeError::NotAMean { .. })), "{units}");
        }
    }

    #[test]
    fn ticks_of_any_length_convert_there_and_back() {
        for bits in -Tick::MAX_BITS..=Tick::MAX_BITS {
            let tick = Tick::of_bits(bits);
            assert_eq!(tick.per_unit(), f64::from(bits).exp2(), "{bits}");
            for ticks in [1, 3, 1 << 40] {
                assert_eq!(tick.ticks(tick.units(ticks)).unwrap(), ticks, "{bits}");
            }
        }
        assert_eq!((Tick::of_bits(1000).bits(), Tick::of_bits(i32::MIN).bits()), (100, -100));
        assert_eq!(Tick::DEFAULT.per_unit(), TICKS_PER_UNIT as f64);
    }
}
