//! Simulation time: a whole number of ticks.
//!
//! Users speak of time units (whatever their mean service times are given in); engines see `u64` ticks alone, so a
//! clock never rounds and two engines never disagree about an order.

use thiserror::Error;

/// Ticks in one time unit of the user: 2^20.
///
/// A mean service of 10 units is then 10,485,760 ticks, so that rounding a service time to a whole tick is a relative
/// error of about 10^-7, and `u64` time still lasts for 10^13 units.
pub const TICKS_PER_UNIT: u64 = 1 << 20;

/// The longest span of time that may be asked for, in ticks: 2^60, about 10^12 units.
pub const MAX_TICKS: u64 = 1 << 60;

/// A time that never comes: later than every event.
pub const NEVER: u64 = u64::MAX;

/// A time in user units that cannot be expressed in ticks.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum TimeError {
    /// The number is negative, infinite or not a number.
    #[error("{units} is not a time: give a number of time units that is finite and not negative")]
    NotATime {
        /// What was given.
        units: f64,
    },
    /// The number is beyond [`MAX_TICKS`].
    #[error("{units} time units are too long: at most {} are supported", units_from_ticks(MAX_TICKS))]
    TooLong {
        /// What was given.
        units: f64,
    },
    /// A mean service time that rounds to no tick at all, or does not fit 32 bits.
    #[error(
        "a mean service of {units} time units is outside {} .. {}: count in another time unit",
        units_from_ticks(1),
        units_from_ticks(u64::from(u32::MAX))
    )]
    MeanService {
        /// What was given.
        units: f64,
    },
}

/// Converts time units to the nearest whole tick.
///
/// # Errors
/// [`TimeError::NotATime`] for a negative number or one that is not finite, [`TimeError::TooLong`] beyond [`MAX_TICKS`].
pub fn ticks_from_units(units: f64) -> Result<u64, TimeError> {
    if !units.is_finite() || units < 0.0 {
        return Err(TimeError::NotATime { units });
    }
    let ticks = (units * TICKS_PER_UNIT as f64).round();
    if ticks > MAX_TICKS as f64 {
        return Err(TimeError::TooLong { units });
    }
    Ok(ticks as u64)
}

/// Converts ticks to time units.
#[must_use]
pub fn units_from_ticks(ticks: u64) -> f64 {
    ticks as f64 / TICKS_PER_UNIT as f64
}

/// Converts a mean service time to ticks: at least one, and below 2^32 so that a service fits `u64` arithmetic.
///
/// # Errors
/// [`TimeError::MeanService`] when the mean is not a time in that range.
pub fn mean_service_ticks(units: f64) -> Result<u32, TimeError> {
    let ticks = ticks_from_units(units).map_err(|_| TimeError::MeanService { units })?;
    u32::try_from(ticks).ok().filter(|&ticks| ticks > 0).ok_or(TimeError::MeanService { units })
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
        assert!(matches!(ticks_from_units(1e300), Err(TimeError::TooLong { .. })));
    }

    #[test]
    fn a_mean_service_has_between_one_and_two_to_the_32_ticks() {
        assert_eq!(mean_service_ticks(1.0 / TICKS_PER_UNIT as f64).unwrap(), 1);
        assert_eq!(mean_service_ticks(4095.5).unwrap(), (4095 << 20) + (1 << 19));
        for units in [0.0, 1e-9, 4096.0, -1.0, f64::NAN] {
            assert!(matches!(mean_service_ticks(units), Err(TimeError::MeanService { .. })), "{units}");
        }
    }
}
