//! Simulations of open and closed networks against queueing theory, by intervals of stated coverage.
//!
//! Each replication is observed after a warm-up and at its end; what lies between is compared. The intervals are Student's over the replications. Fixed cases have
//! fixed seeds and intervals of 99.9 %, which must also be narrow; random networks have intervals of 99.9999 % each, so that a run of this file
//! fails by chance less than once in a thousand times.

#![allow(clippy::unwrap_used)]

use imminent_core::Device;
use imminent_cpu::{CpuBackend, Options};
use imminent_models::queueing::engine::{Schedule, Simulation};
use imminent_models::queueing::measures::Measures;
use imminent_models::queueing::network::{Discipline, Onward};
use imminent_models::queueing::outcome::NodeStatistics;
use imminent_models::queueing::theory::{self, Stream};
use imminent_models::queueing::{Builder, Law, Network, Node, Scenario, Start, Station};
use imminent_models::time::{ticks_from_units, units_from_ticks};
use proptest::prelude::*;
use statrs::distribution::{ContinuousCDF, StudentsT};
use std::ops::ControlFlow;

const REPLICATIONS: u64 = 20;

/// What every node did between warm-up and horizon, by replication.
struct Observed {
    replications: Vec<Vec<NodeStatistics>>,
    /// Time between the two, in time units.
    span: f64,
}

fn simulate(network: &Network, warm_up: f64, horizon: f64, seed: u64) -> Observed {
    let device = Device::open(CpuBackend::open(&Options::default()).unwrap()).unwrap();
    let (from, to) = (ticks_from_units(warm_up).unwrap(), ticks_from_units(horizon).unwrap());
    let scenarios: Vec<_> =
        (0..REPLICATIONS).map(|number| Scenario::new(network, Start::One, to, seed, number).unwrap()).collect();
    let mut simulation = Simulation::new(&device, &scenarios, Schedule::Auto).unwrap();
    simulation.run_to(from, &mut |_| ControlFlow::Continue(())).unwrap();
    let before = simulation.observe().unwrap();
    simulation.run_to(to, &mut |_| ControlFlow::Continue(())).unwrap();
    let after = simulation.observe().unwrap();
    let since = |(after, before): (&Vec<NodeStatistics>, &Vec<NodeStatistics>)| {
        after.iter().zip(before).map(|(after, before)| after.since(before)).collect()
    };
    let pairs = after.iter().map(|outcome| &outcome.statistics).zip(before.iter().map(|outcome| &outcome.statistics));
    Observed { replications: pairs.map(since).collect(), span: units_from_ticks(to - from) }
}

impl Observed {
    fn of(&self, node: u32, measure: impl Fn(&NodeStatistics) -> f64) -> Vec<f64> {
        self.replications.iter().map(|nodes| measure(&nodes[node as usize])).collect()
    }

    /// Compares utilization, throughput and number of tokens with theory.
    fn check(&self, node: u32, servers: u32, expected: &Measures, coverage: f64) -> Result<(), String> {
        let ticks = |sum: u64| units_from_ticks(sum) / self.span;
        let found = [
            ("utilization", self.of(node, |node| ticks(node.busy) / f64::from(servers)), expected.utilization),
            ("throughput", self.of(node, |node| node.completed as f64 / self.span), expected.throughput),
            ("number in system", self.of(node, |node| ticks(node.number_integral)), expected.number_in_system),
        ];
        found.iter().try_for_each(|(name, values, expected)| {
            covers(values, *expected, coverage).map(drop).map_err(|error| format!("node {node}, {name}: {error}"))
        })
    }
}

