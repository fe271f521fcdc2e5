//! Steps of nodes: medium access, queues and traffic.

/// Carrier sense with backoff, FIFO queues, and sources of packets.
///
/// A step has five launches. `finish` ends the transmissions below the horizon, `collect` brings what arrives into the
/// queues, `sense` finds the nodes that may attempt to transmit and lets them sense the medium, `look` fills the
/// neighbour tables of those that find it idle, and `act` executes the attempts. The horizon is the time of the
/// earliest event plus the least airtime: a packet that arrives before it is on the air already. An attempt is executed
/// when no node in range has an earlier one.
#[imminent_core::kernels]
pub mod node {
    use crate::kernels::geometry::{Fraction, Place, squared_distance};
    use crate::kernels::gpsr::{NO_NEIGHBOUR, Neighbour, Packet, Table, UNREACHABLE, route};
    use crate::kernels::grid::{Grid, Spot, around};
    use crate::kernels::motion::{Clock, Motion, Owner, Terms, heard, on_clock, pace, place_at};
    use imminent_core::mail::{Inbox, Outbox};
    use imminent_core::random::{Pcg32, scaled_ticks};

    /// Kind of packets: data.
    pub const DATA: u32 = 0;
    /// Kind of packets: requests, which their destinations answer.
    pub const REQUEST: u32 = 1;
    /// Kind of packets: responses.
    pub const RESPONSE: u32 = 2;

    /// Destination of a source: it sends nothing.
    pub const NOBODY: u32 = u32::MAX;
    /// Destination of a source: another one for each packet, at random.
    pub const ANYBODY: u32 = u32::MAX - 1;

    /// Cause of a loss: the node had no neighbour that could take the packet.
    pub const LOST_NO_NEIGHBOUR: u32 = 0;
    /// Cause of a loss: the packet went around a face, so its destination cannot be reached.
    pub const LOST_UNREACHABLE: u32 = 1;
    /// Cause of a loss: too many transmissions.
    pub const LOST_HOPS: u32 = 2;
    /// Cause of a loss: the next node was out of range at the end of the transmission.
    pub const LOST_LINK: u32 = 3;
    /// Cause of a loss: the queue was full.
    pub const LOST_QUEUE: u32 = 4;

    /// Verdict on a node: it attempts nothing in this step.
    pub const WAITS: u32 = 0;
    /// Verdict on a node: it attempts to transmit, and the medium is busy.
    pub const BUSY: u32 = 1;
    /// Verdict on a node: it attempts to transmit, and the medium is idle.
    pub const IDLE: u32 = 2;

    /// Slot of the tally of halts that counts queues without room.
    pub const NEEDS_QUEUE: u32 = 0;
    /// Slot of the tally of halts that counts neighbour tables without room.
    pub const NEEDS_TABLE: u32 = 1;

    /// Constants of a run.
    #[derive(Params)]
    pub struct Law {
        /// Time for which cell lists hold, in µs.
        pub epoch: u64,
        /// Greatest lookahead of a simulation, in µs.
        pub lookahead: u64,
    }

    /// End of the time for which the cell lists hold.
    #[derive(Row)]
    pub struct Epoch {
        /// Time in µs.
        pub end: u64,
    }

    /// Node as others sense it.
    #[derive(Row)]
    #[row(packed)]
    pub struct Signal {
        /// Time before which the node attempts no transmission, in µs; that of its next attempt if it knows one.
        pub next: u64,
        /// Time of the attempt of the last transmission, in µs, before it is put on the clock.
        pub start: u64,
        /// End of that transmission, in µs.
        pub until: u64,
        /// End of the transmission before it, in µs.
        pub before: u64,
    }

    /// Time of the earliest event of a node.
    #[derive(Row)]
    pub struct Bound {
        /// Time in µs; the greatest time if there is none before the end.
        pub time: u64,
    }

    /// Source of packets.
    pub struct Source {
        /// Time of the next packet, in µs.
        pub time: u64,
        /// Source of destinations and of times.
        pub rng: Pcg32,
        /// Destination, [`NOBODY`] or [`ANYBODY`].
        pub destination: u32,
    }

