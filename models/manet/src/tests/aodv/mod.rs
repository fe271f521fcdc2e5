//! AODV: routes against breadth-first searches, floods against counts, and rules of RFC 3561 seen from outside.

mod loops;
mod rules;

use crate::sequential::{PacketKind, Transmission};
use crate::*;
use std::collections::VecDeque;

const SECOND: u64 = 1_000_000;

/// Range of the nodes in mm.
const RANGE: i32 = 100_000;

/// Returns a network with AODV of nodes that do not move, with flows of one packet a second.
fn still(places: Vec<Position>, pairs: &[(u32, u32)], aodv: Aodv) -> Network {
    let mut network = Network { end: 30 * SECOND, ..Network::default() };
    network.nodes = places.len() as u32;
    let [width, height] = [|place: &Position| place.x, |place: &Position| place.y].map(|side| {
        let far = places.iter().map(side).max().unwrap_or(0);
        far.max(1).unsigned_abs()
    });
    network.field = Field { width, height };
    network.placement = Placement::At(places);
    network.mobility = Mobility::Static;
    network.range = RANGE as u32;
    network.protocol = Protocol::Aodv(aodv);
    network.traffic.destinations = Destinations::pairs(pairs.iter().copied());
    network.traffic.senders = network.nodes;
    network.traffic.bytes = 200;
    network.traffic.gap = SECOND;
    network
}

/// Returns nodes on a line, each in range of the next one.
fn line(nodes: i32) -> Vec<Position> {
    (0..nodes).map(|node| Position { x: node * RANGE * 9 / 10, y: 0 }).collect()
}

/// Simulates the first replication, and returns its transmissions.
fn observe(network: &Network) -> (Summary, Vec<Transmission>) {
    let mut seen = vec![];
    let (counts, _) = sequential::simulate_with(network, 0, |transmission| seen.push(transmission)).unwrap();
    (Summary::of(&counts), seen)
}

/// Returns the numbers of the packets of a kind, each once, in the order of their first transmission.
fn numbers(seen: &[Transmission], kind: PacketKind) -> Vec<u64> {
    let mut numbers: Vec<u64> = seen.iter().filter(|of| of.kind == kind).map(|of| of.packet).collect();
    numbers.sort_unstable();
    numbers.dedup();
    numbers
}

/// Draws from a generator of its own.
struct Draws(u64);

