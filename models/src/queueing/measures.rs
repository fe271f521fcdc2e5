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
use std::fmt;
use std::str::FromStr;

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

    pub(crate) fn of_sums(sums: &NodeStatistics, nodes: usize, span: u64) -> Self {
        let value = |measure: Measure| {
            let (numerator, denominator) = measure.ratio(sums, nodes, span);
            (denominator > 0.0).then(|| numerator / denominator)
        };
        let rate = |measure| value(measure).unwrap_or(0.0);
        Self {
            utilization: rate(Measure::Utilization),
            throughput: rate(Measure::Throughput),
            queue_length: rate(Measure::QueueLength),
            number_in_system: rate(Measure::NumberInSystem),
            waiting: value(Measure::Waiting),
            sojourn: value(Measure::Sojourn),
            completed_waiting: value(Measure::CompletedWaiting),
            completed_sojourn: value(Measure::CompletedSojourn),
        }
    }

    /// The measures by the names under which reports list them.
    #[must_use]
    pub fn named(&self) -> [(&'static str, Option<f64>); Measure::ALL.len()] {
        Measure::ALL.map(|measure| (measure.name(), measure.of(self)))
    }
}

/// One of the [`Measures`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Measure {
    /// [`Measures::utilization`].
    Utilization,
    /// [`Measures::throughput`].
    Throughput,
    /// [`Measures::queue_length`].
    QueueLength,
    /// [`Measures::number_in_system`].
    NumberInSystem,
    /// [`Measures::waiting`].
    Waiting,
    /// [`Measures::sojourn`].
    Sojourn,
    /// [`Measures::completed_waiting`].
    CompletedWaiting,
    /// [`Measures::completed_sojourn`].
    CompletedSojourn,
}

impl Measure {
    /// All measures.
    pub const ALL: [Self; 8] = [
        Self::Utilization,
        Self::Throughput,
        Self::QueueLength,
        Self::NumberInSystem,
        Self::Waiting,
        Self::Sojourn,
        Self::CompletedWaiting,
        Self::CompletedSojourn,
    ];

    /// The measure's name in options, configurations and reports.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Utilization => "utilization",
            Self::Throughput => "throughput",
            Self::QueueLength => "queue_length",
            Self::NumberInSystem => "number_in_system",
            Self::Waiting => "waiting",
            Self::Sojourn => "sojourn",
            Self::CompletedWaiting => "completed_waiting",
            Self::CompletedSojourn => "completed_sojourn",
        }
    }

    /// Its value among the measures.
    #[must_use]
    pub fn of(self, measures: &Measures) -> Option<f64> {
        match self {
            Self::Utilization => Some(measures.utilization),
            Self::Throughput => Some(measures.throughput),
            Self::QueueLength => Some(measures.queue_length),
            Self::NumberInSystem => Some(measures.number_in_system),
            Self::Waiting => measures.waiting,
            Self::Sojourn => measures.sojourn,
            Self::CompletedWaiting => measures.completed_waiting,
            Self::CompletedSojourn => measures.completed_sojourn,
        }
    }

    /// Numerator and denominator of the measure, for sums over `nodes` nodes and `span` ticks: time by time, or time units by services.
    #[must_use]
    pub fn ratio(self, sums: &NodeStatistics, nodes: usize, span: u64) -> (f64, f64) {
        let span = span as f64 * nodes as f64;
        let waiting = sums.number_integral.saturating_sub(sums.busy);
        let by_service = |ticks| (units_from_ticks(ticks), sums.completed as f64);
        match self {
            Self::Utilization => (sums.busy as f64, span),
            Self::Throughput => (sums.completed as f64, span * units_from_ticks(1)),
            Self::QueueLength => (waiting as f64, span),
            Self::NumberInSystem => (sums.number_integral as f64, span),
            Self::Waiting => by_service(waiting),
            Self::Sojourn => by_service(sums.number_integral),
            Self::CompletedWaiting => by_service(sums.waiting_sum),
            Self::CompletedSojourn => by_service(sums.sojourn_sum),
        }
    }
}

impl fmt::Display for Measure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Measure {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        Self::ALL
            .into_iter()
            .find(|measure| measure.name() == text)
            .ok_or_else(|| format!("'{text}' is no measure: use one of {}", Self::ALL.map(Self::name).join(", ")))
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
            ..NodeStatistics::default()
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
