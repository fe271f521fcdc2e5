//! Round-robin routing behind several servers, against E_k/M/1.
//!
//! Poisson arrivals at exponential servers leave as a Poisson process again (Burke 1956). If its tokens go to `k`
//! stations in turn, each of them has Erlang arrivals of `k` stages and is a GI/M/1 queue. Its mean sojourn is
//! `mean / (1 - root)` with the root of `x = A(mu (1 - x))` for the transform `A` of the interarrival time. Turns must
//! follow departures: services end in another order than they start.

use crate::observed::Observed;
use imminent_common::time::units_from_ticks;
use imminent_queueing::measures::Measures;
use imminent_queueing::network::{Onward, Routing};
use imminent_queueing::{Builder, Law, Network, Outcome, Scenario, Start, Station, sequential};

/// Returns the measures of an E_k/M/1 queue: Erlang arrivals of `stages` stages at `rate`, exponential services of
/// `mean`.
fn erlang_arrivals(stages: u32, rate: f64, mean: f64) -> Measures {
    let stage = f64::from(stages) * rate;
    let transform = |s: f64| (stage / (stage + s)).powi(stages as i32);
    // The root is the limit of this iteration from 0, which is monotone.
    let root = (0..100_000).fold(0.0, |x, _| transform((1.0 - x) / mean));
    let (utilization, sojourn) = (rate * mean, mean / (1.0 - root));
    Measures {
        utilization,
        throughput: rate,
        queue_length: rate * (sojourn - mean),
        number_in_system: rate * sojourn,
        waiting: Some(sojourn - mean),
        sojourn: Some(sojourn),
        waiting_by_little: Some(sojourn - mean),
        sojourn_by_little: Some(sojourn),
    }
}

const MEANS: [f64; 3] = [1.0, 1.2, 0.6];

/// Four servers of mean 1 with arrivals at rate 2, which send to three single servers in turn.
fn in_turn() -> Network {
    let mut network = Builder::new();
    let source = network.source("source", 0, Law::Exponential { mean: 0.5 });
    let first = network.station("first", Station::with_servers(4));
    network.serve_all(first, Law::Exponential { mean: 1.0 }).edge(source, first).routing(first, Routing::RoundRobin);
    for mean in MEANS {
        let behind = network.station(format!("{mean}"), Station::default());
        network.serve_all(behind, Law::Exponential { mean }).edge(first, behind).exit(behind);
    }
    network.build().unwrap()
}

#[test]
fn the_formula_has_the_known_values() {
    let sojourns = MEANS.map(|mean| erlang_arrivals(3, 2.0 / 3.0, mean).sojourn.unwrap());
    for (found, expected) in sojourns.into_iter().zip([2.139, 4.151, 0.773]) {
        assert!((found - expected).abs() < 5e-4, "{found} {expected}");
    }
    // With one stage it is M/M/1.
    assert!((erlang_arrivals(1, 0.8, 1.0).sojourn.unwrap() - 5.0).abs() < 1e-9);
}

#[test]
fn stations_that_are_sent_to_in_turn_see_erlang_arrivals() {
    let observed = Observed::of(&in_turn(), 20, 200.0, 6_200.0, 2026);
    for (node, mean) in (2..).zip(MEANS) {
        let misses = observed.misses(node, 1, &erlang_arrivals(3, 2.0 / 3.0, mean), 0.999);
        assert!(misses.is_empty(), "station of mean {mean}: {misses:?}");
    }
}

#[test]
fn a_source_that_sends_in_turn_halves_its_stream() {
    let mut network = Builder::new();
    let source = network.source("source", 0, Law::Exponential { mean: 0.5 });
    network.routing(source, Routing::RoundRobin);
    for mean in [0.5, 0.8] {
        let behind = network.station(format!("{mean}"), Station::default());
        network.serve_all(behind, Law::Exponential { mean }).edge(source, behind).exit(behind);
    }
    let observed = Observed::of(&network.build().unwrap(), 20, 200.0, 6_200.0, 2027);
    for (node, mean) in (1..).zip([0.5, 0.8]) {
        let misses = observed.misses(node, 1, &erlang_arrivals(2, 1.0, mean), 0.999);
        assert!(misses.is_empty(), "station of mean {mean}: {misses:?}");
    }
}

/// Two tokens at two servers, of class x for `lengths[0]` ticks and of class y for `lengths[1]`, go in turn to the left
/// and to the right. With routes of its own, class y goes to the right first. Returns their arrival times by the
/// oracle, observed in tick `horizon`.
fn arrivals(lengths: [u64; 2], own_routes: bool, horizon: u64) -> [Vec<u64>; 2] {
    let mut network = Builder::new();
    let classes = ["x", "y"].map(|name| network.class(name));
    let both = network.station("both", Station::with_servers(2));
    let [left, right] = ["left", "right"].map(|label| network.station(label, Station::default()));
    for (class, length) in classes.into_iter().zip(lengths) {
        network.serve(both, class, Law::Deterministic { value: units_from_ticks(length) }).tokens(both, class, 1);
    }
    let fixed = Law::Deterministic { value: units_from_ticks(100) };
    network.serve_all(left, fixed.clone()).serve_all(right, fixed).exit(left).exit(right);
    network.edge(both, left).edge(both, right).routing(both, Routing::RoundRobin);
    if own_routes {
        network.route(both, classes[1], Onward::to(right)).route(both, classes[1], Onward::to(left));
    }
    let network = network.build().unwrap();
    let outcome: Outcome = sequential::simulate(&Scenario::new(&network, Start::One, horizon, 1, 0).unwrap());
    [left, right].map(|node| outcome.waiting.of(node).to_vec())
}

#[test]
fn turns_go_by_ends_and_then_by_numbers() {
    // Both are still in service at the observation.
    assert_eq!(arrivals([3, 5], false, 2), [[3], [5]]);
    assert_eq!(arrivals([5, 3], false, 2), [[3], [5]]);
    assert_eq!(arrivals([4, 4], false, 2), [[4], [4]]);
    // One token has left and waits, as its next service would begin at the horizon.
    assert_eq!(arrivals([5, 3], false, 3), [[3], [5]]);
    // A class with its own routes has its own turns.
    assert_eq!(arrivals([5, 3], true, 2), [vec![5], vec![3]]);
    assert_eq!(arrivals([3, 5], true, 2), [vec![3], vec![5]]);
}
