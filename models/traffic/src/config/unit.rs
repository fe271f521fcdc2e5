//! Values with units, such as `"100 Mbit/s"` or `"5ms"`, and units of bare numbers in network files.

use crate::network::amount;
use imminent_common::quantity::{Quantity, rate_unit, time_unit};
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

/// Value of a key, as a configuration gives it.
#[derive(Deserialize)]
#[serde(untagged, expecting = "a number, or a text of a number and its unit")]
enum Given {
    /// Number in the unit of the key.
    Number(f64),
    /// Number with a unit of its own.
    Text(String),
}

fn value<'de, D: Deserializer<'de>>(
    from: D,
    read: fn(&str) -> Option<Quantity>,
    expected: &str,
) -> Result<f64, D::Error> {
    match Given::deserialize(from)? {
        Given::Number(number) => Ok(number),
        Given::Text(text) => {
            let quantity = read(&text).ok_or_else(|| D::Error::custom(format!("'{text}' is not {expected}")))?;
            Ok(quantity.value(None))
        }
    }
}

/// Reads bits per second: a number, or a text such as `100 Mbit/s`.
pub(super) fn bits<'de, D: Deserializer<'de>>(from: D) -> Result<f64, D::Error> {
    value(from, Quantity::rate, "a rate: give a number of bits per second, or one with its unit, such as '100 Mbit/s'")
}

/// Reads bits per second that may be left out, like [`bits`].
pub(super) fn some_bits<'de, D: Deserializer<'de>>(from: D) -> Result<Option<f64>, D::Error> {
    bits(from).map(Some)
}

/// Reads seconds: a number, or a text such as `5ms`.
pub(super) fn seconds<'de, D: Deserializer<'de>>(from: D) -> Result<f64, D::Error> {
    value(from, Quantity::time, "a time: give a number of seconds, or one with its unit, such as '5ms'")
}

/// Reads seconds that may be left out, like [`seconds`].
pub(super) fn some_seconds<'de, D: Deserializer<'de>>(from: D) -> Result<Option<f64>, D::Error> {
    seconds(from).map(Some)
}

/// Reads a whole number of bytes that may be left out: a number, or a text such as `250 kB`.
pub(super) fn some_bytes<'de, D: Deserializer<'de>>(from: D) -> Result<Option<u64>, D::Error> {
    amount::deserialize(from, amount::bytes, "a size with its unit, such as '250 kB'").map(Some)
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
