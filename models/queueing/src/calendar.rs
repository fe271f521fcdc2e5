//! A fast sequential simulator: the reference speed for parallel engines.
//!
//! The simulator computes the results of [`sequential`], bit for bit, and is written for speed alone:
//!
//! * **One calendar operation per service.** An arrival at a first-come, first-served server can be processed at once.
//!   The service starts at `max(free_at, arrival)`, so the departure, which is the next arrival, is known. There are no
//!   waiting lines and no departure events.
//! * **Two levels.** Pending arrivals are appended to the bucket ("window") of their time, eight bytes each. When the
//!   simulation reaches a window, its arrivals are sorted by smaller buckets ("days") in cache. New arrivals in the
//!   current window go to a small heap, those beyond the ring of windows (the "year") to another.
//! * **One cache line per node.** The service time is drawn ahead, so the logarithm is not on the path from one event
//!   to the next.
//! * **Looking ahead.** The nodes of the next few events are known. They are all read before the first of these events
//!   is executed, so a large network waits for memory once for several events.
//! * **Statistics from few sums.** Only a node's last service can end after the horizon; everything else follows.

mod today;
mod windows;
mod year;

pub(crate) use today::Today;
pub(crate) use windows::{Arrivals, LOOK_AHEAD, Windows};
pub(crate) use year::{Traffic, Year};

use crate::network::Simple;
use crate::outcome::{NodeState, NodeStatistics, Outcome, VisitSums, WaitingLines, add_waiting};
use crate::scenario::Scenario;
use crate::sequential;
use imminent_common::exponential::service_ticks;
use imminent_common::streams::PCG_MULTIPLIER;

/// Simulates one replication.
///
/// Returns the outcome of [`sequential::simulate`], to the bit, except for the greatest numbers waiting. The fast path
/// is for [simple](crate::Network::simple) networks; others are simulated by the oracle itself.
#[must_use]
pub fn simulate(scenario: &Scenario<'_>) -> Outcome {
    let Some(network) = scenario.simple() else { return sequential::simulate(scenario) };
    let (mut simulator, mut windows) = (Simulator::new(scenario, network), Windows::of(scenario));
    let _ = windows.run(scenario.tokens(), &mut simulator);
    simulator.outcome()
}

/// State of a node: 64 bytes, one cache line.
#[repr(align(64))]
#[derive(Clone, Copy)]
struct Facility {
    free_at: u64,
    next_service: u64,
    rng: u64,
    service_sum: u64,
    waiting_sum: u64,
    served: u64,
    first_edge: u32,
    degree: u32,
    mean: u32,
}

/// Part of a node's last service that needs care where the service extends beyond the horizon.
struct Unfinished {
    node: u32,
    arrival: u64,
    start: u64,
}

struct Simulator<'a> {
    horizon: u64,
    targets: &'a [u32],
    facilities: Vec<Facility>,
    unfinished: Vec<Unfinished>,
    waiting: Vec<(u32, u64)>,
}

impl<'a> Simulator<'a> {
    fn new(scenario: &Scenario<'a>, network: Simple<'a>) -> Self {
        let facilities: Vec<Facility> = (0..network.network().len() as u32)
            .map(|node| {
                let mean = network.mean_service(node);
                let mut facility = Facility {
                    free_at: 0,
                    next_service: 0,
                    rng: scenario.key().node(node).initial_state(),
                    service_sum: 0,
                    waiting_sum: 0,
                    served: 0,
                    first_edge: network.out_start().get(node as usize).copied().unwrap_or(0),
                    degree: network.out_edges(node).len() as u32,
                    mean,
                };
                facility.next_service = service_ticks(facility.word(node), mean);
                facility
            })
            .collect();
        Self {
            horizon: scenario.horizon(),
            targets: network.targets(),
            facilities,
            unfinished: vec![],
            waiting: vec![],
        }
    }

    fn outcome(self) -> Outcome {
        let horizon = self.horizon;
        let mut statistics: Vec<NodeStatistics> = self
            .facilities
            .iter()
            .map(|facility| NodeStatistics {
                served: facility.served,
                completed: facility.served,
                busy: facility.service_sum,
                sojourn_sum: facility.waiting_sum + facility.service_sum,
                waiting_sum: facility.waiting_sum,
                number_integral: facility.waiting_sum + facility.service_sum,
                started: VisitSums {
                    visits: facility.served,
                    waiting: facility.waiting_sum,
                    sojourn: facility.waiting_sum + facility.service_sum,
                },
                ..NodeStatistics::default()
            })
            .collect();
        for last in &self.unfinished {
            let (Some(facility), Some(node)) =
                (self.facilities.get(last.node as usize), statistics.get_mut(last.node as usize))
            else {
                continue;
            };
            let beyond = facility.free_at - horizon;
            node.busy -= beyond;
            node.number_integral -= beyond;
            if beyond > 0 {
                node.completed -= 1;
                node.sojourn_sum -= facility.free_at - last.arrival;
                node.waiting_sum -= last.start - last.arrival;
            }
        }
        let waiting = WaitingLines::from_pairs(self.facilities.len(), &self.waiting);
        add_waiting(&mut statistics, &waiting, horizon);
        Outcome { horizon, states: self.facilities.iter().map(Facility::state).collect(), statistics, waiting }
    }
}

impl Arrivals for Simulator<'_> {
    #[inline(always)]
    fn look_ahead(&self, node: u32) -> u32 {
        let facility = self.facilities.get(node as usize);
        facility.and_then(|facility| self.targets.get(facility.first_edge as usize)).copied().unwrap_or(0)
    }

    #[inline(always)]
    fn arrive(&mut self, node: u32, arrival: u64) -> Option<(u64, u32)> {
        let facility = self.facilities.get_mut(node as usize)?;
        let start = facility.free_at.max(arrival);
        if start >= self.horizon {
            self.waiting.push((node, arrival));
            return None;
        }
        let service = facility.next_service;
        let departure = start + service;
        facility.free_at = departure;
        facility.served += 1;
        facility.service_sum += service;
        facility.waiting_sum += start - arrival;
        let edge = (u64::from(facility.word(node)) * u64::from(facility.degree)) >> 32;
        let to = self.targets.get(facility.first_edge as usize + edge as usize).copied().unwrap_or(0);
        facility.next_service = service_ticks(facility.word(node), facility.mean);
        if departure < self.horizon {
            return Some((departure, to));
        }
        self.waiting.push((to, departure));
        self.unfinished.push(Unfinished { node, arrival, start });
        None
    }
}

impl Facility {
    /// Draws the next word of the node's PCG32 stream.
    #[inline(always)]
    fn word(&mut self, node: u32) -> u32 {
        let state = self.rng;
        self.rng = state.wrapping_mul(PCG_MULTIPLIER).wrapping_add(u64::from(node) << 1 | 1);
        ((((state >> 18) ^ state) >> 27) as u32).rotate_right((state >> 59) as u32)
    }

    fn state(&self) -> NodeState {
        NodeState { free_at: self.free_at, next_service: self.next_service, rng_state: self.rng }
    }
}
