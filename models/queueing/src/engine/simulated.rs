//! Results of engines on a device.

use crate::outcome::Outcome;
use crate::spent::{Spent, Timed};

/// Outcome of one replication on a device, with its wall time and number of steps.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Simulated {
    /// Result of the replication.
    pub outcome: Outcome,
    /// Wall time, without set-up.
    pub spent: Spent,
    /// Number of steps of all nodes, for the clustered engine including the one at time 0; 0 for the schedule
    /// [`Events`](super::Schedule::Events), which has none.
    pub steps: u64,
}

impl From<Simulated> for Timed {
    fn from(simulated: Simulated) -> Self {
        Self::read(simulated.outcome, simulated.spent)
    }
}
