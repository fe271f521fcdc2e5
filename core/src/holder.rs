//! Tables and tallies that hold memory, as errors and statistics list them.

use serde::Serialize;
use std::fmt;

/// A kind of table or tally, and the memory that it takes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Holder {
    /// Name of the kind.
    pub what: String,
    /// Number of tables or tallies of the kind.
    pub count: u64,
    /// Total bytes of the kind.
    pub bytes: u64,
}

impl fmt::Display for Holder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.count {
            1 => write!(f, "{}: {} bytes", self.what, self.bytes),
            count => write!(f, "{count} times {}: {} bytes", self.what, self.bytes),
        }
    }
}
