//! The key `warm_up`: a time or a rule.

use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use std::fmt;
use std::str::FromStr;

/// Value of the key `warm_up`: a time in time units, or the rule "mser5".
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum WarmUpOption {
    /// Warm-up in time units.
    Time(f64),
    /// Warm-up found by MSER-5.
    Mser5,
}

/// Schema of the key `warm_up`.
#[derive(JsonSchema)]
#[serde(untagged)]
#[expect(dead_code, reason = "it stands for its schema")]
pub(super) enum WarmUpShape {
    /// Time units.
    Time(f64),
    /// Rule.
    Rule(WarmUpRule),
}

/// Rule that finds the warm-up.
#[derive(JsonSchema)]
#[serde(rename_all = "lowercase")]
#[expect(dead_code, reason = "it stands for its schema")]
pub(super) enum WarmUpRule {
    /// MSER-5.
    Mser5,
}

impl FromStr for WarmUpOption {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "mser5" => Ok(Self::Mser5),
            _ => text.parse().map(Self::Time).map_err(|_| "give a number of time units, or `mser5`".to_owned()),
        }
    }
}

impl Serialize for WarmUpOption {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Time(units) => serializer.serialize_f64(*units),
            Self::Mser5 => serializer.serialize_str("mser5"),
        }
    }
}

impl<'de> Deserialize<'de> for WarmUpOption {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Visitor;
        impl de::Visitor<'_> for Visitor {
            type Value = WarmUpOption;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a number of time units, or \"mser5\"")
            }

            fn visit_f64<E: de::Error>(self, units: f64) -> Result<WarmUpOption, E> {
                Ok(WarmUpOption::Time(units))
            }

            fn visit_i64<E: de::Error>(self, units: i64) -> Result<WarmUpOption, E> {
                Ok(WarmUpOption::Time(units as f64))
            }

            fn visit_u64<E: de::Error>(self, units: u64) -> Result<WarmUpOption, E> {
                Ok(WarmUpOption::Time(units as f64))
            }

            fn visit_str<E: de::Error>(self, text: &str) -> Result<WarmUpOption, E> {
                match text {
                    "mser5" => Ok(WarmUpOption::Mser5),
                    _ => Err(E::invalid_value(de::Unexpected::Str(text), &self)),
                }
            }
        }
        deserializer.deserialize_any(Visitor)
    }
}
