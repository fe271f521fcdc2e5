//! Result of an engine: every node's final state and statistics, as integers, and a digest of them.

mod digest;
mod ended;
mod results;
mod statistics;
mod table;
mod waiting;

pub use digest::Digest;
pub(crate) use digest::{Hasher, Parts};
pub use ended::Ended;
pub use results::NodeResults;
pub(crate) use results::{FEW, Source};
pub use statistics::{NodeStatistics, Statistics, VisitSums};
pub use table::NodeTable;
pub(crate) use table::Sums;
pub use waiting::WaitingLines;
pub(crate) use waiting::{add_in_flight, add_waiting};

use imminent_common::parallel;

/// State of a node when no more service can start.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct NodeState {
    /// End of the node's last service, 0 if it never served; may lie beyond the horizon.
    pub free_at: u64,
    /// Service time already drawn for the next service.
    pub next_service: u64,
    /// Internal state of the node's PCG32 (the increment never changes).
    pub rng_state: u64,
}

/// Result of one replication.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Outcome {
    /// Horizon, in ticks.
    pub horizon: u64,
    /// Final states, by node.
    pub states: Vec<NodeState>,
    /// Statistics, by node.
    pub statistics: Vec<NodeStatistics>,
    /// Final waiting lines.
    pub waiting: WaitingLines,
}

impl Outcome {
    /// Returns the number of events: one for every service started.
    #[must_use]
    pub fn events(&self) -> u64 {
        parallel::reduce(self.statistics.len(), |node| self.statistics[node].served, |a, b| a + b)
    }

    /// Returns the sum of all nodes' statistics.
    #[must_use]
    pub fn totals(&self) -> NodeStatistics {
        let mut totals = NodeStatistics::default();
        for node in &self.statistics {
            totals += *node;
        }
        totals
    }

    /// Takes the sums over [arrived](NodeStatistics::arrived) visits from statistics by node and class.
    pub(crate) fn add_arrived(&mut self, by_class: &[NodeStatistics]) {
        let classes = by_class.len() / self.statistics.len().max(1);
        for (node, of_classes) in self.statistics.iter_mut().zip(by_class.chunks(classes.max(1))) {
            of_classes.iter().for_each(|of_class| node.arrived += of_class.arrived);
        }
    }

    /// Returns the outcome without the number that the lean engines do not know, for comparison with theirs.
    #[must_use]
    pub fn without_most_waiting(mut self) -> Self {
        for node in &mut self.statistics {
            node.most_waiting = None;
        }
        self
    }

    /// Returns the digest of the final state and the statistics, [version 2](Digest::VERSION).
    ///
    /// Every node has a part, and so has every token in a line. They are mixtures of 64-bit words by two
    /// [functions](crate::kernels::ending) and are added modulo 2^64, so a device adds them in any order. The words of
    /// a node are its number, `free_at, next_service, rng_state, served, completed, busy, sojourn_sum, waiting_sum,
    /// number_integral`, the length of its line, `lost, blocked, blocked_time`; those of a token are the number of the
    /// node and the arrival. The digest is BLAKE3, cut to 128 bits, of the name of the encoding and then, as
    /// little-endian `u64`s, the number of nodes, the horizon and both sums. The arrivals follow from the rest. Sums
    /// over the visits that started or arrived are not part of it.
    #[must_use]
    pub fn digest(&self) -> Digest {
        let of = |node: usize| self.part(node).unwrap_or_default();
        parallel::reduce(self.statistics.len(), of, Parts::and).digest(self.statistics.len(), self.horizon)
    }

    /// Returns the part of a node and the tokens in its line.
    fn part(&self, node: usize) -> Option<Parts> {
        let (state, statistics) = (self.states.get(node)?, self.statistics.get(node)?);
        let line = self.waiting.of(node as u32);
        let part = Parts::of_node(node as u32, state, statistics, line.len() as u64);
        Some(line.iter().map(|&arrival| Parts::of_token(node as u32, arrival)).fold(part, Parts::and))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn outcome() -> Outcome {
        Outcome {
            horizon: 100,
            states: vec![NodeState { free_at: 7, next_service: 8, rng_state: 9 }; 2],
            statistics: vec![NodeStatistics { served: 3, ..NodeStatistics::default() }; 2],
            waiting: WaitingLines::from_pairs(2, &[(1, 30), (0, 20), (1, 10)]),
        }
    }

    #[test]
    fn everything_counts_for_the_digest() {
        let base = outcome();
        let mut others = vec![];
        let mut change = |f: fn(&mut Outcome)| {
            let mut other = outcome();
            f(&mut other);
            others.push(other.digest());
        };
        change(|o| o.horizon += 1);
        change(|o| o.states[1].free_at += 1);
        change(|o| o.states[1].next_service += 1);
        change(|o| o.states[1].rng_state += 1);
        change(|o| o.statistics[0].served += 1);
        change(|o| o.statistics[0].completed += 1);
        change(|o| o.statistics[0].busy += 1);
        change(|o| o.statistics[0].sojourn_sum += 1);
        change(|o| o.statistics[0].waiting_sum += 1);
        change(|o| o.statistics[0].number_integral += 1);
        change(|o| o.statistics[0].lost += 1);
        change(|o| o.statistics[0].blocked += 1);
        change(|o| o.statistics[0].blocked_time += 1);
        change(|o| (o.states[0].free_at, o.states[0].next_service) = (8, 7));
        change(|o| o.statistics[1].served += 1);
        change(|o| o.waiting = WaitingLines::from_pairs(2, &[(1, 30), (0, 20), (0, 10)]));
        change(|o| o.waiting = WaitingLines::from_pairs(2, &[(1, 31), (0, 20), (1, 10)]));
        others.push(base.digest());
        let distinct: std::collections::HashSet<_> = others.iter().collect();
        assert_eq!(distinct.len(), others.len());
        assert_eq!(base.digest(), outcome().digest());
    }
}
