//! One node of the oracle: random words, line, servers and statistics.

use super::draws::Draws;
use super::routes::{Turns, emitted, onward};
use crate::network::{Discipline, Network, Role, Station};
use crate::outcome::{NodeState, NodeStatistics};
use crate::scenario::Scenario;
use crate::tally::Census;
use crate::trace::Visit;
use rand_core::Rng as _;
use rand_pcg::Pcg32;
use std::collections::VecDeque;

/// Source and time at which a token entered the network.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Origin {
    /// Source of the token; `None` for a token of the start.
    pub(crate) source: Option<u32>,
    /// Time at which the token left the source.
    pub(crate) entered: u64,
}

impl Origin {
    /// Origin of the tokens of the start.
    pub(crate) const START: Self = Self { source: None, entered: 0 };
}

/// A token that waits for a server.
#[derive(Clone)]
pub(crate) struct Waiting {
    pub(crate) arrived: u64,
    pub(crate) class: u32,
    priority: u32,
    origin: Origin,
}

/// A token in a server.
#[derive(Clone)]
pub(crate) struct Serving {
    /// Number of the service.
    pub(crate) number: u64,
    pub(crate) class: u32,
    pub(crate) arrived: u64,
    pub(crate) started: u64,
    pub(crate) ends: u64,
    /// Random word for the route of the token.
    word: u32,
    /// Next node and class of the token; `None` leaves the network. Determined when the service ends.
    pub(crate) onward: Option<(u32, u32)>,
    /// `true` if the service has ended but the token could not leave.
    pub(crate) blocked: bool,
    /// Origin of the token; `None` while a source emits it.
    origin: Option<Origin>,
}

impl Serving {
    /// Adds this service, up to time `now`, to the sums of its class.
    fn count(&self, sums: &mut NodeStatistics, at_station: bool, now: u64) {
        sums.served += 1;
        if at_station {
            sums.started.add(self.started - self.arrived, self.ends - self.arrived);
            let ended = self.ends.min(now);
            sums.busy += ended - self.started;
            sums.number_integral += now - self.arrived;
            sums.blocked += u64::from(self.blocked);
            sums.blocked_time += now - ended;
        }
    }

    /// Returns the origin of the token. Tokens enter the network when they leave a source.
    pub(super) fn origin(&self, node: u32, left: u64) -> Origin {
        self.origin.unwrap_or(Origin { source: Some(node), entered: left })
    }

    /// Returns the visit to `node` that ends at `left`.
    pub(super) fn visit(&self, node: u32, left: u64) -> Visit {
        let Self { number, class, arrived, started, .. } = *self;
        let Origin { source, entered } = self.origin(node, left);
        let to = self.onward.map(|(to, _)| to);
        Visit { node, class, number, arrived, started, left, to, forked: false, source, entered }
    }
}

#[derive(Clone)]
pub(crate) struct Facility {
    pub(crate) node: u32,
    /// Properties of the station; `None` for a source.
    pub(crate) station: Option<Station>,
    draws: Draws,
    /// Random word of the next service, drawn ahead.
    coming: u32,
    choice: Pcg32,
    turns: Turns,
    /// Number of services started, which is the number of the next one.
    pub(crate) started: u64,
    pub(crate) line: VecDeque<Waiting>,
    pub(crate) serving: Vec<Serving>,
    pub(crate) last_end: u64,
    pub(crate) statistics: NodeStatistics,
    /// Sums over the visits that are over, and the arrivals, by class.
    by_class: Vec<NodeStatistics>,
    /// Time of the last change at this node.
    changed: u64,
    /// Time from which arrivals are counted apart.
    counted_from: Option<u64>,
    /// Time with each number of tokens, if it is counted.
    numbers: Option<Census>,
}

impl Facility {
    pub(crate) fn new(scenario: &Scenario<'_>, node: u32) -> Self {
        let mut draws = Draws::new(scenario.key().node(node));
        Self {
            node,
            station: match scenario.network().role(node) {
                Role::Station(station) => Some(station),
                Role::Source => None,
            },
            coming: draws.word(),
            draws,
            choice: scenario.key().choice(node).generator(),
            turns: Turns::new(),
            started: 0,
            line: VecDeque::new(),
            serving: vec![],
            last_end: 0,
            statistics: NodeStatistics { most_waiting: Some(0), ..NodeStatistics::default() },
            by_class: vec![NodeStatistics::default(); scenario.network().classes()],
            changed: 0,
            counted_from: scenario.counted_from(),
            numbers: None,
        }
    }

