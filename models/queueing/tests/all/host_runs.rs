//! Runs by the engine of the host for comparison with theory, and small Markov chains that theory needs.

use crate::observed::covers;
use imminent_common::time::Tick;
use imminent_queueing::config::NetworkConfig;
use imminent_queueing::measures::{Basis, Measure};
use imminent_queueing::outcome::NodeStatistics;
use imminent_queueing::trace::Visit;
use imminent_queueing::{Network, Scenario, Start, host};
use std::cell::OnceCell;

/// Coverage of the intervals: a test of this module's users makes some five comparisons.
const COVERAGE: f64 = 0.9999;

/// Number of replications.
const REPLICATIONS: u64 = 20;

/// Replications of a network between a warm-up and a horizon, simulated when they are first looked at.
pub(crate) struct Runs {
    network: Network,
    /// Warm-up and horizon, in ticks.
    times: [u64; 2],
    /// Statistics by replication, node and class.
    samples: OnceCell<Vec<Vec<NodeStatistics>>>,
    /// Visits that ended after the warm-up, by replication.
    visits: OnceCell<Vec<Vec<Visit>>>,
    span: f64,
}

impl Runs {
    /// Simulates the network of a TOML text, from `warm_up` to `horizon` time units.
    pub(crate) fn of(text: &str, warm_up: f64, horizon: f64) -> Self {
        let config = NetworkConfig::from_toml(text, "network.toml").unwrap();
        let network = config.experiment().map_err(|error| error.to_string()).unwrap().network;
        let times = [warm_up, horizon].map(|units| network.tick().ticks(units).unwrap());
        Self { times, samples: OnceCell::new(), visits: OnceCell::new(), span: horizon - warm_up, network }
    }

