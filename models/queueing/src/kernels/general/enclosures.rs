//! The general engine's step for networks that each lie in one group.

/// The exact engine of networks each of which lies in one group of rows. One launch performs many steps of
/// [`steps`](super::steps). Bounds and tokens pass from node to node in scratch memory.
#[imminent_core::kernels]
pub mod enclosed {
    use crate::kernels::general::departures::Departures;
    use crate::kernels::general::facility::{Departure, Facility, Network, Node, known_until, next_start};
    use crate::kernels::general::line::{Line, Token};
    use crate::kernels::general::steps::{Nodes, Throttle};
    use crate::kernels::relaxation::{Far, Lookahead, NEAR, Reach};

    /// Number of nodes of a group. Small groups wait little for their slowest node.
    pub const ENCLOSURE: u32 = 64;
    /// Largest number of relaxations of a launch.
    pub const ROUNDS: u32 = 64;
    /// Number of relaxations between two checks of the progress of the slowest node.
    const ROUNDS_OF_A_CLOCK: u32 = 16;
    /// Number of service rounds after a relaxation.
    const STARTS: u32 = 2;
    /// Number of tokens that can come to a node from each in-neighbour before its room is checked again.
    pub const ARRIVALS: u32 = 1;

    /// Data of a node that its group shares.
    pub struct Known {
        /// Lower bound on the time of the node's next message; while services start, on the time of the next message to
        /// it.
        pub bound: u64,
        /// Arrival time of the token that the node sent last.
        pub time: u64,
        /// Number of the service that the token leaves.
        pub number: u64,
        /// Number of the node in its network.
        pub from: u32,
        /// Row to which the token goes, counted from 1; 0 if none was sent.
        pub to: u32,
        /// Class of the token.
        pub class: u32,
    }

    fn of_bound(bound: u64) -> Known {
        Known { bound, time: 0, number: 0, from: 0, to: 0, class: 0 }
    }

    /// Returns the least bound of the in-neighbours of a node.
    fn input(lane: &Lane<Known>, reach: &Reach, fars: &Rows<Far>) -> u64 {
        let mut input = u64::MAX;
        if reach.near > 0 {
            for k in 0..NEAR {
                input = input.min(lane.get(reach.place(k) % ENCLOSURE).bound);
            }
        }
        for edge in reach.first_far..reach.first_far + reach.far {
            input = input.min(lane.get(fars.get(edge).node % ENCLOSURE).bound);
        }
        input
    }

    /// Lowers the bound of a node by those of its in-neighbours; returns `true` if it fell.
    fn falls(lane: &mut Lane<Known>, me: &Lookahead, reach: &Reach, fars: &Rows<Far>) -> bool {
        let bound = me.bound(input(lane, reach, fars));
        if bound < lane.own().bound {
            lane.set(of_bound(bound));
            return true;
        }
        false
    }

    fn expect(lane: &Lane<Known>, line: &mut Line, place: u32) {
        let sent = lane.get(place);
        if sent.to == lane.row() + 1 {
            line.expect(Token { time: sent.time, number: sent.number, from: sent.from, class: sent.class });
        }
    }

    /// Adds the tokens that were sent to the node to its expected ones.
    fn take_in(lane: &Lane<Known>, line: &mut Line, reach: &Reach, fars: &Rows<Far>) {
        for k in 0..reach.near {
            expect(lane, line, reach.place(k) % ENCLOSURE);
        }
        for edge in reach.first_far..reach.first_far + reach.far {
            expect(lane, line, fars.get(edge).node % ENCLOSURE);
        }
    }

    /// Returns `true` if the line may overflow in one more service round.
    fn may_overflow(line: &Line, reach: &Reach) -> bool {
        line.expected + line.waiting + ARRIVALS * (reach.near + reach.far) > line.inbox.capacity()
    }

    /// Returns the earliest time at which a service can start at the node, or a pending departure takes place, as far
    /// as the node knows. Returns the greatest time if neither can happen before the horizon.
    fn next_before_horizon(me: &Facility, lookahead: &Lookahead, line: &Line, departures: &Departures) -> u64 {
        let next = next_start(lookahead, line).min(departures.next);
        if next < me.horizon { next } else { u64::MAX }
    }