    /// Begins to count the time with each number of tokens.
    pub(super) fn count_numbers(&mut self) {
        self.numbers = Some(Census::default());
    }

    /// Returns the time with each number until `now`; none for a source.
    pub(super) fn numbers(&self, now: u64) -> Census {
        let mut numbers = self.numbers.clone().unwrap_or_default();
        if self.station.is_some() {
            numbers.add(self.numbers_now(), now - self.changed);
        }
        numbers
    }

    /// Adds the time since the last change to the areas under the numbers of busy servers, blocked servers and tokens.
    pub(crate) fn observe(&mut self, now: u64) {
        if self.station.is_none() {
            return;
        }
        let elapsed = now - self.changed;
        self.changed = now;
        let blocked = self.serving.iter().filter(|serving| serving.blocked).count() as u64;
        self.statistics.busy += elapsed * (self.serving.len() as u64 - blocked);
        self.statistics.blocked_time += elapsed * blocked;
        let tokens = self.numbers_now();
        self.statistics.number_integral += elapsed * tokens[0];
        if let Some(numbers) = &mut self.numbers {
            numbers.add(tokens, elapsed);
        }
    }

    /// Returns the number of tokens, waiting and in servers.
    pub(crate) fn present(&self) -> u64 {
        (self.line.len() + self.serving.len()) as u64
    }

    /// Returns the numbers of tokens that are at the node and that wait there.
    pub(super) fn numbers_now(&self) -> [u64; 2] {
        [self.present(), self.line.len() as u64]
    }

    /// Returns the number of further tokens that have room.
    pub(crate) fn room(&self) -> u64 {
        let capacity = self.station.and_then(|station| station.capacity);
        capacity.map_or(u64::MAX, |capacity| u64::from(capacity).saturating_sub(self.present()))
    }

    /// Places the tokens of the start, which arrive at time 0, class after class.
    pub(crate) fn place_tokens(&mut self, scenario: &Scenario<'_>) {
        for class in 0..scenario.network().classes() as u32 {
            for _ in 0..scenario.tokens_of(self.node, class) {
                self.enter(scenario.network(), class, Origin::START, 0, 0);
            }
        }
    }

    /// Lets a token that has arrived enter, or loses it.
    pub(crate) fn enter(&mut self, network: &Network, class: u32, origin: Origin, arrived: u64, now: u64) {
        self.observe(now);
        self.statistics.arrivals += 1;
        let lost = self.room() == 0;
        if let Some(of_class) = self.by_class.get_mut(class as usize) {
            of_class.arrivals += 1;
            of_class.lost += u64::from(lost);
        }
        if lost {
            self.statistics.lost += 1;
            return;
        }
        let priority = network.priority(self.node, class);
        self.line.push_back(Waiting { arrived, class, priority, origin });
    }

    /// Removes a token from its server at time `now`.
    pub(crate) fn leave(&mut self, number: u64, now: u64) -> Option<Serving> {
        self.observe(now);
        let place = self.serving.iter().position(|serving| serving.number == number)?;
        let token = self.serving.swap_remove(place);
        let of_class = self.by_class.get_mut(token.class as usize);
        let counts_arrival = self.counted_from.is_some_and(|time| token.arrived >= time);
        for sums in [Some(&mut self.statistics), of_class].into_iter().flatten() {
            sums.completed += 1;
            if self.station.is_some() {
                let (waiting, sojourn) = (token.started - token.arrived, now - token.arrived);
                sums.waiting_sum += waiting;
                sums.sojourn_sum += sojourn;
                if counts_arrival {
                    sums.arrived.add(waiting, sojourn);
                }
            }
        }
        if let Some(of_class) = self.by_class.get_mut(token.class as usize) {
            token.count(of_class, self.station.is_some(), now);
        }
        Some(token)
    }

