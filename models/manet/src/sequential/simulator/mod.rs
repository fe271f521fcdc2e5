//! Event loop.

mod medium;
mod packets;

use crate::count::{FlowCount, Statistics};
use crate::delays::{buckets, sketch};
use crate::network::Network;
use crate::sequential::events::{Executed, Transmission};
use crate::sequential::field::Squares;
use crate::sequential::node::Node;
use crate::sequential::packet::Packet;
use crate::sequential::present::Present;
use crate::sequential::protocol::{Here, Outbox, Protocol};
use crate::sequential::walk::Point;
use crate::start::Start;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Event at a node. At equal times all beacons and timers come first, then transmissions end and packets are created in
/// the order of their original times, then nodes attempt to transmit in that order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Event {
    /// Time on the clock.
    time: u64,
    /// Order among the kinds of events.
    phase: u8,
    /// Time before it was put on the clock.
    original: u64,
    kind: Kind,
    node: u32,
    /// Number of the flow whose packet is created.
    flow: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Kind {
    Timer,
    End,
    Create,
    Attempt,
}

#[derive(Debug)]
pub(super) struct Simulator<'n, P: Protocol> {
    network: &'n Network,
    nodes: Vec<Node<P>>,
    events: BinaryHeap<Reverse<Event>>,
    squares: Squares,
    /// Nodes that are there, if nodes enter and leave.
    present: Option<Present>,
    /// Time of the positions in the squares.
    filled: u64,
    /// Time for which they may serve.
    period: u64,
    flows: Vec<FlowCount>,
    /// Number of packets that were created.
    packets: u64,
    /// Numbers of delivered packets by the buckets of their delays.
    delays: Vec<u64>,
    executed: Executed,
}

/// Simulation of a network, whatever its protocol is.
pub(super) trait Simulation {
    /// Executes so many events at most. Returns `false` if there was none left.
    fn advance(&mut self, most: u64, show: &mut dyn FnMut(Transmission)) -> bool;

    /// Returns the statistics and the number of events.
    fn results(self: Box<Self>) -> (Statistics, Executed);

    /// Memory of all lists in bytes.
    #[cfg(test)]
    fn bytes(&self) -> u64;
}

impl<'n, P: Protocol> Simulator<'n, P> {
    /// Size of a packet in bytes.
    pub(super) const PACKET: usize = size_of::<Packet<P::Header>>();

    pub(super) fn new(network: &'n Network, start: Start) -> Self {
        let speed = u64::from(network.greatest_speed());
        let quarter = u64::from(network.range) / 4;
        let mut simulator = Simulator {
            network,
            nodes: start.nodes.iter().map(Node::new).collect(),
            events: BinaryHeap::new(),
            squares: Squares::new(network.field.width, network.field.height, network.range, network.nodes),
            present: network.has_stays().then(|| Present::new(network)),
            filled: 0,
            period: (quarter * 1_000_000_000).checked_div(speed).unwrap_or(u64::MAX),
            flows: start.flows(network),
            packets: 0,
            delays: vec![0; buckets(network)],
            executed: Executed::default(),
        };
        for (number, node) in (0..).zip(&start.nodes) {
            if let Some(time) = P::first_timer(node) {
                simulator.expect(time, Kind::Timer, number);
            }
            for (flow, start) in (0..).zip(&node.flows) {
                if start.time < u64::MAX {
                    simulator.expect_of(start.time, Kind::Create, number, flow);
                }
            }
        }
        simulator.fill(0);
        simulator
    }

    /// Returns a time on the clock.
    fn on_clock(&self, time: u64) -> u64 {
        match self.network.interval {
            0 | 1 => time,
            interval => time.next_multiple_of(interval),
        }
    }

    fn expect(&mut self, original: u64, kind: Kind, node: u32) {
        self.expect_of(original, kind, node, 0);
    }

