//! The clock: tick by tick.

use super::blocking::Rooms;
use super::calendar::{Calendar, Event, Kind};
use super::facility::Facility;
use super::regions::Regions;
use super::resources::Resources;
use super::routing;
use super::serving::{Onward, Serving};
use super::streams::Purpose;
use super::token::{Ended, Family, Move, Token};
use crate::deadlock::Deadlock;
use crate::network::{Discipline, Routing};
use crate::outcome::{NodeState, NodeStatistics, Outcome, WaitingLines};
use crate::scenario::Scenario;
use crate::stepping::Clockwork;
use crate::tally::{Numbers, PoolTimes, Population};
use crate::trace::Visit;
use std::collections::{BTreeMap, BTreeSet};

/// Simulator of one replication.
#[derive(Debug)]
pub(super) struct Simulator<'a> {
    pub(super) scenario: &'a Scenario<'a>,
    pub(super) facilities: Vec<Facility<'a>>,
    pub(super) calendar: Calendar,
    /// Tokens whose service has ended and that wait for room, with their destinations.
    pub(super) blocked: BTreeMap<Ended, u32>,
    pub(super) regions: Regions,
    pub(super) resources: Resources,
    /// Forked tokens whose parts are under way, and the number of those so far.
    pub(super) families: BTreeMap<u64, Family>,
    pub(super) forked: u64,
    /// Nodes at which something changed in this tick.
    pub(super) touched: BTreeSet<u32>,
    /// Present tick.
    now: u64,
    begun: bool,
    /// `true` if the run goes on after a deadlock, whose servers stay blocked.
    pub(super) goes_on: bool,
    deadlock: Option<Deadlock>,
    /// Number of tokens in the whole network, if it is counted.
    population: Option<Population>,
}

impl<'a> Clockwork<'a> for Simulator<'a> {
    fn begin(scenario: &'a Scenario<'a>) -> Self {
        let network = scenario.network();
        let nodes = network.len() as u32;
        // Nodes that are chosen by their work know the services of those that wait.
        let mut is_asked = vec![false; network.len()];
        for node in (0..nodes).filter(|&node| network.routing(node) == Routing::LeastWork) {
            for to in (0..network.classes() as u32).flat_map(|class| network.routes(node, class).targets()) {
                if let Some(mark) = is_asked.get_mut(to as usize) {
                    *mark = true;
                }
            }
        }
        let facilities = (0..nodes).zip(is_asked).map(|(node, asked)| Facility::new(scenario, node, asked));
        Self {
            scenario,
            facilities: facilities.collect(),
            calendar: Calendar::default(),
            blocked: BTreeMap::new(),
            regions: Regions::of(network),
            resources: Resources::of(network),
            families: BTreeMap::new(),
            forked: 0,
            touched: BTreeSet::new(),
            now: 0,
            begun: false,
            goes_on: false,
            deadlock: None,
            population: None,
        }
    }

    fn run_to(&mut self, horizon: u64, visited: &mut dyn FnMut(Visit)) {
        if horizon == 0 {
            return;
        }
        if !self.begun {
            self.begun = true;
            self.start();
        }
        while let Some(now) = self.calendar.next_time() {
            if now >= horizon || (self.deadlock.is_some() && !self.goes_on) {
                break;
            }
            self.tick(now, visited);
        }
    }

    fn deadlock(&mut self) -> Option<Deadlock> {
        self.deadlock.take()
    }

    fn outcome(&self, horizon: u64, visited: &mut dyn FnMut(Visit)) -> (Outcome, Vec<NodeStatistics>) {
        let mut waiting = vec![];
        if !self.begun {
            let network = self.scenario.network();
            for node in 0..network.len() as u32 {
                let tokens: u32 = (0..network.classes() as u32).map(|class| self.scenario.tokens_of(node, class)).sum();
                waiting.extend((0..tokens).map(|_| (node, 0)));
            }
        }
        let mut facilities = self.facilities.clone();
        let (mut states, mut statistics, mut by_class) = (vec![], vec![], vec![]);
        for node in 0..facilities.len() {
            self.end_all(&mut facilities, node as u32, horizon, &mut waiting, visited);
            let Some(facility) = facilities.get(node) else { continue };
            states.push(NodeState {
                free_at: facility.last_end,
                next_service: facility.next_length(),
                rng_state: facility.streams.state(),
            });
            statistics.push(facility.counts.statistics);
            by_class.extend(facility.by_class(horizon));
        }
        let waiting = WaitingLines::from_pairs(facilities.len(), &waiting);
        (Outcome { horizon, states, statistics, waiting }, by_class)
    }

    fn count_numbers(&mut self) {
        self.population = Some(Population::new(self.facilities.len()));
        self.facilities.iter_mut().for_each(|facility| facility.counts.count_numbers());
    }

    fn numbers(&self, horizon: u64) -> Numbers {
        let of = |facility: &Facility<'_>| {
            facility.station.map(|_| facility.counts.numbers(facility.numbers(), horizon)).unwrap_or_default()
        };
        let system = self.population.as_ref().map(|population| population.until(horizon)).unwrap_or_default();
        Numbers { system, nodes: self.facilities.iter().map(of).collect() }
    }

    fn pools(&self, horizon: u64) -> PoolTimes {
        let mut all = PoolTimes::default();
        for facility in &self.facilities {
            let times = facility.pool_times(horizon).into_iter();
            (0..).zip(times).for_each(|(pool, times)| all.add(facility.node, pool, times));
        }
        all
    }
}

