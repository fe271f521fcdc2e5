//! Differences between several configurations of a model, replication by replication.

use imminent_common::estimate::{Confidence, Estimate};
use imminent_common::output::Comparison;
use serde::Serialize;
use std::collections::BTreeMap;
use thiserror::Error;

/// Values of the measures of one configuration, in the order of the model.
///
/// On common random numbers the replications of several configurations are pairs.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Replications(Vec<(String, Vec<Option<f64>>)>);

impl Replications {
    /// Creates the values from lists with one value for each replication; `None` where the measure is not defined.
    #[must_use]
    pub const fn new(values: Vec<(String, Vec<Option<f64>>)>) -> Self {
        Self(values)
    }

    /// Returns the values of a measure; none if the configuration does not have it.
    #[must_use]
    pub fn values(&self, measure: &str) -> &[Option<f64>] {
        self.0.iter().find(|(name, _)| name == measure).map_or(&[], |(_, values)| values)
    }

    /// Returns the mean of a measure over the replications that have a value.
    #[must_use]
    pub fn estimate(&self, measure: &str, confidence: Confidence) -> Estimate {
        confidence.of(&self.values(measure).iter().copied().flatten().collect::<Vec<_>>())
    }

    /// Returns the names of the measures.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(|(name, _)| name.as_str())
    }

    /// Returns the names of all measures that any of several configurations has, in their order.
    #[must_use]
    pub fn all_names(all: &[Self]) -> Vec<String> {
        let mut names: Vec<String> = vec![];
        for name in all.iter().flat_map(Self::names) {
            if !names.iter().any(|other| other == name) {
                names.push(name.to_owned());
            }
        }
        names
    }

    /// Returns the values of a measure here and in another configuration, of the replications in which both have one.
    #[must_use]
    pub fn pairs(&self, other: &Self, measure: &str) -> (Vec<f64>, Vec<f64>) {
        let pairs = self.values(measure).iter().zip(other.values(measure));
        pairs.filter_map(|(first, second)| (*first).zip(*second)).unzip()
    }
}

/// Choice of the configuration with which the others are compared.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Against {
    /// First configuration.
    First,
    /// Configuration with the least mean of a measure.
    Least(String),
    /// Configuration with the greatest mean of a measure.
    Greatest(String),
}

/// Differences of the configurations from one of them.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Differences {
    /// Number of the configuration with which the others are compared.
    pub against: usize,
    /// Number of comparisons whose [simultaneous](Comparison::simultaneous) intervals hold together.
    pub together: usize,
    /// Number of each other configuration, and its differences by the names of measures.
    pub others: Vec<(usize, BTreeMap<String, Comparison>)>,
}

/// Reason why configurations cannot be compared.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum CompareError {
    /// No configuration has the measure by which one is chosen.
    #[error("there is no measure '{measure}' in these runs, only '{}': give one of these", known.join("', '"))]
    NoSuchMeasure {
        /// Measure that was named.
        measure: String,
        /// Measures that there are.
        known: Vec<String>,
    },
}

impl Differences {
    /// Compares configurations with one of them. The simultaneous intervals of a measure hold together by Bonferroni's
    /// inequality: for all others of a configuration that is chosen beforehand, and for all pairs where the results
    /// choose it.
    ///
    /// # Errors
    /// [`CompareError`] for a choice by a measure that no configuration has.
    pub fn new(all: &[Replications], against: &Against, confidence: Confidence) -> Result<Self, CompareError> {
        let names = Replications::all_names(all);
        let chosen = against.chosen(all, &names, confidence)?;
        let others = all.len().saturating_sub(1);
        let together = if *against == Against::First { others } else { others * all.len() / 2 };
        let difference = |(number, other): (usize, &Replications)| {
            let first = all.get(chosen)?;
            let compare = |name: &String| {
                let (first, second) = first.pairs(other, name);
                (name.clone(), Comparison::one_of(together, &first, &second, confidence))
            };
            Some((number, names.iter().map(compare).collect()))
        };
        let others = all.iter().enumerate().filter(|(number, _)| *number != chosen).filter_map(difference).collect();
        Ok(Self { against: chosen, together, others })
    }
}

impl Against {
    /// Returns the number of the configuration.
    fn chosen(&self, all: &[Replications], names: &[String], of: Confidence) -> Result<usize, CompareError> {
        let (measure, sign) = match self {
            Self::First => return Ok(0),
            Self::Least(measure) => (measure, 1.0),
            Self::Greatest(measure) => (measure, -1.0),
        };
        if !names.contains(measure) {
            return Err(CompareError::NoSuchMeasure { measure: measure.clone(), known: names.to_vec() });
        }
        let mean = |of_one: &Replications| of_one.estimate(measure, of).mean.map_or(f64::INFINITY, |mean| sign * mean);
        let means = all.iter().map(mean).enumerate();
        Ok(means.min_by(|(_, a), (_, b)| a.total_cmp(b)).map_or(0, |(number, _)| number))
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn all() -> Vec<Replications> {
        let of = |waiting: [f64; 3], cost: Option<[f64; 3]>| {
            let some = |values: [f64; 3]| values.map(Some).to_vec();
            let cost = cost.map(|cost| ("cost".to_owned(), some(cost)));
            Replications::new([("waiting".to_owned(), some(waiting))].into_iter().chain(cost).collect())
        };
        vec![of([3.0, 4.0, 5.0], None), of([1.0, 3.0, 2.0], Some([7.0, 8.0, 9.0])), of([2.0, 2.0, 5.0], None)]
    }

    #[test]
    fn all_are_compared_with_the_first_or_the_best() {
        let confidence = Confidence::DEFAULT;
        let first = Differences::new(&all(), &Against::First, confidence).unwrap();
        assert_eq!((first.against, first.together, first.others.len()), (0, 2, 2));
        assert_eq!(first.others[0].1["waiting"].difference.mean, Some(-2.0));
        assert_eq!(first.others[0].1["cost"].difference.mean, None);
        // By Bonferroni's inequality each of two has half of the error.
        let each = Confidence::new(0.975).unwrap().of(&[-2.0, -1.0, -3.0]).half_width().unwrap();
        let together = first.others[0].1["waiting"].simultaneous.half_width().unwrap();
        assert!((together - each).abs() < 1e-9, "{together} {each}");
        let least = Differences::new(&all(), &Against::Least("waiting".into()), confidence).unwrap();
        assert_eq!((least.against, least.together), (1, 3));
        assert_eq!(least.others.iter().map(|(number, _)| *number).collect::<Vec<_>>(), [0, 2]);
        let greatest = Differences::new(&all(), &Against::Greatest("waiting".into()), confidence).unwrap();
        assert_eq!(greatest.against, 0);
        let error = Differences::new(&all(), &Against::Least("beauty".into()), confidence).unwrap_err();
        let said = "there is no measure 'beauty' in these runs, only 'waiting', 'cost': give one of these";
        assert_eq!(error.to_string(), said);
    }

    #[test]
    fn replications_without_a_value_are_left_out_of_pairs() {
        let of = |values: Vec<Option<f64>>| Replications::new(vec![("loss".to_owned(), values)]);
        let (first, second) = (of(vec![Some(1.0), None, Some(3.0)]), of(vec![Some(2.0), Some(5.0), None, Some(4.0)]));
        assert_eq!(first.pairs(&second, "loss"), (vec![1.0], vec![2.0]));
        assert_eq!(first.pairs(&second, "cost"), (vec![], vec![]));
    }
}
