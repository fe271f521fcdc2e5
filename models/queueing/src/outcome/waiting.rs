//! Tokens that wait when a run ends.

use super::statistics::NodeStatistics;
use imminent_common::parallel;

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

    /// Returns the lines of `nodes` nodes, each with the arrivals that `arrivals` gives for it, in any order.
    pub(crate) fn of_lines<'t, const PARTS: usize>(
        nodes: usize,
        arrivals: impl Fn(u32) -> [&'t [u64]; PARTS] + Sync + Send,
    ) -> Self {
        let parts = parallel::ranges(nodes, |part| {
            let mut lines =
                Self { start: Vec::with_capacity(part.len() + 1), arrivals: Vec::with_capacity(part.len()) };
            lines.start.push(0);
            for node in part {
                let from = lines.arrivals.len();
                arrivals(node as u32).into_iter().for_each(|part| lines.arrivals.extend_from_slice(part));
                lines.arrivals.get_mut(from..).unwrap_or_default().sort_unstable();
                lines.start.push(lines.arrivals.len());
            }
            lines
        });
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

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn lines_are_sorted_by_arrival() {
        let lines = WaitingLines::from_pairs(2, &[(1, 30), (0, 20), (1, 10)]);
        assert_eq!(lines.of(0), [20]);
        assert_eq!(lines.of(1), [10, 30]);
        assert_eq!(lines.of(2), [0_u64; 0]);
        assert_eq!(lines.total(), 3);
        assert_eq!(WaitingLines::from_pairs(1, &[(1, 5)]).total(), 0);
    }

    #[test]
    fn lines_of_parts_are_those_of_all_pairs() {
        let (count, kinds) = (30_000_u32, 3);
        let times = |node: u32, kind: u64| (0..u64::from(node) % kinds).map(move |i| (i * 7919 + kind * 31) % 101);
        let tables: [Vec<Vec<u64>>; 2] =
            [0, 1].map(|kind| (0..count).map(|node| times(node, kind).collect()).collect());
        let both = tables.iter().flat_map(|table| (0..).zip(table));
        let pairs: Vec<(u32, u64)> = both.flat_map(|(node, line)| line.iter().map(move |&time| (node, time))).collect();
        let lines =
            WaitingLines::of_lines(count as usize, |node| tables.each_ref().map(|table| &*table[node as usize]));
        assert_eq!(lines, WaitingLines::from_pairs(count as usize, &pairs));
        assert!(lines.total() > 0);
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
}
