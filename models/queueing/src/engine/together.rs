//! Number of replications that run side by side.

use super::general::Simulation;
use crate::analysis::Ending;
use crate::experiment::Experiment;

/// Largest number of nodes of all replications that run side by side.
const MAX_NODES: u64 = 1 << 18;

/// Largest number of replications that run side by side.
pub const MAX_TOGETHER: usize = 4096;

/// Largest size, in bytes, of the nodes' statistics of replications side by side, all observations together.
const MAX_BYTES: u64 = 1 << 30;

/// Largest size, in bytes, of the counters for times of visits.
const MAX_BYTES_OF_TIMES: u64 = 1 << 26;

/// Largest number of replications that are added at a time to a run that ends by precision. Surplus ones are discarded.
const MAX_ADDED: u64 = 16;

/// Replications that run side by side, and the memory that they take. Their experiments may differ.
#[derive(Debug, Clone, Copy, Default)]
pub struct Room {
    replications: u64,
    nodes: u64,
    bytes: u64,
}

impl Room {
    /// Adds a replication of an experiment if there is room for it. The first one always fits.
    pub fn takes(&mut self, experiment: &Experiment) -> bool {
        let network = &experiment.network;
        let kept = experiment.plan.bytes_kept(network.len(), network.classes(), experiment.horizon);
        let more = Self {
            replications: self.replications + 1,
            nodes: self.nodes + network.len() as u64,
            bytes: self.bytes.saturating_add(kept),
        };
        let fits = more.replications <= MAX_TOGETHER as u64 && more.nodes <= MAX_NODES && more.bytes <= MAX_BYTES;
        if fits || self.replications == 0 {
            *self = more;
            return true;
        }
        false
    }
}

/// Returns the number of replications of an experiment that run side by side, at least one. With `times`, times of
/// visits are counted.
#[must_use]
pub fn together(experiment: &Experiment, times: bool) -> u64 {
    let (network, plan) = (&experiment.network, &experiment.plan);
    let kept = plan.bytes_kept(network.len(), network.classes(), experiment.horizon);
    let room = (MAX_NODES / network.len().max(1) as u64).min(MAX_BYTES / kept.max(1));
    let counters = if times { MAX_BYTES_OF_TIMES / Simulation::BYTES_OF_TIMES } else { u64::MAX };
    let most = if matches!(plan.ending, Ending::Precision(_)) { MAX_ADDED } else { MAX_TOGETHER as u64 };
    room.min(counters).min(most).min(experiment.replications).max(1)
}
