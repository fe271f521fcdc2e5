//! State of a network at its start.

use crate::count::FlowCount;
use crate::kernels::geometry::Position;
use crate::kernels::node::{ANYBODY, NOBODY};
use crate::mobility::{Mobility, Path, Waypoints};
use crate::network::{Network, Placement, Protocol};
use crate::presence::Presence;
use crate::traffic::{Destinations, Flow};
use imminent_common::streams::{Seed, StreamKey};
use rand_pcg::Pcg32;

/// Number of random streams of a node.
const STREAMS: u32 = 4;

/// Purpose of the stream of jitters of a node.
const JITTER: u32 = 0;

/// State of one node at its start.
#[derive(Clone, Debug, PartialEq)]
pub struct NodeStart {
    /// Position.
    pub place: Position,
    /// End of the first pause in µs; the greatest time if the node never moves.
    pub leave: u64,
    /// Stream of waypoints.
    pub waypoints: Stream,
    /// Path, if the node moves along one.
    pub path: Option<Path>,
    /// Time of the first beacon in µs.
    pub beacon: u64,
    /// Stream of the times between beacons.
    pub beacons: Stream,
    /// Flows of packets.
    pub flows: Vec<FlowStart>,
    /// Stream of backoffs.
    pub backoffs: Stream,
    /// Stream of the delays of broadcasts of a routing protocol that has them.
    pub jitters: Option<Stream>,
}

/// State of a flow of packets of a node at its start.
#[derive(Clone, Debug, PartialEq)]
pub struct FlowStart {
    /// Number of the flow: its place in the list, or the number of its sender.
    pub number: u32,
    /// Time of the first packet in µs; the greatest time if it sends none.
    pub time: u64,
    /// Mean time between two packets in µs.
    pub gap: u64,
    /// Size of packets in bytes.
    pub bytes: u32,
    /// Time from which no packet is created, in µs.
    pub stop: u64,
    /// Destination: a node, or [`ANYBODY`].
    pub destination: u32,
    /// Stream of destinations and of times between packets.
    pub packets: Stream,
}

/// Random stream after some draws.
#[derive(Clone, Debug, PartialEq)]
pub struct Stream {
    /// Generator.
    pub rng: Pcg32,
    /// State of the generator.
    pub state: u64,
    /// Increment of the generator.
    pub increment: u64,
}

/// State of all nodes of one replication at its start.
#[derive(Clone, Debug, PartialEq)]
pub struct Start {
    /// Nodes, by their numbers.
    pub nodes: Vec<NodeStart>,
}

/// Draws from a stream, and counts the words.
struct Draws {
    seed: Seed,
    rng: Pcg32,
    words: u64,
}

impl Draws {
    fn new(key: StreamKey, node: u32, stream: u32) -> Self {
        Self::of(key.node(node * STREAMS + stream))
    }

    /// Begins to draw from a stream that follows those of all nodes.
    fn further(key: StreamKey, nodes: u32, number: u32) -> Self {
        Self::of(key.node((nodes * STREAMS).wrapping_add(number)))
    }

    fn of(seed: Seed) -> Self {
        Draws { seed, rng: seed.generator(), words: 0 }
    }

    /// Draws from `low` to `high`, both included, as `Pcg32::uniform` of the kernel language does.
    fn uniform(&mut self, low: u64, high: u64) -> u64 {
        use rand_core::Rng as _;
        self.words += 2;
        let low_word = u64::from(self.rng.next_u32());
        let word = (u64::from(self.rng.next_u32()) << 32) | low_word;
        match (high - low).checked_add(1) {
            Some(width) => low + ((u128::from(word) * u128::from(width)) >> 64) as u64,
            None => word,
        }
    }

    fn finish(self) -> Stream {
        Stream { rng: self.rng, state: self.seed.state_after(self.words), increment: self.seed.increment() }
    }
}

impl Start {
    /// Draws the start of a replication of a checked network.
    #[must_use]
    pub fn new(network: &Network, replication: u64) -> Self {
        let key = StreamKey::new(network.seed, replication);
        let presence = Presence::new(network);
        let mut nodes: Vec<_> = (0..network.nodes).map(|node| start_of(network, &presence, key, node)).collect();
        match &network.traffic.destinations {
            Destinations::Within(distance) => set_near_destinations(&mut nodes, *distance, key),
            Destinations::Flows(flows) => set_flows(&mut nodes, flows, network, key),
            Destinations::Fixed | Destinations::EachPacket => {}
        }
        Start { nodes }
    }

    /// Returns the flows of a network, without packets.
    pub(crate) fn flows(&self, network: &Network) -> Vec<FlowCount> {
        let mut flows = vec![FlowCount::default(); network.traffic.flows() as usize];
        for (node, start) in (0..).zip(&self.nodes) {
            for flow in &start.flows {
                let to = Some(flow.destination).filter(|to| *to < network.nodes);
                flows[flow.number as usize] = FlowCount { from: node, to, ..FlowCount::default() };
            }
        }
        flows
    }
}

/// Gives each sender its flows. The first flow has the stream of its node.
fn set_flows(nodes: &mut [NodeStart], listed: &[Flow], network: &Network, key: StreamKey) {
    nodes.iter_mut().for_each(|node| node.flows.clear());
    let mut further = 0;
    for (number, listed) in (0..).zip(listed) {
        let flows = &mut nodes[listed.from as usize].flows;
        let draws = match flows.is_empty() {
            true => Draws::new(key, listed.from, 2),
            false => {
                further += 1;
                Draws::further(key, network.nodes, further - 1)
            }
        };
        flows.push(FlowStart { number, destination: listed.to, ..flow(network, &Presence::default(), listed, draws) });
    }
}

