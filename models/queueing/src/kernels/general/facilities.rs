//! Handler of a node of a general network: service starts and departures.

/// A station of several servers, or a source, with the handler that every schedule uses.
///
/// The rules are those of [`scenario`](crate::scenario).
#[imminent_core::kernels]
pub mod facility {
    use crate::kernels::general::departures::{Departures, Pending};
    use crate::kernels::general::line::{Head, Line, RANDOM, Waiting};
    use crate::kernels::general::servers::{ServerScalars, Servers, Service};
    use crate::kernels::law::{LawRow, Quantile, draw};
    use crate::kernels::relaxation::Lookahead;
    use imminent_core::random::Pcg32;

    /// Number of buckets of a network's waiting times, and of its sojourn times: those of
    /// [`sketch`](imminent_common::output::sketch).
    pub const BUCKETS: u32 = 7424;

    /// Number of tally slots of a class at a node; they begin at this many times its place in the list of sums. The
    /// slots hold services started, the sum of their lengths, and the sum of start minus arrival over them. Then come
    /// tokens that arrived, and those of them that found no room. The last three hold the services started of tokens
    /// that arrived at `counted_from` or later, and the sums of start and of end minus arrival over them.
    pub const CLASS_SUMS: u32 = 8;

    /// Routing by a random word.
    pub const BY_CHANCE: u32 = 0;
    /// Round-robin routing with services that end in the order in which they start: the turn is known at the start of a
    /// service.
    pub const IN_TURN: u32 = 1;
    /// Round-robin routing with services that may end in another order than they start: turns follow the order of the
    /// ends.
    pub const IN_TURN_OF_ENDS: u32 = 2;

    /// Number of the law for a class that never comes to the node.
    pub const NO_LAW: u32 = u32::MAX;

    /// A node, its random streams and its statistics. Times are ticks.
    #[derive(Row)]
    #[row(packed)]
    pub struct Facility {
        /// Number of servers; 0 for a source.
        pub servers: u32,
        /// Discipline of the line: a constant of `line`.
        pub discipline: u32,
        /// Largest number of tokens at the node, waiting or in service.
        pub capacity: u32,
        /// Routing rule: `BY_CHANCE`, `IN_TURN` or `IN_TURN_OF_ENDS`.
        pub routing: u32,
        /// Number of classes of its network.
        pub classes: u32,
        /// Class of the tokens that a source emits.
        pub emits: u32,
        /// Index of the first visit; there is one for each class. Replications of a network share visits.
        pub first_visit: u32,
        /// Place of its first class in the list of sums by class, which has [`CLASS_SUMS`] slots for each.
        pub first_count: u32,
        /// First row of its replication. Routes lead to rows counted from this one.
        pub first_row: u32,
        /// Number of the node in its own network.
        pub number: u32,
        /// Number of the network in the ensemble.
        pub network: u32,
        /// Horizon: no service starts at this time or later.
        pub horizon: u64,
        /// Time from which arrivals are counted apart, if classes are counted; the greatest time for never.
        pub counted_from: u64,
        /// Random stream of service times and routes.
        pub rng: Pcg32,
        /// Random stream for choices among waiting tokens.
        pub choice: Pcg32,
        /// End of the latest service.
        pub last_end: u64,
        /// Number of services started.
        pub served: u64,
        /// Sum of the lengths of the services started.
        pub service_sum: u64,
        /// Sum of start minus arrival over the services started.
        pub waiting_sum: u64,
        /// Number of tokens that arrived.
        pub arrivals: u64,
        /// Number of arrived tokens that found no room.
        pub lost: u64,
        /// Greatest number of tokens that waited at the end of a tick.
        pub most_waiting: u32,
        /// Least and greatest waiting time, and least and greatest sojourn time, of the services that ended since the
        /// horizon was set, if times are counted. They are not in a tally, since devices differ in their operations on
        /// 64-bit tallies.
        pub extremes: [u64; 4],
    }

    /// Local copy of a node's row while it is at work. All of it is read at once, since each read from memory takes a
    /// device long.
    struct Plan {
        servers: u32,
        discipline: u32,
        capacity: u32,
        routing: u32,
        classes: u32,
        emits: u32,
        first_visit: u32,
        first_count: u32,
        first_row: u32,
    }

    /// Counts of the tokens that came to a node while it was at work.
    struct Came {
        arrivals: u64,
        lost: u64,
        most_waiting: u32,
    }

    /// Properties of a class at a node.
    #[derive(Row)]
    #[row(packed)]
    pub struct Visit {
        /// Number of the law; `NO_LAW` if the class never comes here.
        pub law: u32,
        /// Priority of the class: lower is served first.
        pub priority: u32,
        /// Index of the first route.
        pub first_route: u32,
        /// Number of routes.
        pub routes: u32,
        /// Nonzero if all routes are equally likely.
        pub alike: u32,
        /// Number of the list of routes for round-robin routing: classes that go to the same nodes share one.
        pub list: u32,
    }

