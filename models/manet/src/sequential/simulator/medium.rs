//! Medium: attempts, transmissions, and who receives them.

use super::{Event, Kind, Simulator};
use crate::count::Loss;
use crate::sequential::draws::below;
use crate::sequential::events::Transmission;
use crate::sequential::node::{State, Transmitted};
use crate::sequential::packet::To;
use crate::sequential::protocol::{Decision, Failure, Outbox, Protocol};
use crate::sequential::walk::Point;

impl<P: Protocol> Simulator<'_, P> {
    fn are_in_range(&self, (ax, ay): Point, (bx, by): Point) -> bool {
        let range = i128::from(self.network.range);
        (ax - bx) * (ax - bx) + (ay - by) * (ay - by) <= range * range
    }

    /// Lists the nodes in range of a node.
    pub(super) fn around(&mut self, node: u32, time: u64) -> Vec<u32> {
        if time - self.filled > self.period {
            self.fill(time);
        }
        let here = self.place(node, time);
        let moved = u128::from(self.network.greatest_speed()) * u128::from(time - self.filled);
        let mut near = vec![];
        self.squares.visit(here, i128::from(self.network.range) + moved.div_ceil(1_000_000_000) as i128 + 2, |other| {
            near.push(other);
        });
        near.retain(|&other| {
            let there = self.place(other, time);
            other != node && self.are_in_range(here, there) && self.is_there(other, time)
        });
        near
    }

    /// Returns `true` if a node receives what another one has transmitted to it until a time.
    fn reaches(&mut self, node: u32, to: u32, time: u64) -> bool {
        let (here, there) = (self.place(node, time), self.place(to, time));
        self.are_in_range(here, there) && self.is_there(node, time) && self.is_there(to, time)
    }

    /// Lists the nodes that receive a broadcast which ends at a time, in the order of their numbers.
    fn hearers(&mut self, node: u32, time: u64) -> Vec<u32> {
        let mut hearers = if self.is_there(node, time) { self.around(node, time) } else { vec![] };
        hearers.sort_unstable();
        hearers
    }

    pub(super) fn attempt(&mut self, Event { time, original, node, .. }: Event) {
        self.executed.attempts += 1;
        if !self.is_there(node, time) {
            self.nodes[node as usize].state = State::Idle;
            while let Some(packet) = self.nodes[node as usize].take() {
                self.lose(node, &packet, Loss::Left);
            }
            return;
        }
        let is_busy = self.around(node, time).into_iter().any(|other| self.nodes[other as usize].until > time);
        if is_busy {
            let [least, most] = self.network.medium.backoff;
            let own = &mut self.nodes[node as usize];
            let wait = least + below(&mut own.backoffs, most - least + 1);
            own.count.busy += u64::from(time >= self.network.warm_up);
            return self.expect(time + u64::from(wait), Kind::Attempt, node);
        }
        // What the protocol asks for enters the queue, and expects no further attempt.
        let (here, place) = (self.here(node, time, original), self.place(node, time));
        while let Some(before) = self.nodes[node as usize].take() {
            let mut out = Outbox::new();
            let decision = self.nodes[node as usize].protocol.route(here, place, &before, &mut out);
            self.carry_out(here, out);
            match decision {
                Decision::Send(mut packet, to) => {
                    packet.hops += 1;
                    return self.transmit(node, Transmitted { packet, before, to, begin: time });
                }
                Decision::Lose(loss) => self.lose(node, &before, loss),
                Decision::Keep => {}
            }
        }
        self.nodes[node as usize].state = State::Idle;
    }

    fn transmit(&mut self, node: u32, sent: Transmitted<P::Header>) {
        let time = sent.begin;
        let bytes = sent.packet.bytes;
        let airtime = self.network.airtime(bytes);
        let end = time + airtime;
        let until = self.on_clock(end);
        let own = &mut self.nodes[node as usize];
        if time >= self.network.warm_up {
            own.count.sent += 1;
            own.count.airtime += airtime;
            if let Some(kind) = sent.packet.kind.of_routing() {
                own.count.control[kind] += 1;
                own.count.control_bytes += u64::from(bytes);
            }
        }
        own.until = until;
        own.state = State::Transmits(Box::new(sent));
        self.expect(end, Kind::End, node);
    }

    pub(super) fn end(&mut self, Event { time, original, node, .. }: Event, show: &mut dyn FnMut(Transmission)) {
        self.executed.ended += 1;
        let State::Transmits(sent) = std::mem::replace(&mut self.nodes[node as usize].state, State::Idle) else {
            return;
        };
        let Transmitted { packet, before, to, begin } = *sent;
        let mut transmission = Transmission {
            packet: packet.number.unwrap_or_default(),
            kind: packet.kind,
            flow: packet.flow,
            hop: packet.hops,
            begin,
            end: time,
            from: node,
            to: to.node(),
            origin: packet.origin,
            destination: packet.destination,
            mode: P::mode(&packet.header, to),
            received: 0,
        };
        match to {
            To::Node(to) if self.reaches(node, to, time) => {
                show(Transmission { received: 1, ..transmission });
                self.receive(to, packet, node, time, original);
            }
            To::Node(to) => {
                show(transmission);
                let (here, mut out) = (self.here(node, time, original), Outbox::new());
                match self.nodes[node as usize].protocol.fail(here, before, to, &mut out) {
                    Failure::Again(before) => self.nodes[node as usize].held = Some(before),
                    Failure::Lose(loss) => self.lose(node, &packet, loss),
                }
                self.carry_out(here, out);
            }
            To::All => {
                let hearers = self.hearers(node, time);
                transmission.received = hearers.len() as u32;
                show(transmission);
                for hearer in hearers {
                    self.receive(hearer, packet.clone(), node, time, original);
                }
            }
        }
        self.contend(node, original);
    }
}
