//! Motion of nodes, and their beacons.

/// Positions of nodes as functions of the time.
///
/// A node moves in legs: from a position in a straight line to a target, then it pauses. Velocities are in units of
/// 2^-32 mm/µs. A position is rounded down to whole millimetres, and each leg begins where the one before has ended.
#[imminent_core::kernels]
pub mod motion {
    use crate::kernels::geometry::{Position, squared_distance};
    use imminent_core::fixed::square_root;
    use imminent_core::random::Pcg32;

    /// Least speed, in µm/s: 0.01 m/s.
    pub const MIN_SPEED: u32 = 10_000;

    /// Value of [`Leg::order`] for legs that are drawn at random.
    pub const AT_RANDOM: u32 = u32::MAX;

    /// Constants of a simulation.
    #[derive(Row)]
    #[row(packed)]
    pub struct Terms {
        /// End of the simulation, in µs: all events are before it.
        pub end: u64,
        /// Time from which statistics count, in µs.
        pub warm_up: u64,
        /// Clock interval, in µs: events are executed at its multiples. 1 for exact times.
        pub interval: u64,
        /// Least airtime, in µs.
        pub lookahead: u64,
        /// Age at which a neighbour is forgotten, in µs.
        pub timeout: u64,
        /// Square of the transmission range, in mm^2.
        pub reach: u64,
        /// Square of the greatest distance of two nodes that may sense one another in an epoch, in mm^2.
        pub sense_reach: u64,
        /// Square of the greatest distance of two nodes that may be in one another's tables in an epoch, in mm^2.
        pub table_reach: u64,
        /// Transmission range, in mm.
        pub range: u64,
        /// Greatest speed at which two nodes approach, in units of 2^-32 mm/µs, rounded up.
        pub approach: u64,
        /// Least pause, in µs.
        pub pause_least: u64,
        /// Greatest pause, in µs.
        pub pause_most: u64,
        /// Airtime of responses, in µs.
        pub response: u64,
        /// Greatest distance in cells of two nodes that may sense one another.
        pub sense_cells: u32,
        /// Greatest distance in cells of two nodes that may be in one another's tables.
        pub table_cells: u32,
        /// Width of the field, in mm.
        pub width: u32,
        /// Height of the field, in mm.
        pub height: u32,
        /// Least speed, in µm/s.
        pub speed_least: u32,
        /// Greatest speed, in µm/s.
        pub speed_most: u32,
        /// Least time between two beacons of a node, in µs.
        pub beacon_least: u32,
        /// Number of times between two beacons that are equally likely.
        pub beacon_choices: u32,
        /// Least backoff, in µs, at least 1.
        pub backoff_least: u32,
        /// Number of backoffs that are equally likely.
        pub backoff_choices: u32,
        /// Greatest number of packets in a queue.
        pub queue: u32,
        /// Greatest number of hops of a packet.
        pub hops: u32,
        /// Greatest number of times that a node routes a packet again; 0 if senders do not learn of failures.
        pub retries: u32,
        /// Kind of the packets that nodes create: 0 for data, 1 for requests.
        pub kind: u32,
        /// `true` if times between packets are exponentially distributed, `false` if they are equal.
        pub is_poisson: bool,
        /// `true` for the relative neighbourhood graph, `false` for the Gabriel graph.
        pub is_relative: bool,
        /// `true` if nodes enter or leave during the simulation.
        pub has_stays: bool,
        /// Row of the clock.
        pub clock: u32,
        /// Row of node 0.
        pub first: u32,
        /// Number of nodes.
        pub nodes: u32,
        /// Row of the first cell.
        pub first_cell: u32,
        /// Number of cells side by side.
        pub columns: u32,
        /// Number of cells one above the other.
        pub lines: u32,
        /// Side of a cell, in mm.
        pub side: u32,
        /// Slot of the first bucket of delays.
        pub first_delay: u32,
        /// Row of the first flow.
        pub first_flow: u32,
        /// Row of the first length of the list of nodes that are there, if nodes enter or leave.
        pub first_length: u32,
        /// Row of the first place of that list.
        pub first_place: u32,
    }

    /// Motion of a node along a line and its pause at the end.
    pub struct Leg {
        /// Time of departure, in µs.
        pub depart: u64,
        /// Time of arrival, in µs.
        pub arrive: u64,
        /// End of the pause, in µs.
        pub leave: u64,
        /// Velocity to the east.
        pub east: i64,
        /// Velocity to the north.
        pub north: i64,
        /// Position at departure.
        pub from: Position,
        /// Row of the order for the next leg, or [`AT_RANDOM`].
        pub order: u32,
        /// Source of the following legs.
        pub rng: Pcg32,
    }

