//! Result of an engine: every node's final state and statistics, as integers, and a digest of them.

use imminent_common::parallel;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::ops::{AddAssign, Range};

/// Statistics of a node before the horizon, as exact integers; times are ticks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct NodeStatistics {
    /// Number of services started before the horizon. For a source, number of emissions begun.
    pub served: u64,
    /// Number of services that ended at the horizon or before and whose token was not blocked at the horizon. For a
    /// source, number of tokens emitted; a source has none of the other numbers.
    pub completed: u64,
    /// Time spent serving before the horizon: the sum of `min(departure, horizon) - start`.
    pub busy: u64,
    /// Sum of `departure - arrival` over the completed services.
    pub sojourn_sum: u64,
    /// Sum of `start - arrival` over the completed services.
    pub waiting_sum: u64,
    /// Integral of the number of tokens at the node over time. It is the sum of `min(departure, horizon) - arrival`
    /// over the tokens that arrived before the horizon; tokens still waiting depart at the horizon.
    pub number_integral: u64,
    /// Number of tokens that arrived before the horizon.
    pub arrivals: u64,
    /// Number of arrived tokens that found no room and were lost.
    pub lost: u64,
    /// Greatest number of tokens that waited at the end of any tick before the horizon; `None` if the engine does not
    /// know it.
    pub most_waiting: Option<u32>,
    /// Number of services whose token could not leave in the tick in which they ended, for want of room at its next
    /// node.
    pub blocked: u64,
    /// Time that servers were blocked before the horizon; not part of `busy`.
    pub blocked_time: u64,
    /// Sums over the services started before the horizon, each with its whole length, but without time in which its
    /// token was blocked.
    pub started: VisitSums,
    /// Sums over the completed services whose token arrived at the [counted](crate::Scenario::counted_from) time or
    /// later; zero unless they were asked for.
    pub arrived: VisitSums,
}

/// Sums over some visits to a station.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct VisitSums {
    /// Number of visits.
    pub visits: u64,
    /// Sum of `start - arrival`, in ticks.
    pub waiting: u64,
    /// Sum of `departure - arrival`, in ticks.
    pub sojourn: u64,
}

impl VisitSums {
    /// Adds a visit.
    pub fn add(&mut self, waiting: u64, sojourn: u64) {
        *self += Self { visits: 1, waiting, sojourn };
    }

    fn since(&self, earlier: &Self) -> Self {
        Self {
            visits: self.visits.saturating_sub(earlier.visits),
            waiting: self.waiting.saturating_sub(earlier.waiting),
            sojourn: self.sojourn.saturating_sub(earlier.sojourn),
        }
    }
}

impl AddAssign for VisitSums {
    fn add_assign(&mut self, other: Self) {
        self.visits += other.visits;
        self.waiting += other.waiting;
        self.sojourn += other.sojourn;
    }
}

impl NodeStatistics {
    /// Returns the statistics since `earlier`, an observation of the same node at an earlier time. The greatest number
    /// waiting remains that of the whole time.
    #[must_use]
    pub fn since(&self, earlier: &Self) -> Self {
        Self {
            served: self.served.saturating_sub(earlier.served),
            completed: self.completed.saturating_sub(earlier.completed),
            busy: self.busy.saturating_sub(earlier.busy),
            sojourn_sum: self.sojourn_sum.saturating_sub(earlier.sojourn_sum),
            waiting_sum: self.waiting_sum.saturating_sub(earlier.waiting_sum),
            number_integral: self.number_integral.saturating_sub(earlier.number_integral),
            arrivals: self.arrivals.saturating_sub(earlier.arrivals),
            lost: self.lost.saturating_sub(earlier.lost),
            most_waiting: self.most_waiting,
            blocked: self.blocked.saturating_sub(earlier.blocked),
            blocked_time: self.blocked_time.saturating_sub(earlier.blocked_time),
            started: self.started.since(&earlier.started),
            arrived: self.arrived.since(&earlier.arrived),
        }
    }
}

