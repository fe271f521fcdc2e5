//! Values of keys in the units of networks.

use super::ConfigError;
use crate::field::MAX_SIDE;
use imminent_common::toml_text::TomlError;

/// Converts a number of units to whole small units, from `least` to `most`.
pub(super) fn scaled(key: &str, value: f64, unit: f64, [least, most]: [f64; 2]) -> Result<f64, ConfigError> {
    let scaled = (value * unit).round();
    match (least..=most).contains(&scaled) {
        true => Ok(scaled),
        false => Err(refused(
            key,
            format!("{value} is not possible; give a number from {} to {}", least / unit, most / unit),
        )),
    }
}

/// Returns the error that a key has an invalid value.
pub(super) fn refused(key: &str, problem: String) -> ConfigError {
    TomlError::value(key, problem).into()
}

/// Converts metres to millimetres.
pub(super) fn length(key: &str, metres: f64, least: u32) -> Result<u32, ConfigError> {
    scaled(key, metres, 1e3, [least, MAX_SIDE].map(f64::from)).map(|length| length as u32)
}

/// Converts seconds to microseconds.
pub(super) fn time(key: &str, seconds: f64) -> Result<u64, ConfigError> {
    scaled(key, seconds, 1e6, [0.0, (1_u64 << 50) as f64]).map(|time| time as u64)
}

/// Converts seconds to microseconds of 32 bits, at least 1.
pub(super) fn short_time(key: &str, seconds: f64) -> Result<u32, ConfigError> {
    scaled(key, seconds, 1e6, [1.0, f64::from(u32::MAX / 2)]).map(|time| time as u32)
}
