//! The general engine gives the oracle's outcomes, to the bit: on any network, by either schedule, alone and with
//! others, in one run and in several.

use crate::device::{device, go_on};
use crate::networks::networks;
use imminent_common::time::units_from_ticks;
use imminent_core::Device;
use imminent_queueing::engine::{EngineError, Schedule, Simulation, clustered, exact};
use imminent_queueing::network::{Discipline, Overflow};
use imminent_queueing::{
    Builder, Law, Network, Node, Outcome, Scenario, Start, Station, Statistics as _, interval, sequential,
};
use proptest::prelude::*;
use std::ops::ControlFlow;

fn scenario(network: &Network, horizon: u64, seed: u64) -> Scenario<'_> {
    Scenario::new(network, Start::One, horizon, seed, 0).unwrap()
}

/// Compares outcomes node by node, which shows the place of a difference.
fn same(what: &str, found: &Outcome, expected: &Outcome) {
    for node in 0..expected.statistics.len() {
        assert_eq!(found.statistics[node], expected.statistics[node], "{what}, statistics of node {node}");
        assert_eq!(found.states[node], expected.states[node], "{what}, state of node {node}");
        assert_eq!(found.waiting.of(node as u32), expected.waiting.of(node as u32), "{what}, line of node {node}");
    }
    assert_eq!(found, expected, "{what}");
    assert_eq!(found.digest(), expected.digest(), "{what}");
}

const SCHEDULES: [Schedule; 2] = [Schedule::Events, Schedule::Tiles];

