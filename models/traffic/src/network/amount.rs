//! Amounts of data as users give them: a number of bytes, or a text of a number and its unit.

use imminent_common::quantity::Quantity;
use serde::de::Error;
use serde::{Deserialize, Deserializer};

/// Largest amount that is a whole number in floating point.
const LARGEST: f64 = (1_u64 << 53) as f64;

/// Amount as a configuration gives it.
#[derive(Deserialize)]
#[serde(untagged, expecting = "a whole number of at least 0, or a text of a size and its unit")]
enum Given {
    /// Number of bytes.
    Whole(u64),
    /// Number of bytes in floating point.
    Number(f64),
    /// Number with a unit of its own.
    Text(String),
}

/// Returns a number that counts something; `None` for other numbers.
pub(super) fn whole(number: f64) -> Option<u64> {
    (number.fract() == 0.0 && (0.0..=LARGEST).contains(&number)).then_some(number as u64)
}

/// Reads a number of bytes such as `250 kB` or `250000`.
pub(crate) fn bytes(text: &str) -> Option<u64> {
    whole(Quantity::size(text)?.value(None))
}

/// Reads an amount from a configuration. `read` reads one with a unit, and `expected` describes the texts for it.
pub(crate) fn deserialize<'de, D: Deserializer<'de>, T: From<u64>>(
    from: D,
    read: fn(&str) -> Option<T>,
    expected: &str,
) -> Result<T, D::Error> {
    let (read, given) = match Given::deserialize(from)? {
        Given::Whole(bytes) => return Ok(bytes.into()),
        Given::Number(bytes) => (whole(bytes).map(T::from), bytes.to_string()),
        Given::Text(text) => (read(&text), text),
    };
    read.ok_or_else(|| {
        D::Error::custom(format!("'{given}' is not a size: give a whole number of bytes, or {expected}"))
    })
}
