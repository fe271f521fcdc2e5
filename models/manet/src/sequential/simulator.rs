//! Event loop.

use super::events::{Executed, Transmission};
use super::field::Squares;
use super::node::{Entry, Node, Packet, State, Transmitted};
use super::routing::{Header, Hop, Router};
use super::walk::Point;
use crate::count::{FlowCount, Loss, Statistics};
use crate::delays::{buckets, sketch};
use crate::network::Network;
use crate::presence::{Change, changes};
use crate::start::Start;
use crate::traffic::{Arrivals, Exchange};
use imminent_common::exponential::exponential;
use imminent_common::output::sketch::bucket;
use rand_core::Rng as _;
use rand_pcg::Pcg32;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Event at a node. At equal times all beacons come first, then transmissions end and packets are created in the order
/// of their original times, then nodes attempt to transmit in that order.
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
    Beacon,
    End,
    Create,
    Attempt,
}

#[derive(Debug)]
pub(super) struct Simulator<'n> {
    network: &'n Network,
    nodes: Vec<Node>,
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

/// Draws an integer below a bound from one word.
fn below(rng: &mut Pcg32, bound: u32) -> u32 {
    share(rng.next_u32(), bound)
}

/// Returns the integer below a bound that a word chooses.
fn share(word: u32, bound: u32) -> u32 {
    ((u64::from(word) * u64::from(bound)) >> 32) as u32
}

/// Nodes that are there, in the order of which destinations are drawn.
#[derive(Debug)]
struct Present {
    list: Vec<u32>,
    /// Changes to come, the first one last.
    changes: Vec<Change>,
}

impl Present {
    fn new(network: &Network) -> Self {
        let mut changes = changes(network);
        changes.reverse();
        Present { list: vec![], changes }
    }

    /// Returns another node that is there with a node at a time, not before that of the last call: the one that a
    /// random word chooses.
    fn choose(&mut self, node: u32, time: u64, word: u32) -> Option<u32> {
        while let Some(change) = self.changes.pop_if(|change| change.time <= time) {
            match self.list.iter().position(|other| *other == change.node) {
                Some(place) => drop(self.list.swap_remove(place)),
                None => self.list.push(change.node),
            }
        }
        let others = self.list.len().checked_sub(1).filter(|others| *others > 0)?;
        let drawn = self.list[share(word, others as u32) as usize];
        Some(if drawn == node { self.list[others] } else { drawn })
    }
}

impl<'n> Simulator<'n> {
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
            simulator.expect(node.beacon, Kind::Beacon, number);
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
            Kind::Beacon => 0,
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

    fn are_in_range(&self, (ax, ay): Point, (bx, by): Point) -> bool {
        let range = i128::from(self.network.range);
        (ax - bx) * (ax - bx) + (ay - by) * (ay - by) <= range * range
    }

    /// Lists the nodes in range of a node.
    fn around(&mut self, node: u32, time: u64) -> Vec<u32> {
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

    /// Executes so many events at most. Returns `false` if there was none left.
    pub(super) fn advance(&mut self, most: u64, show: &mut impl FnMut(Transmission)) -> bool {
        for _ in 0..most {
            let Some(Reverse(event)) = self.events.pop() else { return false };
            match event.kind {
                Kind::Beacon => self.beacon(event),
                Kind::End => self.end(event, show),
                Kind::Create => self.create(event),
                Kind::Attempt => self.attempt(event),
            }
        }
        true
    }

    /// Memory of all lists in bytes.
    #[cfg(test)]
    pub(super) fn bytes(&self) -> u64 {
        let lists = self
            .nodes
            .iter()
            .map(|node| node.table.capacity() * size_of::<Entry>() + node.queue.capacity() * size_of::<Packet>());
        let all = self.nodes.capacity() * size_of::<Node>() + self.events.capacity() * size_of::<Reverse<Event>>();
        (lists.sum::<usize>() + all + self.squares.bytes()) as u64
    }

    /// Returns the statistics and the number of events.
    pub(super) fn results(self) -> (Statistics, Executed) {
        let nodes = self.nodes.into_iter().map(|node| node.count).collect();
        (Statistics { nodes, flows: self.flows, delays: sketch(&self.delays) }, self.executed)
    }

    fn beacon(&mut self, Event { time, original, node, .. }: Event) {
        self.executed.beacons += 1;
        let (place, oldest) = (self.place(node, time), time.saturating_sub(self.network.beacons.timeout));
        let hearers = if self.is_there(node, time) { self.around(node, time) } else { vec![] };
        for other in hearers {
            self.executed.heard += 1;
            self.nodes[other as usize].hear(Entry { node, place, heard: time }, oldest);
        }
        let [least, most] = self.network.beacons.interval;
        let wait = least + below(&mut self.nodes[node as usize].beacons, most - least + 1);
        self.expect(original + u64::from(wait), Kind::Beacon, node);
    }

    fn create(&mut self, Event { time, original, node, flow, .. }: Event) {
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
            let kind = usize::from(self.network.traffic.exchange != Exchange::Data);
            let header = Header { destination: to, goal: self.place(to, time), previous: None, perimeter: None };
            let created = original;
            let packet = Packet { number: 0, header, created, origin: node, kind, flow: number, bytes, hops: 0 };
            self.start(packet, original);
        }
    }

