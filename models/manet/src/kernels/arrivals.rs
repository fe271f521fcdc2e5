//! Ends of transmissions, and packets that arrive.

/// Packets that nodes receive, and those that they create.
#[imminent_core::kernels]
pub mod arrival {
    use crate::kernels::failure::{Deleted, delete};
    use crate::kernels::geometry::squared_distance;
    use crate::kernels::gpsr::Packet;
    use crate::kernels::motion::{Motion, Owner, Terms, is_there, on_clock, place_at};
    use crate::kernels::node::{
        ANYBODY, Air, Bound, CREATED, Count, DELAY, DELIVERED, Flows, HOPS, LOST_HOPS, LOST_LINK, NEEDS_QUEUE,
        NEEDS_TABLE, NOBODY, Own, REQUEST, RESPONSE, Signal, Source, Station, Time, bound_of, lane, publish,
    };
    use crate::kernels::presence::Present;
    use imminent_core::mail::{Inbox, Outbox};
    use imminent_core::random::scaled_ticks;

    /// Ends the transmissions of nodes below the horizon. The receiver gets a message if it is in range, and both are
    /// there. Otherwise the
    /// sender deletes this neighbour and holds the packet to route it again, unless it has done so too often.
    #[kernel]
    pub fn finish(
        station: &mut Station,
        bound: &mut Bound,
        count: &mut Count,
        signal: &mut Signal,
        air: &Air,
        deleted: &mut Deleted,
        owner: &Owner,
        motion: &Motion,
        outbox: &Outbox,
        halts: &Tally<u32>,
        time: &Time,
        id: u32,
    ) {
        if time.rests(bound, owner) || station.is_received || !station.is_sending {
            return;
        }
        let terms = time.terms.get(owner.simulation);
        if station.end >= time.horizon(owner).min(terms.end) {
            return;
        }
        let at = on_clock(station.end, terms.interval);
        station.is_received = true;
        let to = air.receivers[station.lane as usize];
        let apart = squared_distance(place_at(id, at, terms, motion), place_at(to, at, terms, motion));
        if apart <= terms.reach && is_there(id, at, terms, motion) && is_there(to, at, terms, motion) {
            outbox.send(id, station.lane, to);
        } else {
            if terms.retries > 0 {
                delete(deleted, to, at, terms.timeout);
                if deleted.count == deleted.deletions.capacity() {
                    halts.add(NEEDS_TABLE, 1);
                }
            }
            if station.failures < terms.retries {
                station.failures += 1;
                station.is_holding = true;
                signal.next = station.end;
            } else if air.packets.get(station.lane).created >= terms.warm_up {
                count.lost[LOST_LINK as usize] += 1;
            }
        }
        bound.time = bound_of(signal.next, station.source.time, terms);
    }

    /// Returns the node that a random word chooses as the destination of a packet: [`NOBODY`] if the node that creates
    /// it is away or alone.
    fn anybody(word: u32, node: u32, time: u64, terms: &Terms, motion: &Motion, present: &Present) -> u32 {
        if !terms.has_stays {
            let other = below(word, terms.nodes - 1);
            return if other >= node { other + 1 } else { other };
        }
        let at = on_clock(time, terms.interval);
        let mut destination = NOBODY;
        if is_there(terms.first + node, at, terms, motion) {
            let others = present.count(at, terms) - 1;
            if others > 0 {
                destination = present.other(node, at, below(word, others), others, terms);
            }
        }
        destination
    }

    /// Returns the integer below a bound that a random word chooses, as [`Pcg32::below`](imminent_core::random::Pcg32).
    fn below(word: u32, bound: u32) -> u32 {
        ((word as u64 * bound as u64) >> 32) as u32
    }

    /// Draws the time of the packet after the next one. Returns the word that chooses the destination of the next one;
    /// 0 if the source has one destination.
    fn go_on(source: &mut Source, terms: &Terms, flows: &Flows) -> u32 {
        let flow = flows.rows.get(terms.first_flow + source.flow);
        let mut word = 0;
        if source.destination == ANYBODY {
            word = source.rng.next_u32();
        }
        let mut gap = flow.gap;
        if terms.is_poisson {
            gap = scaled_ticks(source.rng.exponential_q27(), flow.gap);
        }
        source.time = source.time.saturating_add(gap);
        if source.time >= flow.stop {
            source.time = u64::MAX;
        }
        word
    }

    /// Draws the next packet of a node. Returns its destination.
    fn create(own: &mut Own, terms: &Terms, motion: &Motion, flows: &Flows, present: &Present) -> u32 {
        let mut source = own.station.source;
        let mut destination = source.destination;
        let created = source.time;
        let word = go_on(&mut source, terms, flows);
        if destination == ANYBODY {
            destination = anybody(word, own.station.node, created, terms, motion, present);
        }
        let mut next = source;
        let mut place = own.station.others;
        for i in 0..own.station.others {
            let other = own.others.sources.get(i);
            if other.time < next.time || (other.time == next.time && other.flow < next.flow) {
                next = other;
                place = i;
            }
        }
        if place < own.station.others {
            own.others.sources.set(place, source);
        }
        own.station.source = next;
        destination
    }

