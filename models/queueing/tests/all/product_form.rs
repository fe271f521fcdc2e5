//! Simulations of single stations against queueing theory: fixed seeds, 20 replications, and intervals of 99.9 %, which
//! must also be narrow.

use crate::observed::{Observed, covers};
use imminent_common::time::units_from_ticks;
use imminent_queueing::network::Discipline;
use imminent_queueing::theory::{self, Stream};
use imminent_queueing::{Builder, Law, Network, Station};

fn narrow(values: &[f64], expected: f64, width: f64) {
    let half = covers(values, expected, 0.999, 0.0).unwrap();
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
        let observed = Observed::of(&network, 20, 100.0, 5_100.0, 11);
        assert_eq!(observed.misses(1, servers, &expected, 0.999), []);
        let number = observed.by_replication(1, |node| units_from_ticks(node.number_integral) / observed.span);
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
        Law::Pareto { shape: 6.0, mean: 1.0 },
        Law::Triangular { low: 0.0, mode: 0.5, high: 2.5 },
        Law::Normal { location: 0.8, deviation: 0.6 },
        Law::HypoExponential { means: vec![0.7, 0.3] },
        Law::Coxian { means: vec![0.6, 1.0, 0.5], onward: vec![0.3, 0.5] },
        Law::PhaseType {
            initial: vec![0.4, 0.6, 0.0],
            generator: vec![vec![-4.0, 1.0, 1.0], vec![0.0, -2.0, 1.0], vec![1.0, 0.0, -3.0]],
        },
        Law::Empirical { values: vec![0.2, 0.4, 1.0, 2.4] },
    ];
    for law in laws {
        let stream = Stream { rate: 0.6, mean: law.mean(), squared_variation: law.squared_variation() };
        let expected = theory::mg1(stream).unwrap();
        // The order of service does not affect the number of tokens if it does not depend on their service times.
        for discipline in [Discipline::Fifo, Discipline::Lifo, Discipline::Random] {
            let network = station(0.6, law.clone(), Station { discipline, ..Station::default() });
            let observed = Observed::of(&network, 20, 100.0, 3_100.0, 5);
            assert_eq!(observed.misses(1, 1, &expected, 0.999), []);
            let number = observed.by_replication(1, |node| units_from_ticks(node.number_integral) / observed.span);
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
        let observed = Observed::of(&network, 20, 50.0, 3_050.0, 8);
        assert_eq!(observed.misses(1, servers, &expected.measures, 0.999), []);
        let loss = observed.by_replication(1, |node| node.lost as f64 / node.arrivals as f64);
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
    let observed = Observed::of(&network.build().unwrap(), 20, 200.0, 8_200.0, 3);
    let found = observed.by_replication(node, |node| units_from_ticks(node.number_integral) / observed.span);
    narrow(&found, number, 0.08);
    // First come, first served would give another number, since the services of the two differ.
    let reversed: Vec<Stream> = streams.into_iter().rev().collect();
    let other: f64 = theory::priority_mg1(&reversed).unwrap().iter().map(|measures| measures.number_in_system).sum();
    assert!(covers(&found, other, 0.999, 0.0).is_err());
}
