//! Results of stations that served event by event.

use super::servers::Log;
use crate::kernels::ending::Late;
use crate::kernels::server::Server;
use crate::outcome::{
    Ended, FEW, NodeResults, NodeState, NodeStatistics, NodeTable, Outcome, Parts, Source, Sums, WaitingLines,
};
use crate::ranking::in_order;
use imminent_common::parallel;
use imminent_core::Error;
use std::ops::{AddAssign, Range};

/// Tokens in the line of a node at the end.
#[derive(Clone, Copy, Debug, Default)]
struct Line {
    /// Number of tokens.
    tokens: u32,
    /// Number of tokens that arrived before the horizon.
    arrived: u32,
    /// Time that these have waited by the horizon, in ticks.
    waited: u64,
}

/// Returns the lines of all nodes. Each thread looks for the tokens of its own nodes.
fn lines(nodes: usize, logs: &[Log], horizon: u64) -> Vec<Line> {
    let mut lines = parallel::map(nodes, |_| Line::default());
    parallel::update_parts(&mut lines, |first, part| {
        for &(node, arrival) in logs.iter().flat_map(|log| &log.waiting) {
            let Some(line) = (node as usize).checked_sub(first).and_then(|place| part.get_mut(place)) else { continue };
            line.tokens += 1;
            if arrival < horizon {
                line.arrived += 1;
                line.waited += horizon - arrival;
            }
        }
    });
    lines
}

/// Sums over nodes and tokens.
#[derive(Clone, Copy, Default)]
struct Conclusion {
    parts: Parts,
    totals: NodeStatistics,
}

impl Conclusion {
    fn and(mut self, other: Self) -> Self {
        self += other;
        self
    }

    /// Sums up the values that `of` returns for the numbers below `count`, on all threads.
    fn over(count: usize, of: impl Fn(usize) -> Option<Self> + Sync + Send) -> Self {
        let of_part = |part: Range<usize>| {
            let mut sum = Self::default();
            part.filter_map(&of).for_each(|value| sum += value);
            sum
        };
        parallel::ranges(count, of_part).into_iter().fold(Self::default(), Self::and)
    }
}

impl AddAssign for Conclusion {
    fn add_assign(&mut self, other: Self) {
        self.parts = self.parts.and(other.parts);
        self.totals += other.totals;
    }
}

/// Stations at the end of a run, with what was kept beside them.
struct Stations<'a> {
    servers: &'a [Server],
    lines: &'a [Line],
    logs: &'a [Log],
    horizon: u64,
}

