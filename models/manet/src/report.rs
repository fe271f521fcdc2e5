//! Reports of runs.

use crate::count::NodeCount;
use imminent_common::output::Sketch;
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
        /// Statistics of its nodes.
        counts: Vec<NodeCount>,
        /// Distribution of the delays of delivered packets of all kinds, in µs.
        delays: Sketch,
    },
}