/// Whether Student's interval of a coverage over `values` holds `expected`; gives its half-width.
fn covers(values: &[f64], expected: f64, coverage: f64) -> Result<f64, String> {
    let count = values.len() as f64;
    let mean = values.iter().sum::<f64>() / count;
    let variance = values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / (count - 1.0);
    let student = StudentsT::new(0.0, 1.0, count - 1.0).unwrap();
    let half = student.inverse_cdf(f64::midpoint(1.0, coverage)) * (variance / count).sqrt();
    // What is rarer than this happens in few replications or none, and their variance says little of it.
    let seen = 3e-4 * expected.abs();
    if (mean - expected).abs() <= half.max(seen) {
        Ok(half)
    } else {
        Err(format!("{mean} ± {half} instead of {expected}"))
    }
}

fn narrow(values: &[f64], expected: f64, width: f64) {
    let half = covers(values, expected, 0.999).unwrap();
    assert!(half < width * expected, "± {half} is too wide to say much about {expected}");
}

/// A source and a station.
fn station(rate: f64, service: Law, station: Station) -> Network {
    let mut network = Builder::new();
    let source = network.source("source", 0, Law::Exponential { mean: 1.0 / rate });
    let node = network.station("station", station);
    network.serve_all(node, service).edge(source, node).exit(node);
    network.build().unwrap()
}

#[test]
fn many_servers_are_as_erlang_found() {
    for (rate, servers) in [(0.5, 1), (1.2, 2), (4.0, 5)] {
        let network = station(rate, Law::Exponential { mean: 1.0 }, Station::with_servers(servers));
        let expected = theory::mmc(rate, 1.0, servers).unwrap();
        let observed = simulate(&network, 100.0, 5_100.0, 11);
        observed.check(1, servers, &expected, 0.999).unwrap();
        let number = observed.of(1, |node| units_from_ticks(node.number_integral) / observed.span);
        narrow(&number, expected.number_in_system, 0.08);
    }
}

#[test]
fn any_law_is_as_pollaczek_and_khinchine_found() {
    let laws = [
        Law::Deterministic { value: 1.0 },
        Law::Uniform { low: 0.5, high: 1.5 },
        Law::Erlang { stages: 3, mean: 1.0 },
        Law::HyperExponential { branches: vec![(0.4, 0.25), (0.6, 1.5)] },
        Law::Gamma { shape: 2.5, mean: 1.0 },
        Law::LogNormal { mean: 1.0, cv: 1.2 },
        Law::Weibull { shape: 1.5, mean: 1.0 },
        Law::Empirical { values: vec![0.2, 0.4, 1.0, 2.4] },
    ];
    for law in laws {
        let stream = Stream { rate: 0.6, mean: law.mean(), squared_variation: law.squared_variation() };
        let expected = theory::mg1(stream).unwrap();
        // The order of service is nothing to the number of tokens, as long as it does not look at their services.
        for discipline in [Discipline::Fifo, Discipline::Lifo, Discipline::Random] {
            let network = station(0.6, law.clone(), Station { discipline, ..Station::default() });
            let observed = simulate(&network, 100.0, 3_100.0, 5);
            observed.check(1, 1, &expected, 0.999).unwrap();
            let number = observed.of(1, |node| units_from_ticks(node.number_integral) / observed.span);
            narrow(&number, expected.number_in_system, 0.15);
        }
    }
}

#[test]
fn a_full_station_loses_what_theory_says() {
    for (rate, servers, capacity) in [(0.8, 1, 3), (3.0, 2, 6), (4.0, 5, 5), (2.0, 1, 1)] {
        let room = Station { capacity: Some(capacity), ..Station::with_servers(servers) };
        let network = station(rate, Law::Exponential { mean: 1.0 }, room);
        let expected = theory::mmck(rate, 1.0, servers, capacity);
        let observed = simulate(&network, 50.0, 3_050.0, 8);
        observed.check(1, servers, &expected.measures, 0.999).unwrap();
        let loss = observed.of(1, |node| node.lost as f64 / node.arrivals as f64);
        narrow(&loss, expected.loss, 0.06);
    }
}