    /// Returns the number of packets that a source creates before a time.
    fn created_before(source: Source, limit: u64, terms: &Terms, flows: &Flows) -> u32 {
        let mut left = source;
        let mut count = 0;
        while left.time < limit {
            go_on(&mut left, terms, flows);
            count += 1;
        }
        count
    }

    /// Appends a packet to those that arrive below the horizon.
    fn append(own: &mut Own, packet: Packet) {
        let place = lane(own.station, own.station.count + own.station.pending, own.queue.packets.capacity());
        own.queue.packets.set(place, packet);
        own.station.pending += 1;
    }

    /// Returns the bucket of a delay, as [`sketch`](imminent_common::output::sketch) has them: one for each value below
    /// 128, then 128 for each octave.
    fn bucket(delay: u64) -> u32 {
        if delay < 128 {
            return delay as u32;
        }
        let shift = 56 - delay.leading_zeros();
        (shift << 7) + (delay >> shift) as u32
    }

    /// Receives a packet at a node: delivers it, or appends it to the queue.
    fn receive(
        own: &mut Own,
        packet: Packet,
        end: u64,
        terms: &Terms,
        motion: &Motion,
        flows: &Flows,
        delays: &Tally<u32>,
    ) {
        let counts = packet.created >= terms.warm_up;
        if packet.destination == own.station.node {
            let at = on_clock(end, terms.interval);
            if counts {
                own.count.delivered[packet.kind as usize] += 1;
                own.count.delay[packet.kind as usize] += at - packet.created;
                delays.add(terms.first_delay + bucket(at - packet.created), 1);
                own.count.hops[packet.kind as usize] += packet.hops;
                flows.add(packet, DELIVERED, 1, terms);
                flows.add(packet, DELAY, at - packet.created, terms);
                flows.add(packet, HOPS, packet.hops as u64, terms);
            }
            if packet.kind == REQUEST {
                let from = own.station.node;
                let to = packet.origin;
                let goal = place_at(terms.first + to, at, terms, motion);
                let response = Packet::new(RESPONSE, packet.flow, packet.created, end, from, to, goal);
                if counts {
                    own.count.created[RESPONSE as usize] += 1;
                    flows.add(response, CREATED, 1, terms);
                }
                append(own, response);
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
        owner: &Owner,
        airs: &Rows<Air>,
        motion: &Motion,
        inbox: &Inbox,
        flows: &Flows,
        present: &Present,
        delays: &Tally<u32>,
        halts: &Tally<u32>,
        time: &Time,
        id: u32,
    ) {
        let mut message = inbox.first(id);
        if message == 0 && time.rests(own.bound, owner) {
            return;
        }
        let terms = time.terms.get(owner.simulation);
        let limit = time.horizon(owner).min(terms.end);
        if message == 0 && own.station.source.time >= limit {
            return;
        }
        let mut needed = own.station.count + own.station.pending;
        while message != 0 {
            needed += 1;
            message = inbox.next(message);
        }
        needed += created_before(own.station.source, limit, terms, flows);
        for i in 0..own.station.others {
            needed += created_before(own.others.sources.get(i), limit, terms, flows);
        }
        if needed > own.queue.packets.capacity() {
            own.station.wanted = needed;
            own.signal.next = 0;
            own.bound.time = time.clock.get(owner.clock).time;
            halts.add(NEEDS_QUEUE, 1);
            return;
        }
        let none = Arrival { message: 0, time: 0, sender: 0 };
        let mut arrival = next_arrival(none, id, inbox, airs);
        while arrival.message != 0 || own.station.source.time < limit {
            let created = own.station.source.time;
            if arrival.message != 0 && arrival.time <= created {
                let received = airs.get(arrival.sender).packets.get(inbox.number(arrival.message));
                receive(own, received, arrival.time, terms, motion, flows, delays);
                arrival = next_arrival(arrival, id, inbox, airs);
            } else {
                let flow = own.station.source.flow;
                let destination = create(own, terms, motion, flows, present);
                let at = on_clock(created, terms.interval);
                if destination != NOBODY && is_there(id, at, terms, motion) {
                    let goal = place_at(terms.first + destination, at, terms, motion);
                    let from = own.station.node;
                    let packet = Packet::new(terms.kind, flow, created, created, from, destination, goal);
                    append(own, packet);
                    if created >= terms.warm_up {
                        own.count.created[terms.kind as usize] += 1;
                        flows.add(packet, CREATED, 1, terms);
                    }
                }
            }
        }
        inbox.forget(id);
        publish(own, terms);
    }
}