    /// Starts a packet at its origin.
    fn start(&mut self, mut packet: Packet, original: u64) {
        packet.number = self.packets;
        self.packets += 1;
        if packet.created >= self.network.warm_up {
            self.nodes[packet.origin as usize].count.created[packet.kind] += 1;
            self.flows[packet.flow as usize].created[packet.kind / 2] += 1;
        }
        self.enqueue(packet.origin, packet, original);
    }

    fn enqueue(&mut self, node: u32, packet: Packet, original: u64) {
        let own = &mut self.nodes[node as usize];
        if own.queue.len() >= self.network.medium.queue as usize {
            return self.lose(node, packet.created, Loss::Queue);
        }
        own.queue.push_back(packet);
        if matches!(own.state, State::Idle) {
            own.state = State::Attempts;
            self.expect(original, Kind::Attempt, node);
        }
    }

    fn lose(&mut self, node: u32, created: u64, loss: Loss) {
        if created >= self.network.warm_up {
            self.nodes[node as usize].count.lost[loss as usize] += 1;
        }
    }

    fn end(&mut self, Event { time, original, node, .. }: Event, show: &mut impl FnMut(Transmission)) {
        self.executed.ended += 1;
        let State::Transmits(sent) = std::mem::replace(&mut self.nodes[node as usize].state, State::Idle) else {
            return;
        };
        let Transmitted { packet, before, to, begin, failures } = *sent;
        let (here, there) = (self.place(node, time), self.place(to, time));
        let retries = self.network.medium.retries;
        let has_arrived = self.are_in_range(here, there) && self.is_there(node, time) && self.is_there(to, time);
        show(Transmission {
            packet: packet.number,
            kind: packet.kind,
            flow: packet.flow,
            hop: packet.hops,
            begin,
            end: time,
            from: node,
            to,
            origin: packet.origin,
            destination: packet.header.destination,
            is_on_perimeter: packet.header.perimeter.is_some(),
            has_arrived,
        });
        if has_arrived {
            self.receive(to, packet, time, original);
        } else {
            let own = &mut self.nodes[node as usize];
            if retries > 0 {
                own.table.retain(|entry| entry.node != to);
            }
            if failures < retries {
                own.held = Some((before, failures + 1));
            } else {
                self.lose(node, packet.created, Loss::Link);
            }
        }
        let own = &mut self.nodes[node as usize];
        if own.held.is_some() || !own.queue.is_empty() {
            own.state = State::Attempts;
            self.expect(original, Kind::Attempt, node);
        }
    }

    fn receive(&mut self, node: u32, packet: Packet, time: u64, original: u64) {
        if packet.header.destination == node {
            if packet.created >= self.network.warm_up {
                let count = &mut self.nodes[node as usize].count;
                count.delivered[packet.kind] += 1;
                count.delay[packet.kind] += time - packet.created;
                count.hops[packet.kind] += packet.hops;
                self.delays[bucket(time - packet.created)] += 1;
                let flow = &mut self.flows[packet.flow as usize];
                flow.delivered[packet.kind / 2] += 1;
                flow.delay[packet.kind / 2] += time - packet.created;
                flow.hops[packet.kind / 2] += packet.hops;
            }
            if let (1, Exchange::Requests { response_bytes: bytes }) = (packet.kind, self.network.traffic.exchange) {
                let (destination, goal) = (packet.origin, self.place(packet.origin, time));
                let header = Header { destination, goal, previous: None, perimeter: None };
                self.start(Packet { header, origin: node, kind: 2, bytes, hops: 0, ..packet }, original);
            }
        } else if packet.hops >= u64::from(self.network.medium.hops) {
            self.lose(node, packet.created, Loss::Hops);
        } else {
            self.enqueue(node, packet, original);
        }
    }

    fn attempt(&mut self, Event { time, node, .. }: Event) {
        self.executed.attempts += 1;
        if !self.is_there(node, time) {
            self.nodes[node as usize].state = State::Idle;
            while let Some((packet, _)) = self.nodes[node as usize].take() {
                self.lose(node, packet.created, Loss::Left);
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
        self.nodes[node as usize].state = State::Idle;
        let oldest = time.saturating_sub(self.network.beacons.timeout);
        let own = &mut self.nodes[node as usize];
        own.forget(oldest);
        let known: Vec<_> = own.table.iter().map(|entry| (entry.node, entry.place)).collect();
        let place = self.place(node, time);
        while let Some((before, failures)) = self.nodes[node as usize].take() {
            let mut packet = before.clone();
            let router = Router { node, place, neighbours: &known, planar: self.network.planar };
            match router.route(&mut packet.header) {
                Hop::NoNeighbour => self.lose(node, packet.created, Loss::NoNeighbour),
                Hop::AroundTheFace => self.lose(node, packet.created, Loss::Unreachable),
                Hop::To(to) => {
                    packet.hops += 1;
                    packet.header.previous = Some((node, place));
                    return self.transmit(node, Transmitted { packet, before, to, begin: time, failures });
                }
            }
        }
    }

    fn transmit(&mut self, node: u32, sent: Transmitted) {
        let time = sent.begin;
        let airtime = self.network.airtime(sent.packet.bytes);
        let end = time + airtime;
        let until = self.on_clock(end);
        let own = &mut self.nodes[node as usize];
        if time >= self.network.warm_up {
            own.count.sent += 1;
            own.count.airtime += airtime;
        }
        own.until = until;
        own.state = State::Transmits(Box::new(sent));
        self.expect(end, Kind::End, node);
    }
}
