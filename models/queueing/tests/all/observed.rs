//! Simulations for comparison with theory, by Student's intervals over replications.
//!
//! Each replication is observed after a warm-up and at its end; the difference is compared.

use crate::device::{go_on, host};
use imminent_common::time::{ticks_from_units, units_from_ticks};
use imminent_queueing::engine::{Schedule, Simulation};
use imminent_queueing::measures::Measures;
use imminent_queueing::outcome::NodeStatistics;
use imminent_queueing::{Network, Scenario, Start};
use statrs::distribution::{ContinuousCDF, StudentsT};

/// Statistics of every node between warm-up and horizon, by replication.
pub(crate) struct Observed {
    replications: Vec<Vec<NodeStatistics>>,
    /// Time between warm-up and horizon, in time units.
    pub(crate) span: f64,
}

impl Observed {
    /// Simulates replications from `warm_up` to `horizon`, in time units.
    pub(crate) fn of(network: &Network, replications: u64, warm_up: f64, horizon: f64, seed: u64) -> Self {
        let device = host();
        let (from, to) = (ticks_from_units(warm_up).unwrap(), ticks_from_units(horizon).unwrap());
        let scenarios: Vec<_> =
            (0..replications).map(|number| Scenario::new(network, Start::One, to, seed, number).unwrap()).collect();
        let mut simulation = Simulation::new(&device, &scenarios, Schedule::Auto).unwrap();
        simulation.run_to(from, &mut go_on).unwrap();
        let before = simulation.observe().unwrap();
        simulation.run_to(to, &mut go_on).unwrap();
        let after = simulation.observe().unwrap();
        let since = |(after, before): (&Vec<NodeStatistics>, &Vec<NodeStatistics>)| {
            after.iter().zip(before).map(|(after, before)| after.since(before)).collect()
        };
        let pairs =
            after.iter().map(|outcome| &outcome.statistics).zip(before.iter().map(|outcome| &outcome.statistics));
        Self { replications: pairs.map(since).collect(), span: units_from_ticks(to - from) }
    }

    /// Returns a measure of a node, by replication.
    pub(crate) fn by_replication(&self, node: u32, measure: impl Fn(&NodeStatistics) -> f64) -> Vec<f64> {
        self.replications.iter().map(|nodes| measure(&nodes[node as usize])).collect()
    }

    /// Compares utilization, throughput and number of tokens with theory, by intervals of a given coverage. Returns the
    /// names of the measures that miss, and their deviations.
    pub(crate) fn misses(
        &self,
        node: u32,
        servers: u32,
        expected: &Measures,
        coverage: f64,
    ) -> Vec<(&'static str, String)> {
        let ticks = |sum: u64| units_from_ticks(sum) / self.span;
        let busy = self.by_replication(node, |node| ticks(node.busy) / f64::from(servers));
        let throughput = self.by_replication(node, |node| node.completed as f64 / self.span);
        let number = self.by_replication(node, |node| ticks(node.number_integral));
        let found = [
            ("utilization", busy, expected.utilization, RARE),
            ("throughput", throughput, expected.throughput, 0.0),
            ("number in system", number, expected.number_in_system, 0.0),
        ];
        let miss = |(name, values, expected, least): (_, Vec<f64>, _, _)| {
            Some((name, covers(&values, expected, coverage, least).err()?))
        };
        found.into_iter().filter_map(miss).collect()
    }
}

/// Largest difference of utilizations that count as equal. A server that is idle or busy more rarely is so in few
/// replications or none, and their variance is then unreliable.
const RARE: f64 = 2e-3;

/// Checks that Student's interval of a coverage over `values` contains `expected`; its half-width is at least `least`.
/// Returns the half-width.
pub(crate) fn covers(values: &[f64], expected: f64, coverage: f64, least: f64) -> Result<f64, String> {
    let count = values.len() as f64;
    let mean = values.iter().sum::<f64>() / count;
    let variance = values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / (count - 1.0);
    let student = StudentsT::new(0.0, 1.0, count - 1.0).unwrap();
    let half = least.max(student.inverse_cdf(f64::midpoint(1.0, coverage)) * (variance / count).sqrt());
    if (mean - expected).abs() <= half { Ok(half) } else { Err(format!("{mean} ± {half} instead of {expected}")) }
}
