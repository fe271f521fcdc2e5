//! Confidence of intervals.

use serde::de::{Deserializer, Error as _};
use serde::ser::{SerializeMap, Serializer};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt;
use thiserror::Error;

/// Probability with which an interval covers the true value.
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd, Serialize, Deserialize)]
#[serde(try_from = "f64", into = "f64")]
pub struct Confidence(f64);

/// A confidence is not between 0 and 1.
#[derive(Debug, Clone, Copy, PartialEq, Error)]
#[error("a confidence of {given} is not possible: give a probability from 0.5 to 0.999999, for instance 0.95")]
pub struct ConfidenceError {
    /// Confidence given.
    pub given: f64,
}

impl Confidence {
    /// Confidence of 95 %.
    pub const DEFAULT: Self = Self(0.95);

    /// Creates a confidence.
    ///
    /// # Errors
    /// [`ConfidenceError`] unless `level` lies between 0.5 and 0.999999.
    pub fn new(level: f64) -> Result<Self, ConfidenceError> {
        if (0.5..=0.999_999).contains(&level) { Ok(Self(level)) } else { Err(ConfidenceError { given: level }) }
    }

    /// Returns the probability, between 0 and 1.
    #[must_use]
    pub const fn level(self) -> f64 {
        self.0
    }

    /// Returns the name of a half-width in JSON objects and tables: `ci95` for 95 %, `ci99.9` for 99.9 %.
    ///
    /// The level is part of the name, so no reader can take one interval for another.
    #[must_use]
    pub fn key(self) -> String {
        format!("ci{}", self.percent())
    }

    /// Returns the percentage, without digits that mean nothing: `95` or `99.9`.
    #[must_use]
    pub fn percent(self) -> String {
        format!("{}", (self.0 * 1e8).round() / 1e6)
    }

    /// Returns the interval of this half-width.
    #[must_use]
    pub const fn interval(self, half_width: Option<f64>) -> Interval {
        Interval { half_width, confidence: self }
    }

    /// Returns the confidence that a [key](Self::key) names.
    fn of_key(key: &str) -> Option<Self> {
        Self::new(key.strip_prefix("ci")?.parse::<f64>().ok()? / 100.0).ok()
    }
}

impl Default for Confidence {
    fn default() -> Self {
        Self::DEFAULT
    }
}

impl fmt::Display for Confidence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} %", self.percent())
    }
}

impl From<Confidence> for f64 {
    fn from(confidence: Confidence) -> Self {
        confidence.0
    }
}

impl TryFrom<f64> for Confidence {
    type Error = ConfidenceError;

    fn try_from(level: f64) -> Result<Self, ConfidenceError> {
        Self::new(level)
    }
}

/// Half-width of a confidence interval, a single entry of a JSON object: its name is the [key](Confidence::key) of the
/// confidence.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Interval {
    /// Half-width; `None` if there is no interval.
    pub half_width: Option<f64>,
    /// Probability with which the interval covers the true value.
    pub confidence: Confidence,
}

impl Serialize for Interval {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(1))?;
        map.serialize_entry(&self.confidence.key(), &self.half_width)?;
        map.end()
    }
}

impl<'de> Deserialize<'de> for Interval {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let entries = BTreeMap::<String, Option<f64>>::deserialize(deserializer)?;
        let named = |(key, half): (String, Option<f64>)| Some((Confidence::of_key(&key)?, half));
        let Some((confidence, half_width)) = entries.into_iter().find_map(named) else {
            return Err(D::Error::custom("an interval has a key such as `ci95`"));
        };
        Ok(Self { half_width, confidence })
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::estimate::Estimate;

    #[test]
    fn the_level_is_part_of_the_name() {
        let values = [1.0, 2.0, 3.0, 4.0, 5.0];
        assert_eq!(serde_json::to_value(Estimate::of(&[7.0])).unwrap(), serde_json::json!({"mean": 7.0, "ci95": null}));
        for (level, key) in [(0.9, "ci90"), (0.95, "ci95"), (0.999, "ci99.9"), (0.55, "ci55")] {
            let estimate = Confidence::new(level).unwrap().of(&values);
            let json = serde_json::to_value(estimate).unwrap();
            assert!(json[key].is_f64(), "{json}");
            let read: Estimate = serde_json::from_value(json).unwrap();
            assert_eq!(read.interval.confidence.key(), key);
            assert_eq!((read.mean, read.half_width()), (estimate.mean, estimate.half_width()));
        }
        assert!(serde_json::from_str::<Estimate>("{\"mean\": 1.0}").is_err());
    }

    /// t(0.95; 4) = 2.131847.
    #[test]
    fn a_lower_confidence_has_a_shorter_interval() {
        let estimate = Confidence::new(0.9).unwrap().of(&[1.0, 2.0, 3.0, 4.0, 5.0]);
        assert!((estimate.half_width().unwrap() - 2.131_847 * 0.5_f64.sqrt()).abs() < 1e-5);
        assert_eq!(Confidence::new(95.0), Err(ConfidenceError { given: 95.0 }));
        assert!(Confidence::new(f64::NAN).is_err() && Confidence::new(1.0).is_err());
    }
}
