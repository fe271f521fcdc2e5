//! Tables and tallies that hold memory, as errors and statistics list them.

use serde::Serialize;
use std::fmt;

/// A table or tally, and how much memory it takes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Holder {
    /// What it is.
    pub what: String,
    /// How many of the kind there are.
    pub count: u64,
    /// Bytes, all of them together.
    pub bytes: u64,
}

impl fmt::Display for Holder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.count {
            1 => write!(f, "the {}: {} bytes", self.what, self.bytes),
            count => write!(f, "{count} times {}: {} bytes", self.what, self.bytes),
        }
    }
}