    /// A route of a token after its service.
    #[derive(Row)]
    #[row(packed)]
    pub struct Route {
        /// Destination, as a row of the replication counted from 1; 0 leaves the network.
        pub to: u32,
        /// New class of the token.
        pub class: u32,
        /// Cumulative threshold: the first route whose threshold is above the random word is taken, or the last.
        pub threshold: u32,
    }

    /// Rows of a node.
    #[derive(Bundle)]
    pub struct Node {
        /// Station or source, with its statistics.
        pub me: &mut Facility,
        /// Times of the next service, as far as the node's own servers determine them.
        pub lookahead: &mut Lookahead,
        /// Tokens that are not in a server yet.
        pub line: &mut Line,
        /// Services under way.
        pub servers: &mut Servers,
        /// Departures whose route is not chosen yet.
        pub departures: &mut Departures,
    }

    /// Tables that all nodes read, and the tallies to which they contribute.
    #[derive(Bundle)]
    pub struct Network {
        /// Properties of classes at nodes.
        pub visits: &Rows<Visit>,
        /// Routes of tokens after their services.
        pub routes: &Rows<Route>,
        /// Laws of service times.
        pub laws: &Rows<LawRow>,
        /// Quantiles and samples of laws.
        pub quantiles: &Rows<Quantile>,
        /// Buckets of waiting and sojourn times; one slot if times are not counted.
        pub times: &Tally<u64>,
        /// Sums by class; one slot if classes are not counted.
        pub classes: &Tally<u64>,
    }

    /// Part of the [`Network`] that concerns tokens on arrival.
    #[derive(Bundle)]
    pub struct Entrance {
        /// Properties of classes at nodes.
        pub visits: &Rows<Visit>,
        /// Sums by class; one slot if classes are not counted.
        pub classes: &Tally<u64>,
    }

    /// Local copies of what a node at work reads and changes most.
    #[derive(Bundle)]
    struct Work {
        plan: &Plan,
        came: &mut Came,
        head: &mut Head,
        desk: &mut ServerScalars,
    }

    /// A token that a node has sent.
    pub struct Departure {
        /// Arrival time at the next node.
        pub time: u64,
        /// Number of the service that the token leaves.
        pub number: u64,
        /// Row of the destination node, counted from 1; 0 if it goes to no node.
        pub to: u32,
        /// New class of the token.
        pub class: u32,
    }

    /// Returns the earliest time at which a service can start, as far as the node knows; the greatest time if it knows
    /// of no token.
    pub fn next_start(lookahead: &Lookahead, line: &Line) -> u64 {
        if line.waiting > 0 {
            return lookahead.free;
        }
        lookahead.free.max(line.next_arrival())
    }

    /// Returns the time up to which every departure of a node is known, if nothing comes to it before `input`: no later
    /// service ends before.
    ///
    /// If two services end in one tick, the one that started first departs first, so a departure at this very time is
    /// known too.
    pub fn known_until(lookahead: &Lookahead, line: &Line, input: u64) -> u64 {
        let mut start = lookahead.free;
        if line.waiting == 0 {
            start = start.max(line.next_arrival().min(input));
        }
        start.saturating_add(lookahead.ahead)
    }

    impl Facility {
        fn plan(&self) -> Plan {
            Plan {
                servers: self.servers,
                discipline: self.discipline,
                capacity: self.capacity,
                routing: self.routing,
                classes: self.classes,
                emits: self.emits,
                first_visit: self.first_visit,
                first_count: self.first_count,
                first_row: self.first_row,
            }
        }

        /// Adds the counts of tokens that came.
        fn count(&mut self, came: Came) {
            let arrivals = self.arrivals + came.arrivals;
            let lost = self.lost + came.lost;
            let most_waiting = self.most_waiting.max(came.most_waiting);
            self.arrivals = arrivals;
            self.lost = lost;
            self.most_waiting = most_waiting;
        }

        /// Lets the tokens enter that arrive at `through` or before, all of which are expected; no service starts
        /// before `start`. Counts them by class, unless `classes` has a single slot.
        pub fn admit(&mut self, through: u64, start: u64, line: &mut Line, servers: &mut Servers, entrance: &Entrance) {
            let plan = self.plan();
            let mut came = Came { arrivals: 0, lost: 0, most_waiting: 0 };
            let mut head = line.head();
            let mut desk = servers.desk();
            let mut work = Work { plan: &plan, came: &mut came, head: &mut head, desk: &mut desk };
            enter(&mut work, through, start, line, servers, entrance);
            self.count(came);
            line.keep(head);
            servers.keep(desk);
        }

