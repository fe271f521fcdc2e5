//! The oracle's clock: tick by tick, as the rules say.

use super::blocking::{Ended, blocks, deadlock, unblocked};
use super::facility::{Facility, Origin};
use crate::deadlock::Deadlock;
use crate::outcome::{NodeStatistics, Outcome, WaitingLines};
use crate::scenario::Scenario;
use crate::stepping::Clockwork;
use crate::tally::{Numbers, PoolTimes, Population};
use crate::trace::Visit;
use std::collections::{BTreeMap, BTreeSet};

pub(super) struct Simulator<'a> {
    scenario: &'a Scenario<'a>,
    facilities: Vec<Facility>,
    /// Services under way, by their ends.
    ends: BTreeSet<Ended>,
    /// Tokens whose service has ended and that wait for room, with their destinations.
    blocked: BTreeMap<Ended, u32>,
    /// `true` if the tokens of the start have entered.
    begun: bool,
    /// First deadlock of the run.
    pub(super) deadlock: Option<Deadlock>,
    /// Number of tokens in the whole network, if it is counted.
    population: Option<Population>,
}

/// A token between two nodes.
struct Move {
    ended: Ended,
    to: u32,
    class: u32,
    origin: Origin,
}

impl<'a> Clockwork<'a> for Simulator<'a> {
    fn begin(scenario: &'a Scenario<'a>) -> Self {
        Self::new(scenario)
    }

    fn run_to(&mut self, horizon: u64, visited: &mut dyn FnMut(Visit)) {
        self.advance(horizon, true, visited);
    }

    fn deadlock(&mut self) -> Option<Deadlock> {
        self.deadlock.take()
    }

    fn outcome(&self, horizon: u64, visited: &mut dyn FnMut(Visit)) -> (Outcome, Vec<NodeStatistics>) {
        self.outcome_by_class(horizon, visited)
    }

    fn count_numbers(&mut self) {
        self.population = Some(Population::new(self.facilities.len()));
        self.facilities.iter_mut().for_each(Facility::count_numbers);
    }

    fn numbers(&self, horizon: u64) -> Numbers {
        let system = self.population.as_ref().map(|population| population.until(horizon)).unwrap_or_default();
        Numbers { system, nodes: self.facilities.iter().map(|facility| facility.numbers(horizon)).collect() }
    }

    fn pools(&self, _: u64) -> PoolTimes {
        // Networks whose servers differ are not simulated by this engine.
        PoolTimes::default()
    }
}

impl<'a> Simulator<'a> {
    pub(super) fn new(scenario: &'a Scenario<'a>) -> Self {
        let nodes = 0..scenario.network().len() as u32;
        Self {
            scenario,
            facilities: nodes.map(|node| Facility::new(scenario, node)).collect(),
            ends: BTreeSet::new(),
            blocked: BTreeMap::new(),
            begun: false,
            deadlock: None,
            population: None,
        }
    }

    /// Carries out every tick before `horizon` in which something happens, continuing from an earlier one. Stops at a
    /// deadlock if `stop_at_deadlock` is set. Calls `visited` for visits that end.
    pub(super) fn advance(&mut self, horizon: u64, stop_at_deadlock: bool, visited: &mut dyn FnMut(Visit)) {
        if horizon == 0 {
            return;
        }
        if !self.begun {
            self.begun = true;
            self.facilities.iter_mut().for_each(|facility| facility.place_tokens(self.scenario));
            let all = (0..self.facilities.len() as u32).collect();
            self.start_services(&all, 0);
            self.note_population(&all, 0);
        }
        while let Some(&(now, ..)) = self.ends.first() {
            if now >= horizon || (stop_at_deadlock && self.deadlock.is_some()) {
                break;
            }
            self.tick(now, visited);
        }
    }

    fn tick(&mut self, now: u64, visited: &mut dyn FnMut(Visit)) {
        let mut touched = BTreeSet::new();
        let moves = self.end_services(now, &mut touched, visited);
        self.deliver(moves, now, &mut touched);
        self.start_services(&touched, now);
        self.note_population(&touched, now);
        if self.deadlock.is_none() && !self.blocked.is_empty() {
            self.deadlock = deadlock(self.scenario.network(), &self.facilities, now);
        }
    }

    /// Notes the numbers of tokens at the nodes that changed.
    fn note_population(&mut self, touched: &BTreeSet<u32>, now: u64) {
        let Some(population) = &mut self.population else { return };
        for &node in touched {
            let facility = self.facilities.get(node as usize).filter(|facility| facility.station.is_some());
            facility.iter().for_each(|facility| population.note(node, facility.numbers_now(), now));
        }
    }

