//! Simple networks simulated event by event on several threads give the results of each alone.

use imminent_core::{Device, Progress};
use imminent_cpu::{CpuBackend, Options};
use imminent_queueing::engine::{EngineError, side_by_side};
use imminent_queueing::{Builder, Law, Network, Outcome, Scenario, Start, Station, sequential};
use proptest::prelude::*;
use std::ops::ControlFlow;

fn device(threads: usize) -> Device {
    CpuBackend::open(&Options { threads: Some(threads), ..Options::default() }).and_then(Device::open).unwrap()
}

fn scenarios<'n>(networks: impl Iterator<Item = &'n Network>, horizon: u64, seed: u64) -> Vec<Scenario<'n>> {
    let scenario = |(network, replication)| Scenario::new(network, Start::Stationary, horizon, seed, replication);
    networks.zip(0..).map(scenario).collect::<Result<_, _>>().unwrap()
}

fn undisturbed(_: Progress) -> ControlFlow<()> {
    ControlFlow::Continue(())
}

/// Removes the greatest numbers waiting, which the lean engine does not know.
fn without_greatest(mut outcome: Outcome) -> Outcome {
    outcome.statistics.iter_mut().for_each(|node| node.most_waiting = None);
    outcome
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(16))]

    #[test]
    fn every_outcome_is_that_of_the_oracle(
        sizes in prop::collection::vec((2_u32..7, 1_u32..7, 1_u32..4), 1..40),
        threads in 1_usize..5,
        (seed, horizon) in (any::<u64>(), 0_u64..50),
    ) {
        // Networks of different sizes, to detect state that one leaves behind for the next.
        let networks: Vec<Network> = sizes.iter().map(|&(width, height, tokens)| {
            Network::torus(width, height, 1 << 16, tokens).unwrap()
        }).collect();
        let scenarios = scenarios(networks.iter(), horizon << 16, seed);
        let found = side_by_side(&device(threads), &scenarios, &mut undisturbed).unwrap();
        prop_assert_eq!(found.len(), scenarios.len());
        for (found, scenario) in found.into_iter().zip(&scenarios) {
            prop_assert_eq!(found.outcome, without_greatest(sequential::simulate(scenario)));
        }
    }
}

#[test]
fn threads_that_are_left_over_share_a_network() {
    let torus = Network::torus(96, 96, 10 << 20, 2).unwrap();
    let scenarios = scenarios([&torus, &torus].into_iter(), 8 << 20, 3);
    let found = side_by_side(&device(5), &scenarios, &mut undisturbed).unwrap();
    for (found, scenario) in found.into_iter().zip(&scenarios) {
        assert_eq!(found.outcome, without_greatest(sequential::simulate(scenario)));
    }
}

#[test]
fn a_run_of_many_can_be_cancelled() {
    let torus = Network::torus(8, 8, 1 << 16, 8).unwrap();
    let scenarios = scenarios(std::iter::repeat_n(&torus, 500), 100 << 16, 3);
    let ran = side_by_side(&device(2), &scenarios, &mut |_| ControlFlow::Break(()));
    let Err(EngineError::Cancelled { steps }) = ran else { panic!("it was not cancelled") };
    let all: u64 = scenarios.iter().map(|scenario| sequential::simulate(scenario).events()).sum();
    assert!((1..all).contains(&steps), "{steps} of {all}");
}

#[test]
fn a_network_that_is_not_simple_is_refused() {
    let mut network = Builder::new();
    let token = network.class("token");
    let door = network.source("door", token, Law::Exponential { mean: 20.0 });
    let desk = network.station("desk", Station::default());
    network.serve_all(desk, Law::Exponential { mean: 10.0 });
    network.edge(door, desk).exit(desk);
    let network = network.build().unwrap();
    let scenario = Scenario::new(&network, Start::One, 10 << 20, 1, 0).unwrap();
    let ran = side_by_side(&device(2), &[scenario], &mut undisturbed);
    assert_eq!(ran.err(), Some(EngineError::NotSimple));
}
