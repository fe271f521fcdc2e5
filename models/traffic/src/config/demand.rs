//! One demand of a configuration: `[[traffic.demand]]`, or a row of a traffic matrix.

use super::unit;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Traffic demand between two nodes.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DemandShape {
    /// Name of the sending node.
    pub from: String,
    /// Name of the receiving node.
    pub to: String,
    /// Rate in bits per second.
    #[serde(deserialize_with = "unit::bits")]
    #[schemars(range(min = 0.0, max = 1e13), extend("unit" = "bit/s"))]
    pub rate: f64,
}