    /// State of a node that no other node reads.
    #[derive(Row)]
    #[row(packed)]
    pub struct Station {
        /// Source of packets.
        pub source: Source,
        /// Time at which the backoff ends, in µs; the greatest time without one.
        pub retry: u64,
        /// End of the transmission, in µs.
        pub end: u64,
        /// Source of backoffs.
        pub backoffs: Pcg32,
        /// Number of the simulation among those on the device.
        pub simulation: u32,
        /// Number of the node in its simulation.
        pub node: u32,
        /// Lane of the first packet in the queue.
        pub head: u32,
        /// Number of packets in the queue.
        pub count: u32,
        /// Number of packets behind them that arrive below the horizon.
        pub pending: u32,
        /// Room that the queue needs to continue; 0 if it suffices.
        pub wanted: u32,
        /// Lane of the last transmission: they alternate.
        pub lane: u32,
        /// `true` until the node knows that its transmission has ended.
        pub is_sending: bool,
        /// `true` if the last transmission has been received or lost.
        pub is_received: bool,
    }

    /// Result of carrier sense.
    #[derive(Row)]
    pub struct Sense {
        /// [`WAITS`], [`BUSY`] or [`IDLE`].
        pub verdict: u32,
        /// Room that the neighbour table needs to continue; 0 if it suffices.
        pub wanted: u32,
    }

    /// Queue of a node.
    #[derive(Row)]
    #[row(packed)]
    pub struct Queue {
        /// Ring of packets.
        pub packets: Lanes<Packet>,
    }

    /// Last two transmissions of a node.
    #[derive(Row)]
    #[row(packed)]
    pub struct Air {
        /// Ends in µs.
        pub ends: [u64; 2],
        /// Rows of the receivers.
        pub receivers: [u32; 2],
        /// Packets.
        pub packets: Lanes<Packet>,
    }

    /// Statistics of a node. Packets count that were created from the end of the warm-up on.
    #[derive(Row)]
    #[row(packed)]
    pub struct Count {
        /// Sum of delays of packets that were delivered to the node, by kind, in µs. The delay of a response is the
        /// time since its request was created.
        pub delay: [u64; 3],
        /// Airtime of the node's transmissions, in µs.
        pub airtime: u64,
        /// Packets that the node created, by kind.
        pub created: [u32; 3],
        /// Packets that were delivered to the node, by kind.
        pub delivered: [u32; 3],
        /// Sum of their transmissions, by kind.
        pub hops: [u32; 3],
        /// Packets that were lost at the node, by cause.
        pub lost: [u32; 5],
        /// Transmissions that the node began.
        pub sent: u32,
        /// Attempts that found the medium busy.
        pub busy: u32,
    }

    /// Rows of one node that change in a step.
    #[derive(Bundle)]
    pub struct Own {
        /// State.
        pub station: &mut Station,
        /// Row that other nodes sense.
        pub signal: &mut Signal,
        /// Earliest event.
        pub bound: &mut Bound,
        /// Queue.
        pub queue: &mut Queue,
        /// Statistics.
        pub count: &mut Count,
    }

    /// Tables that say which events are safe.
    #[derive(Bundle)]
    pub struct Time {
        /// Earliest event of all nodes.
        pub clock: &Rows<Clock>,
        /// End of the cell lists.
        pub epoch: &Rows<Epoch>,
        /// Constants of the run.
        pub law: &Law,
        /// Constants of the simulations.
        pub terms: &Rows<Terms>,
    }

    impl Time {
        /// Returns `true` if a node has nothing to do below the horizon of any simulation. Most nodes have not, and see
        /// that from one word.
        fn rests(&self, bound: &Bound) -> bool {
            bound.time >= farthest(self.epoch.get(0).end, self.clock, self.law)
        }

        /// Returns the horizon of a simulation: all packets that are received before it are under way.
        fn horizon(&self, terms: &Terms) -> u64 {
            self.clock.get(0).time.saturating_add(terms.lookahead).min(self.epoch.get(0).end)
        }
    }

    /// Returns the farthest horizon of a simulation.
    fn farthest(epoch: u64, clock: &Rows<Clock>, law: &Law) -> u64 {
        clock.get(0).time.saturating_add(law.lookahead).min(epoch)
    }

    /// Returns the farthest horizon of a simulation, to list the nodes with events below it.
    #[kernel(reduce = max)]
    pub fn horizon(epoch: &Epoch, clock: &Rows<Clock>, law: &Law) -> u64 {
        farthest(epoch.end, clock, law)
    }

    /// Begins an epoch.
    #[kernel]
    pub fn open(epoch: &mut Epoch, clock: &Rows<Clock>, law: &Law) {
        epoch.end = clock.get(0).time.saturating_add(law.epoch);
    }

