//! A node of the general engine on a host: line, servers, random streams and statistics.

use super::NEVER;
use super::tables::{NO_LAW, OUT, Tables, Visit};
use crate::engine::limits::MAX_LANES;
use crate::network::{Discipline, Role, Routing, Station};
use crate::scenario::Scenario;
use imminent_core::random::Pcg32;
use std::cmp::{Ordering, Reverse};
use std::collections::{BinaryHeap, VecDeque};

/// A token that waits.
#[derive(Clone, Copy)]
pub(super) struct Waiting {
    pub(super) arrived: u64,
    pub(super) class: u32,
}

/// Order of waiting tokens by priority: priority, and number of tokens that entered before.
type Rank = (u32, u64);

/// Waiting tokens, by the discipline that chooses among them.
pub(super) enum Line {
    /// A source always has the next token, whose class this is.
    Source(u32),
    Fifo(VecDeque<Waiting>),
    Lifo(Vec<Waiting>),
    /// Tokens, and the random stream that chooses.
    Random(Vec<Waiting>, Pcg32),
    /// Rank, arrival and class of each token, and the number of tokens that have entered.
    Priority(BinaryHeap<Reverse<(Rank, u64, u32)>>, u64),
}

impl Line {
    fn of(station: Station, choice: Pcg32) -> Self {
        match station.discipline {
            Discipline::Fifo => Self::Fifo(VecDeque::new()),
            Discipline::Lifo => Self::Lifo(Vec::new()),
            Discipline::Random => Self::Random(Vec::new(), choice),
            Discipline::Priority => Self::Priority(BinaryHeap::new(), 0),
            // Networks with other disciplines were refused.
            _ => Self::Fifo(VecDeque::new()),
        }
    }

    pub(super) fn len(&self) -> usize {
        match self {
            Self::Source(_) => 0,
            Self::Fifo(tokens) => tokens.len(),
            Self::Lifo(tokens) | Self::Random(tokens, _) => tokens.len(),
            Self::Priority(tokens, _) => tokens.len(),
        }
    }

    #[inline(always)]
    fn enter(&mut self, token: Waiting, priority: u32) {
        match self {
            Self::Source(_) => {}
            Self::Fifo(tokens) => tokens.push_back(token),
            Self::Lifo(tokens) | Self::Random(tokens, _) => tokens.push(token),
            Self::Priority(tokens, entered) => {
                tokens.push(Reverse(((priority, *entered), token.arrived, token.class)));
                *entered += 1;
            }
        }
    }

    /// Removes the token to be served next at time `now`.
    #[inline(always)]
    fn take(&mut self, now: u64) -> Option<Waiting> {
        match self {
            Self::Source(class) => Some(Waiting { arrived: now, class: *class }),
            Self::Fifo(tokens) => tokens.pop_front(),
            Self::Lifo(tokens) => tokens.pop(),
            Self::Random(tokens, choice) => {
                let count = tokens.len() as u64;
                (count > 0).then(|| tokens.swap_remove(((u64::from(choice.next_u32()) * count) >> 32) as usize))
            }
            Self::Priority(tokens, _) => tokens.pop().map(|Reverse((_, arrived, class))| Waiting { arrived, class }),
        }
    }

    /// Lets a token through that is the only one. A random choice takes its word even then.
    #[inline(always)]
    fn pass(&mut self) {
        if let Self::Random(_, choice) = self {
            choice.next_u32();
        }
    }

    /// Returns arrival and class of every waiting token.
    pub(super) fn tokens(&self) -> Vec<(u64, u32)> {
        let pair = |token: &Waiting| (token.arrived, token.class);
        match self {
            Self::Source(_) => vec![],
            Self::Fifo(tokens) => tokens.iter().map(pair).collect(),
            Self::Lifo(tokens) | Self::Random(tokens, _) => tokens.iter().map(pair).collect(),
            Self::Priority(tokens, _) => tokens.iter().map(|Reverse((_, arrived, class))| (*arrived, *class)).collect(),
        }
    }
}

/// A service under way.
#[derive(Clone, Copy)]
pub(super) struct Service {
    /// End of the service; [`NEVER`] if there is none.
    pub(super) end: u64,
    /// Number of services that started before at this node.
    number: u64,
    pub(super) arrived: u64,
    pub(super) started: u64,
    /// Class during the service.
    pub(super) class: u32,
    /// Next node, or [`OUT`]. If turns follow the order of ends, it is known at the end only.
    pub(super) to: u32,
    /// Class at the next node.
    pub(super) next_class: u32,
}

impl Service {
    const NONE: Self = Self { end: NEVER, number: 0, arrived: 0, started: 0, class: 0, to: OUT, next_class: 0 };

    /// Returns end and number, in whose order services end.
    #[inline(always)]
    pub(super) fn rank(&self) -> (u64, u64) {
        (self.end, self.number)
    }
}