        /// Chooses the route of the first pending departure, of which there is at least one, and returns the token that
        /// it sends.
        pub fn depart(&self, departures: &mut Departures, visits: &Rows<Visit>, routes: &Rows<Route>) -> Departure {
            let first = departures.take_first();
            let visit = visits.get(self.first_visit + first.class);
            let chosen = departures.take_turn(visit.list, visit.routes);
            let route = routes.get(visit.first_route + chosen);
            let to = row_of(route, self.first_row);
            Departure { time: first.end, number: first.number, to, class: route.class }
        }

        /// Sets the horizon to the same or a later time. Counts the times of the services under way that end by it,
        /// unless `times` has a single slot.
        pub fn extend(&mut self, horizon: u64, servers: &Servers, times: &Tally<u64>) {
            let before = self.horizon;
            self.horizon = horizon;
            if times.len() > 1 && self.servers > 0 {
                self.extremes[0] = u64::MAX;
                self.extremes[1] = 0;
                self.extremes[2] = u64::MAX;
                self.extremes[3] = 0;
                for place in 0..servers.busy {
                    let service = servers.services.get(place);
                    if service.end > before && service.end <= horizon {
                        self.count_times(service.started - service.arrived, service.end - service.arrived, times);
                    }
                }
            }
        }

        fn count_times(&mut self, waiting: u64, sojourn: u64, times: &Tally<u64>) {
            let first = self.network * (2 * BUCKETS);
            times.add(first + bucket(waiting), 1);
            times.add(first + BUCKETS + bucket(sojourn), 1);
            self.extremes[0] = self.extremes[0].min(waiting);
            self.extremes[1] = self.extremes[1].max(waiting);
            self.extremes[2] = self.extremes[2].min(sojourn);
            self.extremes[3] = self.extremes[3].max(sojourn);
        }
    }

    impl Node {
        /// Carries out the events at `start`, the time of `next_start`, up to the first service that starts then. All
        /// arrivals up to that time must be expected. Returns the token that the service releases. There is none if the
        /// only token found no room. If its turn is still open, it is added to the departures instead.
        pub fn advance(&mut self, start: u64, net: &Network) -> Departure {
            let plan = self.me.plan();
            let mut came = Came { arrivals: 0, lost: 0, most_waiting: 0 };
            let mut head = self.line.head();
            let mut desk = self.servers.desk();
            let mut sent = Departure { time: 0, number: 0, to: 0, class: 0 };
            if plan.servers > 0 {
                let mut work = Work { plan: &plan, came: &mut came, head: &mut head, desk: &mut desk };
                let entrance = Entrance { visits: net.visits, classes: net.classes };
                enter(&mut work, start, start, self.line, self.servers, &entrance);
            }
            desk.release(&mut self.servers.services, start);
            if head.waiting > 0 {
                sent = self.start(&plan, &mut head, &mut desk, start, net);
            }
            let mut free = start;
            if desk.busy >= plan.servers.max(1) {
                free = desk.first_end;
            }
            self.lookahead.free = free;
            // Idle: no more service can start in this tick.
            if plan.servers > 0 && (head.waiting == 0 || free > start) {
                came.most_waiting = came.most_waiting.max(head.waiting);
            }
            self.me.count(came);
            self.line.keep(head);
            self.servers.keep(desk);
            sent
        }

        /// Starts a service at `start`; there must be a free server and, unless this is a source, a waiting token.
        /// Counts the token's waiting and sojourn time if it leaves by the horizon, unless `times` has a single slot.
        /// Counts the service for its class, unless `classes` has a single slot.
        pub fn serve(&mut self, start: u64, net: &Network) -> Departure {
            let plan = self.me.plan();
            let mut head = self.line.head();
            let mut desk = self.servers.desk();
            let sent = self.start(&plan, &mut head, &mut desk, start, net);
            self.line.keep(head);
            self.servers.keep(desk);
            sent
        }

