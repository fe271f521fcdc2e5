//! A node of a general network: what it does when a service may start.

/// A station of several servers, or a source; and the handler that every schedule uses.
///
/// The rules are those of [`scenario`](crate::queueing::scenario).
#[imminent_core::kernels]
pub mod facility {
    use crate::queueing::kernels::general::line::{Line, RANDOM, Waiting};
    use crate::queueing::kernels::general::outlook::Outlook;
    use crate::queueing::kernels::general::servers::{Servers, Service};
    use crate::queueing::kernels::law::{LawRow, Quantile, draw};
    use imminent_core::random::Pcg32;

    /// Slots of a network's times of waiting, and as many again of its times of sojourn: the buckets of [`histogram`](crate::output::histogram).
    pub const BUCKETS: u32 = 496;

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
        /// Whether routes are taken by turns.
        pub by_turns: u32,
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

    impl Facility {
        /// Lets the tokens enter that arrive at `through` or before, all of which are expected; no service starts before `start`.
        pub fn admit(
            &mut self,
            through: u64,
            start: u64,
            line: &mut Line,
            servers: &mut Servers,
            visits: &Rows<Visit>,
        ) {
            while line.next_arrival() <= through && line.expected > 0 {
                let token = line.take_expected();
                servers.release(token.time);
                self.arrivals += 1;
                let here = line.waiting + servers.busy;
                if here >= self.capacity {
                    self.lost += 1;
                } else {
                    let priority = visits.get(self.first_visit + token.class).priority;
                    line.enter(self.discipline, token.time, token.class, priority);
                }
                // In the tick of the start tokens may still leave the line.
                if token.time < start {
                    self.most_waiting = self.most_waiting.max(line.waiting);
                }
            }
        }

        /// Everything that happens at `start`, the time of `next_start`, up to the first service that starts then, when all arrivals up to
        /// that time are expected. What a service releases is the result, unless there was none since the only token found no room.
        pub fn advance(
            &mut self,
            start: u64,
            outlook: &mut Outlook,
            line: &mut Line,
            servers: &mut Servers,
            visits: &Rows<Visit>,
            routes: &Rows<Route>,
            laws: &Rows<LawRow>,
            quantiles: &Rows<Quantile>,
            times: &Tally<u64>,
        ) -> Departure {
            let mut sent = Departure { time: 0, number: 0, to: 0, class: 0 };
            if self.servers > 0 {
                self.admit(start, start, line, servers, visits);
            }
            servers.release(start);
            if line.waiting > 0 {
                sent = self.serve(start, outlook, line, servers, visits, routes, laws, quantiles, times);
            }
            outlook.free = start;
            if servers.busy >= self.servers.max(1) {
                outlook.free = servers.first_end();
            }
            // At rest: no more can start in this tick.
            if self.servers > 0 && (line.waiting == 0 || outlook.free > start) {
                self.most_waiting = self.most_waiting.max(line.waiting);
            }
            sent
        }

        /// Starts a service at `start`, for which there is a server and, unless this is a source, a token that waits. Counts how long the token waited and
        /// stays, unless `times` has a single slot.
        pub fn serve(
            &mut self,
            start: u64,
            outlook: &mut Outlook,
            line: &mut Line,
            servers: &mut Servers,
            visits: &Rows<Visit>,
            routes: &Rows<Route>,
            laws: &Rows<LawRow>,
            quantiles: &Rows<Quantile>,
            times: &Tally<u64>,
        ) -> Departure {
            let mut token = Waiting { arrived: start, order: 0, priority: 0, class: self.emits };
            if self.servers > 0 {
                let mut word = 0;
                if self.discipline == RANDOM {
                    word = self.choice.next_u32();
                }
                token = line.take(self.discipline, word);
            }
            let visit = visits.get(self.first_visit + token.class);
            let law = laws.get(visit.law);
            let length = draw(law, quantiles, self.rng.next_u32());
            let word = self.rng.next_u32();
            let end = start + length;
            let mut chosen = mul_high(word, visit.routes);
            if self.by_turns == 1 {
                chosen = (self.served % visit.routes as u64) as u32;
            } else if visit.alike == 0 {
                chosen = route_of(word, visit.first_route, visit.routes, routes);
            }
            let route = routes.get(visit.first_route + chosen);
            let sent = Departure { time: end, number: self.served, to: route.to, class: route.class };
            servers.begin(Service { end, started: start, arrived: token.arrived, class: token.class });
            self.last_end = self.last_end.max(end);
            self.served += 1;
            self.service_sum += length;
            self.waiting_sum += start - token.arrived;
            if times.len() > 1 && self.servers > 0 {
                let first = self.network * (2 * BUCKETS);
                times.add(first + bucket(start - token.arrived), 1);
                times.add(first + BUCKETS + bucket(end - token.arrived), 1);
            }
            outlook.ahead = self.look_ahead(outlook.ahead, servers, visits, laws, quantiles);
            sent
        }

        /// Draws what the service after those in the ring takes at least; gives the least of all in the ring.
        fn look_ahead(
            &mut self,
            ahead: u64,
            servers: &mut Servers,
            visits: &Rows<Visit>,
            laws: &Rows<LawRow>,
            quantiles: &Rows<Quantile>,
        ) -> u64 {
            let mut scout = Pcg32 { state: servers.scout, increment: self.rng.increment };
            let word = scout.next_u32();
            // The next word is for its route.
            scout.next_u32();
            servers.scout = scout.state;
            let mut least = u64::MAX;
            let mut before = NO_LAW;
            for class in 0..self.classes {
                let visit = visits.get(self.first_visit + class);
                if visit.law != NO_LAW && visit.law != before {
                    let law = laws.get(visit.law);
                    least = least.min(draw(law, quantiles, word));
                    before = visit.law;
                }
            }
            servers.look_ahead(self.servers.max(1), least, ahead)
        }
    }

    /// The bucket of a time: one for each below 8, then eight for each octave.
    fn bucket(time: u64) -> u32 {
        if time < 8 {
            return time as u32;
        }
        let shift = 60 - time.leading_zeros();
        (shift << 3) + (time >> shift) as u32
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