impl Stations<'_> {
    /// Returns the statistics of a node. `late` are arrival and start of its service that ends after the horizon.
    fn statistics(&self, node: usize, (arrival, start): (u64, u64)) -> NodeStatistics {
        let Some((server, line)) = self.servers.get(node).zip(self.lines.get(node)) else {
            return NodeStatistics::default();
        };
        let sums = Sums { served: server.served, service: server.service_sum, waiting: server.waiting_sum };
        let mut node = sums.statistics(Late { arrival, start, free_at: server.free_at }, self.horizon);
        node.arrivals = node.served + u64::from(line.arrived);
        node.number_integral += line.waited;
        node
    }

    /// Iterates over the services that end after the horizon: node, and arrival and start.
    fn late(&self) -> impl Iterator<Item = (usize, (u64, u64))> {
        self.logs.iter().flat_map(|log| &log.late).map(|&(node, late)| (node as usize, late))
    }

    /// Returns the statistics of all nodes.
    fn rows(&self) -> Vec<NodeStatistics> {
        let mut rows = parallel::map(self.servers.len(), |node| self.statistics(node, (0, 0)));
        for (node, late) in self.late() {
            if let Some(row) = rows.get_mut(node) {
                *row = self.statistics(node, late);
            }
        }
        rows
    }

    /// Returns the sums over a node, without the tokens in its line.
    fn of_node(&self, node: usize, late: (u64, u64)) -> Conclusion {
        let totals = self.statistics(node, late);
        let state = self.servers.get(node).map(state).unwrap_or_default();
        let waiting = self.lines.get(node).map_or(0, |line| line.tokens);
        Conclusion { parts: Parts::of_node(node as u32, &state, &totals, waiting.into()), totals }
    }

    /// Returns the sums over all nodes and tokens. A node is counted where its late service is, if it has one.
    fn conclude(&self) -> Conclusion {
        let in_time = |node: usize| {
            let is_free = self.servers.get(node)?.free_at <= self.horizon;
            is_free.then(|| self.of_node(node, (0, 0)))
        };
        let mut sum = Conclusion::over(self.servers.len(), in_time);
        for Log { late, waiting, .. } in self.logs {
            let is_late = |place: usize| late.get(place).map(|(node, late)| self.of_node(*node as usize, *late));
            sum += Conclusion::over(late.len(), is_late);
            let token = |place: usize| waiting.get(place).map(|(node, arrival)| Parts::of_token(*node, *arrival));
            let tokens = parallel::reduce(waiting.len(), |place| token(place).unwrap_or_default(), Parts::and);
            sum.parts = sum.parts.and(tokens);
        }
        sum
    }

    /// Returns the `most` nodes with the greatest busy times, with their statistics.
    fn busiest(&self, most: usize) -> Vec<(u32, NodeStatistics)> {
        let busy = |node: usize| {
            let server = self.servers.get(node)?;
            let busy = server.service_sum - server.free_at.saturating_sub(self.horizon);
            Some((Some(busy as f64), node))
        };
        let mut nodes = in_order(self.servers.len(), busy, most);
        nodes.sort_unstable();
        let mut found: Vec<_> = nodes.iter().map(|&node| (node as u32, self.statistics(node, (0, 0)))).collect();
        for (node, late) in self.late() {
            if let Some((_, row)) = nodes.binary_search(&node).ok().and_then(|place| found.get_mut(place)) {
                *row = self.statistics(node, late);
            }
        }
        found
    }
}

fn state(server: &Server) -> NodeState {
    NodeState { free_at: server.free_at, next_service: server.next_service, rng_state: server.drawn }
}

/// Returns the outcome of stations and their logs.
pub(super) fn outcome(servers: &[Server], logs: &[Log], horizon: u64) -> Outcome {
    let lines = lines(servers.len(), logs, horizon);
    let statistics = Stations { servers, lines: &lines, logs, horizon }.rows();
    let states = parallel::map(servers.len(), |node| servers.get(node).map(state).unwrap_or_default());
    let waiting: Vec<&[(u32, u64)]> = logs.iter().map(|log| log.waiting.as_slice()).collect();
    let waiting = WaitingLines::from_pairs(servers.len(), &waiting.concat());
    Outcome { horizon, states, statistics, waiting }
}

/// Returns what a run keeps of the outcome. The stations of a large network are taken, and their statistics are
/// computed when they are asked for. Those of a small one stay for the next run.
pub(super) fn ended(servers: &mut Vec<Server>, mut logs: Vec<Log>, horizon: u64) -> Ended {
    let lines = lines(servers.len(), &logs, horizon);
    let stations = Stations { servers, lines: &lines, logs: &logs, horizon };
    let Conclusion { parts, totals } = stations.conclude();
    let digest = parts.digest(servers.len(), horizon);
    let nodes = if servers.len() <= FEW {
        stations.rows().into()
    } else {
        logs.iter_mut().for_each(|log| log.waiting = Vec::new());
        NodeResults::left(Kept { servers: std::mem::take(servers), lines, logs, horizon }, totals)
    };
    Ended { horizon, events: totals.served, digest, nodes }
}

/// Stations of a run that is over.
#[derive(Debug)]
struct Kept {
    servers: Vec<Server>,
    lines: Vec<Line>,
    logs: Vec<Log>,
    horizon: u64,
}

impl Kept {
    fn stations(&self) -> Stations<'_> {
        let Self { servers, lines, logs, horizon } = self;
        Stations { servers, lines, logs, horizon: *horizon }
    }
}

impl Source for Kept {
    fn nodes(&self) -> usize {
        self.servers.len()
    }

    fn read(&self) -> Result<NodeTable, Error> {
        Ok(self.stations().rows().into())
    }

    fn busiest(&self, most: usize) -> Result<Vec<(u32, NodeStatistics)>, Error> {
        Ok(self.stations().busiest(most))
    }
}
