//! The clustered-time engine, one event at a time: what its kernels must reproduce bit for bit.

use super::{NotSimple, step_time};
use crate::queueing::network::Simple;
use crate::queueing::outcome::{NodeState, NodeStatistics, Outcome, WaitingLines, add_waiting};
use crate::queueing::scenario::Scenario;
use crate::queueing::sequential::Draws;
use std::cmp::Reverse;
use std::collections::{BinaryHeap, VecDeque};

/// An outcome, and how much was done at once.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Clustered {
    /// The result, in the form of the exact engines.
    pub outcome: Outcome,
    /// Steps taken, the one at time 0 included.
    pub steps: u64,
}

/// Simulates one replication in steps of `interval` ticks; see [the module above](super) for the meaning.
///
/// # Errors
/// [`NotSimple`] for a network that is not simple.
pub fn simulate(scenario: &Scenario<'_>, interval: u64) -> Result<Clustered, NotSimple> {
    let mut simulator = Simulator::new(scenario, scenario.simple().ok_or(NotSimple)?);
    let mut steps = 0;
    if scenario.horizon() > 0 {
        for node in 0..simulator.facilities.len() as u32 {
            simulator.reschedule(node, 0);
        }
        steps = 1;
    }
    while let Some(&Reverse(next)) = simulator.future.peek() {
        let step = step_time(next.time, interval);
        if step >= scenario.horizon() {
            break;
        }
        simulator.execute(step);
        steps += 1;
    }
    Ok(Clustered { outcome: simulator.outcome(), steps })
}

/// The end of a service. The order is that of newcomers at a node: original time stamp, then where they come from.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Release {
    time: u64,
    from: u32,
    to: u32,
}

struct Facility {
    draws: Draws,
    next_service: u64,
    free_at: u64,
    busy: bool,
    line: VecDeque<u64>,
    statistics: NodeStatistics,
}

struct Simulator<'a> {
    scenario: &'a Scenario<'a>,
    network: Simple<'a>,
    facilities: Vec<Facility>,
    future: BinaryHeap<Reverse<Release>>,
}

impl<'a> Simulator<'a> {
    fn new(scenario: &'a Scenario<'a>, network: Simple<'a>) -> Self {
        let facilities = (0..).zip(scenario.tokens()).map(|(node, &tokens)| {
            let mut draws = Draws::new(scenario.key().node(node));
            Facility {
                next_service: draws.service(network.mean_service(node)),
                draws,
                free_at: 0,
                busy: false,
                line: vec![0; tokens as usize].into(),
                statistics: NodeStatistics::default(),
            }
        });
        Self { scenario, network, facilities: facilities.collect(), future: BinaryHeap::new() }
    }

    /// One step: everything that ends at `step` or before is over, then servers that can begin a service do.
    fn execute(&mut self, step: u64) {
        let mut touched = vec![];
        while let Some(&Reverse(release)) = self.future.peek()
            && release.time <= step
        {
            self.future.pop();
            if let Some(facility) = self.facilities.get_mut(release.from as usize) {
                facility.busy = false;
            }
            // The list gives releases in the order in which newcomers must queue.
            if let Some(facility) = self.facilities.get_mut(release.to as usize) {
                facility.line.push_back(release.time);
            }
            touched.extend([release.from, release.to]);
        }
        // Only now, since a release that is noticed late in the step may still make a server idle.
        for node in touched {
            self.reschedule(node, step);
        }
    }

    /// Begins a service at `step` if the node is idle and a token waits.
    fn reschedule(&mut self, node: u32, step: u64) {
        let network = self.network;
        let horizon = self.scenario.horizon();
        let Some(facility) = self.facilities.get_mut(node as usize) else { return };
        if facility.busy {
            return;
        }
        let Some(arrival) = facility.line.pop_front() else { return };
        let end = step + facility.next_service;
        facility.busy = true;
        facility.free_at = end;
        facility.statistics.served += 1;
        facility.statistics.busy += end.min(horizon) - step;
        facility.statistics.number_integral += end.min(horizon) - arrival;
        if end <= horizon {
            facility.statistics.completed += 1;
            facility.statistics.sojourn_sum += end - arrival;
            facility.statistics.waiting_sum += step - arrival;
        }
        let to = facility.draws.destination(network.out_edges(node));
        facility.next_service = facility.draws.service(network.mean_service(node));
        self.future.push(Reverse(Release { time: end, from: node, to }));
    }

    /// Releases still in the list arrive where they go, at their original time stamps.
    fn outcome(self) -> Outcome {
        let horizon = self.scenario.horizon();
        let mut waiting: Vec<(u32, u64)> =
            self.future.iter().map(|Reverse(release)| (release.to, release.time)).collect();
        for (node, facility) in (0..).zip(&self.facilities) {
            waiting.extend(facility.line.iter().map(|&arrival| (node, arrival)));
        }
        let mut statistics: Vec<_> = self.facilities.iter().map(|facility| facility.statistics).collect();
        add_waiting(&mut statistics, &waiting, horizon);
        Outcome {
            horizon,
            states: self.facilities.iter().map(Facility::state).collect(),
            statistics,
            waiting: WaitingLines::from_pairs(self.facilities.len(), &waiting),
        }
    }
}

impl Facility {
    fn state(&self) -> NodeState {
        NodeState { free_at: self.free_at, next_service: self.next_service, rng_state: self.draws.state() }
    }
}
