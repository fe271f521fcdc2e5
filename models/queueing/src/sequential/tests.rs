#![allow(clippy::unwrap_used)]

use super::*;
use crate::network::{Discipline, Onward, Overflow};
use crate::{Builder, Law, Network, Scenario, Start, Station};
use imminent_common::time::units_from_ticks;

fn ticks(value: u64) -> Law {
    Law::Deterministic { value: units_from_ticks(value) }
}

fn scenario(network: &Network, horizon: u64) -> Scenario<'_> {
    Scenario::new(network, Start::One, horizon, 1, 0).unwrap()
}

const BLOCKING: Station =
    Station { servers: 1, discipline: Discipline::Fifo, capacity: Some(1), overflow: Overflow::Block };

#[test]
fn a_blocked_server_waits_for_room() {
    let mut network = Builder::new();
    let before = network.station("before", Station::default());
    let after = network.station("after", BLOCKING);
    network.serve_all(before, ticks(1)).serve_all(after, ticks(3));
    network.edge(before, after).exit(after).tokens(before, 0, 2);
    let network = network.build().unwrap();
    // The first token is served from 0 to 1 and from 1 to 4, the second from 1 to 2, blocked to 4, and served to 7.
    let outcome = run(&scenario(&network, 6)).unwrap();
    let node = outcome.statistics[0];
    assert_eq!((node.served, node.completed, node.busy, node.blocked, node.blocked_time), (2, 2, 2, 1, 2));
    assert_eq!((node.sojourn_sum, node.waiting_sum, node.number_integral), (5, 1, 5));
    let node = outcome.statistics[1];
    assert_eq!((node.arrivals, node.served, node.completed, node.busy, node.sojourn_sum), (2, 2, 1, 5, 3));
    // An observation while it is blocked.
    let outcome = run(&scenario(&network, 3)).unwrap();
    let node = outcome.statistics[0];
    assert_eq!((node.served, node.completed, node.busy, node.blocked_time), (2, 1, 2, 1));
    assert_eq!(outcome.waiting.of(1), [2]);
}

#[test]
fn the_first_that_is_blocked_is_the_first_to_go() {
    let mut network = Builder::new();
    let [late, early] = ["late", "early"].map(|label| network.station(label, Station::default()));
    let narrow = network.station("narrow", BLOCKING);
    network.serve_all(late, ticks(5)).serve_all(early, ticks(3)).serve_all(narrow, ticks(10));
    network.edge(late, narrow).edge(early, narrow).exit(narrow);
    network.tokens(late, 0, 1).tokens(early, 0, 1).tokens(narrow, 0, 1);
    let network = network.build().unwrap();
    let outcome = run(&scenario(&network, 100)).unwrap();
    assert_eq!([0, 1].map(|node| outcome.statistics[node].blocked_time), [15, 7]);
}

#[test]
fn room_is_handed_on_within_a_tick() {
    // A chain of three full stations: when the last token leaves, all move up.
    let mut network = Builder::new();
    let chain = ["a", "b", "c"].map(|label| network.station(label, BLOCKING));
    for (node, length) in chain.into_iter().zip([1, 1, 9]) {
        network.serve_all(node, ticks(length)).tokens(node, 0, 1);
    }
    network.edge(chain[0], chain[1]).edge(chain[1], chain[2]).exit(chain[2]);
    let network = network.build().unwrap();
    let outcome = run(&scenario(&network, 10)).unwrap();
    assert_eq!(chain.map(|node| outcome.statistics[node as usize].blocked_time), [8, 8, 0]);
    assert_eq!(chain.map(|node| outcome.statistics[node as usize].served), [1, 2, 2]);
}

#[test]
fn a_deadlock_is_found_and_named() {
    let mut network = Builder::new();
    let outside = network.station("outside", Station::default());
    let ring = ["a", "b", "c"].map(|label| network.station(label, BLOCKING));
    network.serve_all(outside, ticks(1)).tokens(outside, 0, 1).edge(outside, ring[1]);
    for (place, node) in ring.into_iter().enumerate() {
        network.serve_all(node, ticks(2 + place as u64)).tokens(node, 0, 1);
        network.edge(node, ring[(place + 1) % 3]);
    }
    let network = network.build().unwrap();
    let deadlock = run(&scenario(&network, 100)).unwrap_err();
    assert_eq!((deadlock.time, deadlock.nodes.clone()), (4, vec![1, 2, 3]));
    assert!(deadlock.to_string().contains("'a' -> 'b' -> 'c'"), "{deadlock}");
    // Before the last server is blocked there is no deadlock; afterwards, without stopping, all tokens wait.
    assert!(run(&scenario(&network, 4)).is_ok());
    assert_eq!(simulate(&scenario(&network, 100)).totals().served, 4);
}

#[test]
fn ties_enter_by_sender_and_the_last_finds_no_room() {
    let mut network = Builder::new();
    let (slow, fast) = (network.class("slow"), network.class("fast"));
    let sources = [fast, slow, fast].map(|class| network.source(format!("of {class}"), class, ticks(10)));
    let station = network.station("station", Station { capacity: Some(2), ..Station::default() });
    network.serve(station, slow, ticks(8)).serve(station, fast, ticks(3));
    for source in sources {
        network.edge(source, station);
    }
    network.route_all(station, Onward::out());
    let network = network.build().unwrap();
    // In tick 10 the fast one of the first source starts, the slow one of the second waits, the third is lost.
    let outcome = run(&scenario(&network, 20)).unwrap();
    let node = outcome.statistics[station as usize];
    assert_eq!((node.arrivals, node.lost, node.served, node.completed), (3, 1, 2, 1));
    assert_eq!((node.busy, node.waiting_sum, node.number_integral, node.most_waiting), (10, 0, 13, Some(1)));
    assert_eq!(outcome.statistics[sources[0] as usize].completed, 2);
    assert_eq!(outcome.waiting.of(station), [20, 20, 20]);
}

#[test]
fn disciplines_choose_among_those_that_wait() {
    let order = |discipline| {
        let mut network = Builder::new();
        let classes = ["x", "y", "z"].map(|name| network.class(name));
        let station = network.station("station", Station { discipline, ..Station::default() });
        for (class, length) in classes.into_iter().zip([10, 100, 1000]) {
            network.serve(station, class, ticks(length)).tokens(station, class, 1);
        }
        network.priority(station, 0, 2).priority(station, 1, 1).priority(station, 2, 2);
        network.exit(station);
        let network = network.build().unwrap();
        // The sum of waiting times depends on the order.
        run(&scenario(&network, 2000)).unwrap().statistics[0].waiting_sum
    };
    assert_eq!(order(Discipline::Fifo), 10 + 110);
    assert_eq!(order(Discipline::Lifo), 1000 + 1100);
    assert_eq!(order(Discipline::Priority), 100 + 110);
}
