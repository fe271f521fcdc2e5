//! Two configurations on common random numbers.
//!
//! A difference between two systems is found sooner if both use the same random numbers. Random streams here belong to
//! entities (a node's stream depends on the seed, the replication and the node's number), never to a position in the
//! run. Replication `r` of two configurations with the same seed therefore has common random numbers for all entities
//! that both have. Service `k` of node `v` draws the same word in both. No option needs to be set.
//!
//! Pairs of replications are then compared by their differences (the paired-t interval). It is valid for any
//! correlation, and short for a positive one.

use crate::estimate::{Confidence, Estimate};
use serde::{Deserialize, Serialize};

/// Difference of two configurations, from pairs of replications.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Comparison {
    /// Mean of the first configuration.
    pub first: Estimate,
    /// Mean of the second configuration.
    pub second: Estimate,
    /// Mean of the differences, second less first, with its interval.
    pub difference: Estimate,
    /// Mean of the differences, with the interval of one of several comparisons that hold together.
    pub simultaneous: Estimate,
    /// Correlation of the pairs; `None` for fewer than two, or if one side never varies.
    pub correlation: Option<f64>,
    /// Ratio of the variance of the difference on independent streams to the present one. Independent streams would
    /// need this many times the replications for the same interval. `None` for fewer than two pairs, or if the
    /// difference never varies.
    ///
    /// On independent streams, the variance of the difference is the sum of the two sides' variances.
    pub variance_ratio: Option<f64>,
}

impl Comparison {
    /// Compares the values of two configurations, replication by replication; surplus values of the longer list are not
    /// used.
    #[must_use]
    pub fn of(first: &[f64], second: &[f64]) -> Self {
        Self::at(first, second, Confidence::DEFAULT)
    }

    /// Compares as [`of`](Self::of), with intervals of the given confidence.
    #[must_use]
    pub fn at(first: &[f64], second: &[f64], confidence: Confidence) -> Self {
        Self::one_of(1, first, second, confidence)
    }

    /// Compares as [`at`](Self::at), as one of several comparisons.
    #[must_use]
    pub fn one_of(comparisons: usize, first: &[f64], second: &[f64], confidence: Confidence) -> Self {
        let pairs = first.len().min(second.len());
        let (first, second) = (first.get(..pairs).unwrap_or(&[]), second.get(..pairs).unwrap_or(&[]));
        let differences: Vec<f64> = first.iter().zip(second).map(|(first, second)| second - first).collect();
        Self {
            first: confidence.of(first),
            second: confidence.of(second),
            difference: confidence.of(&differences),
            simultaneous: confidence.of_several(comparisons, &differences),
            correlation: correlation(first, second),
            variance_ratio: variance_ratio(first, second, &differences),
        }
    }

    /// Returns `true` if the simultaneous interval of the difference does not contain 0; `false` without an interval.
    #[must_use]
    pub fn differs(&self) -> bool {
        self.simultaneous.half_width().is_some() && !self.simultaneous.covers(0.0, 1.0)
    }
}

fn variance_ratio(first: &[f64], second: &[f64], differences: &[f64]) -> Option<f64> {
    let paired = squares(differences);
    (paired > 0.0).then(|| (squares(first) + squares(second)) / paired)
}

/// Returns the sum of squared deviations from the mean.
fn squares(values: &[f64]) -> f64 {
    let mean = values.iter().sum::<f64>() / values.len() as f64;
    values.iter().map(|value| (value - mean).powi(2)).sum()
}

fn correlation(first: &[f64], second: &[f64]) -> Option<f64> {
    let count = first.len() as f64;
    let (a, b) = (first.iter().sum::<f64>() / count, second.iter().sum::<f64>() / count);
    let (mut squares, mut others, mut products) = (0.0, 0.0, 0.0);
    for (x, y) in first.iter().zip(second) {
        squares += (x - a).powi(2);
        others += (y - b).powi(2);
        products += (x - a) * (y - b);
    }
    (squares > 0.0 && others > 0.0).then(|| products / (squares * others).sqrt())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::output::series::normal;
    use crate::streams::StreamKey;

    /// Differences 1, 3, 2, 2: mean 2, standard deviation sqrt(2/3), t(0.975; 3) = 3.182446.
    #[test]
    fn the_interval_is_that_of_the_differences() {
        let comparison = Comparison::of(&[10.0, 20.0, 30.0, 40.0], &[11.0, 23.0, 32.0, 42.0, 99.0]);
        assert_eq!(comparison.difference.mean, Some(2.0));
        let expected = 3.182_446 * (2.0_f64 / 3.0 / 4.0).sqrt();
        assert!((comparison.difference.half_width().unwrap() - expected).abs() < 1e-5);
        assert!(comparison.differs() && comparison.correlation.unwrap() > 0.99);
        // Squares about the means: 500 and 522 separately, 2 in pairs.
        assert!((comparison.variance_ratio.unwrap() - 1022.0 / 2.0).abs() < 1e-9, "{comparison:?}");
        // Without pairing, the two could not be distinguished.
        assert!(comparison.first.covers(comparison.second.mean.unwrap(), 1.0));
    }

    #[test]
    fn pairs_that_share_their_luck_show_a_small_difference() {
        let mut rng = StreamKey::new(3, 0).node(0).generator();
        let common: Vec<f64> = (0..40).map(|_| normal(&mut rng)).collect();
        let mut own = |shift: f64| common.iter().map(|c| c + shift + 0.1 * normal(&mut rng)).collect::<Vec<_>>();
        let (first, second) = (own(0.0), own(0.2));
        let paired = Comparison::of(&first, &second);
        assert!(paired.differs() && paired.difference.covers(0.2, 1.5), "{paired:?}");
        let mut shuffled = second.clone();
        shuffled.rotate_left(7);
        assert!(!Comparison::of(&first, &shuffled).differs());
    }

    #[test]
    fn what_cannot_be_compared_is_not() {
        let nothing = Comparison::of(&[], &[1.0]);
        assert_eq!((nothing.difference.mean, nothing.correlation), (None, None));
        assert!(!nothing.differs() && !Comparison::of(&[1.0], &[2.0]).differs());
        assert_eq!(Comparison::of(&[1.0, 1.0], &[2.0, 3.0]).correlation, None);
        assert_eq!((nothing.variance_ratio, Comparison::of(&[1.0, 2.0], &[2.0, 3.0]).variance_ratio), (None, None));
    }
}