    /// Publishes a token that a node sends, if it goes to a node.
    fn show(known: &mut Known, sent: Departure, from: u32) {
        if sent.to > 0 {
            known.time = sent.time;
            known.number = sent.number;
            known.from = from;
            known.to = sent.to;
            known.class = sent.class;
        }
    }

    /// Advances every network until it reaches its limit, a line may overflow, or the rounds are over. Raises `working`
    /// if a network has not reached its limit, and clears the flag of the `next` launch.
    #[kernel(group = 64)]
    pub fn advance(
        group: &mut Group<Known>,
        rows: &mut Nodes,
        fars: &Rows<Far>,
        net: &Network,
        working: &Tally<u32>,
        next: &Tally<u32>,
        too_full: &Tally<u32>,
        throttle: &Throttle,
    ) {
        if group.index() == 0 {
            next.and(0, 0);
        }
        let nodes = group.len();
        let mut latest = u64::MAX;
        let mut rounds = 0;
        let mut starting = true;
        let mut full = group.any((rows.lines, rows.reaches), |_, (line, reach)| may_overflow(line, reach));
        while starting && !full && rounds < ROUNDS {
            if throttle.window < u64::MAX && rounds % ROUNDS_OF_A_CLOCK == 0 {
                group.phase(
                    (rows.facilities, rows.lookaheads, rows.lines, rows.departures),
                    |lane, (me, lookahead, line, departures)| {
                        lane.set(of_bound(next_before_horizon(me, lookahead, line, departures)));
                    },
                );
                let mut half = ENCLOSURE / 2;
                while half > 0 {
                    group.phase((), |lane, ()| {
                        let other = lane.index() + half;
                        if lane.index() < half && other < nodes {
                            lane.set(of_bound(lane.own().bound.min(lane.get(other).bound)));
                        }
                    });
                    half >>= 1;
                }
                latest = group.get(0).bound.saturating_add(throttle.window);
            }
            group.phase((rows.lookaheads, rows.lines, rows.departures), |lane, (lookahead, line, departures)| {
                let bound = next_start(lookahead, line).saturating_add(lookahead.ahead);
                lane.set(of_bound(bound.min(departures.next)));
            });
            while group
                .any((rows.lookaheads, rows.reaches), |lane, (lookahead, reach)| falls(lane, lookahead, reach, fars))
            {
            }
            starting = false;
            let mut starts = 0;
            while starts < STARTS && !full {
                let any = group.any(
                    (rows.facilities, rows.lookaheads, rows.lines, rows.servers, rows.departures, rows.reaches),
                    |lane, (me, lookahead, line, servers, departures, reach)| {
                        let mut known = of_bound(lane.own().bound);
                        if starts == 0 {
                            known.bound = input(lane, reach, fars);
                        }
                        let mut active = false;
                        let settled = known_until(lookahead, line, known.bound);
                        if departures.next < me.horizon && departures.next <= settled {
                            let sent = me.depart(departures, net.visits, net.routes);
                            show(&mut known, sent, me.number);
                            active = true;
                        }
                        let start = next_start(lookahead, line);
                        if start < known.bound && start <= latest && start < me.horizon {
                            let mut node = Node { me, lookahead, line, servers, departures };
                            let sent = node.advance(start, net);
                            show(&mut known, sent, me.number);
                            active = true;
                        }
                        lane.set(known);
                        active
                    },
                );
                starting = starting || any;
                full = group.any((rows.lines, rows.reaches), |lane, (line, reach)| {
                    take_in(lane, line, reach, fars);
                    may_overflow(line, reach)
                });
                starts += 1;
            }
            rounds += 1;
        }
        if full {
            too_full.or(0, 1);
        }
        let more = group.any(
            (rows.facilities, rows.lookaheads, rows.lines, rows.departures),
            |_, (me, lookahead, line, departures)| next_before_horizon(me, lookahead, line, departures) < u64::MAX,
        );
        if more {
            working.or(0, 1);
        }
    }
}
