//! Simulations of random stations against theory: M/M/c, M/G/1 and M/M/c/K, with new stations in every run.
//!
//! Intervals are those of `random_networks`: 99.9999 % over 20 replications for each number. A number that misses must
//! not miss again with four times as many.

use crate::twice::compare;
use imminent_queueing::measures::Measures;
use imminent_queueing::network::Discipline;
use imminent_queueing::theory::{self, Stream};
use imminent_queueing::{Builder, Law, Network, Station};
use proptest::prelude::*;

/// Compares a source and a station with its expected measures.
fn alone(rate: f64, service: Law, station: Station, expected: Measures, seed: u64) -> Result<(), TestCaseError> {
    let mut network = Builder::new();
    let source = network.source("source", 0, Law::Exponential { mean: 1.0 / rate });
    let node = network.station("station", station);
    network.serve_all(node, service).edge(source, node).exit(node);
    let network: Network = network.build().unwrap();
    compare(&network, &[None, Some(expected)], seed)
}

fn discipline() -> impl Strategy<Value = Discipline> {
    prop::sample::select(vec![Discipline::Fifo, Discipline::Lifo, Discipline::Random])
}

/// Any law with a mean of about one and no heavy tail; its mean over replications is nearly normal.
fn law() -> impl Strategy<Value = Law> {
    let mean = 0.5..1.5_f64;
    prop_oneof![
        mean.clone().prop_map(|mean| Law::Exponential { mean }),
        mean.clone().prop_map(|value| Law::Deterministic { value }),
        (0.0..0.9_f64, 0.1..1.0_f64).prop_map(|(low, span)| Law::Uniform { low, high: low + span }),
        (1..6_u32, mean.clone()).prop_map(|(stages, mean)| Law::Erlang { stages, mean }),
        (0.1..0.9_f64, 0.2..1.0_f64, 0.5..2.0_f64)
            .prop_map(|(share, a, b)| Law::HyperExponential { branches: vec![(share, a), (1.0 - share, b)] }),
        (0.7..4.0_f64, mean.clone()).prop_map(|(shape, mean)| Law::Gamma { shape, mean }),
        (mean.clone(), 0.2..1.2_f64).prop_map(|(mean, cv)| Law::LogNormal { mean, cv }),
        (0.9..3.0_f64, mean).prop_map(|(shape, mean)| Law::Weibull { shape, mean }),
        (6.0..20.0_f64, 0.5..1.5_f64).prop_map(|(shape, mean)| Law::Pareto { shape, mean }),
        (0.0..0.9_f64, 0.0..0.5_f64, 0.0..0.5_f64).prop_map(|(low, a, b)| Law::Triangular {
            low,
            mode: low + a,
            high: low + a + b + 0.1
        }),
        (0.0..1.2_f64, 0.1..1.0_f64).prop_map(|(location, deviation)| Law::Normal { location, deviation }),
        prop::collection::vec(0.1..0.5_f64, 1..4).prop_map(|means| Law::HypoExponential { means }),
        (0.1..1.0_f64, 0.1..1.0_f64, 0.1..1.0_f64)
            .prop_map(|(a, b, onward)| Law::Coxian { means: vec![a, b], onward: vec![onward] }),
        (0.0..1.0_f64, 0.2..2.0_f64, 0.2..2.0_f64).prop_map(|(share, on, back)| Law::PhaseType {
            initial: vec![share, 1.0 - share],
            generator: vec![vec![-1.0 - on, on], vec![back, -2.0 - back]],
        }),
        prop::collection::vec(0.1..2.0_f64, 1..6).prop_map(|values| Law::Empirical { values }),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 16,
        failure_persistence: None,
        max_shrink_iters: 64,
        ..ProptestConfig::default()
    })]

    #[test]
    fn many_servers(
        servers in 1..7_u32, load in 0.2..0.7_f64, mean in 0.4..2.0_f64, discipline in discipline(), seed: u64,
    ) {
        let rate = load * f64::from(servers) / mean;
        let station = Station { discipline, ..Station::with_servers(servers) };
        alone(rate, Law::Exponential { mean }, station, theory::mmc(rate, mean, servers).unwrap(), seed)?;
    }

    #[test]
    fn any_law(service in law(), load in 0.2..0.6_f64, discipline in discipline(), seed: u64) {
        let rate = load / service.mean();
        let stream = Stream { rate, mean: service.mean(), squared_variation: service.squared_variation() };
        let station = Station { discipline, ..Station::default() };
        alone(rate, service, station, theory::mg1(stream).unwrap(), seed)?;
    }

    #[test]
    fn finite_lines(
        servers in 1..5_u32, waiting in 0..6_u32, load in 0.3..2.0_f64, mean in 0.4..2.0_f64, discipline in discipline(), seed: u64,
    ) {
        let (rate, capacity) = (load * f64::from(servers) / mean, servers + waiting);
        let station = Station { discipline, capacity: Some(capacity), ..Station::with_servers(servers) };
        alone(rate, Law::Exponential { mean }, station, theory::mmck(rate, mean, servers, capacity).measures, seed)?;
    }
}
