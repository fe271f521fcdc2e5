//! Stations in one cache line each: how they begin, serve, and what they did.

use super::super::tables::{Late, Sums};
use crate::queueing::kernels::desk::Desk;
use crate::queueing::network::Simple;
use crate::queueing::outcome::{NodeState, NodeStatistics, Outcome, WaitingLines, add_waiting};
use crate::queueing::scenario::Scenario;
use imminent_core::random::{Pcg32, exponential_q27, scaled_ticks};

/// Makes stations, of which the first has the number `first`, what they are at time 0.
pub(super) fn begin(desks: &mut [Desk], first: u32, scenario: &Scenario<'_>, network: Simple<'_>) {
    for (node, desk) in (first..).zip(desks) {
        let (seed, mean) = (scenario.key().node(node), network.mean_service(node));
        let mut rng = Pcg32::new(seed.state, seed.stream);
        *desk = Desk {
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

/// What is kept beside the stations.
#[derive(Default)]
pub(super) struct Log {
    /// Events so far.
    pub(super) events: u64,
    /// Tokens whose service does not start before the horizon, by node.
    pub(super) waiting: Vec<(u32, u64)>,
    /// Services that end after the horizon, by node.
    late: Vec<(u32, Late)>,
}

/// How much a log held.
#[derive(Clone, Copy, Default)]
pub(super) struct Mark {
    events: u64,
    waiting: usize,
    late: usize,
}

impl Log {
    /// Serves a token at a station; gives where it goes and when it arrives there, if that is before the horizon.
    #[inline(always)]
    pub(super) fn serve(&mut self, desk: &mut Desk, arrival: u64, horizon: u64, targets: &[u32]) -> Option<(u64, u32)> {
        let start = desk.free_at.max(arrival);
        if start >= horizon {
            self.waiting.push((desk.node, arrival));
            return None;
        }
        let edge = desk.serve(arrival, start);
        let departure = desk.free_at;
        self.events += 1;
        let to = targets.get(edge as usize).copied().unwrap_or(0);
        if departure < horizon {
            return Some((departure, to));
        }
        self.waiting.push((to, departure));
        if departure > horizon {
            self.late.push((desk.node, Late { arrival, start }));
        }
        None
    }

    pub(super) fn mark(&self) -> Mark {
        Mark { events: self.events, waiting: self.waiting.len(), late: self.late.len() }
    }

    /// Forgets what came after a mark.
    pub(super) fn back_to(&mut self, mark: Mark) {
        self.events = mark.events;
        self.waiting.truncate(mark.waiting);
        self.late.truncate(mark.late);
    }

    /// The statistics and the states of stations, of which the first has the number `first`, but for tokens that wait. There is room for those of so
    /// many nodes.
    pub(super) fn results(&self, desks: &[Desk], first: u32, horizon: u64, room: usize) -> Results {
        let sums = |desk: &Desk| Sums { served: desk.served, service: desk.service_sum, waiting: desk.waiting_sum };
        let mut results = Results { states: Vec::with_capacity(room), statistics: Vec::with_capacity(room) };
        results.statistics.extend(desks.iter().map(|desk| sums(desk).statistics()));
        for (node, late) in &self.late {
            let at = (node - first) as usize;
            if let (Some(desk), Some(node)) = (desks.get(at), results.statistics.get_mut(at)) {
                late.take_from(node, desk.free_at, horizon);
            }
        }
        let state =
            |desk: &Desk| NodeState { free_at: desk.free_at, next_service: desk.next_service, rng_state: desk.drawn };
        results.states.extend(desks.iter().map(state));
        results
    }
}

/// What stations did.
#[derive(Default)]
pub(super) struct Results {
    states: Vec<NodeState>,
    statistics: Vec<NodeStatistics>,
}

impl Results {
    /// These, and those of the stations that follow.
    pub(super) fn followed_by(mut self, mut next: Results) -> Results {
        self.states.append(&mut next.states);
        self.statistics.append(&mut next.statistics);
        self
    }

    /// The outcome; `waiting` are tokens whose service did not start, by node.
    pub(super) fn outcome(self, waiting: &[(u32, u64)], horizon: u64) -> Outcome {
        let Results { states, mut statistics } = self;
        add_waiting(&mut statistics, waiting, horizon);
        let waiting = WaitingLines::from_pairs(states.len(), waiting);
        Outcome { horizon, states, statistics, waiting }
    }
}
