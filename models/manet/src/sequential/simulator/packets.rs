//! Packets: how they begin, wait, are received, delivered and lost.

use super::{Event, Kind, Simulator};
use crate::count::Loss;
use crate::sequential::draws::share;
use crate::sequential::events::PacketKind;
use crate::sequential::node::State;
use crate::sequential::packet::Packet;
use crate::sequential::protocol::{Outbox, Protocol};
use crate::traffic::{Arrivals, Exchange};
use imminent_common::exponential::exponential;
use imminent_common::output::sketch::bucket;
use rand_core::Rng as _;

/// Packet of the traffic that begins.
struct New {
    kind: PacketKind,
    created: u64,
    destination: u32,
    flow: u32,
    bytes: u32,
}

impl<P: Protocol> Simulator<'_, P> {
    pub(super) fn create(&mut self, Event { time, original, node, flow, .. }: Event) {
        self.executed.created += 1;
        let traffic = &self.network.traffic;
        let nodes = self.network.nodes;
        let is_there = self.is_there(node, time);
        let own = &mut self.nodes[node as usize].flows[flow as usize];
        let mut to = Some(own.destination);
        if own.destination >= nodes {
            let word = own.packets.next_u32();
            to = match &mut self.present {
                Some(_) if !is_there => None,
                Some(present) => present.choose(node, time, word),
                None => {
                    let other = share(word, nodes - 1);
                    Some(other + u32::from(other >= node))
                }
            };
        }
        let gap = match traffic.arrivals {
            Arrivals::Constant => own.gap,
            Arrivals::Poisson => {
                let scaled = u128::from(exponential(own.packets.next_u32())) * u128::from(own.gap);
                ((scaled + (1 << 26)) >> 27).max(1) as u64
            }
        };
        let (number, bytes) = (own.number, own.bytes);
        if original + gap < own.stop {
            self.expect_of(original + gap, Kind::Create, node, flow);
        }
        if let (true, Some(to)) = (is_there, to) {
            let kind = match traffic.exchange {
                Exchange::Data => PacketKind::Data,
                Exchange::Requests { .. } => PacketKind::Request,
            };
            let new = New { kind, created: original, destination: to, flow: number, bytes };
            self.start(new, node, time, original);
        }
    }

    /// Starts a packet at its origin.
    fn start(&mut self, new: New, origin: u32, time: u64, original: u64) {
        let New { kind, created, destination, flow, bytes } = new;
        if let (true, Some(kind)) = (created >= self.network.warm_up, kind.of_traffic()) {
            self.nodes[origin as usize].count.created[kind] += 1;
            self.flows[flow as usize].created[kind / 2] += 1;
        }
        let header = P::header(self.place(destination, time));
        let (number, flow) = (Some(self.packets), Some(flow));
        self.packets += 1;
        let packet = Packet { number, kind, created, origin, destination, flow, bytes, hops: 0, header };
        let (here, mut out) = (self.here(origin, time, original), Outbox::new());
        self.nodes[origin as usize].protocol.admit(here, packet, &mut out);
        self.carry_out(here, out);
    }

    pub(super) fn enqueue(&mut self, node: u32, mut packet: Packet<P::Header>, original: u64) {
        let own = &mut self.nodes[node as usize];
        if own.queue.len() >= self.network.medium.queue as usize {
            return self.lose(node, &packet, Loss::Queue);
        }
        if packet.number.is_none() {
            packet.number = Some(self.packets);
            self.packets += 1;
        }
        own.queue.push_back(packet);
        self.contend(node, original);
    }

    /// Expects an attempt of a node that has a packet, unless there is one already, or the node transmits.
    pub(super) fn contend(&mut self, node: u32, original: u64) {
        let own = &mut self.nodes[node as usize];
        if matches!(own.state, State::Idle) && (own.held.is_some() || !own.queue.is_empty()) {
            own.state = State::Attempts;
            self.expect(original, Kind::Attempt, node);
        }
    }

    /// Counts the loss of a packet. Packets of protocols are not counted.
    pub(super) fn lose(&mut self, node: u32, packet: &Packet<P::Header>, loss: Loss) {
        if packet.created >= self.network.warm_up && packet.kind.of_traffic().is_some() {
            self.nodes[node as usize].count.lost[loss as usize] += 1;
        }
    }

    pub(super) fn receive(&mut self, node: u32, packet: Packet<P::Header>, from: u32, time: u64, original: u64) {
        let (here, mut out) = (self.here(node, time, original), Outbox::new());
        let received = self.nodes[node as usize].protocol.receive(here, packet, from, &mut out);
        self.carry_out(here, out);
        let Some(packet) = received else { return };
        if packet.destination == node {
            self.deliver(node, &packet, time, original);
        } else if packet.hops >= u64::from(self.network.medium.hops) {
            self.lose(node, &packet, Loss::Hops);
        } else {
            self.enqueue(node, packet, original);
        }
    }

    /// Counts a packet of the traffic at its destination, which answers a request.
    fn deliver(&mut self, node: u32, packet: &Packet<P::Header>, time: u64, original: u64) {
        let (Some(kind), Some(flow)) = (packet.kind.of_traffic(), packet.flow) else { return };
        if packet.created >= self.network.warm_up {
            let count = &mut self.nodes[node as usize].count;
            count.delivered[kind] += 1;
            count.delay[kind] += time - packet.created;
            count.hops[kind] += packet.hops;
            self.delays[bucket(time - packet.created)] += 1;
            let flow = &mut self.flows[flow as usize];
            flow.delivered[kind / 2] += 1;
            flow.delay[kind / 2] += time - packet.created;
            flow.hops[kind / 2] += packet.hops;
        }
        if let (PacketKind::Request, Exchange::Requests { response_bytes: bytes }) =
            (packet.kind, self.network.traffic.exchange)
        {
            let (kind, created, destination) = (PacketKind::Response, packet.created, packet.origin);
            self.start(New { kind, created, destination, flow, bytes }, node, time, original);
        }
    }
}
