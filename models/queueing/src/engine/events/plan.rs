//! Division of the nodes among workers, and the length of time windows.

use crate::calendar::Traffic;
use crate::network::Simple;
use crate::scenario::Scenario;
use std::num::NonZero;

/// Mean number of stragglers that a window may have.
const MAX_STRAGGLERS: f64 = 0.05;
/// Length of the longest window, in mean services.
const MAX_WINDOW: f64 = 0.125;
/// Number of events per worker and window that make up for one synchronization.
const MIN_EVENTS: f64 = 128.0;
/// Approximate number of nodes sampled to estimate the share of edges between partitions.
const SAMPLED_NODES: usize = 4096;

/// Number of cores from which on a quarter of them is left to other work.
const MANY_CORES: usize = 12;

/// Partition of a network among workers.
pub(super) struct Plan {
    /// Number of nodes of a worker; the last one may have fewer.
    pub(super) chunk: usize,
    pub(super) threads: usize,
    pub(super) traffic: Traffic,
    /// Length of a time window, in ticks.
    pub(super) window: f64,
}

impl Plan {
    /// Plans for up to `threads` workers, fewer if parallelism does not pay; `None` if one alone is best.
    pub(super) fn new(scenario: &Scenario<'_>, network: Simple<'_>, threads: usize) -> Option<Self> {
        let (nodes, traffic) = (scenario.network().len(), Traffic::of(scenario));
        let threads = threads.min(workers(std::thread::available_parallelism().map_or(1, NonZero::get)));
        // More workers have more edges between them, hence shorter windows, in which each has less to do.
        (2..=threads.min(nodes / 2)).rev().find_map(|threads| {
            let chunk = nodes.div_ceil(threads);
            let threads = nodes.div_ceil(chunk);
            // In a window of `m` mean services `events * m` tokens are sent. About `m / 2` of them arrive in it, the
            // share `cut` at another worker's node.
            let window = (2.0 * MAX_STRAGGLERS / (traffic.events() * cut(network, chunk))).sqrt().min(MAX_WINDOW);
            let worth_it = traffic.events() * window / threads as f64 >= MIN_EVENTS;
            worth_it.then(|| Self { chunk, threads, traffic, window: window * traffic.mean() })
        })
    }

    /// Returns the worker that owns a node.
    pub(super) fn thread_of(&self, node: u32) -> usize {
        node as usize / self.chunk
    }
}

/// Returns the most workers on a machine with so many cores. A worker whose core does something else for a moment holds
/// up all others. Of 16 cores 12 workers leave enough for that, and 14 do not.
const fn workers(cores: usize) -> usize {
    if cores < MANY_CORES { cores } else { cores - cores / 4 }
}

/// Estimates the share of the edges that lead from one partition to another; never zero.
fn cut(network: Simple<'_>, chunk: usize) -> f64 {
    let nodes = network.network().len();
    let (mut crossing, mut edges) = (1, 1);
    for node in (0..nodes).step_by(nodes.div_ceil(SAMPLED_NODES).max(1) | 1) {
        let to = network.out_edges(node as u32);
        crossing += to.iter().filter(|&&to| to as usize / chunk != node / chunk).count();
        edges += to.len();
    }
    crossing as f64 / edges as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_many_cores_some_are_left_to_other_work() {
        assert_eq!([1, 2, 8, 11, 12, 16, 64].map(workers), [1, 2, 8, 11, 9, 12, 48]);
    }
}
