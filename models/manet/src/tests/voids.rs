//! Delivery around voids, where it is certain whatever the engine and its oracle share.

use super::check;
use crate::delivery::Instance;
use crate::trace::{Move, Trace, Track};
use crate::*;
use rand_core::{Rng as _, SeedableRng as _};
use rand_pcg::Pcg32;

/// Nodes of an arc.
const NODES: usize = 16;

/// Radius of an arc in mm.
const RADIUS: f64 = 600_000.0;

/// Distance in mm that a node of an arc may have from its place. Links have 240 m at most then, and nodes that are not
/// next to one another are 350 m apart.
const STRAY: f64 = 20_000.0;

/// Returns nodes on an arc of 288 degrees, 200 m apart, that roam around their places at up to 8 m/s.
fn arc(seed: u64) -> Network {
    let mut rng = Pcg32::seed_from_u64(seed);
    let mut draw = |most: f64| f64::from(rng.next_u32()) / f64::from(u32::MAX) * most;
    let begin = draw(std::f64::consts::TAU);
    let step = 2.0 * (100_000.0 / RADIUS).asin();
    let tracks = (0..NODES).map(|node| {
        let angle = begin + step * node as f64;
        let mut place = || {
            let (direction, distance) = (draw(std::f64::consts::TAU), draw(STRAY));
            let x = 700_000.0 + RADIUS * angle.cos() + distance * direction.cos();
            let y = 700_000.0 + RADIUS * angle.sin() + distance * direction.sin();
            Position { x: x as i32, y: y as i32 }
        };
        let start = place();
        let targets: Vec<_> = (0..6).map(|_| place()).collect();
        let moves = (0..).zip(targets).map(|(number, target)| Move {
            time: number * 2_000_000,
            target,
            speed: 8_000_000 - draw(6e6) as u32,
        });
        Track { start, moves: moves.collect(), ..Track::default() }
    });
    let mut network = Network { end: 12_000_000, seed, ..Network::scenario(NODES as u32) };
    network.mobility = Mobility::Trace(Trace::new(tracks.collect()));
    network.field = Field { width: 1_400_000, height: 1_400_000 };
    network.traffic.destinations = Destinations::pairs([(0, NODES as u32 - 1), (NODES as u32 - 1, 0)]);
    network.traffic.gap = 300_000;
    network
}

/// Each node of an arc has two neighbours at most, so a packet passes all of them, once each. The neighbour of an end
/// is farther from the other end, so packets begin in perimeter mode.
#[test]
fn packets_pass_each_node_of_an_arc_that_roams_once() {
    let planar = [Planar::Gabriel, Planar::RelativeNeighbourhood];
    let exact = (1..=5).flat_map(|seed| planar.map(|planar| Network { planar, ..arc(seed) }));
    let coarse = (6..=7).map(|seed| Network { interval: 4_000, ..arc(seed) });
    let networks: Vec<_> = exact.chain(coarse).map(|network| (network, 0..1)).collect();
    for summary in check(&networks) {
        assert!(summary.created() >= 60 && summary.lost() == 0 && summary.under_way() <= 4, "{summary:?}");
        assert_eq!(summary.mean_hops(), NODES as f64 - 1.0);
    }
}

/// A node walks along a void, towards the first node of the way around it and away from it. A straight way is nearer,
/// so its packets begin in perimeter mode, and no link breaks.
#[test]
fn a_node_that_walks_beside_a_void_reaches_the_other_side() {
    let around = [(120, 260), (290, 440), (520, 460), (710, 360), (790, 210), (810, 60)];
    let place = |(x, y): (i32, i32)| Position { x: x * 1000, y: y * 1000 };
    let network = |seed: u64| {
        let walk = if seed.is_multiple_of(2) { [(250, 60), (150, 60)] } else { [(150, 60), (250, 60)] };
        let moves = vec![Move { time: 0, target: place(walk[1]), speed: 5_000_000 }];
        let walker = Track { start: place(walk[0]), moves, ..Track::default() };
        let others = around.map(|other| Track { start: place(other), ..Track::default() });
        let tracks = [walker].into_iter().chain(others).collect();
        let mut network = Network { end: 20_000_000, seed, ..Network::scenario(7) };
        network.mobility = Mobility::Trace(Trace::new(tracks));
        network.field = Field { width: 1_000_000, height: 500_000 };
        network.traffic.destinations = Destinations::pairs([(0, 6)]);
        network.traffic.gap = 100_000;
        network.traffic.bytes = 512;
        network.traffic.start = 3_000_000;
        network
    };
    let planar = [Planar::Gabriel, Planar::RelativeNeighbourhood];
    let networks: Vec<_> =
        (1..=5).flat_map(|seed| planar.map(|planar| (Network { planar, ..network(seed) }, 0..1))).collect();
    for summary in check(&networks) {
        assert_eq!((summary.created(), summary.lost(), summary.mean_hops()), (170, 0, 6.0), "{summary:?}");
    }
}

/// The theorem of [`delivery`](crate::delivery) for the whole simulation: on a connected unit-disk graph of nodes at
/// rest, every packet arrives.
#[test]
fn every_packet_arrives_on_a_connected_graph_at_rest() {
    let network = |index: u64| {
        let Instance { places, from, to, .. } = Instance::random(7, index);
        let nodes = places.len() as u32;
        let scale = 250;
        let places: Vec<_> = places.iter().map(|place| Position { x: place.x * scale, y: place.y * scale }).collect();
        let most = |of: fn(&Position) -> i32| places.iter().map(of).max().unwrap_or(0).max(1) as u32;
        let mut network = Network { end: 6_000_000, seed: index, ..Network::scenario(nodes) };
        network.field = Field { width: most(|place| place.x), height: most(|place| place.y) };
        network.placement = Placement::At(places);
        network.mobility = Mobility::Static;
        network.medium.hops = 1 << 20;
        network.traffic.destinations = Destinations::pairs([(from, to)]);
        network.traffic.gap = 400_000;
        network.planar = if index.is_multiple_of(2) { Planar::Gabriel } else { Planar::RelativeNeighbourhood };
        network.interval = if index % 4 < 2 { 1 } else { 3_000 };
        network
    };
    let networks: Vec<_> =
        (0..40).map(network).filter(|network| network.nodes > 1).map(|network| (network, 0..1)).collect();
    for ((network, _), summary) in networks.iter().zip(check(&networks)) {
        assert!(summary.delivered() > 5 && summary.lost() == 0, "{network:?}: {summary:?}");
    }
}
