//! Attempts to transmit.

/// Attempts to transmit, which begin a transmission or a backoff.
#[imminent_core::kernels]
pub mod attempt {
    use crate::kernels::geometry::Position;
    use crate::kernels::gpsr::{NO_NEIGHBOUR, Packet, Table, UNREACHABLE, route};
    use crate::kernels::motion::{Motion, Terms, on_clock, place_at};
    use crate::kernels::node::{
        Air, BUSY, Flow, GONE, HELD, LOST_LEFT, LOST_NO_NEIGHBOUR, LOST_QUEUE, LOST_UNREACHABLE, Own, RESPONSE, Sense,
        Time, WAITS, lane, publish,
    };

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

    /// Takes the packet whose transmission has failed, otherwise the first one in the queue. A packet that may have to
    /// be routed again is kept as it came.
    fn take(own: &mut Own, air: &mut Air, terms: &Terms) -> Packet {
        if own.station.is_holding {
            own.station.is_holding = false;
            return air.packets.get(HELD);
        }
        let packet = own.queue.packets.get(own.station.head);
        own.station.head = lane(own.station, 1, own.queue.packets.capacity());
        own.station.count -= 1;
        own.station.failures = 0;
        if terms.retries > 0 {
            air.packets.set(HELD, packet);
        }
        packet
    }

    /// Begins to transmit the first packet that has a next node.
    fn transmit(
        own: &mut Own,
        air: &mut Air,
        table: &Table,
        place: Position,
        at: u64,
        terms: &Terms,
        flows: &Rows<Flow>,
    ) {
        own.station.retry = u64::MAX;
        while (own.station.is_holding || own.station.count > 0) && !own.station.is_sending {
            let mut packet = take(own, air, terms);
            let next = route(&mut packet, own.station.node, place, table, terms.is_relative);
            if next == NO_NEIGHBOUR || next == UNREACHABLE {
                if packet.created >= terms.warm_up {
                    let cause = if next == UNREACHABLE { LOST_UNREACHABLE } else { LOST_NO_NEIGHBOUR };
                    own.count.lost[cause as usize] += 1;
                }
            } else {
                packet.hops += 1;
                packet.previous = own.station.node;
                packet.from = place;
                let mut airtime = terms.response;
                if packet.kind != RESPONSE {
                    airtime = flows.get(terms.first_flow + packet.flow).airtime;
                }
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

    /// Loses all packets of a node that has left.
    fn abandon(own: &mut Own, air: &mut Air, terms: &Terms) {
        own.station.retry = u64::MAX;
        while own.station.is_holding || own.station.count > 0 {
            let packet = take(own, air, terms);
            if packet.created >= terms.warm_up {
                own.count.lost[LOST_LEFT as usize] += 1;
            }
        }
    }

    /// Executes the safe attempts: nodes that find the medium busy back off, the others transmit.
    #[kernel]
    pub fn act(
        own: &mut Own,
        air: &mut Air,
        sense: &mut Sense,
        table: &Table,
        motion: &Motion,
        flows: &Rows<Flow>,
        time: &Time,
        id: u32,
    ) {
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
        if verdict == GONE {
            abandon(own, air, terms);
        } else if verdict == BUSY {
            let backoff = terms.backoff_least + own.station.backoffs.below(terms.backoff_choices);
            own.station.retry = at + backoff as u64;
            if at >= terms.warm_up {
                own.count.busy += 1;
            }
        } else {
            transmit(own, air, table, place_at(id, at, terms, motion), at, terms, flows);
        }
        publish(own, terms);
    }

    /// Admits the packets that have arrived before the end, when no attempt is left.
    #[kernel]
    pub fn close(own: &mut Own, terms: &Rows<Terms>) {
        let of_all = terms.get(own.station.simulation);
        admit(own, of_all.end, of_all);
    }
}