/// Runs to each of the stops and compares with the oracle there.
fn check(device: &Device, scenarios: &[Scenario<'_>], stops: &[u64], oracle: impl Fn(usize, u64) -> Outcome) {
    for schedule in SCHEDULES {
        let mut simulation = Simulation::new(device, scenarios, schedule).unwrap().with_threads(2);
        for &stop in stops {
            simulation.run_to(stop, &mut go_on).unwrap();
            let results = simulation.results().unwrap();
            for (network, (found, ended)) in simulation.observe().unwrap().iter().zip(&results).enumerate() {
                let horizon = stop.min(scenarios[network].horizon());
                let (what, expected) =
                    (format!("{schedule:?}, network {network} at {horizon}"), oracle(network, horizon));
                same(&what, found, &expected);
                let kept = (ended.horizon, ended.events, ended.digest);
                assert_eq!(kept, (horizon, expected.events(), expected.digest()), "{what}");
                assert_eq!(ended.nodes.read().unwrap().to_rows(), expected.statistics, "{what}");
            }
            assert_eq!(results.len(), scenarios.len());
        }
    }
}

fn check_alone(device: &Device, network: &Network, horizon: u64, seed: u64) {
    let scenario = scenario(network, horizon, seed);
    let stops = [horizon / 3, horizon / 3, horizon / 2 + 1, u64::MAX];
    check(device, std::slice::from_ref(&scenario), &stops, |_, horizon| {
        sequential::simulate(&Scenario::new(network, Start::One, horizon, seed, 0).unwrap())
    });
}

/// Runs to each of the stops and compares the statistics by class with the oracle, which counts token by token.
fn check_classes(device: &Device, scenarios: &[Scenario<'_>], stops: &[u64]) {
    for schedule in SCHEDULES {
        let mut simulation = Simulation::new(device, scenarios, schedule).unwrap();
        assert_eq!(simulation.by_class(), Ok(None));
        let mut simulation = simulation.with_threads(2).with_classes().unwrap();
        for &stop in stops {
            simulation.run_to(stop, &mut go_on).unwrap();
            let found = simulation.by_class().unwrap().unwrap();
            assert_eq!(found.len(), scenarios.len());
            let outcomes = simulation.observe().unwrap();
            for (place, (scenario, (found, outcome))) in scenarios.iter().zip(found.iter().zip(&outcomes)).enumerate() {
                let horizon = stop.min(scenario.horizon());
                sequential::by_class(scenario, &[horizon], &mut |expected, by_class| {
                    let what = format!("{schedule:?}, network {place} at {horizon}");
                    let classes = scenario.network().classes();
                    for (pair, (found, expected)) in found.iter().zip(&by_class).enumerate() {
                        assert_eq!(found, expected, "{what}, node {}, class {}", pair / classes, pair % classes);
                    }
                    assert_eq!(found.len(), by_class.len(), "{what}");
                    // Counting does not affect the outcome.
                    same(&what, outcome, &expected);
                })
                .unwrap();
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn classes_of_any_networks(
        networks in prop::collection::vec((networks(Overflow::Lose, 3), 0_u64..300, any::<u64>()), 1..4),
        share in 0_u64..200,
        beside_a_large_one: bool,
    ) {
        let mut networks = networks;
        if beside_a_large_one {
            // With it, the small ones also advance step by step.
            networks.insert(0, (Network::torus(9, 9, 20, 1).unwrap(), 100, 1));
        }
        let scenarios: Vec<_> =
            networks.iter().map(|(network, horizon, seed)| scenario(network, *horizon, *seed)).collect();
        check_classes(&device(1), &scenarios, &[share, share, 2 * share + 1, u64::MAX]);
    }

    #[test]
    fn any_network(network in networks(Overflow::Lose, 3), seed: u64, horizon in 0_u64..400) {
        check_alone(&device(1), &network, horizon, seed);
    }

    #[test]
    fn an_ensemble_is_its_networks_alone(
        networks in prop::collection::vec((networks(Overflow::Lose, 3), 0_u64..200, any::<u64>()), 1..5),
        share in 0_u64..200,
        beside_a_large_one: bool,
    ) {
        let mut networks = networks;
        if beside_a_large_one {
            // With it, the small ones also advance step by step.
            networks.insert(1, (Network::torus(9, 9, 20, 1).unwrap(), 100, 1));
        }
        let scenarios: Vec<_> =
            networks.iter().map(|(network, horizon, seed)| scenario(network, *horizon, *seed)).collect();
        check(&device(1), &scenarios, &[share, u64::MAX], |place, horizon| {
            let (network, _, seed) = &networks[place];
            sequential::simulate(&scenario(network, horizon, *seed))
        });
    }

    /// Compares the clustered engine with its reference and, if nothing is clustered, with the oracle.
    #[test]
    fn clusters_of_any_network_of_single_servers(
        network in networks(Overflow::Lose, 1),
        seed: u64,
        horizon in 0_u64..300,
        ticks in 2_u64..40,
    ) {
        let device = device(1);
        let scenario = scenario(&network, horizon, seed);
        let oracle = sequential::simulate(&scenario);
        for ticks in [0, 1, ticks, 1 << 20] {
            let reference = interval::reference::simulate(&scenario, ticks).unwrap();
            if ticks < 2 {
                same("the reference of no interval", &reference.outcome, &oracle);
            }
            let ran = clustered(&device, &scenario, ticks, &mut go_on).unwrap();
            let reference_outcome =
                if network.simple().is_some() { reference.outcome.without_most_waiting() } else { reference.outcome };
            same(&format!("interval of {ticks} ticks"), &ran.outcome, &reference_outcome);
            prop_assert_eq!(ran.steps, reference.steps);
        }
    }

    /// Blocking conserves tokens: none is lost, and every token is somewhere.
    #[test]
    fn blocking_keeps_the_books(network in networks(Overflow::Block, 3), seed: u64, horizon in 0_u64..300) {
        let outcome = sequential::simulate(&scenario(&network, horizon, seed));
        for (node, statistics) in (0..).zip(&outcome.statistics) {
            prop_assert_eq!(statistics.lost, 0);
            if network.station(node).is_some() {
                let inside = statistics.served + outcome.waiting.arrived(node, horizon);
                prop_assert!(statistics.arrivals <= inside, "{:?}", statistics);
            }
            prop_assert!(statistics.number_integral >= statistics.busy + statistics.blocked_time);
        }
        if let Err(deadlock) = sequential::run(&scenario(&network, horizon, seed)) {
            prop_assert!(!deadlock.nodes.is_empty() && deadlock.time < horizon);
        }
    }

    /// The general engine gives the results of the lean engines.
    #[test]
    fn simple_networks(
        nodes in prop::collection::vec((1_u32..40, 0_u32..5), 1..9),
        targets in prop::collection::vec(prop::collection::vec(0_u32..9, 1..4), 9),
        seed: u64,
        horizon in 0_u64..600,
    ) {
        let count = nodes.len() as u32;
        let nodes = nodes.into_iter().map(|(mean_service, tokens)| Node { label: None, mean_service, tokens });
        let edges: Vec<_> = (0..count)
            .zip(targets)
            .flat_map(|(from, targets)| targets.into_iter().map(move |to| (from, to % count)))
            .collect();
        let network = Network::from_edges(nodes.collect(), &edges).unwrap();
        let device = device(1);
        let scenario = scenario(&network, horizon, seed);
        let lean = exact(&device, &scenario, Schedule::Tiles, &mut go_on).unwrap().outcome;
        for schedule in SCHEDULES {
            let mut general = Simulation::new(&device, std::slice::from_ref(&scenario), schedule).unwrap();
            general.run_to(u64::MAX, &mut go_on).unwrap();
            let general = general.observe().unwrap().remove(0);
            prop_assert_eq!(general.digest(), lean.digest());
            prop_assert_eq!(general.without_most_waiting(), lean.clone());
        }
    }
}

/// A source that is faster than the station behind it.
fn flooded(discipline: Discipline) -> Network {
    let mut network = Builder::new();
    let slow = network.class("slow");
    let source = network.source("source", slow, Law::Exponential { mean: units_from_ticks(5) });
    let station = network.station("station", Station { servers: 2, discipline, ..Station::default() });
    network.serve_all(station, Law::Uniform { low: units_from_ticks(10), high: units_from_ticks(40) });
    network.edge(source, station).exit(station);
    network.build().unwrap()
}

#[test]
fn a_line_grows_for_every_discipline() {
    for discipline in [Discipline::Fifo, Discipline::Lifo, Discipline::Random, Discipline::Priority] {
        let network = flooded(discipline);
        check_alone(&device(2), &network, 3000, 5);
        let outcome = sequential::simulate(&scenario(&network, 3000, 5));
        assert!(outcome.statistics[1].most_waiting > Some(200), "{:?}", outcome.statistics[1]);
    }
}

/// A tandem of stations behind a source, in many copies beside a torus: more than a group of rows.
#[test]
fn networks_of_many_groups() {
    let mut tandem = Builder::new();
    let token = tandem.class("token");
    let mut before = tandem.source("source", token, Law::Exponential { mean: 2.0 });
    for number in 0..300 {
        let station = Station { servers: 1 + number % 3, capacity: Some(20), ..Station::default() };
        let node = tandem.station(format!("{number}"), station);
        tandem.serve_all(node, Law::Exponential { mean: 1.5 });
        tandem.edge(before, node);
        before = node;
    }
    tandem.exit(before);
    let tandem = tandem.build().unwrap();
    let torus = Network::torus(20, 20, 1 << 20, 1).unwrap();
    let networks = [&tandem, &torus, &tandem];
    let scenarios: Vec<_> = (1..).zip(networks).map(|(seed, network)| scenario(network, 60 << 20, seed)).collect();
    check(&device(2), &scenarios, &[20 << 20, u64::MAX], |place, horizon| {
        sequential::simulate(&scenario(networks[place], horizon, place as u64 + 1))
    });
}

#[test]
fn many_servers_look_ahead_at_all_their_services() {
    let mut network = Builder::new();
    let station = network.station("many", Station { servers: 40, capacity: Some(50), ..Station::default() });
    let back = network.station("back", Station::default());
    network.tokens(station, 0, 45).tokens(back, 0, 30);
    network.class("token");
    network.serve_all(station, Law::LogNormal { mean: units_from_ticks(300), cv: 2.0 });
    network.serve_all(back, Law::Deterministic { value: units_from_ticks(1) });
    network.edge(station, back).edge(back, station);
    let network = network.build().unwrap();
    check_alone(&device(1), &network, 5000, 3);
    assert!(sequential::simulate(&scenario(&network, 5000, 3)).statistics[0].lost > 0);
}

#[test]
fn what_the_engine_cannot_do_it_says() {
    let device = device(1);
    let mut network = Builder::new();
    let station = Station { capacity: Some(1), overflow: Overflow::Block, ..Station::default() };
    let nodes = ["a", "b"].map(|label| network.station(label, station));
    for node in nodes {
        network.serve_all(node, Law::Deterministic { value: 1.0 });
    }
    network.tokens(nodes[0], 0, 1).class("token");
    network.edge(nodes[0], nodes[1]).edge(nodes[1], nodes[0]);
    let network = network.build().unwrap();
    let blocking = scenario(&network, 100 << 20, 1);
    let error = exact(&device, &blocking, Schedule::Auto, &mut go_on).unwrap_err();
    assert_eq!(
        error,
        EngineError::Beyond { label: "a".to_owned(), what: "tokens that wait in the servers they come from" }
    );

    let network = flooded(Discipline::Fifo);
    let general = scenario(&network, 100, 1);
    let error = clustered(&device, &general, 10, &mut go_on).unwrap_err();
    assert_eq!(error, EngineError::Unsupported(interval::Unsupported { label: "station".to_owned() }));
}

#[test]
fn a_run_can_be_cancelled() {
    let network = flooded(Discipline::Fifo);
    let scenario = scenario(&network, 1 << 30, 1);
    for schedule in SCHEDULES {
        let ran = exact(&device(1), &scenario, schedule, &mut |_| ControlFlow::Break(()));
        assert!(matches!(ran, Err(EngineError::Cancelled { steps: 1.. })), "{schedule:?}: {ran:?}");
    }
}