    /// First part of a tick: services end, and their tokens leave, unless they must wait for room.
    fn end_services(&mut self, now: u64, touched: &mut BTreeSet<u32>, visited: &mut dyn FnMut(Visit)) -> Vec<Move> {
        let mut moves = vec![];
        while let Some(&(end, node, number)) = self.ends.first()
            && end == now
        {
            self.ends.pop_first();
            let facility = self.facilities.get_mut(node as usize);
            let onward = facility.and_then(|facility| facility.end(self.scenario.network(), number));
            match onward {
                Some((to, _)) if blocks(&self.facilities, to) => {
                    self.blocked.insert((now, node, number), to);
                }
                _ => moves.extend(self.leave((now, node, number), now, touched, visited)),
            }
        }
        for token in unblocked(&self.facilities, &self.blocked) {
            self.blocked.remove(&token);
            moves.extend(self.leave(token, now, touched, visited));
        }
        // Tokens whose service ended now and that are still here have to wait.
        for &(_, node, number) in self.blocked.range((now, 0, 0)..).map(|(token, _)| token) {
            let Some(facility) = self.facilities.get_mut(node as usize) else { continue };
            facility.observe(now);
            facility.statistics.blocked += 1;
            for token in facility.serving.iter_mut().filter(|token| token.number == number) {
                token.blocked = true;
            }
        }
        moves
    }

    /// Second part of a tick: tokens enter, in the order of their services' ends, senders and numbers. Only tokens that
    /// had to wait for room ended before now; they come first.
    fn deliver(&mut self, mut moves: Vec<Move>, now: u64, touched: &mut BTreeSet<u32>) {
        let network = self.scenario.network();
        moves.sort_by_key(|token| token.ended);
        for token in moves {
            if let Some(facility) = self.facilities.get_mut(token.to as usize) {
                facility.enter(network, token.class, token.origin, now, now);
            }
            touched.insert(token.to);
        }
    }

    /// Third part of a tick: services start.
    fn start_services(&mut self, touched: &BTreeSet<u32>, now: u64) {
        let network = self.scenario.network();
        for &node in touched {
            let Some(facility) = self.facilities.get_mut(node as usize) else { continue };
            while facility.can_start() {
                let (number, end) = facility.start(network, now);
                self.ends.insert((end, node, number));
            }
            facility.note_line();
        }
    }

    fn leave(
        &mut self,
        ended: Ended,
        now: u64,
        touched: &mut BTreeSet<u32>,
        visited: &mut dyn FnMut(Visit),
    ) -> Option<Move> {
        let (_, node, number) = ended;
        touched.insert(node);
        let token = self.facilities.get_mut(node as usize)?.leave(number, now)?;
        visited(token.visit(node, now));
        let origin = token.origin(node, now);
        token.onward.map(|(to, class)| Move { ended, to, class, origin })
    }

    /// Returns the outcome of a run that ends at `horizon`, to which it has been simulated, and the statistics by node
    /// and class. Tokens in service go on to their next nodes. Calls `visited` for the visits that end in the horizon's
    /// own tick; continuing the run would report these again.
    pub(super) fn outcome_by_class(
        &self,
        horizon: u64,
        visited: &mut dyn FnMut(Visit),
    ) -> (Outcome, Vec<NodeStatistics>) {
        let network = self.scenario.network();
        let mut facilities = self.facilities.clone();
        let mut waiting = vec![];
        if !self.begun {
            // Nothing has entered yet.
            for node in 0..network.len() as u32 {
                let tokens: u32 = (0..network.classes() as u32).map(|class| self.scenario.tokens_of(node, class)).sum();
                waiting.extend((0..tokens).map(|_| (node, 0)));
            }
        }
        for facility in &mut facilities {
            let node = facility.node;
            facility.observe(horizon);
            facility.end_all(network, horizon);
            waiting.extend(facility.line.iter().map(|token| (node, token.arrived)));
            waiting.extend(facility.serving.iter().filter_map(|token| token.onward.map(|(to, _)| (to, token.ends))));
            // Services that ended in the horizon's own tick are completed, although no service follows them.
            let ended = facility.serving.iter().filter(|token| token.ends == horizon).map(|token| token.number);
            let mut ended: Vec<_> = ended.collect();
            ended.sort_unstable();
            for number in ended {
                if let Some(token) = facility.leave(number, horizon) {
                    visited(token.visit(node, horizon));
                }
            }
        }
        let by_class = facilities.iter().flat_map(|facility| facility.by_class(horizon)).collect();
        let outcome = Outcome {
            horizon,
            states: facilities.iter().map(|facility| facility.state(network)).collect(),
            statistics: facilities.iter().map(|facility| facility.statistics).collect(),
            waiting: WaitingLines::from_pairs(facilities.len(), &waiting),
        };
        (outcome, by_class)
    }
}
