//! Senders that learn of failed transmissions.

use super::check;
use crate::trace::{Move, Trace, Track};
use crate::*;

fn place(x: i32, y: i32) -> Position {
    Position { x: x * 1000, y: y * 1000 }
}

/// Returns a network of node 0, which sends to node 1 over one of some relays. The relays nearest to the goal are in
/// range until their first beacons, and then leave at once. The last one, the farthest from the goal, stays. With
/// more than three relays the lists of deletions have to grow.
fn leaving(relays: i32, retries: u32) -> Network {
    let staying = |x, y| Track { start: place(x, y), ..Track::default() };
    let mut tracks = vec![staying(0, 400), staying(400, 400)];
    for relay in 1..relays {
        let moves = vec![Move { time: 20_000_000, target: place(200 + relay, 0), speed: 4_000_000_000 }];
        tracks.push(Track { start: place(200 + relay, 400), moves, ..Track::default() });
    }
    tracks.push(staying(200, 400));
    let mut network = Network { end: 23_000_000, ..Network::scenario(tracks.len() as u32) };
    network.mobility = Mobility::Trace(Trace::new(tracks));
    network.field = Field { width: 500_000, height: 500_000 };
    network.medium.retries = retries;
    network.traffic.destinations = Destinations::pairs([(0, 1)]);
    network.traffic.gap = 1_400_000;
    network.traffic.start = 21_500_000;
    // First beacons are sent within 20 s. Second ones are out of range, and no entry is forgotten.
    network.beacons = Beacons { interval: [20_000_000, 20_000_000], timeout: 60_000_000 };
    network
}

/// Each relay that has left costs an airtime, and its entry in the table. The path without them has two hops.
#[test]
fn a_packet_tries_one_neighbour_after_the_other() {
    let mut tried = vec![];
    for relays in [1, 2, 5, 12] {
        let network = leaving(relays, 100);
        let airtime = network.lookahead() as f64 / 1e6;
        let networks: Vec<_> = (1..=4).map(|seed| (Network { seed, ..network.clone() }, 0..1)).collect();
        for summary in check(&networks) {
            assert_eq!((summary.delivered() + summary.under_way(), summary.lost()), (summary.created(), 0));
            if summary.delivered() == 1 {
                let transmissions = relays as u64 - 1 + 2;
                assert_eq!((summary.total.sent, summary.mean_hops()), (transmissions, 2.0), "{relays}: {summary:?}");
                assert!((summary.mean_delay() - transmissions as f64 * airtime).abs() < 1e-9);
                tried.push(relays);
            }
        }
    }
    tried.dedup();
    assert_eq!(tried, [1, 2, 5, 12], "every number of relays has a run with a packet");
}

/// A packet is lost when it has been routed again as often as the limit allows, and the neighbours stay deleted.
#[test]
fn a_packet_is_lost_after_so_many_tries() {
    for (retries, sent) in [(0, 1), (1, 2), (3, 4)] {
        let networks: Vec<_> = (1..=6).map(|seed| (Network { seed, ..leaving(8, retries) }, 0..1)).collect();
        let summaries = check(&networks);
        assert!(summaries.iter().any(|summary| summary.created() == 1));
        for summary in summaries.iter().filter(|summary| summary.created() == 1 && summary.under_way() == 0) {
            assert_eq!((summary.total.sent, summary.total.lost[Loss::Link as usize]), (sent, 1), "{summary:?}");
        }
    }
}

/// Nodes so fast that many links break.
#[test]
fn a_crowd_in_which_links_break() {
    let mut network = Network { end: 4_000_000, range: 120_000, ..Network::scenario(50) };
    network.field = Field { width: 500_000, height: 400_000 };
    network.mobility = Mobility::Waypoints(Waypoints { speed: [20_000_000, 80_000_000], pause: [0, 100_000] });
    network.traffic.gap = 1_000_000;
    let retrying = |retries, interval| {
        let mut network = Network { interval, ..network.clone() };
        network.medium.retries = retries;
        (network, 0..2)
    };
    let summaries = check(&[retrying(0, 1), retrying(3, 1), retrying(50, 1), retrying(50, 2_000)]);
    let ratio = |of: usize| summaries[of].delivery_ratio();
    assert!(ratio(2) > ratio(0) && ratio(4) > ratio(0), "{summaries:?}");
}
