//! From the integers of an outcome to the numbers of queueing theory, with their confidence intervals.
//!
//! Times of visits are given in two ways. The plain average over the *completed* visits leaves out the visits that the
//! horizon cuts off, long ones more often than short ones, and counts those at the start from time 0: it is too small
//! by about one visit in the horizon. The ratio of areas, by *Little's law*, has no such bias in a stationary run, so it
//! is what `waiting` and `sojourn` are, and what can be compared with theory. The two meet as the horizon grows.

use crate::estimate::Estimate;
use crate::queueing::outcome::{NodeStatistics, Outcome};
use crate::time::units_from_ticks;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The steady-state measures of a node, or of the average node of a network. Times are in time units.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Measures {
    /// Fraction of the time that the server spends serving.
    pub utilization: f64,
    /// Services completed in a time unit.
    pub throughput: f64,
    /// Time average of the number of tokens waiting, the one in service not counted.
    pub queue_length: f64,
    /// Time average of the number of tokens waiting or in service.
    pub number_in_system: f64,
    /// Mean time that a visit spends waiting, by Little's law: `queue_length / throughput`; `None` if no service was
    /// completed.
    pub waiting: Option<f64>,
    /// Mean time that a visit takes, by Little's law: `number_in_system / throughput`; `None` if no service was
    /// completed.
    pub sojourn: Option<f64>,
    /// Mean wait of the visits completed: see the [module](self) for how it differs.
    pub completed_waiting: Option<f64>,
    /// Mean duration of the visits completed: see the [module](self) for how it differs.
    pub completed_sojourn: Option<f64>,
}

impl Measures {
    /// The measures of one node over `horizon` ticks; all zero for a horizon of 0.
    #[must_use]
    pub fn of_node(node: &NodeStatistics, horizon: u64) -> Self {
        Self::of_sums(node, 1, horizon)
    }

    /// The measures of the average node: rates and numbers averaged over nodes, times over tokens.
    #[must_use]
    pub fn of_network(outcome: &Outcome) -> Self {
        Self::of_sums(&outcome.totals(), outcome.statistics.len(), outcome.horizon)
    }

    fn of_sums(sums: &NodeStatistics, nodes: usize, horizon: u64) -> Self {
        let span = (horizon as f64 * nodes as f64).max(1.0);
        let per_service = |sum| (sums.completed > 0).then(|| units_from_ticks(sum) / sums.completed as f64);
        Self {
            utilization: sums.busy as f64 / span,
            throughput: sums.completed as f64 / (span * units_from_ticks(1)),
            queue_length: (sums.number_integral - sums.busy) as f64 / span,
            number_in_system: sums.number_integral as f64 / span,
            waiting: per_service(sums.number_integral - sums.busy),
            sojourn: per_service(sums.number_integral),
            completed_waiting: per_service(sums.waiting_sum),
            completed_sojourn: per_service(sums.sojourn_sum),
        }
    }

    /// The measures by the names under which reports list them.
    #[must_use]
    pub fn named(&self) -> [(&'static str, Option<f64>); 8] {
        [
            ("utilization", Some(self.utilization)),
            ("throughput", Some(self.throughput)),
            ("queue_length", Some(self.queue_length)),
            ("number_in_system", Some(self.number_in_system)),
            ("waiting", self.waiting),
            ("sojourn", self.sojourn),
            ("completed_waiting", self.completed_waiting),
            ("completed_sojourn", self.completed_sojourn),
        ]
    }
}

/// Estimates every measure from one value per replication, under the names of [`Measures::named`].
///
/// A replication in which no service was completed has no waiting and no sojourn time, and is left out there.
#[must_use]
pub fn estimates(replications: &[Measures]) -> BTreeMap<String, Estimate> {
    let mut values: BTreeMap<&str, Vec<f64>> = BTreeMap::new();
    for measures in replications {
        for (name, value) in measures.named() {
            values.entry(name).or_default().extend(value);
        }
    }
    values.into_iter().map(|(name, values)| (name.to_owned(), Estimate::of(&values))).collect()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn measures_are_ratios_of_the_sums() {
        let unit = crate::time::TICKS_PER_UNIT;
        let node = NodeStatistics {
            served: 5,
            completed: 4,
            busy: 6 * unit,
            sojourn_sum: 12 * unit,
            waiting_sum: 4 * unit,
            number_integral: 15 * unit,
        };
        let measures = Measures::of_node(&node, 10 * unit);
        assert_eq!(measures.utilization, 0.6);
        assert_eq!(measures.throughput, 0.4);
        assert_eq!(measures.number_in_system, 1.5);
        assert_eq!(measures.queue_length, 0.9);
        assert_eq!(measures.waiting, Some(9.0 / 4.0));
        assert_eq!(measures.sojourn, Some(15.0 / 4.0));
        assert_eq!(measures.completed_waiting, Some(1.0));
        assert_eq!(measures.completed_sojourn, Some(3.0));
    }

    #[test]
    fn nothing_served_is_no_number_rather_than_a_wrong_one() {
        let measures = Measures::of_node(&NodeStatistics::default(), 0);
        assert_eq!((measures.utilization, measures.waiting), (0.0, None));
        let estimates = estimates(&[measures, measures]);
        assert_eq!(estimates["sojourn"].mean, None);
        assert_eq!(estimates["utilization"].ci95, Some(0.0));
    }
}