    /// Order of a trace: a node leaves for a target.
    #[derive(Row)]
    pub struct Order {
        /// Target.
        pub target: Position,
        /// Speed, in µm/s; 0 to stay.
        pub speed: u32,
        /// Time of the order after it, in µs; the greatest time if there is none.
        pub until: u64,
    }

    /// Next beacon of a node.
    pub struct Beacon {
        /// Time, in µs.
        pub time: u64,
        /// Source of the times after it.
        pub rng: Pcg32,
    }

    /// Current leg of a node.
    #[derive(Row)]
    #[row(packed)]
    pub struct Now {
        /// Leg at the last update.
        pub leg: Leg,
    }

    /// Leg of a node as it was a [timeout](Terms::timeout) before the last update, and beacons.
    #[derive(Row)]
    #[row(packed)]
    pub struct Past {
        /// Last beacon before the update, or the first one of all.
        pub newest: Beacon,
        /// First beacon from a timeout before the update on.
        pub oldest: Beacon,
        /// Leg a timeout before the update.
        pub leg: Leg,
    }

    /// Time that a node spends in the simulation.
    #[derive(Row)]
    #[row(packed)]
    pub struct Stay {
        /// Time from which the node is there, in µs.
        pub enter: u64,
        /// Time from which it is there no more, in µs; the greatest time if it stays.
        pub leave: u64,
    }

    /// Motion of all nodes.
    #[derive(Bundle)]
    pub struct Motion {
        /// Times that the nodes are there.
        pub stays: &Rows<Stay>,
        /// Current legs.
        pub now: &Rows<Now>,
        /// Legs and beacons before.
        pub past: &Rows<Past>,
        /// Orders of traces.
        pub orders: &Rows<Order>,
    }

    /// Returns the time at which an event is executed: the next multiple of the interval.
    pub fn on_clock(time: u64, interval: u64) -> u64 {
        if interval <= 1 {
            return time;
        }
        (time.saturating_add(interval - 1) / interval) * interval
    }

    /// Returns the position on a leg at a time from its departure on.
    pub fn on_leg(leg: Leg, time: u64) -> Position {
        let moved = (time.min(leg.arrive) - leg.depart) as i64;
        let x = leg.from.x as i64 + ((leg.east * moved) >> 32);
        let y = leg.from.y as i64 + ((leg.north * moved) >> 32);
        Position { x: x as i32, y: y as i32 }
    }

    /// Returns the leg after another, from its end to a target.
    pub fn towards(leg: Leg, target: Position, speed: u32) -> Leg {
        let mut next = leg;
        next.from = on_leg(leg, leg.leave);
        next.depart = leg.leave;
        let length = square_root(squared_distance(next.from, target)) as u64;
        if speed == 0 || length == 0 {
            next.arrive = next.depart;
            next.east = 0;
            next.north = 0;
            return next;
        }
        let duration = (length * 1_000_000_000 / speed as u64).max(1);
        next.arrive = next.depart + duration;
        next.east = ((target.x as i64 - next.from.x as i64) << 32) / duration as i64;
        next.north = ((target.y as i64 - next.from.y as i64) << 32) / duration as i64;
        next
    }

    /// Returns the leg after another: as a trace orders, or towards a waypoint drawn at random.
    pub fn after(leg: Leg, terms: &Terms, orders: &Rows<Order>) -> Leg {
        if leg.order != AT_RANDOM {
            let order = orders.get(leg.order);
            let mut next = towards(leg, order.target, order.speed);
            next.leave = order.until;
            next.order = leg.order + 1;
            return next;
        }
        let mut rng = leg.rng;
        let x = rng.uniform(0, terms.width as u64) as i32;
        let y = rng.uniform(0, terms.height as u64) as i32;
        let speed = rng.uniform(terms.speed_least as u64, terms.speed_most as u64) as u32;
        let pause = rng.uniform(terms.pause_least, terms.pause_most);
        let mut next = towards(leg, Position { x, y }, speed.max(MIN_SPEED));
        // A waypoint at the current position would take no time.
        next.leave = (next.arrive + pause).max(next.depart + 1);
        next.rng = rng;
        next
    }

    /// Returns the leg at a time, from an earlier one on.
    fn until(leg: Leg, time: u64, terms: &Terms, orders: &Rows<Order>) -> Leg {
        let mut current = leg;
        while time >= current.leave {
            current = after(current, terms, orders);
        }
        current
    }

    /// Returns the position of the node in a row, from a timeout before the last update on.
    pub fn place_at(row: u32, time: u64, terms: &Terms, motion: &Motion) -> Position {
        let mut leg = motion.now.get(row).leg;
        if time < leg.depart {
            leg = motion.past.get(row).leg;
        }
        on_leg(until(leg, time, terms, motion.orders), time)
    }

    /// Returns `true` if the node in a row is there at a time.
    pub fn is_there(row: u32, time: u64, terms: &Terms, motion: &Motion) -> bool {
        if !terms.has_stays {
            return true;
        }
        let stay = motion.stays.get(row);
        stay.enter <= time && time < stay.leave
    }

