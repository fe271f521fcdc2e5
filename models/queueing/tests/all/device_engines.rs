//! The engines that run on a device give the oracles' outcomes, to the bit.

use crate::device::{device, go_on};
use imminent_core::Device;
use imminent_queueing::engine::{EngineError, Schedule, clustered, exact};
use imminent_queueing::{Network, Node, Scenario, Start, interval, sequential};
use proptest::prelude::*;
use std::ops::ControlFlow;

/// Compares both schedules of the exact engine, and the clustered engine at some intervals, with the oracles.
fn check(device: &Device, scenario: &Scenario<'_>) {
    let oracle = sequential::simulate(scenario).without_most_waiting();
    for schedule in [Schedule::Tiles, Schedule::Events] {
        let ran = exact(device, scenario, schedule, &mut go_on).unwrap();
        assert_eq!(ran.outcome, oracle, "{schedule:?}");
    }
    for ticks in [0, 1, 7, 1 << 20] {
        let reference = interval::reference::simulate(scenario, ticks).unwrap();
        let expected = reference.outcome.without_most_waiting();
        let ran = clustered(device, scenario, ticks, &mut go_on).unwrap();
        assert_eq!((&ran.outcome, ran.steps), (&expected, reference.steps), "interval of {ticks} ticks");
    }
}

#[test]
fn tori_of_all_shapes() {
    let device = device(2);
    for (width, height, tokens) in
        [(1, 1, 1), (1, 1, 5), (1, 4, 1), (2, 2, 2), (2, 3, 1), (5, 4, 0), (16, 16, 1), (7, 9, 3)]
    {
        let torus = Network::torus(width, height, 10 << 20, tokens).unwrap();
        for (seed, start) in [(1, Start::One), (2, Start::Stationary)] {
            check(&device, &Scenario::new(&torus, start, 100 << 20, seed, 0).unwrap());
        }
    }
}

#[test]
fn nothing_happens_before_a_horizon_of_zero() {
    let torus = Network::torus(3, 3, 10, 2).unwrap();
    check(&device(1), &Scenario::new(&torus, Start::One, 0, 1, 0).unwrap());
}

#[test]
fn a_long_line_grows_its_table() {
    // All tokens end up at a slow station.
    let node = |mean_service, tokens| Node { label: None, mean_service, tokens };
    let nodes = vec![node(1 << 24, 0), node(1 << 14, 40), node(1 << 14, 40), node(1 << 14, 0)];
    let edges = [(0, 1), (1, 0), (1, 2), (2, 0), (2, 3), (3, 0)];
    let network = Network::from_edges(nodes, &edges).unwrap();
    check(&device(2), &Scenario::new(&network, Start::One, 40 << 20, 3, 0).unwrap());
}

#[test]
fn a_line_that_all_others_fill_at_once_grows_in_time() {
    // Every leaf sends to the hub whenever a step serves.
    for leaves in [40, 300] {
        let node = |mean_service, tokens| Node { label: None, mean_service, tokens };
        let mut nodes = vec![node(1 << 24, 0)];
        nodes.resize(leaves + 1, node(1 << 14, 6));
        let edges: Vec<(u32, u32)> = (1..=leaves as u32).flat_map(|leaf| [(leaf, 0), (0, leaf)]).collect();
        let network = Network::from_edges(nodes, &edges).unwrap();
        check(&device(2), &Scenario::new(&network, Start::One, 8 << 20, 3, 0).unwrap());
    }
}

#[test]
fn a_run_can_be_cancelled() {
    let torus = Network::torus(32, 32, 10 << 20, 1).unwrap();
    let scenario = Scenario::new(&torus, Start::One, 100_000 << 20, 1, 0).unwrap();
    for schedule in [Schedule::Tiles, Schedule::Events] {
        let ran = exact(&device(1), &scenario, schedule, &mut |_| ControlFlow::Break(()));
        assert!(matches!(ran, Err(EngineError::Cancelled { steps: 1.. })), "{schedule:?}");
    }
}

/// A network in which every node has an out-edge, with ties likely where services are short.
fn networks() -> impl Strategy<Value = Network> {
    (1_usize..12).prop_flat_map(|count| {
        let node = (1_u32..40, 0_u32..5).prop_map(|(mean_service, tokens)| Node { label: None, mean_service, tokens });
        let targets = prop::collection::vec(0..count as u32, 1..4);
        (prop::collection::vec(node, count), prop::collection::vec(targets, count)).prop_map(|(nodes, targets)| {
            let edges: Vec<(u32, u32)> =
                (0..).zip(targets).flat_map(|(from, targets)| targets.into_iter().map(move |to| (from, to))).collect();
            Network::from_edges(nodes, &edges).unwrap()
        })
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn any_network(network in networks(), seed: u64, horizon in 0_u64..600) {
        check(&device(2), &Scenario::new(&network, Start::One, horizon, seed, 0).unwrap());
    }

    #[test]
    fn the_device_library_has_the_variates_of_the_oracle(word: u32, mean in 1_u32..) {
        use imminent_core::random::{exponential_q27, scaled_ticks};
        use imminent_common::exponential::{exponential, service_ticks};
        prop_assert_eq!(exponential_q27(word), exponential(word));
        prop_assert_eq!(scaled_ticks(exponential_q27(word), u64::from(mean)), service_ticks(word, mean));
    }
}