    /// Returns the statistics by class up to `horizon`, after the tokens that leave then have left.
    ///
    /// Counts token by token, while [`statistics`](Self::statistics) measures areas: sums over classes give the same
    /// numbers in another way.
    pub(super) fn by_class(&self, horizon: u64) -> Vec<NodeStatistics> {
        let mut by_class = self.by_class.clone();
        for token in &self.serving {
            if let Some(of_class) = by_class.get_mut(token.class as usize) {
                token.count(of_class, self.station.is_some(), horizon);
            }
        }
        for token in &self.line {
            if let Some(of_class) = by_class.get_mut(token.class as usize) {
                of_class.number_integral += horizon - token.arrived;
            }
        }
        by_class
    }

    /// Returns `true` if a service can start now.
    pub(crate) fn can_start(&self) -> bool {
        match &self.station {
            Some(station) => self.serving.len() < station.servers as usize && !self.line.is_empty(),
            None => self.serving.is_empty(),
        }
    }

    /// Starts a service; returns its number and its end.
    pub(crate) fn start(&mut self, network: &Network, now: u64) -> (u64, u64) {
        self.observe(now);
        let (arrived, class, origin) = self.take(network, now);
        let length = self.length(network, class, self.coming);
        let route_word = self.draws.word();
        self.coming = self.draws.word();
        let number = self.started;
        self.started += 1;
        self.statistics.served += 1;
        let ends = now + length;
        if self.station.is_some() {
            self.statistics.started.add(now - arrived, ends - arrived);
        }
        self.last_end = self.last_end.max(ends);
        self.serving.push(Serving {
            number,
            class,
            arrived,
            started: now,
            ends,
            word: route_word,
            onward: None,
            blocked: false,
            origin,
        });
        (number, ends)
    }

    /// Ends a service: determines and returns the token's next node and class.
    pub(crate) fn end(&mut self, network: &Network, number: u64) -> Option<(u32, u32)> {
        let token = self.serving.iter_mut().find(|serving| serving.number == number)?;
        token.onward = onward(network, self.node, token.class, &mut self.turns, token.word);
        token.onward
    }

    /// Ends the services under way that end at `horizon` or later, in the order of their ends.
    pub(crate) fn end_all(&mut self, network: &Network, horizon: u64) {
        let under_way = self.serving.iter().filter(|serving| serving.ends >= horizon);
        let mut under_way: Vec<(u64, u64)> = under_way.map(|serving| (serving.ends, serving.number)).collect();
        under_way.sort_unstable();
        for (_, number) in under_way {
            self.end(network, number);
        }
    }

    /// Removes the token to be served next; returns its arrival, class and origin.
    fn take(&mut self, network: &Network, now: u64) -> (u64, u32, Option<Origin>) {
        let Some(station) = &self.station else {
            return (now, emitted(network, self.node), None);
        };
        let token = match station.discipline {
            Discipline::Fifo => self.line.pop_front(),
            Discipline::Lifo => self.line.pop_back(),
            Discipline::Random => {
                let chosen = (u64::from(self.choice.next_u32()) * self.line.len() as u64) >> 32;
                self.line.swap_remove_back(chosen as usize)
            }
            Discipline::Priority => {
                let first = self.line.iter().enumerate().min_by_key(|(place, token)| (token.priority, *place));
                first.map(|(place, _)| place).and_then(|place| self.line.remove(place))
            }
            // Networks with other disciplines are the host engine's.
            _ => self.line.pop_front(),
        };
        token.map_or((now, 0, None), |token| (token.arrived, token.class, Some(token.origin)))
    }

    fn length(&self, network: &Network, class: u32, word: u32) -> u64 {
        let sampler = network.service(self.node, class).and_then(|law| network.samplers().get(law as usize));
        sampler.map_or(1, |sampler| super::laws::draw(sampler, word))
    }

    /// Records the length of the line at the end of a tick.
    pub(crate) fn note_line(&mut self) {
        if self.station.is_some() {
            let waiting = self.line.len() as u32;
            self.statistics.most_waiting = self.statistics.most_waiting.max(Some(waiting));
        }
    }

    pub(crate) fn state(&self, network: &Network) -> NodeState {
        let classes = (0..network.classes() as u32).filter(|&class| network.service(self.node, class).is_some());
        NodeState {
            free_at: self.last_end,
            next_service: classes.map(|class| self.length(network, class, self.coming)).min().unwrap_or(0),
            rng_state: self.draws.state(),
        }
    }
}