    /// Returns the earlier of the times of a node's next attempt and of the next packet that it creates, if it is
    /// before the end.
    fn bound_of(next: u64, created: u64, terms: &Terms) -> u64 {
        let time = next.min(created);
        if time < terms.end { time } else { u64::MAX }
    }

    /// Returns the lane of a packet, by its place in the queue.
    fn lane(station: &Station, place: u32, capacity: u32) -> u32 {
        let lane = station.head + place;
        if lane < capacity { lane } else { lane - capacity }
    }

    /// Finds the time of the node's next attempt if it knows of one, otherwise the least time of an unknown one.
    fn publish(own: &mut Own, terms: &Terms) {
        let capacity = own.queue.packets.capacity();
        let mut arrival = own.station.source.time;
        if own.station.pending > 0 {
            let first = own.queue.packets.get(lane(own.station, own.station.count, capacity));
            arrival = arrival.min(first.arrived);
        }
        let mut next = arrival;
        if own.station.is_sending {
            next = if own.station.count > 0 { own.station.end } else { arrival.max(own.station.end) };
        } else if own.station.retry != u64::MAX {
            next = own.station.retry;
        }
        own.signal.next = next;
        own.bound.time = bound_of(next, own.station.source.time, terms);
        if own.station.is_sending && !own.station.is_received && own.station.end < terms.end {
            own.bound.time = own.bound.time.min(own.station.end);
        }
    }

    /// Ends the transmissions of nodes below the horizon. The receiver gets a message if it is in range.
    #[kernel]
    pub fn finish(
        station: &mut Station,
        bound: &mut Bound,
        count: &mut Count,
        signal: &Signal,
        air: &Air,
        motion: &Motion,
        outbox: &Outbox,
        time: &Time,
        id: u32,
    ) {
        if time.rests(bound) || station.is_received || !station.is_sending {
            return;
        }
        let terms = time.terms.get(station.simulation);
        if station.end >= time.horizon(terms).min(terms.end) {
            return;
        }
        let at = on_clock(station.end, terms.interval);
        station.is_received = true;
        bound.time = bound_of(signal.next, station.source.time, terms);
        let to = air.receivers[station.lane as usize];
        let apart = squared_distance(place_at(id, at, terms, motion), place_at(to, at, terms, motion));
        if apart <= terms.reach {
            outbox.send(id, station.lane, to);
        } else if air.packets.get(station.lane).created >= terms.warm_up {
            count.lost[LOST_LINK as usize] += 1;
        }
    }

    /// Returns the destination of the next packet of a source, and draws the time of the packet after it.
    fn draw(source: &mut Source, node: u32, terms: &Terms) -> u32 {
        let mut destination = source.destination;
        if destination == ANYBODY {
            destination = source.rng.below(terms.nodes - 1);
            if destination >= node {
                destination += 1;
            }
        }
        let mut gap = terms.gap;
        if terms.is_poisson {
            gap = scaled_ticks(source.rng.exponential_q27(), terms.gap);
        }
        source.time = source.time.saturating_add(gap);
        destination
    }

    /// Returns a new packet.
    fn packet(kind: u32, created: u64, arrived: u64, origin: u32, destination: u32, goal: Place) -> Packet {
        Packet {
            created,
            arrived,
            face: Fraction { above: 0, below: 1 },
            origin,
            destination,
            kind,
            hops: 0,
            goal,
            from: goal,
            is_on_perimeter: false,
            entry: goal,
            first_from: 0,
            first_to: 0,
        }
    }

    /// Appends a packet to those that arrive below the horizon.
    fn append(own: &mut Own, packet: Packet) {
        let place = lane(own.station, own.station.count + own.station.pending, own.queue.packets.capacity());
        own.queue.packets.set(place, packet);
        own.station.pending += 1;
    }

    /// Receives a packet at a node: delivers it, or appends it to the queue.
    fn receive(own: &mut Own, packet: Packet, end: u64, terms: &Terms, motion: &Motion) {
        let counts = packet.created >= terms.warm_up;
        if packet.destination == own.station.node {
            let at = on_clock(end, terms.interval);
            if counts {
                own.count.delivered[packet.kind as usize] += 1;
                own.count.delay[packet.kind as usize] += at - packet.created;
                own.count.hops[packet.kind as usize] += packet.hops;
            }
            if packet.kind == REQUEST {
                if counts {
                    own.count.created[RESPONSE as usize] += 1;
                }
                let goal = place_at(terms.first + packet.origin, at, terms, motion);
                append(own, packet_of_response(packet, end, own.station.node, goal));
            }
        } else if packet.hops >= terms.hops {
            if counts {
                own.count.lost[LOST_HOPS as usize] += 1;
            }
        } else {
            let mut received = packet;
            received.arrived = end;
            append(own, received);
        }
    }

