//! Sequential reference of the clustered-time engine; kernels must reproduce it bit for bit.

use super::{Unsupported, check, step_time};
use crate::network::Network;
use crate::outcome::{NodeStatistics, Outcome, WaitingLines, add_in_flight};
use crate::scenario::Scenario;
use crate::sequential::{Facility, Origin};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Outcome of a clustered run, with the number of its steps.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Clustered {
    /// Outcome, in the form of the exact engines.
    pub outcome: Outcome,
    /// Number of steps, including the one at time 0.
    pub steps: u64,
}

/// Simulates one replication in steps of `interval` ticks; see [the parent module](super) for the definition.
///
/// # Errors
/// [`Unsupported`] for a network with several servers at a node, or with blocking.
pub fn simulate(scenario: &Scenario<'_>, interval: u64) -> Result<Clustered, Unsupported> {
    check(scenario.network())?;
    let mut simulator = Simulator::new(scenario);
    let mut steps = 0;
    if scenario.horizon() > 0 {
        simulator.begin();
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

/// End of a service. Releases are ordered like newcomers at a node: by original time stamp, then by sending node, then
/// by service.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Release {
    time: u64,
    from: u32,
    number: u64,
}

struct Simulator<'a> {
    scenario: &'a Scenario<'a>,
    network: &'a Network,
    facilities: Vec<Facility>,
    statistics: Vec<NodeStatistics>,
    future: BinaryHeap<Reverse<Release>>,
}

impl<'a> Simulator<'a> {
    fn new(scenario: &'a Scenario<'a>) -> Self {
        let network = scenario.network();
        let nodes = 0..network.len() as u32;
        Self {
            scenario,
            network,
            facilities: nodes.map(|node| Facility::new(scenario, node)).collect(),
            statistics: vec![NodeStatistics::default(); network.len()],
            future: BinaryHeap::new(),
        }
    }

    /// Executes the step at time 0: the tokens of the start enter, and servers begin.
    fn begin(&mut self) {
        let nodes = self.facilities.len() as u32;
        for facility in &mut self.facilities {
            facility.place_tokens(self.scenario);
        }
        (0..nodes).for_each(|node| self.reschedule(node, 0));
    }

    /// Executes one step: all services that end at `step` or before are over, then idle servers begin services.
    fn execute(&mut self, step: u64) {
        let (mut touched, mut released) = (vec![], vec![]);
        while let Some(&Reverse(release)) = self.future.peek()
            && release.time <= step
        {
            self.future.pop();
            touched.push(release.from);
            if let Some(facility) = self.facilities.get_mut(release.from as usize) {
                released.push((release.time, facility.end(self.network, release.number)));
                facility.leave(release.number, step);
            }
        }
        // The list has returned releases in the order in which newcomers must queue.
        for (time, onward) in released {
            let Some((to, class)) = onward else { continue };
            touched.push(to);
            if let Some(facility) = self.facilities.get_mut(to as usize) {
                // Clustered runs do not record the origin of tokens.
                facility.enter(self.network, class, Origin::START, time, step);
            }
        }
        // Only after all releases, since a later release of this step may still make a server idle.
        for node in touched {
            self.reschedule(node, step);
        }
    }

    /// Begins a service at `step` if the node is idle and a token waits; a source continues where its last emission
    /// ended.
    fn reschedule(&mut self, node: u32, step: u64) {
        let horizon = self.scenario.horizon();
        let Some(facility) = self.facilities.get_mut(node as usize) else { return };
        if facility.can_start() {
            let start = if facility.station.is_some() { step } else { facility.last_end };
            let (number, end) = facility.start(self.network, start);
            let arrived = facility.serving.last().map(|service| service.arrived);
            let (Some(arrived), Some(sums)) = (arrived, self.statistics.get_mut(node as usize)) else {
                return;
            };
            self.future.push(Reverse(Release { time: end, from: node, number }));
            sums.served += 1;
            sums.completed += u64::from(end <= horizon);
            if facility.station.is_some() {
                sums.busy += end.min(horizon) - start;
                sums.number_integral += end.min(horizon) - arrived;
                sums.started.add(start - arrived, end - arrived);
                if end <= horizon {
                    sums.sojourn_sum += end - arrived;
                    sums.waiting_sum += start - arrived;
                }
            }
        }
        facility.note_line();
    }

    /// Delivers the releases that are still in the list, at their original time stamps, and returns the outcome.
    fn outcome(mut self) -> Outcome {
        let (horizon, network) = (self.scenario.horizon(), self.network);
        let arrival = |Reverse(release): &Reverse<Release>| {
            let facility = self.facilities.get_mut(release.from as usize)?;
            facility.end(network, release.number).map(|(to, _)| (to, release.time))
        };
        let in_flight: Vec<(u32, u64)> = self.future.iter().filter_map(arrival).collect();
        let mut waiting = in_flight.clone();
        for (facility, sums) in self.facilities.iter_mut().zip(&mut self.statistics) {
            if horizon == 0 {
                // Nothing has entered yet; tokens of the start are counted as if they had.
                facility.place_tokens(self.scenario);
                waiting.extend(facility.line.iter().map(|token| (facility.node, token.arrived)));
                sums.most_waiting = Some(0);
                continue;
            }
            waiting.extend(facility.line.iter().map(|token| (facility.node, token.arrived)));
            sums.number_integral += facility.line.iter().map(|token| horizon - token.arrived).sum::<u64>();
            let NodeStatistics { arrivals, lost, most_waiting, .. } = facility.statistics;
            (sums.arrivals, sums.lost, sums.most_waiting) = (arrivals, lost, most_waiting);
        }
        add_in_flight(&mut self.statistics, &in_flight, horizon);
        Outcome {
            horizon,
            states: self.facilities.iter().map(|facility| facility.state(network)).collect(),
            statistics: self.statistics,
            waiting: WaitingLines::from_pairs(self.facilities.len(), &waiting),
        }
    }
}