impl NodeStatistics {
    /// Returns the sum of two nodes' statistics. The greatest number waiting is the maximum of the two.
    pub(crate) fn and(mut self, other: Self) -> Self {
        self += other;
        self
    }
}

impl AddAssign for NodeStatistics {
    fn add_assign(&mut self, other: Self) {
        self.served += other.served;
        self.completed += other.completed;
        self.busy += other.busy;
        self.sojourn_sum += other.sojourn_sum;
        self.waiting_sum += other.waiting_sum;
        self.number_integral += other.number_integral;
        self.arrivals += other.arrivals;
        self.lost += other.lost;
        self.most_waiting = self.most_waiting.max(other.most_waiting);
        self.blocked += other.blocked;
        self.blocked_time += other.blocked_time;
        self.started += other.started;
        self.arrived += other.arrived;
    }
}

/// Adds the waiting tokens to the sums of services of a network that loses no token.
pub(crate) fn add_waiting(statistics: &mut [NodeStatistics], waiting: &WaitingLines, horizon: u64) {
    parallel::update(statistics, |number, node| {
        let line = waiting.of(number as u32);
        node.arrivals = node.served + waiting.arrived(number as u32, horizon);
        node.number_integral += line.iter().map(|&arrival| horizon.saturating_sub(arrival)).sum::<u64>();
    });
}

/// Adds tokens in flight, as pairs of node and arrival, that arrive before the horizon but have not entered a node.
pub(crate) fn add_in_flight(statistics: &mut [NodeStatistics], in_flight: &[(u32, u64)], horizon: u64) {
    for &(node, arrival) in in_flight {
        if let Some(node) = statistics.get_mut(node as usize) {
            node.number_integral += horizon.saturating_sub(arrival);
            node.arrivals += u64::from(arrival < horizon);
        }
    }
}

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

/// Tokens at each node when no more service can start, by arrival time in ascending order.
///
/// Every token of the network is in exactly one line. A token in service at the horizon stands in the line of its next
/// node, with its (future) arrival time there. A token that waits in a server for room stands in the line of the node
/// it waits for, with the end of its service. Tokens that then leave the network are in no line.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct WaitingLines {
    start: Vec<usize>,
    arrivals: Vec<u64>,
}

impl WaitingLines {
    /// Sorts `(node, arrival)` pairs, given in any order, into the lines of `nodes` nodes.
    ///
    /// Pairs with invalid nodes are dropped. For large networks, each thread sorts the pairs of its own nodes.
    #[must_use]
    pub fn from_pairs(nodes: usize, pairs: &[(u32, u64)]) -> Self {
        let parts = parallel::ranges(nodes, |part| Self::of_part(part.start, part.len(), pairs));
        parts.into_iter().reduce(Self::followed_by).unwrap_or_default()
    }

    /// Returns the lines of `nodes` nodes from `first` on.
    fn of_part(first: usize, nodes: usize, pairs: &[(u32, u64)]) -> Self {
        let own = || {
            let place = |&(node, arrival): &(u32, u64)| Some(((node as usize).checked_sub(first)?, arrival));
            pairs.iter().filter_map(place).filter(|&(place, _)| place < nodes)
        };
        let mut start = vec![0; nodes + 1];
        for (place, _) in own() {
            if let Some(entry) = start.get_mut(place + 1) {
                *entry += 1;
            }
        }
        let mut sum = 0;
        for entry in &mut start {
            sum += *entry;
            *entry = sum;
        }
        let mut next = start.clone();
        let mut arrivals = vec![0; sum];
        for (place, arrival) in own() {
            if let Some(position) = next.get_mut(place) {
                if let Some(place) = arrivals.get_mut(*position) {
                    *place = arrival;
                }
                *position += 1;
            }
        }
        let mut rest = arrivals.as_mut_slice();
        for (from, to) in start.iter().zip(start.iter().skip(1)) {
            let (line, others) = rest.split_at_mut(to - from);
            line.sort_unstable();
            rest = others;
        }
        Self { start, arrivals }
    }

