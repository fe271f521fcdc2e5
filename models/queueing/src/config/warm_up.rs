//! The key `warm_up`: a time or a rule.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Value of the key `warm_up`: a time in time units, or the rule "mser5".
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged, expecting = "give a number of time units, or \"mser5\"")]
pub enum WarmUpOption {
    /// Warm-up in time units.
    Time(f64),
    /// Rule that finds the warm-up.
    Rule(WarmUpRule),
}

/// Rule that finds the warm-up.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum WarmUpRule {
    /// MSER-5.
    Mser5,
}