#[test]
fn priorities_are_as_cobham_found() {
    let (mut network, rates) = (Builder::new(), [0.2, 0.3]);
    let laws = [Law::Exponential { mean: 1.0 }, Law::Erlang { stages: 2, mean: 1.5 }];
    let classes = ["first", "second"].map(|name| network.class(name));
    let node = network.station("node", Station { discipline: Discipline::Priority, ..Station::default() });
    for (class, (rate, law)) in classes.into_iter().zip(rates.into_iter().zip(&laws)) {
        let source = network.source(format!("source {class}"), class, Law::Exponential { mean: 1.0 / rate });
        network.edge(source, node).serve(node, class, law.clone()).priority(node, class, class);
    }
    network.exit(node);
    let streams: Vec<Stream> = rates
        .iter()
        .zip(&laws)
        .map(|(&rate, law)| Stream { rate, mean: law.mean(), squared_variation: law.squared_variation() })
        .collect();
    let expected = theory::priority_mg1(&streams).unwrap();
    let number: f64 = expected.iter().map(|measures| measures.number_in_system).sum();
    let observed = simulate(&network.build().unwrap(), 200.0, 8_200.0, 3);
    let found = observed.of(node, |node| units_from_ticks(node.number_integral) / observed.span);
    narrow(&found, number, 0.08);
    // First come, first served would be another number: the services of the two differ.
    let reversed: Vec<Stream> = streams.into_iter().rev().collect();
    let other: f64 = theory::priority_mg1(&reversed).unwrap().iter().map(|measures| measures.number_in_system).sum();
    assert!(covers(&found, other, 0.999).is_err());
}

/// A random open network of two classes and product form, every node's load at most 0.6.
fn open_network() -> impl Strategy<Value = Network> {
    let nodes = prop::collection::vec((1_u32..4, 0.2..0.6_f64, 0..3_usize), 1..5);
    let routes = prop::collection::vec((0_u32..8, 0_u32..2, 0_u32..8, 0_u32..2, 0.05..0.6_f64), 0..10);
    (nodes, routes).prop_map(|(nodes, routes)| {
        // First with services of one unit, to find the flows, which do not depend on them.
        let flows = theory::Load::of(&open_draft(&nodes, &routes, &[])).unwrap();
        let means: Vec<f64> = (0..)
            .zip(&nodes)
            .map(|(node, (servers, load, _))| load * f64::from(*servers) / flows.total_rate(node))
            .collect();
        open_draft(&nodes, &routes, &means)
    })
}

fn open_draft(nodes: &[(u32, f64, usize)], routes: &[(u32, u32, u32, u32, f64)], means: &[f64]) -> Network {
    let mut network = Builder::new();
    let classes = ["a", "b"].map(|name| network.class(name));
    let count = nodes.len() as u32;
    for (node, (servers, _, discipline)) in (0..).zip(nodes) {
        let discipline = [Discipline::Fifo, Discipline::Lifo, Discipline::Random][*discipline];
        network.station("", Station { discipline, ..Station::with_servers(*servers) });
        network.serve_all(node, Law::Exponential { mean: means.get(node as usize).copied().unwrap_or(1e-3) });
    }
    for node in 0..count {
        let source = network.source("", classes[node as usize % 2], Law::Exponential { mean: 1.0 + f64::from(node) });
        network.edge(source, node);
        for class in classes {
            let mut left = 1.0;
            for &(_, _, to, becomes, share) in routes.iter().filter(|route| route.0 % count == node && route.1 == class)
            {
                let probability = left * share;
                left -= probability;
                network.route(
                    node,
                    class,
                    Onward::to(to % count).becoming(classes[becomes as usize]).with(probability),
                );
            }
            network.route(node, class, Onward::out().with(left));
        }
    }
    network.build().unwrap()
}