    /// Returns the beacon after another.
    pub fn next_beacon(beacon: Beacon, terms: &Terms) -> Beacon {
        let mut next = beacon;
        next.time += (terms.beacon_least + next.rng.below(terms.beacon_choices)) as u64;
        next
    }

    /// Entry of a neighbour table.
    pub struct Heard {
        /// `true` if the table has the neighbour.
        pub is_known: bool,
        /// Position in the last beacon that was received.
        pub place: Position,
        /// Time of that beacon, in µs.
        pub sent: u64,
    }

    /// Greatest speed of a node in the timeout before a time.
    pub struct Pace {
        /// Bound of the speed, in units of 2^-32 mm/µs; more than any speed if the node had several legs.
        pub speed: u64,
    }

    /// Returns the greatest speed of a node in the timeout before a time, from its current leg.
    pub fn pace(row: u32, time: u64, terms: &Terms, motion: &Motion) -> Pace {
        let now = motion.now.get(row);
        let mut speed = terms.approach;
        if now.leg.depart <= time.saturating_sub(terms.timeout) && time < now.leg.leave {
            // A node that has arrived within this time was as fast before.
            speed = (now.leg.east.abs() + now.leg.north.abs()) as u64;
        }
        Pace { speed }
    }

    /// Returns `true` if two nodes that are apart by the root of `squared` may have been in range some time before.
    fn may_have_met(squared: u64, before: u64, approach: u64, terms: &Terms) -> bool {
        let reach = terms.range + ((approach * before) >> 32) + 2;
        squared <= reach * reach
    }

    /// Returns the entry of node `of` in the table of node `row`, which is at `place` and has the pace `own`: its last
    /// beacon that was in range when it was sent.
    pub fn heard(row: u32, place: Position, own: Pace, of: u32, time: u64, terms: &Terms, motion: &Motion) -> Heard {
        let mut last = Heard { is_known: false, place, sent: 0 };
        let squared = squared_distance(place, place_at(of, time, terms, motion));
        let speed = (own.speed + pace(of, time, terms, motion).speed).min(terms.approach);
        if !may_have_met(squared, terms.timeout, speed, terms) {
            return last;
        }
        let mut newest = motion.past.get(of).newest;
        let mut next = newest;
        while on_clock(next.time, terms.interval) <= time {
            newest = next;
            next = next_beacon(next, terms);
        }
        let end = on_clock(newest.time, terms.interval);
        if end > time || end + terms.timeout < time {
            return last;
        }
        // Most neighbours are known by their newest beacon. Otherwise it is the last of the others that was in range.
        let mut beacon = newest;
        let mut sent = end;
        let mut is_newest = true;
        loop {
            if sent + terms.timeout >= time && may_have_met(squared, time - sent, speed, terms) {
                let from = place_at(of, sent, terms, motion);
                if squared_distance(from, place_at(row, sent, terms, motion)) <= terms.reach
                    && is_there(of, sent, terms, motion)
                    && is_there(row, sent, terms, motion)
                {
                    last = Heard { is_known: true, place: from, sent };
                    if is_newest {
                        return last;
                    }
                }
            }
            beacon = if is_newest { motion.past.get(of).oldest } else { next_beacon(beacon, terms) };
            is_newest = false;
            sent = on_clock(beacon.time, terms.interval);
            if sent >= end {
                return last;
            }
        }
    }

    /// Updates the motion of every node to the time of its simulation, unless that has ended.
    #[kernel]
    pub fn update(
        now: &mut Now,
        past: &mut Past,
        orders: &Rows<Order>,
        owners: &Rows<Owner>,
        terms: &Rows<Terms>,
        clock: &Rows<Clock>,
        id: u32,
    ) {
        let owner = owners.get(id);
        let of_all = terms.get(owner.simulation);
        let time = clock.get(owner.clock).time;
        if time >= of_all.end {
            return;
        }
        now.leg = until(now.leg, time, of_all, orders);
        let earliest = time.saturating_sub(of_all.timeout);
        past.leg = until(past.leg, earliest, of_all, orders);
        while on_clock(past.oldest.time, of_all.interval) < earliest {
            past.oldest = next_beacon(past.oldest, of_all);
        }
        let mut next = past.newest;
        while on_clock(next.time, of_all.interval) < time {
            past.newest = next;
            next = next_beacon(next, of_all);
        }
    }

    /// Simulation of a node.
    #[derive(Row)]
    pub struct Owner {
        /// Number of the simulation among those on the device.
        pub simulation: u32,
        /// Row of its clock.
        pub clock: u32,
    }

    /// Time of the earliest event of a simulation.
    #[derive(Row)]
    pub struct Clock {
        /// Time in µs.
        pub time: u64,
    }
}