        fn start(
            &mut self,
            plan: &Plan,
            head: &mut Head,
            desk: &mut ServerScalars,
            start: u64,
            net: &Network,
        ) -> Departure {
            let mut rng = self.me.rng;
            let mut token = Waiting { arrived: start, order: 0, priority: 0, class: plan.emits };
            if plan.servers > 0 {
                let mut word = 0;
                if plan.discipline == RANDOM {
                    word = self.me.choice.next_u32();
                }
                token = head.take(&mut self.line.queue, plan.discipline, word);
            }
            let visit = net.visits.get(plan.first_visit + token.class);
            let law = net.laws.get(visit.law);
            let length = draw(law, net.quantiles, rng.next_u32());
            let word = rng.next_u32();
            self.me.rng = rng;
            let end = start + length;
            let mut sent = Departure { time: end, number: self.me.served, to: 0, class: token.class };
            if plan.routing == IN_TURN_OF_ENDS {
                self.departures.add(Pending { end, number: self.me.served, class: token.class });
            } else {
                let mut chosen = mul_high(word, visit.routes);
                if plan.routing == IN_TURN {
                    chosen = self.departures.take_turn(visit.list, visit.routes);
                } else if visit.alike == 0 {
                    chosen = route_of(word, visit.first_route, visit.routes, net.routes);
                }
                let route = net.routes.get(visit.first_route + chosen);
                sent.to = row_of(route, plan.first_row);
                sent.class = route.class;
            }
            let service = Service { end, started: start, arrived: token.arrived, class: token.class };
            desk.begin(&mut self.servers.services, service);
            let last_end = self.me.last_end.max(end);
            let served = self.me.served + 1;
            let service_sum = self.me.service_sum + length;
            let waiting_sum = self.me.waiting_sum + (start - token.arrived);
            self.me.last_end = last_end;
            self.me.served = served;
            self.me.service_sum = service_sum;
            self.me.waiting_sum = waiting_sum;
            if net.times.len() > 1 && plan.servers > 0 && end <= self.me.horizon {
                self.me.count_times(start - token.arrived, end - token.arrived, net.times);
            }
            if net.classes.len() > 1 {
                let first = CLASS_SUMS * (plan.first_count + token.class);
                net.classes.add(first, 1);
                net.classes.add(first + 1, length);
                net.classes.add(first + 2, start - token.arrived);
                if token.arrived >= self.me.counted_from {
                    net.classes.add(first + 5, 1);
                    net.classes.add(first + 6, start - token.arrived);
                    net.classes.add(first + 7, end - token.arrived);
                }
            }
            let least = least_ahead(plan.first_visit, plan.classes, desk, rng.increment, net);
            self.lookahead.ahead =
                desk.look_ahead(&mut self.servers.coming, plan.servers.max(1), least, self.lookahead.ahead);
            sent
        }
    }

    /// Lets the tokens enter that arrive at `through` or before, all of which are expected; no service starts before
    /// `start`.
    fn enter(work: &mut Work, through: u64, start: u64, line: &mut Line, servers: &mut Servers, entrance: &Entrance) {
        while work.head.next <= through && work.head.expected > 0 {
            let token = work.head.take_expected(&mut line.inbox);
            work.desk.release(&mut servers.services, token.time);
            work.came.arrivals += 1;
            let lost = work.head.waiting + work.desk.busy >= work.plan.capacity;
            if entrance.classes.len() > 1 {
                let first = CLASS_SUMS * (work.plan.first_count + token.class);
                entrance.classes.add(first + 3, 1);
                if lost {
                    entrance.classes.add(first + 4, 1);
                }
            }
            if lost {
                work.came.lost += 1;
            } else {
                let priority = entrance.visits.get(work.plan.first_visit + token.class).priority;
                work.head.enter(&mut line.queue, work.plan.discipline, token.time, token.class, priority);
            }
            // In the tick of the start, tokens may still leave the line.
            if token.time < start {
                work.came.most_waiting = work.came.most_waiting.max(work.head.waiting);
            }
        }
    }

    /// Returns the row to which a route leads in the replication that begins at `first_row`, counted from 1; 0 if it
    /// leaves the network.
    pub fn row_of(route: &Route, first_row: u32) -> u32 {
        if route.to == 0 {
            return 0;
        }
        route.to + first_row
    }

    /// Draws the shortest duration, over the classes from `first_visit` on, of the service after those in the ring.
    pub fn least_ahead(first_visit: u32, classes: u32, desk: &mut ServerScalars, increment: u64, net: &Network) -> u64 {
        let mut scout = Pcg32 { state: desk.scout, increment };
        let word = scout.next_u32();
        // The next word is for its route.
        scout.next_u32();
        desk.scout = scout.state;
        let mut least = u64::MAX;
        let mut before = NO_LAW;
        for class in 0..classes {
            let visit = net.visits.get(first_visit + class);
            if visit.law != NO_LAW && visit.law != before {
                let law = net.laws.get(visit.law);
                least = least.min(draw(law, net.quantiles, word));
                before = visit.law;
            }
        }
        least
    }

    /// Returns the bucket of a time: one for each value below 128, then 128 for each octave.
    fn bucket(time: u64) -> u32 {
        if time < 128 {
            return time as u32;
        }
        let shift = 56 - time.leading_zeros();
        (shift << 7) + (time >> shift) as u32
    }

    /// Returns the first of `count` routes whose threshold is above the word, or the last.
    fn route_of(word: u32, first: u32, count: u32, routes: &Rows<Route>) -> u32 {
        let mut low = 0;
        let mut high = count - 1;
        while low < high {
            let middle = (low + high) >> 1;
            if routes.get(first + middle).threshold > word {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        low
    }
}