    /// Appends the lines of the nodes that follow.
    fn followed_by(mut self, next: Self) -> Self {
        let before = self.arrivals.len();
        self.start.extend(next.start.iter().skip(1).map(|end| before + end));
        self.arrivals.extend(next.arrivals);
        self
    }

    /// Returns the line of one node; empty for a node that does not exist.
    #[must_use]
    pub fn of(&self, node: u32) -> &[u64] {
        let node = node as usize;
        match (self.start.get(node), self.start.get(node + 1)) {
            (Some(&from), Some(&to)) => self.arrivals.get(from..to).unwrap_or(&[]),
            _ => &[],
        }
    }

    /// Returns the number of tokens of one node that arrived before `horizon`.
    #[must_use]
    pub fn arrived(&self, node: u32, horizon: u64) -> u64 {
        self.of(node).partition_point(|&arrival| arrival < horizon) as u64
    }

    /// Returns the number of tokens in all lines.
    #[must_use]
    pub fn total(&self) -> usize {
        self.arrivals.len()
    }
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

    /// Returns the digest of the final state and the statistics.
    ///
    /// The digest is BLAKE3, cut to 128 bits, of little-endian `u64`s after the name of the encoding. They are the
    /// number of nodes and the horizon, then for each node in order
    /// `free_at, next_service, rng_state, served, completed, busy, sojourn_sum, waiting_sum, number_integral`, the
    /// length of its line and the arrival times in it. If a token was lost or blocked anywhere,
    /// `lost, blocked, blocked_time` of each node follow. The arrivals follow from the rest. Sums over the visits that
    /// started or arrived are not part of it.
    #[must_use]
    pub fn digest(&self) -> Digest {
        let mut hasher = Hasher::new("imminent closed queueing network, outcome 1");
        hasher.words(&[self.statistics.len() as u64, self.horizon]);
        let nodes = self.statistics.len();
        parallel::in_order(nodes, |nodes| self.encoded(nodes), |bytes| hasher.bytes(&bytes));
        if self.statistics.iter().any(|node| node.lost > 0 || node.blocked > 0) {
            for node in &self.statistics {
                hasher.words(&[node.lost, node.blocked, node.blocked_time]);
            }
        }
        hasher.finish()
    }

    /// Encodes some nodes for the digest.
    fn encoded(&self, nodes: Range<usize>) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(nodes.len() * 96);
        for node in nodes {
            let (Some(state), Some(statistics)) = (self.states.get(node), self.statistics.get(node)) else { break };
            let line = self.waiting.of(node as u32);
            let words = [
                state.free_at,
                state.next_service,
                state.rng_state,
                statistics.served,
                statistics.completed,
                statistics.busy,
                statistics.sojourn_sum,
                statistics.waiting_sum,
                statistics.number_integral,
                line.len() as u64,
            ];
            words.iter().chain(line).for_each(|word| bytes.extend_from_slice(&word.to_le_bytes()));
        }
        bytes
    }
}

/// A 128-bit fingerprint of an outcome, written as 32 hexadecimal digits.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Digest([u8; 16]);

impl Digest {
    /// Returns the digest of a run of several replications, in their order. A single replication has its own digest.
    #[must_use]
    pub fn of_run(replications: &[Self]) -> Self {
        if let [only] = replications {
            return *only;
        }
        let mut hasher = Hasher::new("imminent run of replications 1");
        for replication in replications {
            hasher.bytes(&replication.0);
        }
        hasher.finish()
    }
}

impl Digest {
    /// Returns the 16 bytes of the digest.
    pub(crate) fn as_bytes(&self) -> &[u8] {
        &self.0
    }
}

impl fmt::Display for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl fmt::Debug for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Digest({self})")
    }
}

impl Serialize for Digest {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Digest {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        let value = u128::from_str_radix(&text, 16).ok().filter(|_| text.len() == 32);
        value
            .map(|value| Self(value.to_be_bytes()))
            .ok_or_else(|| serde::de::Error::custom("a digest is 32 hexadecimal digits"))
    }
}

