//! Bounds on size and age of a cache.

use imminent_core::{Error, Result};
use std::ffi::OsString;
use std::time::Duration;

/// Bounds on the kernels that a cache keeps. Both hold for each folder.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bounds {
    /// Largest total size of all files, in bytes; `None` for any.
    pub bytes: Option<u64>,
    /// Time after which an unused kernel is removed; `None` for never.
    pub age: Option<Duration>,
}

const DAY: Duration = Duration::from_hours(24);

impl Default for Bounds {
    /// Returns 256 MiB, and 90 days.
    fn default() -> Self {
        Bounds { bytes: Some(256 << 20), age: Some(DAY * 90) }
    }
}

impl Bounds {
    /// No bounds.
    pub const NONE: Bounds = Bounds { bytes: None, age: None };

    /// Returns the bounds that `IMMINENT_CACHE_LIMIT` sets; bounds that it does not name keep their defaults.
    pub(super) fn from_variable(value: Option<OsString>) -> Result<Bounds> {
        let Some(value) = value.filter(|value| !value.is_empty()) else { return Ok(Bounds::default()) };
        let text = value.to_string_lossy();
        Bounds::parse(&text).ok_or_else(|| {
            Error::invalid(
                format!("environment variable IMMINENT_CACHE_LIMIT={text}"),
                "it takes a size in KiB, MiB or GiB, an age in days, or both, as in `512MiB,30d`; or `off`",
            )
        })
    }

    fn parse(text: &str) -> Option<Bounds> {
        if text == "off" {
            return Some(Bounds::NONE);
        }
        let mut bounds = Bounds::default();
        for part in text.split(',').map(str::trim) {
            let digits = part.len() - part.trim_start_matches(|c: char| c.is_ascii_digit()).len();
            let (number, unit) = part.split_at(digits);
            let number: u64 = number.parse().ok()?;
            let shift = match unit.trim() {
                "d" => {
                    bounds.age = Some(Duration::from_secs(number.checked_mul(DAY.as_secs())?));
                    continue;
                }
                "KiB" => 10,
                "MiB" => 20,
                "GiB" => 30,
                _ => return None,
            };
            bounds.bytes = Some(number.checked_mul(1 << shift)?);
        }
        Some(bounds)
    }

    /// Returns the number of bytes that may be written between two sweeps of the folder.
    pub(super) fn slack(self) -> u64 {
        self.bytes.map_or(64 << 20, |bytes| bytes / 16)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn sizes_and_ages_are_read() {
        let of = |text: &str| Bounds::from_variable(Some(text.into())).unwrap();
        let usual = Bounds::default();
        assert_eq!(of("1GiB"), Bounds { bytes: Some(1 << 30), ..usual });
        assert_eq!(of("30d"), Bounds { age: Some(DAY * 30), ..usual });
        assert_eq!(of("0KiB, 1d"), Bounds { bytes: Some(0), age: Some(DAY) });
        assert_eq!(of("off"), Bounds::NONE);
        assert_eq!(of(""), usual);
        assert_eq!(Bounds::from_variable(None).unwrap(), usual);
    }

    #[test]
    fn what_cannot_be_read_is_a_typed_error_that_says_what_can() {
        for text in
            ["lots", "12", "12MB", "MiB", "-1d", "1GiB;2d", "99999999999999999999MiB", "18446744073709551615GiB"]
        {
            let error = Bounds::from_variable(Some(text.into())).unwrap_err();
            let words = error.to_string();
            assert!(
                matches!(error, Error::Invalid { .. }) && words.contains(text) && words.contains("MiB,30d"),
                "{words}"
            );
        }
    }
}