/// Draws the start of a flow. Its destination is drawn among the nodes that are there when it begins to send, or is the
/// first one that enters then.
fn flow(network: &Network, presence: &Presence, of: &Flow, mut packets: Draws) -> FlowStart {
    let traffic = &network.traffic;
    let (gap, stop) = (of.gap.unwrap_or(traffic.gap), of.stop.unwrap_or(u64::MAX));
    let begin = of.start.unwrap_or(traffic.start);
    let mut time = begin + packets.uniform(0, gap - 1);
    let (node, bytes) = (of.from, of.bytes.unwrap_or(traffic.bytes));
    let destination = match traffic.destinations {
        _ if node >= traffic.senders => NOBODY,
        Destinations::EachPacket => ANYBODY,
        Destinations::Fixed if !presence.lengths.is_empty() => {
            let first = time.max(network.stay(node).enter);
            match presence.count(first) {
                0 | 1 => {
                    let next = presence.next(network, first).filter(|(enter, _)| network.stay(node).has(*enter));
                    time = next.map_or(u64::MAX, |(enter, _)| enter + (time - begin));
                    next.map_or(NOBODY, |(_, other)| other)
                }
                there => presence.other(node, first, packets.uniform(0, u64::from(there) - 2) as u32),
            }
        }
        _ => {
            let other = packets.uniform(0, u64::from(network.nodes) - 2) as u32;
            if other >= node { other + 1 } else { other }
        }
    };
    let time = if time < stop { time } else { u64::MAX };
    FlowStart { number: node, time, gap, bytes, stop, destination, packets: packets.finish() }
}

fn start_of(network: &Network, presence: &Presence, key: StreamKey, node: u32) -> NodeStart {
    let (mut motion, mut beacons) = (Draws::new(key, node, 0), Draws::new(key, node, 1));
    let given = match &network.placement {
        Placement::At(places) => Some(places[node as usize]),
        Placement::Uniform => None,
    };
    let path = Path::begin(&network.mobility, network.field, given, motion.rng.clone());
    let drawn = Position {
        x: motion.uniform(0, network.field.width.into()) as i32,
        y: motion.uniform(0, network.field.height.into()) as i32,
    };
    let (place, path) = match (&network.mobility, path) {
        (_, Some((place, path))) => (place, Some(path)),
        (Mobility::Trace(trace), None) => (trace.place(node), None),
        (_, None) => (given.unwrap_or(drawn), None),
    };
    let leave = match &network.mobility {
        Mobility::Static => u64::MAX,
        // A first pause of no time would begin the first leg at once, which is the same.
        Mobility::Waypoints(Waypoints { pause: [least, most], .. }) => motion.uniform(*least, *most),
        Mobility::GaussMarkov(_) | Mobility::Manhattan(_) => 0,
        Mobility::Trace(trace) => trace.leave(node),
    };
    let flows = match node < network.traffic.senders {
        true => vec![flow(network, presence, &Flow::new(node, node), Draws::new(key, node, 2))],
        false => vec![],
    };
    NodeStart {
        place,
        leave,
        waypoints: motion.finish(),
        path,
        beacon: beacons.uniform(0, network.beacons.interval[1].into()),
        beacons: beacons.finish(),
        flows,
        backoffs: Draws::new(key, node, 3).finish(),
        jitters: matches!(network.protocol, Protocol::Aodv(_)).then(|| Draws::of(key.purpose(JITTER, node)).finish()),
    }
}

/// Draws the destination of each sender among the nodes that start within a distance, in mm.
fn set_near_destinations(nodes: &mut [NodeStart], distance: u32, key: StreamKey) {
    let side = distance.max(1);
    let cell = |place: Position| (place.x / side as i32, place.y / side as i32);
    let mut cells = std::collections::HashMap::<_, Vec<u32>>::new();
    for (number, node) in (0..).zip(nodes.iter()) {
        cells.entry(cell(node.place)).or_default().push(number);
    }
    let reach = i128::from(distance) * i128::from(distance);
    for number in 0..nodes.len() {
        if nodes[number].flows.is_empty() {
            continue;
        }
        let here = nodes[number].place;
        let (column, line) = cell(here);
        let around = (-1..=1).flat_map(|dy| (-1..=1).map(move |dx| (column + dx, line + dy)));
        let around: Vec<&[u32]> = around.filter_map(|cell| cells.get(&cell)).map(Vec::as_slice).collect();
        let is_near = |other: u32| {
            let there = nodes[other as usize].place;
            let (dx, dy) = (i128::from(there.x - here.x), i128::from(there.y - here.y));
            other as usize != number && dx * dx + dy * dy <= reach
        };
        let mut draws = Draws::new(key, number as u32, 2);
        draws.uniform(0, 0);
        let is_alone = !around.iter().copied().flatten().any(|&other| is_near(other));
        let destination = (!is_alone).then(|| draw_until(&mut draws, &around, is_near));
        match destination {
            Some(destination) => nodes[number].flows.iter_mut().for_each(|flow| flow.destination = destination),
            None => nodes[number].flows.clear(),
        }
    }
}

/// Draws nodes of several lists, each equally likely, until one is accepted.
fn draw_until(draws: &mut Draws, lists: &[&[u32]], is_accepted: impl Fn(u32) -> bool) -> u32 {
    let all: usize = lists.iter().map(|list| list.len()).sum();
    loop {
        let mut place = draws.uniform(0, all as u64 - 1) as usize;
        for list in lists {
            match list.get(place) {
                Some(&node) if is_accepted(node) => return node,
                Some(_) => break,
                None => place -= list.len(),
            }
        }
    }
}
