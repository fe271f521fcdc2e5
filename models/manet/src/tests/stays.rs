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
    let [no_neighbour, .., link, _, left] = summary.total.lost;
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
    let [.., link, _, left] = summary.total.lost;
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