    /// Returns the response to a request.
    fn packet_of_response(request: Packet, end: u64, node: u32, goal: Place) -> Packet {
        packet(RESPONSE, request.created, end, node, request.origin, goal)
    }

    /// Message that arrives at a node.
    struct Arrival {
        /// The message; 0 if there is none.
        message: u32,
        /// Time of its arrival, in µs.
        time: u64,
        /// Row of its sender.
        sender: u32,
    }

    /// Returns the first message to a node after another: messages are ordered by their times, then by their senders.
    fn next_arrival(last: Arrival, id: u32, inbox: &Inbox, airs: &Rows<Air>) -> Arrival {
        let mut best = Arrival { message: 0, time: u64::MAX, sender: 0 };
        let mut message = inbox.first(id);
        while message != 0 {
            let sender = inbox.sender(message);
            let time = airs.get(sender).ends[inbox.number(message) as usize];
            let is_later = last.message == 0 || time > last.time || (time == last.time && sender > last.sender);
            if is_later && (best.message == 0 || time < best.time || (time == best.time && sender < best.sender)) {
                best = Arrival { message, time, sender };
            }
            message = inbox.next(message);
        }
        best
    }

    /// Brings the packets that arrive below the horizon into the queues: those that nodes receive, and those that they
    /// create. A queue without room for all of them waits until it has been enlarged.
    #[kernel]
    pub fn collect(
        own: &mut Own,
        airs: &Rows<Air>,
        motion: &Motion,
        inbox: &Inbox,
        halts: &Tally<u32>,
        time: &Time,
        id: u32,
    ) {
        let mut message = inbox.first(id);
        if message == 0 && time.rests(own.bound) {
            return;
        }
        let terms = time.terms.get(own.station.simulation);
        let limit = time.horizon(terms).min(terms.end);
        if message == 0 && own.station.source.time >= limit {
            return;
        }
        let mut needed = own.station.count + own.station.pending;
        while message != 0 {
            needed += 1;
            message = inbox.next(message);
        }
        let mut source = own.station.source;
        while source.time < limit {
            draw(&mut source, own.station.node, terms);
            needed += 1;
        }
        if needed > own.queue.packets.capacity() {
            own.station.wanted = needed;
            own.signal.next = 0;
            own.bound.time = time.clock.get(0).time;
            halts.add(NEEDS_QUEUE, 1);
            return;
        }
        let none = Arrival { message: 0, time: 0, sender: 0 };
        let mut arrival = next_arrival(none, id, inbox, airs);
        while arrival.message != 0 || own.station.source.time < limit {
            let created = own.station.source.time;
            if arrival.message != 0 && arrival.time <= created {
                let received = airs.get(arrival.sender).packets.get(inbox.number(arrival.message));
                receive(own, received, arrival.time, terms, motion);
                arrival = next_arrival(arrival, id, inbox, airs);
            } else {
                let mut source = own.station.source;
                let destination = draw(&mut source, own.station.node, terms);
                own.station.source = source;
                let goal = place_at(terms.first + destination, on_clock(created, terms.interval), terms, motion);
                append(own, packet(terms.kind, created, created, own.station.node, destination, goal));
                if created >= terms.warm_up {
                    own.count.created[terms.kind as usize] += 1;
                }
            }
        }
        inbox.forget(id);
        publish(own, terms);
    }

    /// Returns `true` if an attempt of one node comes before that of another.
    fn is_before(time: u64, row: u32, other_time: u64, other: u32) -> bool {
        time < other_time || (time == other_time && row < other)
    }

