//! A node of a general network: what it does when a service may start.

/// A station of several servers, or a source; and the handler that every schedule uses.
///
/// The rules are those of [`scenario`](crate::scenario).
#[imminent_core::kernels]
pub mod facility {
    use crate::kernels::general::departures::{Departures, Pending};
    use crate::kernels::general::line::{Head, Line, RANDOM, Waiting};
    use crate::kernels::general::servers::{Desk, Servers, Service};
    use crate::kernels::law::{LawRow, Quantile, draw};
    use crate::kernels::relaxation::Outlook;
    use imminent_core::random::Pcg32;

    /// Slots of a network's times of waiting, and as many again of its times of sojourn: the buckets of [`sketch`](imminent_common::output::sketch).
    pub const BUCKETS: u32 = 7424;

    /// Slots of a class at a node, of which the first is so many times the number of its visit: services started, the sum of their lengths, that of start minus
    /// arrival over them, tokens that arrived, and those of them that found no room.
    pub const CLASS_SUMS: u32 = 5;

    /// Routes are chosen by a random word.
    pub const BY_CHANCE: u32 = 0;
    /// Routes are taken in turn, and services end in the order in which they start: the turn is known at the start of a service.
    pub const IN_TURN: u32 = 1;
    /// Routes are taken in turn, and services may end in another order than they start: the turn is that of the ends.
    pub const IN_TURN_OF_ENDS: u32 = 2;

    /// The law of a class that never comes.
    pub const NO_LAW: u32 = u32::MAX;

    /// A node, its random streams and its statistics. Times are ticks.
    #[derive(Row)]
    pub struct Facility {
        /// Servers; 0 for a source.
        pub servers: u32,
        /// How waiting tokens are taken: a constant of `line`.
        pub discipline: u32,
        /// The most tokens that may be here, waiting or in service.
        pub capacity: u32,
        /// How routes are chosen: `BY_CHANCE`, `IN_TURN` or `IN_TURN_OF_ENDS`.
        pub routing: u32,
        /// Number of classes of its network.
        pub classes: u32,
        /// The class of the tokens that a source emits.
        pub emits: u32,
        /// Where its visits begin, one for each class.
        pub first_visit: u32,
        /// Its number in its own network.
        pub number: u32,
        /// The network that it belongs to.
        pub network: u32,
        /// No service starts at this time or later.
        pub horizon: u64,
        /// The random stream of its service times and routes.
        pub rng: Pcg32,
        /// The random stream by which it chooses among waiting tokens.
        pub choice: Pcg32,
        /// When the last of its services ends.
        pub last_end: u64,
        /// Services started.
        pub served: u64,
        /// The sum of their lengths.
        pub service_sum: u64,
        /// The sum of start minus arrival over them.
        pub waiting_sum: u64,
        /// Tokens that arrived.
        pub arrivals: u64,
        /// Those of them that found no room.
        pub lost: u64,
        /// The greatest number that waited at the end of a tick.
        pub most_waiting: u32,
        /// Least and greatest time that tokens waited, least and greatest that they stayed, of the services that ended since its horizon was set, if times are
        /// counted. Devices differ in what they can do to 64-bit tallies, so that these are not in one.
        pub extremes: [u64; 4],
    }

    /// What a node is, while it is at work: as in its row, all of it. What it will need is read at once, since a device waits long for each reading.
    struct Plan {
        servers: u32,
        discipline: u32,
        capacity: u32,
        routing: u32,
        classes: u32,
        emits: u32,
        first_visit: u32,
    }

    /// What came to a node while it was at work.
    struct Came {
        arrivals: u64,
        lost: u64,
        most_waiting: u32,
    }

    /// What becomes of a class at a node.
    #[derive(Row)]
    pub struct Visit {
        /// Its law; `NO_LAW` if it never comes here.
        pub law: u32,
        /// Its priority: lower is served first.
        pub priority: u32,
        /// Where its routes begin.
        pub first_route: u32,
        /// How many routes it has.
        pub routes: u32,
        /// Whether all are equally likely.
        pub alike: u32,
        /// The list of routes whose turns it takes, where routes are taken in turn: classes that go to the same nodes share one.
        pub list: u32,
    }

    /// Where a token may go.
    #[derive(Row)]
    pub struct Route {
        /// The node, counted from 1; 0 leaves the network.
        pub to: u32,
        /// The class from there on.
        pub class: u32,
        /// Taken by the words below it that no route before takes; the last takes all others.
        pub threshold: u32,
    }

    /// What a node has sent.
    pub struct Departure {
        /// When it arrives.
        pub time: u64,
        /// The number of the service that it leaves.
        pub number: u64,
        /// Where it goes, counted from 1; 0 if to no node.
        pub to: u32,
        /// Its class from there on.
        pub class: u32,
    }

    /// The earliest time at which a service can start, as far as the node knows; the greatest time if it knows of no token.
    pub fn next_start(outlook: &Outlook, line: &Line) -> u64 {
        if line.waiting > 0 {
            return outlook.free;
        }
        outlook.free.max(line.next_arrival())
    }