impl Simulator<'_> {
    /// Places the tokens of the start, and plans the first changes of servers.
    fn start(&mut self) {
        let classes = self.scenario.network().classes() as u32;
        for node in 0..self.facilities.len() as u32 {
            for class in 0..classes {
                for _ in 0..self.scenario.tokens_of(node, class) {
                    self.regions.place(node, class);
                    self.enter(node, Token::of_start(class), 0);
                }
            }
            self.plan_duty(node);
            self.touched.insert(node);
        }
        let placed = self.touched.clone();
        // Tokens of sources may come in this tick; services start after them.
        for facility in self.facilities.iter_mut().filter(|facility| facility.station.is_none()) {
            facility.start_services(0, &mut self.calendar);
        }
        if self.calendar.next_time() != Some(0) {
            self.start_services(0);
        }
        self.note_population(&placed, 0);
    }

    fn plan_duty(&mut self, node: u32) {
        let Some(facility) = self.facilities.get_mut(node as usize) else { return };
        let conduct = facility.conduct.clone();
        for (pool, duty) in (0_u64..).zip(conduct.pools.iter().map(|pool| &pool.duty)) {
            if let Some(time) = duty.as_ref().and_then(|duty| duty.next(0)) {
                self.calendar.add(Event { time, kind: Kind::Duty, node, number: pool, detail: 0 });
            }
        }
        if let Some((up, _)) = &conduct.breakdowns {
            for server in 0..u64::from(facility.station.map_or(0, |station| station.servers)) {
                let time = up.draw(facility.streams.word(Purpose::Breakdowns));
                self.calendar.add(Event { time, kind: Kind::Breakdown, node, number: server, detail: 1 });
            }
        }
    }

    fn tick(&mut self, now: u64, visited: &mut dyn FnMut(Visit)) {
        self.now = now;
        let mut moves = self.end_services(now, visited);
        self.change_servers(now);
        self.end_patience(now, &mut moves);
        self.give_room(now, &mut moves, visited);
        self.deliver(moves, now);
        self.try_again(now);
        self.wake(now);
        let touched = if self.population.is_some() { self.touched.clone() } else { BTreeSet::new() };
        self.start_services(now);
        self.note_population(&touched, now);
        // Only a token that has begun to wait can close a circle.
        if self.deadlock.is_none() && self.blocked.range((now, 0, 0)..).next().is_some() {
            self.deadlock = super::blocking::deadlock(&self.facilities, now);
        }
    }

    /// Notes the numbers of tokens at the nodes that changed.
    fn note_population(&mut self, touched: &BTreeSet<u32>, now: u64) {
        let Some(population) = &mut self.population else { return };
        for &node in touched {
            let facility = self.facilities.get(node as usize).filter(|facility| facility.station.is_some());
            facility.iter().for_each(|facility| population.note(node, facility.numbers(), now));
        }
    }

    /// Services end, and their tokens leave, unless they must wait for room.
    fn end_services(&mut self, now: u64, visited: &mut dyn FnMut(Visit)) -> Vec<Move> {
        let mut moves = vec![];
        while let Some(Event { node, number, detail, .. }) = self.calendar.pop(now, Kind::End) {
            let Some(facility) = self.facilities.get_mut(node as usize) else { continue };
            for number in facility.ended(number, detail, now) {
                self.end(node, number, now, &mut moves, visited);
            }
        }
        moves
    }

    /// Tokens that had to wait for room leave where there is some now.
    fn give_room(&mut self, now: u64, moves: &mut Vec<Move>, visited: &mut dyn FnMut(Visit)) {
        if self.blocked.is_empty() {
            return;
        }
        for token in Rooms::of(&self.facilities).unblocked(&self.blocked) {
            self.blocked.remove(&token);
            self.leave(token, now, moves, visited);
        }
        // Tokens whose service ended now and that are still here have to wait.
        for &(_, node, number) in self.blocked.range((now, 0, 0)..).map(|(token, _)| token) {
            if let Some(facility) = self.facilities.get_mut(node as usize) {
                facility.block(number, now);
            }
        }
    }

    /// Ends a service: its token chooses where to go, and leaves if it need not wait for room.
    fn end(&mut self, node: u32, number: u64, now: u64, moves: &mut Vec<Move>, visited: &mut dyn FnMut(Visit)) {
        let Some(facility) = self.facilities.get_mut(node as usize) else { return };
        if facility.shares() {
            facility.observe(now);
        }
        let Some((class, word)) = facility.finish(number, now) else { return };
        let onward = routing::onward(&mut self.facilities, node, class, word, now);
        if let Some(serving) = self.facilities.get_mut(node as usize).and_then(|facility| facility.service(number)) {
            serving.onward = onward;
        }
        match onward.node() {
            Some(to) if Rooms::blocks(&self.facilities, to) => _ = self.blocked.insert((now, node, number), to),
            _ => self.leave((now, node, number), now, moves, visited),
        }
    }

    fn leave(&mut self, ended: Ended, now: u64, moves: &mut Vec<Move>, visited: &mut dyn FnMut(Visit)) {
        let (_, node, number) = ended;
        self.touched.insert(node);
        let Some(facility) = self.facilities.get_mut(node as usize) else { return };
        let Some(mut serving) = facility.leave(number, now) else { return };
        visited(serving.visit(node, now));
        if facility.station.is_some() {
            let release = facility.conduct.release;
            self.give_back(&mut serving.token, release);
            let from_region = self.regions.of_node(node);
            self.send(ended, 0, serving.onward, serving.token, from_region, moves);
            return;
        }
        let mut part = 0;
        for token in facility.emit(&serving) {
            let onward = if part == 0 {
                serving.onward
            } else {
                let Some(facility) = self.facilities.get_mut(node as usize) else { return };
                let word = facility.streams.word(Purpose::Routes);
                routing::onward(&mut self.facilities, node, token.class, word, now)
            };
            let routes = self.scenario.network().routes(node, token.class).len() as u32;
            self.send(ended, part, onward, token, None, moves);
            // A fork numbers the parts of its token from there on.
            part += routes.max(1);
        }
    }

    /// Sends a token that has left on its way.
    pub(super) fn send(
        &mut self,
        ended: Ended,
        part: u32,
        onward: Onward,
        mut token: Token,
        from_region: Option<usize>,
        moves: &mut Vec<Move>,
    ) {
        match onward {
            Onward::Out => {
                self.regions.leave(from_region, &token);
                self.give_back(&mut token, u64::MAX);
                self.part_is_gone(&token, self.now);
            }
            Onward::To(to, class) => {
                moves.push(Move { ended, part, to, token: Token { class, ..token }, from_region });
            }
            Onward::All => self.fork(ended, part, token, from_region, moves),
        }
    }

    /// Second part of a tick: tokens enter, in the order of their services' ends, senders and numbers.
    fn deliver(&mut self, mut moves: Vec<Move>, now: u64) {
        moves.sort_by_key(|token| (token.ended, token.part));
        for token in moves {
            if let Some(token) = self.regions.admit(token) {
                match token {
                    Ok(Move { to, token, .. }) => self.arrive(to, Token { arrived: now, ..token }, now),
                    Err(lost) => {
                        if let Some(facility) = self.facilities.get_mut(lost.to as usize) {
                            facility.counts.arrive(lost.token.class);
                        }
                        self.lose(lost.to, &lost.token, now);
                    }
                }
            }
        }
        // Those that leave a region make room for others, which may leave another region.
        while let Some(Move { to, token, .. }) = self.regions.next_admitted() {
            self.arrive(to, Token { arrived: now, ..token }, now);
        }
    }

    /// Third part of a tick: services start.
    pub(super) fn start_services(&mut self, now: u64) {
        let mut seizing = vec![];
        for node in std::mem::take(&mut self.touched) {
            match self.facilities.get_mut(node as usize) {
                Some(facility) if facility.conduct.seize != 0 => seizing.push(node),
                Some(facility) => facility.start_services(now, &mut self.calendar),
                None => {}
            }
        }
        if !seizing.is_empty() {
            self.start_with_resources(&seizing, now);
        }
    }

    /// Servers come on duty or go, break down or work again.
    fn change_servers(&mut self, now: u64) {
        while let Some(Event { kind, node, number, detail, .. }) = self.calendar.pop(now, Kind::Breakdown) {
            let Some(facility) = self.facilities.get_mut(node as usize) else { continue };
            self.touched.insert(node);
            facility.observe(now);
            let conduct = facility.conduct.clone();
            if kind == Kind::Duty {
                let pool = number as usize;
                let Some(duty) = conduct.pools.get(pool).and_then(|pool| pool.duty.as_ref()) else { continue };
                facility.pools.set_on_duty(pool, duty.at(now));
                if duty.interrupts {
                    facility.interrupt_excess(pool, now);
                }
                if let Some(time) = duty.next(now) {
                    self.calendar.add(Event { time, kind, node, number, detail });
                }
            } else if let Some((up, down)) = &conduct.breakdowns {
                let breaks = detail == 1;
                facility.break_down(number, breaks, now);
                let word = facility.streams.word(Purpose::Breakdowns);
                let time = now.saturating_add(if breaks { down.draw(word) } else { up.draw(word) });
                self.calendar.add(Event { time, kind, node, number, detail: u64::from(!breaks) });
            }
        }
    }

    /// Tokens whose patience ends leave their lines.
    fn end_patience(&mut self, now: u64, moves: &mut Vec<Move>) {
        while let Some(Event { node, number: entry, detail, .. }) = self.calendar.pop(now, Kind::Patience) {
            let Some(facility) = self.facilities.get_mut(node as usize) else { continue };
            facility.observe(now);
            let second = facility.second_of_rank(entry);
            let Some(waiting) = facility.line.give_up((detail, second), entry) else { continue };
            let token = waiting.token;
            facility.counts.renege(token.class, now - token.arrived);
            let to = facility.conduct.patience.get(token.class as usize).and_then(|patience| patience.as_ref()?.1);
            let onward = to.map_or(Onward::Out, |to| Onward::To(to, token.class));
            self.touched.insert(node);
            let from_region = self.regions.of_node(node);
            self.send((now, node, u64::MAX - entry), 0, onward, token, from_region, moves);
        }
    }

    /// Tokens that found no room try again.
    fn try_again(&mut self, now: u64) {
        while let Some(Event { node, number: entry, .. }) = self.calendar.pop(now, Kind::Retry) {
            let Some(facility) = self.facilities.get_mut(node as usize) else { continue };
            facility.observe(now);
            if let Some(token) = facility.orbit.remove(&entry) {
                self.join_line(node, token, now);
            }
        }
    }

    /// Looks at nodes where something may start without a token that comes or leaves.
    fn wake(&mut self, now: u64) {
        while let Some(Event { node, .. }) = self.calendar.pop(now, Kind::Wake) {
            self.touched.insert(node);
        }
    }

    /// Lets a token come to a node: it is counted, and enters if it wants to and there is room.
    fn arrive(&mut self, node: u32, token: Token, now: u64) {
        let Some(facility) = self.facilities.get_mut(node as usize) else { return };
        facility.observe(now);
        facility.counts.arrive(token.class);
        self.touched.insert(node);
        if facility.balks() {
            self.lose(node, &token, now);
            return;
        }
        if facility.conduct.join.is_some() {
            self.gather(node, token, now);
        } else {
            self.join_line(node, token, now);
        }
    }

    /// Lets a token of the start enter, whatever it wants.
    fn enter(&mut self, node: u32, token: Token, now: u64) {
        if let Some(facility) = self.facilities.get_mut(node as usize) {
            facility.counts.arrive(token.class);
        }
        self.join_line(node, token, now);
    }

    /// Lets a token enter the line, if there is room.
    pub(super) fn join_line(&mut self, node: u32, token: Token, now: u64) {
        let Some(facility) = self.facilities.get_mut(node as usize) else { return };
        facility.observe(now);
        self.touched.insert(node);
        if facility.room() == 0 {
            let Some(retry) = facility.conduct.clone().retry.clone() else {
                self.lose(node, &token, now);
                return;
            };
            let entry = facility.number_entry();
            let time = now.saturating_add(retry.draw(facility.streams.word(Purpose::Retry)));
            facility.orbit.insert(entry, token);
            self.calendar.add(Event { time, kind: Kind::Retry, node, number: entry, detail: 0 });
            return;
        }
        let (class, arrived) = (token.class as usize, token.arrived);
        let (entry, rank) = facility.enter(token, now);
        let conduct = facility.conduct.clone();
        if let Some(wait) = conduct.bulk.and_then(|bulk| bulk.wait) {
            let time = arrived.saturating_add(wait).max(now);
            self.calendar.add(Event { time, kind: Kind::Wake, node, number: entry, detail: 0 });
        }
        if let Some((patience, _)) = conduct.patience.get(class).and_then(Option::as_ref) {
            let time = now.saturating_add(patience.draw(facility.streams.word(Purpose::Patience)));
            self.calendar.add(Event { time, kind: Kind::Patience, node, number: entry, detail: rank.0 });
        }
    }

    /// Counts a token that does not enter a node.
    fn lose(&mut self, node: u32, token: &Token, now: u64) {
        if let Some(facility) = self.facilities.get_mut(node as usize) {
            facility.observe(now);
            facility.counts.lose(token.class);
        }
        if token.holds != 0 {
            self.give_back(&mut token.clone(), u64::MAX);
        }
        self.regions.leave(self.regions.of_node(node), token);
        self.part_is_gone(token, now);
    }

    /// Ends the statistics of a node at the horizon, whose tick is not carried out: services that end in it are
    /// completed. Adds the tokens that wait, and those under way, which wait where they go.
    fn end_all(
        &self,
        facilities: &mut [Facility<'_>],
        node: u32,
        horizon: u64,
        waiting: &mut Vec<(u32, u64)>,
        visited: &mut dyn FnMut(Visit),
    ) {
        let Some(facility) = facilities.get_mut(node as usize) else { return };
        facility.observe(horizon);
        facility.settle_all(horizon);
        waiting.extend(facility.line.iter().map(|waiting| (node, waiting.token.arrived)));
        waiting.extend(facility.orbit.values().map(|token| (node, token.arrived)));
        let ends = |serving: &Serving| serving.ended.or_else(|| serving.ends()).unwrap_or(u64::MAX);
        let mut under_way: Vec<_> =
            facility.serving.values().map(|serving| (ends(serving), serving.job.number)).collect();
        under_way.sort_unstable();
        for (ends, number) in under_way {
            let is_new = facilities
                .get_mut(node as usize)
                .and_then(|facility| facility.service(number))
                .map(|serving| (serving.ended.is_none(), serving.token.class, serving.job.word));
            let Some((is_new, class, word)) = is_new else { continue };
            if is_new {
                let onward = routing::onward(facilities, node, class, word, horizon);
                if let Some(serving) = facilities.get_mut(node as usize).and_then(|facility| facility.service(number)) {
                    serving.onward = onward;
                }
            }
            let Some(facility) = facilities.get_mut(node as usize) else { continue };
            if let Some(to) = facility.onward(number).and_then(Onward::node) {
                waiting.push((to, ends));
            }
            if ends == horizon
                && is_new
                && let Some(serving) = facility.leave(number, horizon)
            {
                if facility.station.is_none() {
                    facility.emit(&serving);
                }
                visited(serving.visit(node, horizon));
            }
        }
    }
}

impl Facility<'_> {
    /// Returns the second part of the rank of a token with the given number of entry.
    fn second_of_rank(&self, entry: u64) -> u64 {
        match self.discipline() {
            Discipline::Lifo | Discipline::LifoPreemptive => u64::MAX - entry,
            _ => entry,
        }
    }

    /// Returns `true` if a token that has come does not join the line.
    fn balks(&mut self) -> bool {
        if self.conduct.balking.is_empty() {
            return false;
        }
        let place = usize::try_from(self.present()).unwrap_or(usize::MAX);
        let joins = self.conduct.balking.get(place).or(self.conduct.balking.last()).copied().unwrap_or(u64::MAX);
        u64::from(self.streams.word(Purpose::Balking)) >= joins
    }
}