    /// Senses the medium around a node. Returns [`WAITS`] if a node in range has an earlier attempt.
    fn sense_medium(
        id: u32,
        spot: &Spot,
        attempt: u64,
        terms: &Terms,
        motion: &Motion,
        grid: &Grid,
        signals: &Rows<Signal>,
    ) -> u32 {
        let at = on_clock(attempt, terms.interval);
        let place = place_at(id, at, terms, motion);
        let area = around(spot.cell, terms.sense_cells, terms);
        let mut verdict = IDLE;
        for line in area.bottom..area.top {
            let first = grid.first(line, area.left, terms);
            let end = grid.first(line, area.right, terms);
            for i in first..end {
                // Most nodes of the cells are too far away, which their former positions tell.
                let near = grid.spots.get(i);
                let other = near.node;
                if other != id
                    && squared_distance(spot.place, near.place) <= terms.sense_reach
                    && squared_distance(place, place_at(other, at, terms, motion)) <= terms.reach
                {
                    let signal = signals.get(other);
                    if is_before(signal.next, other, attempt, id) {
                        return WAITS;
                    }
                    // A transmission that began later does not count, but the one before it does.
                    let mut until = signal.before;
                    if is_before(signal.start, other, attempt, id) {
                        until = signal.until;
                    }
                    if at < until {
                        verdict = BUSY;
                    }
                }
            }
        }
        verdict
    }

    /// Number of nodes around a node that are held at once.
    const HELD: u32 = 64;

    /// Fills the neighbour table of a node. Returns the number of neighbours, which may exceed the table's capacity.
    ///
    /// The nodes near enough are listed first. So lanes of a warp look closely at one of them each, instead of waiting
    /// for those lanes that do.
    fn fill(id: u32, spot: &Spot, at: u64, terms: &Terms, motion: &Motion, grid: &Grid, table: &mut Table) -> u32 {
        let place = place_at(id, at, terms, motion);
        let own = pace(id, at, terms, motion);
        let area = around(spot.cell, terms.table_cells, terms);
        let mut near = [0u32; HELD as usize];
        let mut line = area.bottom;
        let mut i = 0;
        let mut end = 0;
        let mut count = 0;
        while i < end || line < area.top {
            let mut held = 0;
            while held < HELD && (i < end || line < area.top) {
                if i < end {
                    let other = grid.spots.get(i);
                    if other.node != id && squared_distance(spot.place, other.place) <= terms.table_reach {
                        near[held as usize] = other.node;
                        held += 1;
                    }
                    i += 1;
                } else {
                    i = grid.first(line, area.left, terms);
                    end = grid.first(line, area.right, terms);
                    line += 1;
                }
            }
            for k in 0..held {
                let other = near[k as usize];
                let entry = heard(id, place, own, other, at, terms, motion);
                if entry.is_known {
                    if count < table.neighbours.capacity() {
                        table.neighbours.set(count, Neighbour { node: other - terms.first, place: entry.place });
                    }
                    count += 1;
                }
            }
        }
        count
    }

    /// Finds the nodes whose next attempt is safe, and lets them sense the medium.
    #[kernel]
    pub fn sense(
        sense: &mut Sense,
        bound: &Bound,
        owner: &Owner,
        spot: &Spot,
        signals: &Rows<Signal>,
        motion: &Motion,
        grid: &Grid,
        time: &Time,
        id: u32,
    ) {
        if time.rests(bound) {
            return;
        }
        let attempt = signals.get(id).next;
        let terms = time.terms.get(owner.simulation);
        let at = on_clock(attempt, terms.interval);
        // A node whose queue needs room has an attempt at time 0, which `act` does not execute.
        if at < time.horizon(terms).min(terms.end) {
            sense.verdict = sense_medium(id, spot, attempt, terms, motion, grid, signals);
        }
    }

    /// Fills the neighbour tables of the nodes that find the medium idle.
    #[kernel]
    pub fn look(
        sense: &mut Sense,
        table: &mut Table,
        owner: &Owner,
        spot: &Spot,
        signals: &Rows<Signal>,
        motion: &Motion,
        grid: &Grid,
        halts: &Tally<u32>,
        terms: &Rows<Terms>,
        id: u32,
    ) {
        if sense.verdict == IDLE {
            let of_all = terms.get(owner.simulation);
            let at = on_clock(signals.get(id).next, of_all.interval);
            table.count = fill(id, spot, at, of_all, motion, grid, table);
            if table.count > table.neighbours.capacity() {
                sense.verdict = WAITS;
                sense.wanted = table.count;
                halts.add(NEEDS_TABLE, 1);
            }
        }
    }

