//! Quantiles of visit times against the distributions of theory.

use crate::device::{host, run};
use imminent_common::estimate::Confidence;
use imminent_common::output::Sections;
use imminent_common::output::quantiles::PERCENTS;
use imminent_common::output::sketch::RELATIVE_ERROR;
use imminent_queueing::analysis::{Plan, WarmUp};
use imminent_queueing::engine::{Schedule, Watching};
use imminent_queueing::experiment::Experiment;
use imminent_queueing::trace::RunTimes;
use imminent_queueing::{Builder, Law, Start, Station};

const UNIT: f64 = (1 << 20) as f64;

/// Returns the visit times of a single server with Poisson arrivals at rate `load` and a service law of mean 1.
fn times(load: f64, law: Law, seed: u64, replications: u64, horizon: u64) -> RunTimes {
    let mut network = Builder::new();
    let class = network.class("token");
    let source = network.source("source", class, Law::Exponential { mean: 1.0 / load });
    let desk = network.station("desk", Station::default());
    network.serve_all(desk, law).edge(source, desk).exit(desk);
    let plan = Plan { warm_up: WarmUp::Time(200 << 20), ..Plan::default() };
    let (network, horizon) = (network.build().unwrap(), horizon << 20);
    let experiment =
        Experiment { network, start: Start::One, horizon, seed, first: 0, replications, interval: None, plan };
    let how = Watching { schedule: Schedule::Events, times: true };
    run(&host(), &experiment, replications, how).unwrap().times().unwrap().clone()
}

/// Returns the value at which a distribution function reaches `share`.
fn inverse(share: f64, cdf: impl Fn(f64) -> f64) -> f64 {
    // Farther out, cancellation in Erlang's sum loses all digits.
    let (mut low, mut high) = (0.0, 30.0);
    for _ in 0..100 {
        let middle = f64::midpoint(low, high);
        if cdf(middle) < share { low = middle } else { high = middle }
    }
    high
}

/// Compares each quantile with theory, within the errors of chance and of the sketch. The interval covers in 95 of 100
/// experiments; one and a half of it in 99.5.
fn agree(what: &str, sections: &Sections, cdf: impl Fn(f64) -> f64) {
    for (percent, quantile) in PERCENTS.into_iter().zip(sections.quantiles(Confidence::DEFAULT)) {
        let expected = inverse(f64::from(percent) / 100.0, &cdf);
        let (value, half) = (quantile.value.unwrap() / UNIT, quantile.half_width().unwrap() / UNIT);
        assert!(
            (value - expected).abs() <= 1.5 * half + RELATIVE_ERROR * expected && half <= 0.05 * expected,
            "{what}, {percent} %: {value} ± {half} instead of {expected}"
        );
    }
}

#[test]
fn a_queue_of_exponential_services_has_its_quantiles() {
    let load = 0.6;
    let times = times(load, Law::Exponential { mean: 1.0 }, 3, 20, 20_200);
    agree("sojourn of M/M/1", &times.sojourn, |t| 1.0 - f64::exp(-(1.0 - load) * t));
    agree("waiting of M/M/1", &times.waiting, |t| 1.0 - load * f64::exp(-(1.0 - load) * t));
}

/// Erlang's distribution function of the waiting time for services of length 1.
fn waits_at_most(load: f64, t: f64) -> f64 {
    let mut sum = 0.0;
    for k in 0..=t.floor() as u32 {
        let x = load * (f64::from(k) - t);
        let term: f64 = (1..=k).map(|i| x / f64::from(i)).product();
        sum += term * f64::exp(-x);
    }
    (1.0 - load) * sum
}

#[test]
fn a_queue_of_equal_services_has_its_quantiles() {
    let load = 0.6;
    let times = times(load, Law::Deterministic { value: 1.0 }, 4, 20, 20_200);
    agree("waiting of M/D/1", &times.waiting, |t| waits_at_most(load, t));
    agree("sojourn of M/D/1", &times.sojourn, |t| if t < 1.0 { 0.0 } else { waits_at_most(load, t - 1.0) });
    // A token that finds the desk idle stays for one service, to the tick.
    assert_eq!(times.sojourn.all().extremes().unwrap().0, 1 << 20);
    assert_eq!(times.waiting.all().extremes().unwrap().0, 0);
}

/// Intervals over replications cover as stated. Those of order statistics assume independent visits and do not: visits
/// in one long line share its length.
#[test]
fn intervals_over_replications_cover_and_those_over_visits_would_not() {
    let (load, runs) = (0.7, 60_u64);
    let expected = f64::ln(20.0) / (1.0 - load);
    let (mut covered, mut covered_by_order) = (0, 0);
    for seed in 0..runs {
        let times = times(load, Law::Exponential { mean: 1.0 }, 100 + seed, 10, 2_200);
        let [_, _, p95, _] = times.sojourn.quantiles(Confidence::DEFAULT);
        let (Some(value), Some(half)) = (p95.value, p95.half_width()) else { panic!("{p95:?}") };
        let off = (value / UNIT - expected).abs();
        covered += u64::from(off <= half / UNIT + RELATIVE_ERROR * expected);
        // Deviation of the order statistic of independent values, by the density of the sojourn at the quantile.
        let density = 0.05 * (1.0 - load);
        let deviation = f64::sqrt(0.95 * 0.05 / times.sojourn.all().total() as f64) / density;
        covered_by_order += u64::from(off <= 1.96 * deviation);
    }
    // Binomial with 0.95: 57 with a deviation of 1.7.
    assert!(covered >= 52, "{covered} of {runs}");
    assert!(covered_by_order <= 40, "{covered_by_order} of {runs}");
}
