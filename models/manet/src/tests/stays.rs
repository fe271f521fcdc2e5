//! Nodes that enter and leave.

use super::check;
use crate::trace::{Stay, Trace, Track};
use crate::*;

const SECOND: u64 = 1_000_000;

/// Returns a network of nodes 100 m apart, of which node 0 sends to node 1, with the time that each is there.
fn line(stays: &[Stay]) -> Network {
    let track =
        |(x, stay): (i32, &Stay)| Track { start: Position { x: x * 100_000, y: 0 }, stay: *stay, ..Track::default() };
    let tracks = (0..).zip(stays).map(track).collect();
    let mut network = Network { end: 20 * SECOND, ..Network::scenario(stays.len() as u32) };
    network.mobility = Mobility::Trace(Trace::new(tracks));
    network.field = Field { width: 1_000_000, height: 1 };
    network.traffic.destinations = Destinations::pairs([(0, 1)]);
    network.traffic.gap = 100_000;
    network.traffic.start = 0;
    network
}

fn stay(enter: u64, leave: u64) -> Stay {
    Stay { enter: enter * SECOND, leave: leave * SECOND }
}

/// A destination that is there for five of twenty seconds, and is heard after a beacon, within 1.5 s.
#[test]
fn packets_arrive_while_the_destination_is_there() {
    let [summary] = check(&[(line(&[Stay::default(), stay(5, 10)]), 0..1)]).try_into().unwrap();
    assert_eq!(summary.created(), 200);
    assert!((35..=50).contains(&summary.delivered()), "{summary:?}");
    let [no_neighbour, .., link, _, left, _] = summary.total.lost;
    // After 10 s the sender tries until the last beacon, which is 1.5 s old at most then, is 4.5 s old.
    assert!((30..=45).contains(&link) && left == 0, "{summary:?}");
    assert_eq!(no_neighbour, 200 - summary.delivered() - link - summary.under_way());
}

/// A sender makes packets while it is there only.
#[test]
fn a_node_that_is_away_creates_nothing() {
    let [summary] = check(&[(line(&[stay(5, 10), Stay::default()]), 0..1)]).try_into().unwrap();
    assert_eq!((summary.created(), summary.lost()), (50, summary.total.lost[Loss::NoNeighbour as usize]));
}

/// A sender with a full queue leaves: what waits is lost with it, and what is on the air.
#[test]
fn packets_of_a_node_that_leaves_are_lost() {
    let mut network = line(&[stay(0, 10), Stay::default()]);
    network.traffic.gap = 1_000;
    let [summary] = check(&[(network, 0..1)]).try_into().unwrap();
    let [.., link, _, left, _] = summary.total.lost;
    assert_eq!((left, link, summary.under_way()), (50, 1, 0), "{summary:?}");
}

/// A relay that is not there carries nothing, and disturbs nobody: results are those of a network without it.
#[test]
fn a_node_that_is_never_there_changes_nothing() {
    let with = line(&[Stay::default(), Stay::default(), stay(30, 40)]);
    let [there, away] = [line(&[Stay::default(); 2]), with].map(|mut network| {
        network.traffic.senders = 2;
        let [summary] = check(&[(network, 0..1)]).try_into().unwrap();
        summary
    });
    assert_eq!(there, away);
}

/// Packets to any node go to nodes that are there alone: each of them is delivered, where all are in range at once.
#[test]
fn destinations_are_drawn_among_the_nodes_that_are_there() {
    let stays = [stay(0, 30), stay(0, 12), stay(3, 30), stay(6, 9), stay(12, 18), stay(40, 50)];
    for destinations in [Destinations::EachPacket, Destinations::Fixed] {
        let mut network = line(&stays);
        network.traffic.senders = 6;
        network.range = 600_000;
        network.beacons = Beacons { interval: [1_000, 2_000], timeout: 10_000 };
        network.traffic.destinations = destinations.clone();
        let [summary] = check(&[(network.clone(), 0..1)]).try_into().unwrap();
        let found = sequential::statistics(&network, 0).unwrap();
        let created: Vec<u64> = found.nodes.iter().map(|node| node.created[0]).collect();
        // Ten packets a second, while the sender is there and not alone.
        assert_eq!(created, [200, 120, 170, 30, 60, 0], "{destinations:?}");
        assert_eq!(found.nodes[5].delivered[0], 0);
        if destinations == Destinations::EachPacket {
            // A beacon is heard after 2 ms; a destination leaves before a packet arrives at times.
            assert!(summary.delivered() + 8 > summary.created(), "{summary:?}");
        }
    }
}

/// Each of the nodes that are there is drawn equally often, although others have left and entered.
#[test]
fn nodes_that_are_there_are_drawn_equally_often() {
    let mut stays = vec![stay(0, 1); 40];
    stays[17] = stay(0, 4_000);
    stays.extend([stay(0, 4_000), stay(1, 2), stay(1, 4_000), stay(2, 3), stay(2, 4_000), stay(3, 4_000)]);
    let mut network = line(&stays);
    network.field.width = 100_000 * stays.len() as u32;
    network.end = 3_000 * SECOND;
    network.range = network.field.width;
    network.traffic.senders = 18;
    network.traffic.start = 5 * SECOND;
    network.traffic.destinations = Destinations::EachPacket;
    let found = sequential::statistics(&network, 0).unwrap().nodes;
    assert_eq!(found[17].created[0], 29_950);
    let delivered: Vec<u64> = found.iter().map(|node| node.delivered[0]).collect();
    for node in [40, 42, 44, 45] {
        // A quarter of all, with a deviation of 75.
        assert!(delivered[node].abs_diff(29_950 / 4) < 300, "{delivered:?}");
    }
    assert!(delivered.iter().sum::<u64>() >= 29_940, "{delivered:?}");
}

/// A flow whose sender is alone at first begins with the first node that enters.
#[test]
fn a_fixed_destination_is_there_when_the_flow_begins() {
    for seed in 0..200 {
        let stays = [stay(0, 20), stay(4, 20), stay(7, 20), stay(2, 3)];
        let mut network = Network { seed, ..line(&stays) };
        network.traffic.senders = 4;
        network.traffic.destinations = Destinations::Fixed;
        let start = Start::new(&network, 0);
        let flows: Vec<&FlowStart> = start.nodes.iter().map(|node| &node.flows[0]).collect();
        assert!(flows[0].destination == 3 && (2 * SECOND..2 * SECOND + 100_000).contains(&flows[0].time));
        assert_eq!((flows[1].destination, flows[3].destination), (0, 0));
        assert!(flows[2].destination < 2);
    }
}