impl Draws {
    fn below(&mut self, bound: u64) -> u64 {
        // SplitMix64.
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut word = self.0;
        word = (word ^ (word >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        word = (word ^ (word >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (word ^ (word >> 31)) % bound
    }

    /// Returns a position within `far` of the middle of a field.
    fn place(&mut self, far: i32) -> Position {
        let mut side = || self.below(2 * far as u64 + 1) as i32;
        Position { x: side(), y: side() }
    }
}

fn are_near(a: Position, b: Position) -> bool {
    let (dx, dy) = (i64::from(a.x - b.x), i64::from(a.y - b.y));
    dx * dx + dy * dy <= i64::from(RANGE) * i64::from(RANGE)
}

/// Returns the distances in hops from a node, by a breadth-first search.
fn distances(places: &[Position], from: usize) -> Vec<Option<u32>> {
    let mut distances = vec![None; places.len()];
    distances[from] = Some(0);
    let mut left = VecDeque::from([from]);
    while let Some(node) = left.pop_front() {
        for other in 0..places.len() {
            if distances[other].is_none() && are_near(places[node], places[other]) {
                distances[other] = distances[node].map(|hops: u32| hops + 1);
                left.push_back(other);
            }
        }
    }
    distances
}

/// Returns positions whose graph is a tree: each new node is near one other node.
fn tree(seed: u64, nodes: usize) -> Vec<Position> {
    let mut draws = Draws(seed);
    let far = 6 * RANGE;
    let mut places = vec![draws.place(far)];
    while places.len() < nodes {
        let place = draws.place(far);
        if places.iter().filter(|other| are_near(place, **other)).count() == 1 {
            places.push(place);
        }
    }
    places
}

/// Returns the component of the first node of a random graph, in which a node has some neighbours.
fn connected(seed: u64, nodes: usize, far: i32) -> Vec<Position> {
    let mut draws = Draws(seed);
    let places: Vec<_> = (0..nodes).map(|_| draws.place(far)).collect();
    let found = distances(&places, 0);
    places.into_iter().zip(found).filter_map(|(place, hops)| hops.map(|_| place)).collect()
}

/// On a tree there is one way, so routes are as long as the breadth-first search says, and every packet arrives.
#[test]
fn routes_on_trees_have_the_distance_of_a_breadth_first_search() {
    let mut longest = 0;
    for seed in 0..12 {
        let places = tree(seed, 24);
        let far = |from: u32| {
            let hops = distances(&places, from as usize);
            (0..24).max_by_key(|to| hops[*to as usize]).unwrap()
        };
        let pairs = [(0, far(0)), (7, far(7)), (12, 3)];
        for aodv in [Aodv::default(), Aodv { expanding_ring: false, ..Aodv::default() }] {
            let network = still(places.clone(), &pairs, aodv);
            let flows = sequential::statistics(&network, 0).unwrap().flows;
            for (flow, (from, to)) in flows.iter().zip(pairs) {
                let hops = distances(&places, from as usize)[to as usize].unwrap();
                assert_eq!(flow.created[0], flow.delivered[0], "seed {seed}, {from} to {to}");
                assert_eq!(flow.hops[0], u64::from(hops) * flow.delivered[0], "seed {seed}, {from} to {to}");
                longest = longest.max(hops);
            }
        }
    }
    assert!(longest > 7, "some searches reach beyond the rings: {longest}");
}

/// On any connected graph every packet arrives, over no fewer hops than the breadth-first search, and no more than the
/// radius of the last request.
#[test]
fn every_packet_arrives_on_connected_graphs() {
    let mut longer = 0;
    for seed in 0..12 {
        let places = connected(seed, 60, 3 * RANGE);
        let to = places.len() as u32 - 1;
        let hops = distances(&places, 0)[to as usize].unwrap();
        let network = still(places, &[(0, to)], Aodv::default());
        let (summary, seen) = observe(&network);
        assert_eq!((summary.delivered(), summary.lost()), (summary.created(), 0), "seed {seed}");
        let rings = numbers(&seen, PacketKind::RouteRequest).len();
        let radius = [1, 3, 5, 7].get(rings - 1).copied().unwrap_or(35);
        assert!((hops..=radius).contains(&(summary.mean_hops() as u32)), "seed {seed}: {hops} hops, radius {radius}");
        longer += u32::from(summary.mean_hops() > f64::from(hops));
    }
    assert!(longer < 12, "most routes are shortest ones: {longer} are longer");
}

/// Each node but the destination forwards a request once.
#[test]
fn a_flood_is_one_transmission_of_each_node() {
    for seed in 20..32 {
        let places = connected(seed, 70, 3 * RANGE);
        let nodes = places.len();
        let mut network = still(places, &[(0, nodes as u32 - 1)], Aodv { expanding_ring: false, ..Aodv::default() });
        network.traffic.gap = 60 * SECOND;
        network.traffic.start = 0;
        let one = Flow { stop: Some(60 * SECOND), ..Flow::new(0, nodes as u32 - 1) };
        network.traffic.destinations = Destinations::Flows(vec![one]);
        network.end = 64 * SECOND;
        let (summary, seen) = observe(&network);
        assert_eq!((summary.created(), summary.delivered()), (1, 1));
        let mut senders: Vec<u32> =
            seen.iter().filter(|of| of.kind == PacketKind::RouteRequest).map(|of| of.from).collect();
        assert_eq!((senders.len(), summary.total.control[0]), (nodes - 1, nodes as u64 - 1), "seed {seed}");
        senders.sort_unstable();
        assert_eq!(senders, (0..nodes as u32 - 1).collect::<Vec<_>>());
        // A reply takes the way back, and its bytes and those of requests are all that control packets have.
        let [requests, replies, errors] = summary.total.control;
        assert_eq!((replies, errors), (summary.mean_hops() as u64, 0));
        assert_eq!(summary.total.control_bytes, 52 * requests + 48 * replies);
    }
}