    fn each<T>(&self, of: impl Fn(&Scenario<'_>) -> T) -> Vec<T> {
        let scenario = |number| Scenario::new(&self.network, Start::One, self.times[1], 20_261_129, number).unwrap();
        (0..REPLICATIONS).map(|number| of(&scenario(number))).collect()
    }

    fn samples(&self) -> &[Vec<NodeStatistics>] {
        self.samples.get_or_init(|| {
            self.each(|scenario| {
                let mut looks = vec![];
                host::by_class(scenario, &self.times, &mut |_, classes| looks.push(classes)).unwrap();
                looks[1].iter().zip(&looks[0]).map(|(after, before)| after.since(before)).collect()
            })
        })
    }

    fn visits(&self) -> &[Vec<Visit>] {
        self.visits.get_or_init(|| {
            self.each(|scenario| {
                let mut visits = vec![];
                host::traced(scenario, &mut |visit| visits.push(visit)).unwrap();
                visits.into_iter().filter(|visit| visit.left > self.times[0]).collect()
            })
        })
    }

    fn tick(&self) -> Tick {
        self.network.tick()
    }

    fn node(&self, name: &str) -> u32 {
        (0..self.network.len() as u32).find(|&node| self.network.label(node) == name).unwrap()
    }

    /// Asserts that intervals over the replications cover a value, and that they are narrow.
    fn assert(&self, what: &str, values: &[f64], expected: f64) {
        let half = covers(values, expected, COVERAGE, 0.0).map_err(|miss| format!("{what}: {miss}")).unwrap();
        assert!(half < 0.1 * expected.max(0.01), "{what}: {expected} ± {half} is too wide");
    }

    /// Returns a sum over the classes of a node, by replication.
    fn sums(&self, node: &str, class: Option<u32>, of: impl Fn(&NodeStatistics) -> f64) -> Vec<f64> {
        let (node, classes) = (self.node(node), self.network.classes());
        let of_node = |sample: &Vec<NodeStatistics>| {
            let here = sample.chunks(classes).nth(node as usize).unwrap().iter().enumerate();
            here.filter(|(number, _)| class.is_none_or(|class| class as usize == *number))
                .map(|(_, sums)| of(sums))
                .sum()
        };
        self.samples().iter().map(of_node).collect()
    }

    /// Asserts the mean number of tokens at a node.
    pub(crate) fn number(&self, node: &str, expected: f64) {
        let units = |ticks: u64| self.tick().units(ticks) / self.span;
        self.assert("number", &self.sums(node, None, |sums| units(sums.number_integral)), expected);
    }

    /// Asserts the mean number of tokens that wait at a node.
    pub(crate) fn queue_length(&self, node: &str, expected: f64) {
        let length = |sums: &NodeStatistics| {
            Measure::QueueLength.value(sums, Basis::ONE, self.times[1] - self.times[0]).unwrap()
        };
        self.assert("queue length", &self.sums(node, None, length), expected);
    }

    /// Asserts the number of services that a node completes in a time unit.
    pub(crate) fn throughput(&self, node: &str, expected: f64) {
        self.assert("throughput", &self.sums(node, None, |sums| sums.completed as f64 / self.span), expected);
    }

    /// Asserts the mean time that tokens of a class spend at a node.
    pub(crate) fn sojourn(&self, node: &str, class: Option<u32>, expected: f64) {
        let mean = |visit: &Visit| self.tick().units(visit.left - visit.arrived);
        self.mean("sojourn", node, class, mean, expected);
    }

    /// Asserts the mean wait of tokens of a class at a node.
    pub(crate) fn waiting(&self, node: &str, class: Option<u32>, expected: f64) {
        let mean = |visit: &Visit| self.tick().units(visit.started - visit.arrived);
        self.mean("waiting", node, class, mean, expected);
    }

    /// Asserts the sum of the mean waits of classes at a node, each times a factor.
    pub(crate) fn waits(&self, node: &str, factors: &[f64], expected: f64) {
        let number = self.node(node);
        let sum = |visits: &Vec<Visit>| {
            let mut waits = vec![(0.0, 0.0); factors.len()];
            for visit in visits.iter().filter(|visit| visit.node == number) {
                let (count, sum) = &mut waits[visit.class as usize];
                *count += 1.0;
                *sum += self.tick().units(visit.started - visit.arrived);
            }
            waits.iter().zip(factors).map(|((count, sum), factor)| factor * sum / f64::max(*count, 1.0)).sum()
        };
        self.assert("waits", &self.visits().iter().map(sum).collect::<Vec<_>>(), expected);
    }

    /// Asserts the mean time from the source of tokens to the end of their visit to a node.
    pub(crate) fn passage(&self, node: &str, expected: f64) {
        self.mean("passage", node, None, |visit| self.tick().units(visit.left - visit.entered), expected);
    }

    fn mean(&self, what: &str, node: &str, class: Option<u32>, of: impl Fn(&Visit) -> f64, expected: f64) {
        let number = self.node(node);
        let mean = |visits: &Vec<Visit>| {
            let counted =
                visits.iter().filter(|visit| visit.node == number && class.is_none_or(|class| class == visit.class));
            let (count, sum) = counted.fold((0.0, 0.0), |(count, sum), visit| (count + 1.0, sum + of(visit)));
            sum / f64::max(count, 1.0)
        };
        self.assert(what, &self.visits().iter().map(mean).collect::<Vec<_>>(), expected);
    }

    /// Asserts the share of the arrivals at a node for which something was counted.
    pub(crate) fn share(&self, node: &str, of: impl Fn(&NodeStatistics) -> u64, expected: f64) {
        let counted = self.sums(node, None, |sums| of(sums) as f64);
        let arrivals = self.sums(node, None, |sums| sums.arrivals as f64);
        let shares: Vec<f64> = counted.iter().zip(&arrivals).map(|(counted, all)| counted / all).collect();
        self.assert("share", &shares, expected);
    }
}

/// Returns the stationary law of a Markov chain with states `0..states`, whose `moves` are targets and rates.
pub(crate) fn stationary(states: usize, moves: impl Fn(usize) -> Vec<(usize, f64)>) -> Vec<f64> {
    let all: Vec<_> = (0..states).map(&moves).collect();
    let fastest = all.iter().map(|moves| moves.iter().map(|(_, rate)| rate).sum::<f64>()).fold(0.0, f64::max);
    let mut law = vec![1.0 / states as f64; states];
    for _ in 0..200_000 {
        let mut next = vec![0.0; states];
        for (state, moves) in all.iter().enumerate() {
            let mut stays = law[state];
            for (to, rate) in moves {
                let flow = law[state] * rate / (1.01 * fastest);
                stays -= flow;
                next[*to] += flow;
            }
            next[state] += stays;
        }
        let change: f64 = next.iter().zip(&law).map(|(a, b)| (a - b).abs()).sum();
        law = next;
        if change < 1e-13 {
            break;
        }
    }
    law
}

/// Returns the stationary law of a birth-and-death process with states up to `most`.
pub(crate) fn births_and_deaths(most: usize, birth: impl Fn(usize) -> f64, death: impl Fn(usize) -> f64) -> Vec<f64> {
    let mut law = vec![1.0];
    for state in 1..=most {
        law.push(law[state - 1] * birth(state - 1) / death(state));
    }
    let all: f64 = law.iter().sum();
    law.into_iter().map(|share| share / all).collect()
}

/// Returns the mean of a law of numbers.
pub(crate) fn mean(law: &[f64]) -> f64 {
    (0..).zip(law).map(|(number, share)| f64::from(number) * share).sum()
}
