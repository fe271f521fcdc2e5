//! Reports of runs.

use crate::count::Statistics;
use imminent_core::Progress;

/// Report of a run.
#[derive(Debug)]
pub enum Report {
    /// The run goes on.
    Progress(Progress),
    /// A simulation has ended.
    Ended {
        /// Number of the simulation in the order of the networks and of their replications.
        number: usize,
        /// Statistics of its nodes and flows.
        statistics: Statistics,
    },
}