/// A random closed network in which every node can be reached from every other.
fn closed_network() -> impl Strategy<Value = Network> {
    let nodes = prop::collection::vec((0.2..3.0_f64, 0_u32..3), 2..6);
    (nodes, prop::collection::vec((0_u32..8, 0_u32..8), 0..6)).prop_map(|(nodes, edges)| {
        let count = nodes.len() as u32;
        let ring = (0..count).map(|node| (node, (node + 1) % count));
        let edges: Vec<_> = ring.chain(edges.iter().map(|(from, to)| (from % count, to % count))).collect();
        let node = |&(mean, tokens): &(f64, u32)| Node {
            label: None,
            mean_service: ticks_from_units(mean).unwrap() as u32,
            tokens: tokens + 1,
        };
        Network::from_edges(nodes.iter().map(node).collect(), &edges).unwrap()
    })
}

/// A random closed network of two classes, several servers and product form; tokens may change their class at one place.
fn closed_classes() -> impl Strategy<Value = Network> {
    let nodes = prop::collection::vec((1_u32..4, 0.2..2.0_f64, 0..3_usize, 0_u32..3, 0_u32..3), 2..5);
    (nodes, prop::collection::vec((0_u32..8, 0_u32..2, 0_u32..8), 0..6), any::<bool>()).prop_map(
        |(nodes, routes, switch)| {
            let mut network = Builder::new();
            let classes = ["a", "b"].map(|name| network.class(name));
            let count = nodes.len() as u32;
            for (node, (servers, mean, discipline, a, b)) in (0..).zip(nodes) {
                let discipline = [Discipline::Fifo, Discipline::Lifo, Discipline::Random][discipline];
                network.station("", Station { discipline, ..Station::with_servers(servers) });
                network
                    .serve_all(node, Law::Exponential { mean })
                    .tokens(node, classes[0], a + 1)
                    .tokens(node, classes[1], b);
                for class in classes {
                    network.route(node, class, Onward::to((node + 1) % count));
                    if switch && node == 0 {
                        network.route(
                            node,
                            class,
                            Onward::to((node + 1) % count).becoming(classes[1 - class as usize]),
                        );
                    }
                }
            }
            for (from, class, to) in routes {
                network.route(from % count, class, Onward::to(to % count));
            }
            network.build().unwrap()
        },
    )
}

proptest! {
    // The same networks every time: statistics are allowed to miss once in a while, and a test is not.
    #![proptest_config(ProptestConfig {
        cases: 12,
        rng_seed: proptest::test_runner::RngSeed::Fixed(5),
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn random_open_networks_are_as_jackson_found(network in open_network(), seed in any::<u64>()) {
        let expected = theory::jackson(&network).unwrap();
        prop_assert!(network.warnings().is_empty());
        let observed = simulate(&network, 300.0, 2_300.0, seed);
        for (node, expected) in (0..).zip(&expected) {
            let (Some(expected), Some(station)) = (expected, network.station(node)) else { continue };
            observed.check(node, station.servers, expected, 1.0 - 1e-6).map_err(TestCaseError::fail)?;
        }
    }

    #[test]
    fn random_closed_networks_are_as_mean_value_analysis_finds(network in closed_network(), seed in any::<u64>()) {
        let expected = theory::mean_value_analysis(&network).unwrap();
        let observed = simulate(&network, 300.0, 2_300.0, seed);
        for (node, expected) in (0..).zip(&expected) {
            observed.check(node, 1, expected, 1.0 - 1e-6).map_err(TestCaseError::fail)?;
        }
    }

    #[test]
    fn random_closed_networks_of_classes_are_as_their_product_form(network in closed_classes(), seed in any::<u64>()) {
        let expected = theory::closed_product_form(&network).unwrap();
        let observed = simulate(&network, 300.0, 2_300.0, seed);
        for (node, expected) in (0..).zip(&expected) {
            let servers = network.station(node).unwrap().servers;
            observed.check(node, servers, expected, 1.0 - 1e-6).map_err(TestCaseError::fail)?;
        }
    }
}