    /// Admits the packets that have arrived to the queue, as far as it has room.
    fn admit(own: &mut Own, at: u64, terms: &Terms) {
        let capacity = own.queue.packets.capacity();
        let mut goes_on = own.station.pending > 0;
        while goes_on {
            let packet = own.queue.packets.get(lane(own.station, own.station.count, capacity));
            goes_on = on_clock(packet.arrived, terms.interval) <= at;
            if goes_on {
                own.station.pending -= 1;
                if own.station.count < terms.queue {
                    own.station.count += 1;
                } else {
                    if packet.created >= terms.warm_up {
                        own.count.lost[LOST_QUEUE as usize] += 1;
                    }
                    for place in own.station.count..own.station.count + own.station.pending {
                        let next = own.queue.packets.get(lane(own.station, place + 1, capacity));
                        own.queue.packets.set(lane(own.station, place, capacity), next);
                    }
                }
                goes_on = own.station.pending > 0;
            }
        }
    }

    /// Begins to transmit the first packet in the queue that has a next node.
    fn transmit(own: &mut Own, air: &mut Air, table: &Table, place: Place, at: u64, terms: &Terms) {
        let capacity = own.queue.packets.capacity();
        own.station.retry = u64::MAX;
        while own.station.count > 0 && !own.station.is_sending {
            let mut packet = own.queue.packets.get(own.station.head);
            own.station.head = lane(own.station, 1, capacity);
            own.station.count -= 1;
            let next = route(&mut packet, own.station.node, place, table, terms.is_relative);
            if next == NO_NEIGHBOUR || next == UNREACHABLE {
                if packet.created >= terms.warm_up {
                    let cause = if next == UNREACHABLE { LOST_UNREACHABLE } else { LOST_NO_NEIGHBOUR };
                    own.count.lost[cause as usize] += 1;
                }
            } else {
                packet.hops += 1;
                packet.from = place;
                let airtime = terms.airtime[packet.kind as usize];
                let lane = own.station.lane ^ 1;
                own.station.lane = lane;
                own.station.end = at + airtime;
                own.station.is_sending = true;
                own.station.is_received = false;
                air.ends[lane as usize] = at + airtime;
                air.receivers[lane as usize] = terms.first + next;
                air.packets.set(lane, packet);
                own.signal.before = own.signal.until;
                own.signal.start = own.signal.next;
                own.signal.until = on_clock(at + airtime, terms.interval);
                if at >= terms.warm_up {
                    own.count.sent += 1;
                    own.count.airtime += airtime;
                }
            }
        }
    }

    /// Executes the safe attempts: nodes that find the medium busy back off, the others transmit.
    #[kernel]
    pub fn act(own: &mut Own, air: &mut Air, sense: &mut Sense, table: &Table, motion: &Motion, time: &Time, id: u32) {
        let verdict = sense.verdict;
        if verdict == WAITS {
            return;
        }
        sense.verdict = WAITS;
        if own.station.wanted > 0 {
            return;
        }
        let terms = time.terms.get(own.station.simulation);
        let at = on_clock(own.signal.next, terms.interval);
        own.station.is_sending = false;
        admit(own, at, terms);
        if verdict == BUSY {
            let backoff = terms.backoff_least + own.station.backoffs.below(terms.backoff_choices);
            own.station.retry = at + backoff as u64;
            if at >= terms.warm_up {
                own.count.busy += 1;
            }
        } else {
            transmit(own, air, table, place_at(id, at, terms, motion), at, terms);
        }
        publish(own, terms);
    }

    /// Admits the packets that have arrived before the end, when no attempt is left.
    #[kernel]
    pub fn close(own: &mut Own, terms: &Rows<Terms>) {
        let of_all = terms.get(own.station.simulation);
        admit(own, of_all.end, of_all);
    }

    /// Moves the packets of queues that have been enlarged: a ring must not end amid the new lanes.
    #[kernel]
    pub fn unroll(station: &mut Station, queue: &mut Queue, before: &Before) {
        station.wanted = 0;
        let packets = station.count + station.pending;
        let beyond = (station.head + packets).saturating_sub(before.capacity);
        for place in 0..beyond {
            let packet = queue.packets.get(place);
            queue.packets.set(before.capacity + place, packet);
        }
    }

    /// Capacity of the queues before they were enlarged.
    #[derive(Params)]
    pub struct Before {
        /// Packets per queue.
        pub capacity: u32,
    }

    /// Returns the room that the fullest queue needs.
    #[kernel(reduce = max)]
    pub fn wanted_queue(station: &Station) -> u32 {
        station.wanted
    }

    /// Returns the room that the fullest neighbour table needs.
    #[kernel(reduce = max)]
    pub fn wanted_table(sense: &Sense) -> u32 {
        sense.wanted
    }
}
