//! Units of bare numbers in network files: the unit's size, or its name.

use crate::network::files::{rate_unit, time_unit};
use schemars::JsonSchema;
use serde::de::Error;
use serde::{Deserialize, Deserializer};

/// Unit, as a configuration gives it.
#[derive(Deserialize, JsonSchema)]
#[serde(untagged)]
pub(super) enum Shape {
    /// Size of the unit.
    Size(f64),
    /// Name of the unit.
    Name(String),
}

/// Reads a unit of rates from a configuration: bits per second, or a name such as `Mbps`.
pub(super) fn rate<'de, D: Deserializer<'de>>(from: D) -> Result<Option<f64>, D::Error> {
    match Shape::deserialize(from)? {
        Shape::Size(size) => Ok(Some(size)),
        Shape::Name(name) => bandwidth_unit(&name).map(Some).map_err(D::Error::custom),
    }
}

/// Reads a unit of times from a configuration: seconds, or a name such as `ms`.
pub(super) fn time<'de, D: Deserializer<'de>>(from: D) -> Result<Option<f64>, D::Error> {
    match Shape::deserialize(from)? {
        Shape::Size(size) => Ok(Some(size)),
        Shape::Name(name) => delay_unit(&name).map(Some).map_err(D::Error::custom),
    }
}

/// Returns the bits per second in a unit, given as a number or by its name.
///
/// # Errors
/// A text that says which units there are.
pub fn bandwidth_unit(text: &str) -> Result<f64, String> {
    let number = text.trim().parse().ok();
    number.or_else(|| rate_unit(text)).ok_or_else(|| {
        format!(
            "'{text}' is not a unit of bandwidths: give bps, kbps, Mbps, Gbps or Tbps, or a number of bits per second"
        )
    })
}

/// Returns the seconds in a unit, given as a number or by its name.
///
/// # Errors
/// A text that says which units there are.
pub fn delay_unit(text: &str) -> Result<f64, String> {
    let number = text.trim().parse().ok();
    number
        .or_else(|| time_unit(text))
        .ok_or_else(|| format!("'{text}' is not a unit of delays: give s, ms, us or ns, or a number of seconds"))
}