impl PartialEq for Service {
    fn eq(&self, other: &Self) -> bool {
        self.rank() == other.rank()
    }
}

impl Eq for Service {}

impl PartialOrd for Service {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// The first to end is the greatest, as a [`BinaryHeap`] needs it.
impl Ord for Service {
    fn cmp(&self, other: &Self) -> Ordering {
        other.rank().cmp(&self.rank())
    }
}

/// Services under way. The first to end is outside the heap of the others: a single server needs no heap.
struct Services {
    first: Service,
    others: BinaryHeap<Service>,
    count: u32,
}

impl Services {
    #[inline(always)]
    fn push(&mut self, service: Service) {
        let mut later = service;
        if service > self.first {
            later = std::mem::replace(&mut self.first, service);
        }
        if self.count > 0 {
            self.others.push(later);
        }
        self.count += 1;
    }

    /// Removes the first to end; there is one.
    #[inline(always)]
    fn pop(&mut self) -> Service {
        self.count -= 1;
        let next = if self.count == 0 { Service::NONE } else { self.others.pop().unwrap_or(Service::NONE) };
        std::mem::replace(&mut self.first, next)
    }
}

/// A node; times are ticks.
pub(super) struct Node {
    /// Random stream of service times and routes.
    rng: Pcg32,
    /// Random word of the next service, drawn ahead.
    word: u32,
    /// Number of servers; 1 for a source.
    servers: u32,
    /// Length of the next service, drawn ahead, if it does not depend on the class.
    length: u64,
    services: Services,
    pub(super) line: Line,
    /// Number of the first visit; there is one for each class.
    pub(super) first_visit: u32,
    /// Number of the law of all classes; [`NO_LAW`] if classes differ.
    law: u32,
    pub(super) routing: Routing,
    /// Largest number of tokens at the node.
    capacity: u32,
    /// Greatest number of tokens that waited at the end of a tick.
    pub(super) most_waiting: u32,
    /// Number of services started.
    pub(super) served: u64,
    /// Sum of the lengths of the services started.
    pub(super) service_sum: u64,
    /// Sum of start minus arrival over the services started.
    pub(super) waiting_sum: u64,
    /// End of the latest service.
    pub(super) last_end: u64,
    /// Number of tokens that arrived.
    pub(super) arrivals: u64,
    /// Number of arrived tokens that found no room.
    pub(super) lost: u64,
}

impl Node {
    /// Creates a node without tokens.
    pub(super) fn new(scenario: &Scenario<'_>, node: u32, first_visit: u32, tables: &Tables<'_>) -> Self {
        let network = scenario.network();
        let generator = |seed: imminent_common::streams::Seed| Pcg32::new(seed.state, seed.stream);
        let (line, servers, capacity) = match network.role(node) {
            Role::Source => (Line::Source(network.source_class(node).unwrap_or(0)), 1, None),
            Role::Station(station) => {
                let choice = generator(scenario.key().choice(node));
                (Line::of(station, choice), station.servers, station.capacity)
            }
        };
        let mut laws = tables.visits_of(first_visit).iter().map(|visit| visit.law).filter(|&law| law != NO_LAW);
        let law = laws.next().unwrap_or(NO_LAW);
        let mut made = Self {
            rng: generator(scenario.key().node(node)),
            word: 0,
            servers,
            length: 0,
            services: Services { first: Service::NONE, others: BinaryHeap::new(), count: 0 },
            line,
            first_visit,
            law: if laws.all(|other| other == law) { law } else { NO_LAW },
            routing: network.routing(node),
            capacity: capacity.unwrap_or(u32::MAX),
            most_waiting: 0,
            served: 0,
            service_sum: 0,
            waiting_sum: 0,
            last_end: 0,
            arrivals: 0,
            lost: 0,
        };
        made.draw_ahead(tables);
        made
    }

    pub(super) fn is_source(&self) -> bool {
        matches!(self.line, Line::Source(_))
    }

    /// Returns `true` if turns of routes follow the order in which services end, which is not that of their starts.
    pub(super) fn takes_turns_at_ends(&self) -> bool {
        self.routing == Routing::RoundRobin && self.servers > 1
    }

    /// Returns the state of the random stream after the words drawn ahead.
    pub(super) fn rng_state(&self) -> u64 {
        self.rng.state
    }

    /// Returns the shortest length, over the classes, of the next service; 0 if no class comes here.
    pub(super) fn shortest_next(&self, tables: &Tables<'_>) -> u64 {
        let visits = tables.visits_of(self.first_visit).iter().filter(|visit| visit.law != NO_LAW);
        visits.map(|visit| tables.draw(visit.law, self.word)).min().unwrap_or(0)
    }

    /// Returns the end of the first service to end, or [`NEVER`].
    #[inline(always)]
    pub(super) fn first_end(&self) -> u64 {
        self.services.first.end
    }