    /// Returns the time up to which every departure of a node is known, if nothing comes to it before `input`: no later service ends before.
    ///
    /// Of two services that end in one tick the one that started first departs first, so a departure at this very time is known too.
    pub fn known_until(outlook: &Outlook, line: &Line, input: u64) -> u64 {
        let mut start = outlook.free;
        if line.waiting == 0 {
            start = start.max(line.next_arrival().min(input));
        }
        start.saturating_add(outlook.ahead)
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
            }
        }

        /// Counts what came.
        fn count(&mut self, came: Came) {
            let arrivals = self.arrivals + came.arrivals;
            let lost = self.lost + came.lost;
            let most_waiting = self.most_waiting.max(came.most_waiting);
            self.arrivals = arrivals;
            self.lost = lost;
            self.most_waiting = most_waiting;
        }

        /// Lets the tokens enter that arrive at `through` or before, all of which are expected; no service starts before `start`. Counts them by class, unless
        /// `classes` has a single slot.
        pub fn admit(
            &mut self,
            through: u64,
            start: u64,
            line: &mut Line,
            servers: &mut Servers,
            visits: &Rows<Visit>,
            classes: &Tally<u64>,
        ) {
            let plan = self.plan();
            let mut came = Came { arrivals: 0, lost: 0, most_waiting: 0 };
            let mut head = line.head();
            let mut desk = servers.desk();
            enter(&plan, &mut came, &mut head, &mut desk, through, start, line, servers, visits, classes);
            self.count(came);
            line.keep(head);
            servers.keep(desk);
        }

        /// Everything that happens at `start`, the time of `next_start`, up to the first service that starts then, when all arrivals up to
        /// that time are expected. What a service releases is the result, unless there was none since the only token found no room, or its turn is still open:
        /// then it is among the `departures`.
        pub fn advance(
            &mut self,
            start: u64,
            outlook: &mut Outlook,
            line: &mut Line,
            servers: &mut Servers,
            departures: &mut Departures,
            visits: &Rows<Visit>,
            routes: &Rows<Route>,
            laws: &Rows<LawRow>,
            quantiles: &Rows<Quantile>,
            times: &Tally<u64>,
            classes: &Tally<u64>,
        ) -> Departure {
            let plan = self.plan();
            let mut came = Came { arrivals: 0, lost: 0, most_waiting: 0 };
            let mut head = line.head();
            let mut desk = servers.desk();
            let mut sent = Departure { time: 0, number: 0, to: 0, class: 0 };
            if plan.servers > 0 {
                enter(&plan, &mut came, &mut head, &mut desk, start, start, line, servers, visits, classes);
            }
            desk.release(&mut servers.services, start);
            if head.waiting > 0 {
                sent = self.start(
                    &plan, &mut head, &mut desk, start, outlook, line, servers, departures, visits, routes, laws,
                    quantiles, times, classes,
                );
            }
            let mut free = start;
            if desk.busy >= plan.servers.max(1) {
                free = servers.first_end();
            }
            outlook.free = free;
            // At rest: no more can start in this tick.
            if plan.servers > 0 && (head.waiting == 0 || free > start) {
                came.most_waiting = came.most_waiting.max(head.waiting);
            }
            self.count(came);
            line.keep(head);
            servers.keep(desk);
            sent
        }

        /// Chooses the route of the first of the pending departures, of which there is one at least, and returns the token that it sends.
        pub fn depart(&self, departures: &mut Departures, visits: &Rows<Visit>, routes: &Rows<Route>) -> Departure {
            let first = departures.take_first();
            let visit = visits.get(self.first_visit + first.class);
            let chosen = departures.take_turn(visit.list, visit.routes);
            let route = routes.get(visit.first_route + chosen);
            Departure { time: first.end, number: first.number, to: route.to, class: route.class }
        }

        /// Sets the horizon to a later one, or the same, and counts the times of the services under way that end by it, unless `times` has a single slot.
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

        /// Starts a service at `start`, for which there is a server and, unless this is a source, a token that waits. Counts how long the token waited and
        /// stays, if it leaves by the horizon, unless `times` has a single slot, and for its class, unless `classes` has.
        pub fn serve(
            &mut self,
            start: u64,
            outlook: &mut Outlook,
            line: &mut Line,
            servers: &mut Servers,
            departures: &mut Departures,
            visits: &Rows<Visit>,
            routes: &Rows<Route>,
            laws: &Rows<LawRow>,
            quantiles: &Rows<Quantile>,
            times: &Tally<u64>,
            classes: &Tally<u64>,
        ) -> Departure {
            let plan = self.plan();
            let mut head = line.head();
            let mut desk = servers.desk();
            let sent = self.start(
                &plan, &mut head, &mut desk, start, outlook, line, servers, departures, visits, routes, laws,
                quantiles, times, classes,
            );
            line.keep(head);
            servers.keep(desk);
            sent
        }

        fn start(
            &mut self,
            plan: &Plan,
            head: &mut Head,
            desk: &mut Desk,
            start: u64,
            outlook: &mut Outlook,
            line: &mut Line,
            servers: &mut Servers,
            departures: &mut Departures,
            visits: &Rows<Visit>,
            routes: &Rows<Route>,
            laws: &Rows<LawRow>,
            quantiles: &Rows<Quantile>,
            times: &Tally<u64>,
            classes: &Tally<u64>,
        ) -> Departure {
            let mut rng = self.rng;
            let mut token = Waiting { arrived: start, order: 0, priority: 0, class: plan.emits };
            if plan.servers > 0 {
                let mut word = 0;
                if plan.discipline == RANDOM {
                    word = self.choice.next_u32();
                }
                token = head.take(&mut line.queue, plan.discipline, word);
            }
            let visit = visits.get(plan.first_visit + token.class);
            let law = laws.get(visit.law);
            let length = draw(law, quantiles, rng.next_u32());
            let word = rng.next_u32();
            self.rng = rng;
            let end = start + length;
            let mut sent = Departure { time: end, number: self.served, to: 0, class: token.class };
            if plan.routing == IN_TURN_OF_ENDS {
                departures.add(Pending { end, number: self.served, class: token.class });
            } else {
                let mut chosen = mul_high(word, visit.routes);
                if plan.routing == IN_TURN {
                    chosen = departures.take_turn(visit.list, visit.routes);
                } else if visit.alike == 0 {
                    chosen = route_of(word, visit.first_route, visit.routes, routes);
                }
                let route = routes.get(visit.first_route + chosen);
                sent.to = route.to;
                sent.class = route.class;
            }
            let service = Service { end, started: start, arrived: token.arrived, class: token.class };
            desk.begin(&mut servers.services, service);
            let last_end = self.last_end.max(end);
            let served = self.served + 1;
            let service_sum = self.service_sum + length;
            let waiting_sum = self.waiting_sum + (start - token.arrived);
            self.last_end = last_end;
            self.served = served;
            self.service_sum = service_sum;
            self.waiting_sum = waiting_sum;
            if times.len() > 1 && plan.servers > 0 && end <= self.horizon {
                self.count_times(start - token.arrived, end - token.arrived, times);
            }
            if classes.len() > 1 {
                let first = CLASS_SUMS * (plan.first_visit + token.class);
                classes.add(first, 1);
                classes.add(first + 1, length);
                classes.add(first + 2, start - token.arrived);
            }
            let least = least_ahead(plan, desk, rng.increment, visits, laws, quantiles);
            outlook.ahead = desk.look_ahead(&mut servers.coming, plan.servers.max(1), least, outlook.ahead);
            sent
        }
    }

    /// Lets the tokens enter that arrive at `through` or before, all of which are expected; no service starts before `start`.
    fn enter(
        plan: &Plan,
        came: &mut Came,
        head: &mut Head,
        desk: &mut Desk,
        through: u64,
        start: u64,
        line: &mut Line,
        servers: &mut Servers,
        visits: &Rows<Visit>,
        classes: &Tally<u64>,
    ) {
        while head.next <= through && head.expected > 0 {
            let token = head.take_expected(&mut line.inbox);
            desk.release(&mut servers.services, token.time);
            came.arrivals += 1;
            let lost = head.waiting + desk.busy >= plan.capacity;
            if classes.len() > 1 {
                let first = CLASS_SUMS * (plan.first_visit + token.class);
                classes.add(first + 3, 1);
                if lost {
                    classes.add(first + 4, 1);
                }
            }
            if lost {
                came.lost += 1;
            } else {
                let priority = visits.get(plan.first_visit + token.class).priority;
                head.enter(&mut line.queue, plan.discipline, token.time, token.class, priority);
            }
            // In the tick of the start tokens may still leave the line.
            if token.time < start {
                came.most_waiting = came.most_waiting.max(head.waiting);
            }
        }
    }

    /// Draws what the service after those in the ring takes at least.
    fn least_ahead(
        plan: &Plan,
        desk: &mut Desk,
        increment: u64,
        visits: &Rows<Visit>,
        laws: &Rows<LawRow>,
        quantiles: &Rows<Quantile>,
    ) -> u64 {
        let mut scout = Pcg32 { state: desk.scout, increment };
        let word = scout.next_u32();
        // The next word is for its route.
        scout.next_u32();
        desk.scout = scout.state;
        let mut least = u64::MAX;
        let mut before = NO_LAW;
        for class in 0..plan.classes {
            let visit = visits.get(plan.first_visit + class);
            if visit.law != NO_LAW && visit.law != before {
                let law = laws.get(visit.law);
                least = least.min(draw(law, quantiles, word));
                before = visit.law;
            }
        }
        least
    }

    /// Returns the bucket of a time: one for each below 128, then 128 for each octave.
    fn bucket(time: u64) -> u32 {
        if time < 128 {
            return time as u32;
        }
        let shift = 56 - time.leading_zeros();
        (shift << 7) + (time >> shift) as u32
    }

    /// The first of `routes` routes whose threshold is above the word, or the last.
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
