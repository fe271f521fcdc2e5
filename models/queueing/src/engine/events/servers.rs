//! Stations of one cache line each: initial state, service, and statistics.

use crate::kernels::ending::Late;
use crate::kernels::server::Server;
use crate::network::Simple;
use crate::outcome::{NodeState, NodeStatistics, Outcome, Sums, WaitingLines, add_waiting};
use crate::scenario::Scenario;
use imminent_common::parallel;
use imminent_core::random::{Pcg32, exponential_q27, scaled_ticks};

/// Sets stations to their state at time 0; the first of them has the number `first`.
pub(super) fn begin(servers: &mut [Server], first: u32, scenario: &Scenario<'_>, network: Simple<'_>) {
    for (node, server) in (first..).zip(servers) {
        let (seed, mean) = (scenario.key().node(node), network.mean_service(node));
        let mut rng = Pcg32::new(seed.state, seed.stream);
        *server = Server {
            free_at: 0,
            next_service: scaled_ticks(exponential_q27(rng.next_u32()), u64::from(mean)),
            drawn: rng.state,
            served: 0,
            service_sum: 0,
            waiting_sum: 0,
            mean,
            node,
            first_target: network.out_start().get(node as usize).copied().unwrap_or(0),
            targets: network.out_edges(node).len() as u32,
        };
    }
}

/// Data kept beside the stations.
#[derive(Default)]
pub(super) struct Log {
    /// Number of events so far.
    pub(super) events: u64,
    /// Tokens whose service does not start before the horizon, by node.
    pub(super) waiting: Vec<(u32, u64)>,
    /// Services that end after the horizon, by node.
    /// Arrival and start.
    late: Vec<(u32, (u64, u64))>,
}

/// Lengths of the parts of a log.
#[derive(Clone, Copy, Default)]
pub(super) struct Mark {
    events: u64,
    waiting: usize,
    late: usize,
}

impl Log {
    /// Serves a token at a station; returns its arrival time and next node, if it arrives before the horizon.
    #[inline(always)]
    pub(super) fn serve(
        &mut self,
        server: &mut Server,
        arrival: u64,
        horizon: u64,
        targets: &[u32],
    ) -> Option<(u64, u32)> {
        let start = server.free_at.max(arrival);
        if start >= horizon {
            self.waiting.push((server.node, arrival));
            return None;
        }
        let edge = server.serve(arrival, start);
        let departure = server.free_at;
        self.events += 1;
        let to = targets.get(edge as usize).copied().unwrap_or(0);
        if departure < horizon {
            return Some((departure, to));
        }
        self.waiting.push((to, departure));
        if departure > horizon {
            self.late.push((server.node, (arrival, start)));
        }
        None
    }

    pub(super) fn mark(&self) -> Mark {
        Mark { events: self.events, waiting: self.waiting.len(), late: self.late.len() }
    }

    /// Drops the entries made after a mark.
    pub(super) fn back_to(&mut self, mark: Mark) {
        self.events = mark.events;
        self.waiting.truncate(mark.waiting);
        self.late.truncate(mark.late);
    }
}

/// Returns the outcome of stations and their logs.
pub(super) fn outcome(servers: &[Server], logs: &[Log], horizon: u64) -> Outcome {
    let state = |server: &Server| NodeState {
        free_at: server.free_at,
        next_service: server.next_service,
        rng_state: server.drawn,
    };
    let sums =
        |server: &Server| Sums { served: server.served, service: server.service_sum, waiting: server.waiting_sum };
    let states = parallel::map(servers.len(), |node| servers.get(node).map(state).unwrap_or_default());
    let at_horizon = |server: &Server, (arrival, start)| {
        sums(server).statistics(Late { arrival, start, free_at: server.free_at }, horizon)
    };
    let nodes = servers.len();
    let mut statistics: Vec<NodeStatistics> =
        parallel::map(nodes, |node| servers.get(node).map(|server| at_horizon(server, (0, 0))).unwrap_or_default());
    for (node, late) in logs.iter().flat_map(|log| &log.late) {
        let node = *node as usize;
        if let (Some(server), Some(node)) = (servers.get(node), statistics.get_mut(node)) {
            *node = at_horizon(server, *late);
        }
    }
    let waiting: Vec<&[(u32, u64)]> = logs.iter().map(|log| log.waiting.as_slice()).collect();
    let waiting = WaitingLines::from_pairs(servers.len(), &waiting.concat());
    add_waiting(&mut statistics, &waiting, horizon);
    Outcome { horizon, states, statistics, waiting }
}
