//! Stations of one cache line each: initial state and service.

use crate::kernels::server::Server;
use crate::network::Simple;
use crate::scenario::Scenario;
use crate::spent::Reading;
use imminent_common::parallel;
use imminent_core::random::{Pcg32, exponential_q27, scaled_ticks};

/// Returns a station in its state at time 0.
pub(super) fn station(node: u32, scenario: &Scenario<'_>, network: Simple<'_>) -> Server {
    let (seed, mean) = (scenario.key().node(node), network.mean_service(node));
    let mut rng = Pcg32::new(seed.state, seed.stream);
    Server {
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
    }
}

/// Sets all stations to their state at time 0.
pub(super) fn begin(servers: &mut [Server], scenario: &Scenario<'_>, network: Simple<'_>) {
    parallel::update(servers, |node, server| *server = station(node as u32, scenario, network));
}

/// Simulation that is over, and whose stations are in the memory that it was given.
pub(super) struct Over {
    pub(super) logs: Vec<Log>,
    pub(super) reading: Reading,
}

/// Data kept beside the stations.
#[derive(Debug, Default)]
pub(super) struct Log {
    /// Number of events so far.
    pub(super) events: u64,
    /// Tokens whose service does not start before the horizon, by node.
    pub(super) waiting: Vec<(u32, u64)>,
    /// Services that end after the horizon, by node: the arrival and start of one at each node that is not
    /// free before.
    pub(super) late: Vec<(u32, (u64, u64))>,
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
