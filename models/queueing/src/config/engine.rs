//! Engines by their names in configurations.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::fmt;

/// Engine that simulates a queueing network.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Engine {
    /// Parallel engine with the same bits as the sequential engine.
    #[default]
    Exact,
    /// Parallel engine that clusters events by an interval of time ([`crate::interval`]).
    Interval,
    /// Engine that executes one event after the other ([`crate::sequential`]).
    Sequential,
}

impl Engine {
    /// Returns the engine's name in options, configurations and reports.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Exact => "exact",
            Self::Interval => "interval",
            Self::Sequential => "sequential",
        }
    }
}

impl fmt::Display for Engine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