/// Incremental BLAKE3 with a buffer, since hashing eight bytes at a time is slow.
pub(crate) struct Hasher {
    hash: blake3::Hasher,
    buffer: Vec<u8>,
}

impl Hasher {
    /// Size of the buffer in bytes; buffers of twice this size or more gain from several threads.
    const BUFFER: usize = 1 << 17;

    pub(crate) fn new(domain: &str) -> Self {
        let mut hasher = Self { hash: blake3::Hasher::new(), buffer: Vec::with_capacity(Self::BUFFER) };
        hasher.words(&[domain.len() as u64]);
        hasher.bytes(domain.as_bytes());
        hasher
    }

    pub(crate) fn words(&mut self, words: &[u64]) {
        for word in words {
            self.bytes(&word.to_le_bytes());
        }
    }

    pub(crate) fn bytes(&mut self, bytes: &[u8]) {
        if bytes.len() >= Self::BUFFER {
            self.hash.update(&self.buffer).update_rayon(bytes);
            self.buffer.clear();
            return;
        }
        self.buffer.extend_from_slice(bytes);
        if self.buffer.len() >= Self::BUFFER {
            self.hash.update(&self.buffer);
            self.buffer.clear();
        }
    }

    pub(crate) fn finish(mut self) -> Digest {
        self.hash.update(&self.buffer);
        let mut digest = [0; 16];
        self.hash.finalize_xof().fill(&mut digest);
        Digest(digest)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
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
    fn lines_are_sorted_by_arrival() {
        let lines = outcome().waiting;
        assert_eq!(lines.of(0), [20]);
        assert_eq!(lines.of(1), [10, 30]);
        assert_eq!(lines.of(2), [0_u64; 0]);
        assert_eq!(lines.total(), 3);
        assert_eq!(WaitingLines::from_pairs(1, &[(1, 5)]).total(), 0);
    }

    #[test]
    fn lines_are_the_same_however_many_threads_sort_them() {
        let (count, named) = (30_000, 30_011);
        let pairs: Vec<(u32, u64)> =
            (0..100_000_u64).map(|i| ((i * 7919 % named) as u32, i * 104_729 % 65_537)).collect();
        let lines = |threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| WaitingLines::from_pairs(count, &pairs))
        };
        let alone = lines(1);
        // Eleven of the named nodes do not exist.
        assert_eq!(alone.total(), pairs.iter().filter(|(node, _)| (*node as usize) < count).count());
        assert!((0..count as u32).all(|node| alone.of(node).is_sorted()));
        assert_eq!(lines(3), alone);
        assert_eq!(lines(7), alone);
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
        change(|o| o.waiting = WaitingLines::from_pairs(2, &[(1, 30), (0, 20), (0, 10)]));
        change(|o| o.waiting = WaitingLines::from_pairs(2, &[(1, 31), (0, 20), (1, 10)]));
        others.push(base.digest());
        let distinct: std::collections::HashSet<_> = others.iter().collect();
        assert_eq!(distinct.len(), others.len());
        assert_eq!(base.digest(), outcome().digest());
    }

    #[test]
    fn a_digest_is_32_hexadecimal_digits_there_and_back() {
        let digest = outcome().digest();
        let text = serde_json::to_string(&digest).unwrap();
        assert_eq!(text.len(), 34);
        assert_eq!(serde_json::from_str::<Digest>(&text).unwrap(), digest);
        assert!(serde_json::from_str::<Digest>("\"12\"").is_err());
        assert!(serde_json::from_str::<Digest>("\"zz345678901234567890123456789012\"").is_err());
    }

    #[test]
    fn a_run_of_one_has_the_digest_of_its_replication() {
        let digest = outcome().digest();
        assert_eq!(Digest::of_run(&[digest]), digest);
        assert_ne!(Digest::of_run(&[digest, digest]), digest);
    }
}