    fn expect_of(&mut self, original: u64, kind: Kind, node: u32, flow: u32) {
        let time = self.on_clock(original);
        let phase = match kind {
            Kind::Timer => 0,
            Kind::End | Kind::Create => 1,
            Kind::Attempt => 2,
        };
        if time < self.network.end {
            self.events.push(Reverse(Event { time, phase, original, kind, node, flow }));
        }
    }

    fn fill(&mut self, time: u64) {
        let network = self.network;
        let places = self.nodes.iter_mut().enumerate().map(|(number, node)| node.walk.at(time, network, number));
        self.squares.fill(places);
        self.filled = time;
    }

    fn place(&mut self, node: u32, time: u64) -> Point {
        self.nodes[node as usize].walk.at(time, self.network, node as usize)
    }

    fn is_there(&self, node: u32, time: u64) -> bool {
        self.network.stay(node).has(time)
    }

    /// Returns a node and a time for its protocol.
    fn here(&self, node: u32, time: u64, original: u64) -> Here<'n> {
        Here { network: self.network, node, time, original, is_there: self.is_there(node, time) }
    }

    /// Executes so many events at most. Returns `false` if there was none left.
    fn execute(&mut self, most: u64, show: &mut dyn FnMut(Transmission)) -> bool {
        for _ in 0..most {
            let Some(Reverse(event)) = self.events.pop() else { return false };
            match event.kind {
                Kind::Timer => self.wake(event),
                Kind::End => self.end(event, show),
                Kind::Create => self.create(event),
                Kind::Attempt => self.attempt(event),
            }
        }
        true
    }

    /// Time of the next event, if there is one.
    #[cfg(test)]
    pub(super) fn next_time(&self) -> Option<u64> {
        self.events.peek().map(|event| event.0.time)
    }

    /// Protocols of the nodes, by their numbers.
    #[cfg(test)]
    pub(super) fn protocols(&self) -> impl Iterator<Item = &P> {
        self.nodes.iter().map(|node| &node.protocol)
    }

    fn wake(&mut self, Event { time, original, node, .. }: Event) {
        let (here, mut out) = (self.here(node, time, original), Outbox::new());
        self.nodes[node as usize].protocol.wake(here, &mut out);
        *(if out.beacon { &mut self.executed.beacons } else { &mut self.executed.timers }) += 1;
        self.carry_out(here, out);
    }

    /// Carries out what a protocol asks for.
    fn carry_out(&mut self, here: Here<'_>, out: Outbox<P::Header>) {
        let Outbox { queued, lost, timers, beacon } = out;
        if beacon && here.is_there {
            let place = self.place(here.node, here.time);
            for other in self.around(here.node, here.time) {
                self.executed.heard += 1;
                self.nodes[other as usize].protocol.hear(self.network, here.time, here.node, place);
            }
        }
        lost.into_iter().for_each(|(packet, loss)| self.lose(here.node, &packet, loss));
        queued.into_iter().for_each(|packet| self.enqueue(here.node, packet, here.original));
        timers.into_iter().for_each(|time| self.expect(time, Kind::Timer, here.node));
    }
}

impl<P: Protocol> Simulation for Simulator<'_, P> {
    fn advance(&mut self, most: u64, show: &mut dyn FnMut(Transmission)) -> bool {
        self.execute(most, show)
    }

    fn results(self: Box<Self>) -> (Statistics, Executed) {
        let nodes = self.nodes.into_iter().map(|node| node.count).collect();
        (Statistics { nodes, flows: self.flows, delays: sketch(&self.delays) }, self.executed)
    }

    #[cfg(test)]
    fn bytes(&self) -> u64 {
        let lists = self.nodes.iter().map(|node| node.protocol.bytes() + node.queue.capacity() * Self::PACKET);
        let all = self.nodes.capacity() * size_of::<Node<P>>() + self.events.capacity() * size_of::<Reverse<Event>>();
        (lists.sum::<usize>() + all + self.squares.bytes()) as u64
    }
}