    #[inline(always)]
    fn draw_ahead(&mut self, tables: &Tables<'_>) {
        self.word = self.rng.next_u32();
        if self.law != NO_LAW {
            self.length = tables.draw(self.law, self.word);
        }
    }

    /// Returns `true` if a token that enters is served at once.
    #[inline(always)]
    pub(super) fn is_idle(&self) -> bool {
        self.services.count < self.servers && self.line.len() == 0
    }

    /// Counts a token that arrives; returns `false` if it finds no room.
    #[inline(always)]
    pub(super) fn admit(&mut self, class: u32, tables: &mut Tables<'_>) -> bool {
        self.arrivals += 1;
        let is_admitted = self.line.len() + (self.services.count as usize) < self.capacity as usize;
        if let Some([.., arrivals, lost, _, _, _]) = tables.sums_of(self.first_visit + class) {
            *arrivals += 1;
            *lost += u64::from(!is_admitted);
        }
        self.lost += u64::from(!is_admitted);
        is_admitted
    }

    /// Puts an admitted token into the line.
    #[inline(always)]
    pub(super) fn enter(&mut self, token: Waiting, tables: &Tables<'_>) {
        let priority = tables.visit(self.first_visit + token.class).priority;
        self.line.enter(token, priority);
    }

    /// Records the number of waiting tokens at the end of a tick. Returns `false` if there are too many.
    #[inline(always)]
    pub(super) fn note_line(&mut self) -> bool {
        let waiting = self.line.len();
        if waiting > self.most_waiting as usize {
            self.most_waiting = waiting as u32;
            return waiting as u64 <= MAX_LANES;
        }
        true
    }

    /// Starts the service of an admitted token, if the node is [idle](Self::is_idle).
    #[inline(always)]
    pub(super) fn start_at_once(&mut self, token: Waiting, tables: &mut Tables<'_>) {
        self.line.pass();
        self.start(token, token.arrived, tables);
    }

    /// Starts services of waiting tokens as long as there are free servers; returns their number.
    #[inline(always)]
    pub(super) fn start_all(&mut self, now: u64, tables: &mut Tables<'_>) -> u64 {
        let before = self.served;
        while self.services.count < self.servers
            && let Some(token) = self.line.take(now)
        {
            self.start(token, now, tables);
        }
        self.served - before
    }

    /// Starts the service of a token; a server is free.
    #[inline(always)]
    fn start(&mut self, token: Waiting, now: u64, tables: &mut Tables<'_>) {
        let visit = tables.visit(self.first_visit + token.class);
        let length = if self.law == NO_LAW { tables.draw(visit.law, self.word) } else { self.length };
        let word = self.rng.next_u32();
        self.draw_ahead(tables);
        let (end, waiting) = (now + length, now - token.arrived);
        let (to, next_class) = match self.routing {
            Routing::Random => tables.route(visit, visit.by_word(word, tables)),
            Routing::RoundRobin if self.servers == 1 => self.route_in_turn(visit, tables),
            // Turns of several servers are taken at the ends; networks with other rules were refused.
            _ => (OUT, 0),
        };
        let (number, arrived, class) = (self.served, token.arrived, token.class);
        self.services.push(Service { end, number, arrived, started: now, class, to, next_class });
        self.served += 1;
        self.service_sum += length;
        self.waiting_sum += waiting;
        self.last_end = self.last_end.max(end);
        if !self.is_source() && end <= tables.horizon {
            tables.count_times(waiting, end - arrived);
        }
        let is_counted = arrived >= tables.counted_from;
        if let Some(sums) = tables.sums_of(self.first_visit + class) {
            let one = [1, length, waiting, 0, 0, 0, 0, 0];
            let counted = [0, 0, 0, 0, 0, 1, waiting, end - arrived];
            for ((sum, one), counted) in sums.iter_mut().zip(one).zip(counted) {
                *sum += one + if is_counted { counted } else { 0 };
            }
        }
    }

    /// Returns the services under way.
    pub(super) fn under_way(&self) -> impl Iterator<Item = &Service> {
        let first = Some(&self.services.first).filter(|first| first.end != NEVER);
        first.into_iter().chain(&self.services.others)
    }

    /// Removes the service that ends first, with the route of its token; there is one.
    #[inline(always)]
    pub(super) fn end_first(&mut self, tables: &mut Tables<'_>) -> Service {
        let mut service = self.services.pop();
        if self.takes_turns_at_ends() {
            let visit = tables.visit(self.first_visit + service.class);
            (service.to, service.next_class) = self.route_in_turn(visit, tables);
        }
        service
    }

    fn route_in_turn(&self, visit: Visit, tables: &mut Tables<'_>) -> (u32, u32) {
        let turn = tables.take_turn((self.first_visit + visit.list) as usize, visit.routes);
        tables.route(visit, turn)
    }
}
