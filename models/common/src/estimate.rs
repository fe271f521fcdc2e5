//! Means over replications, with their confidence intervals.

mod confidence;

pub use confidence::{Confidence, ConfidenceError, Interval};

use serde::{Deserialize, Serialize};
use statrs::distribution::{ContinuousCDF, StudentsT};

/// A mean over replications, with the half-width of its confidence interval.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
pub struct Estimate {
    /// Mean of the values; `None` if no replication gave a value.
    pub mean: Option<f64>,
    /// Interval that covers the true mean with its confidence, by Student's t; without half-width for fewer than two
    /// values.
    #[serde(flatten)]
    pub interval: Interval,
}

impl Estimate {
    /// Creates an estimate without an interval.
    #[must_use]
    pub fn without_interval(mean: Option<f64>) -> Self {
        Self { mean, ..Self::default() }
    }

    /// Estimates the mean from independent values, with a confidence of 95 %.
    #[must_use]
    pub fn of(values: &[f64]) -> Self {
        Confidence::DEFAULT.of(values)
    }

    /// Estimates a [ratio of means](Confidence::of_ratios) with a confidence of 95 %.
    #[must_use]
    pub fn of_ratios(pairs: &[(f64, f64)]) -> Self {
        Confidence::DEFAULT.of_ratios(pairs)
    }

    /// Estimates a ratio of means [from moments](Confidence::of_moments) with a confidence of 95 %.
    #[must_use]
    pub fn of_moments(pairs: u32, moments: [f64; 5]) -> Self {
        Confidence::DEFAULT.of_moments(pairs, moments)
    }

    /// Returns the half-width of the interval, if there is one.
    #[must_use]
    pub const fn half_width(&self) -> Option<f64> {
        self.interval.half_width
    }

    /// Returns the half-width relative to the mean's amount; `None` if one is missing or the mean is 0.
    #[must_use]
    pub fn relative(&self) -> Option<f64> {
        self.mean.zip(self.half_width()).filter(|(mean, _)| *mean != 0.0).map(|(mean, half)| half / mean.abs())
    }

    /// Returns `true` if `value` lies within `widths` half-widths of the mean; `false` if either is missing.
    #[must_use]
    pub fn covers(&self, value: f64, widths: f64) -> bool {
        matches!((self.mean, self.half_width()), (Some(mean), Some(half)) if (value - mean).abs() <= widths * half)
    }

    /// Returns the estimate of a quantity that is `factor` times this one.
    #[must_use]
    pub fn times(&self, factor: f64) -> Self {
        let half_width = self.half_width().map(|half| half * factor.abs());
        Self { mean: self.mean.map(|mean| mean * factor), interval: Interval { half_width, ..self.interval } }
    }
}

impl Confidence {
    /// Estimates the mean from independent values.
    #[must_use]
    pub fn of(self, values: &[f64]) -> Estimate {
        if values.is_empty() {
            return Estimate { mean: None, interval: self.interval(None) };
        }
        let mean = values.iter().sum::<f64>() / values.len() as f64;
        Estimate { mean: Some(mean), interval: self.interval(half_width(values, self.level())) }
    }

    /// Estimates the mean as one of several statements, whose intervals cover all true means together with this
    /// confidence, by Bonferroni's inequality.
    #[must_use]
    pub fn of_several(self, statements: usize, values: &[f64]) -> Estimate {
        let each = 1.0 - (1.0 - self.level()) / statements.max(1) as f64;
        Estimate { interval: self.interval(half_width(values, each)), ..self.of(values) }
    }

    /// Estimates a ratio of means from independent pairs of numerator and denominator.
    ///
    /// This is the classical ratio estimator: the quotient of the sums, with Student's interval of the residuals
    /// `numerator - ratio * denominator` over the mean denominator. Its bias is of the order of one over the number of
    /// pairs, much smaller than that of the mean of quotients. `None` for denominators that add up to 0.
    #[must_use]
    pub fn of_ratios(self, pairs: &[(f64, f64)]) -> Estimate {
        let count = pairs.len() as f64;
        let (top, bottom) = pairs.iter().fold((0.0, 0.0), |(top, bottom), pair| (top + pair.0, bottom + pair.1));
        if bottom == 0.0 {
            return self.of(&[]);
        }
        let ratio = top / bottom;
        let residuals: Vec<f64> = pairs.iter().map(|pair| (pair.0 - ratio * pair.1) * count / bottom).collect();
        Estimate { mean: Some(ratio), ..self.of(&residuals) }
    }

    /// Computes [`of_ratios`](Self::of_ratios) from the number of pairs and the sums of `x`, `y`, `x x`, `x y` and
    /// `y y` alone, for values too many to keep.
    ///
    /// The interval loses digits if the values hardly vary: deviations below 10^-7 of the mean are rounding.
    #[must_use]
    pub fn of_moments(self, pairs: u32, [x, y, xx, xy, yy]: [f64; 5]) -> Estimate {
        if y == 0.0 {
            return self.of(&[]);
        }
        let (count, ratio) = (f64::from(pairs), x / y);
        let squares = (xx - 2.0 * ratio * xy + ratio * ratio * yy).max(0.0);
        let per_pair = count / y;
        let half_width = of_squares(count, squares * per_pair * per_pair, self.level());
        Estimate { mean: Some(ratio), interval: self.interval(half_width) }
    }
}

/// Returns the half-width of the interval that covers the mean of independent values with the given confidence, by
/// Student's t; `None` for fewer than two values.
#[must_use]
pub fn half_width(values: &[f64], confidence: f64) -> Option<f64> {
    let count = values.len() as f64;
    let mean = values.iter().sum::<f64>() / count;
    of_squares(count, values.iter().map(|value| (value - mean).powi(2)).sum(), confidence)
}

/// Returns the half-width of Student's interval for the mean of `count` values, from their sum of squared deviations.
pub fn of_squares(count: f64, squares: f64, confidence: f64) -> Option<f64> {
    let freedom = count - 1.0;
    let student = StudentsT::new(0.0, 1.0, freedom).ok()?;
    Some(student.inverse_cdf(0.5 + confidence / 2.0) * (squares / freedom / count).sqrt())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn the_interval_is_student_s() {
        // Five values with mean 3 and variance 2.5; t(0.975; 4) = 2.776445.
        let estimate = Estimate::of(&[1.0, 2.0, 3.0, 4.0, 5.0]);
        assert_eq!(estimate.mean, Some(3.0));
        assert!((estimate.half_width().unwrap() - 2.776_445 * 0.5_f64.sqrt()).abs() < 1e-5);
        assert!(estimate.covers(4.9, 1.0) && !estimate.covers(5.0, 1.0));
        // t(0.995; 4) = 4.604095.
        let wider = half_width(&[1.0, 2.0, 3.0, 4.0, 5.0], 0.99).unwrap();
        assert!((wider - 4.604_095 * 0.5_f64.sqrt()).abs() < 1e-5);
        assert_eq!((half_width(&[1.0], 0.99), half_width(&[], 0.99)), (None, None));
    }

    /// Two statements at 95 % are each at 97.5 %: t(0.9875; 4) = 3.495406.
    #[test]
    fn several_statements_hold_together() {
        let values = [1.0, 2.0, 3.0, 4.0, 5.0];
        let both = Confidence::DEFAULT.of_several(2, &values);
        assert!((both.half_width().unwrap() - 3.495_406 * 0.5_f64.sqrt()).abs() < 1e-5, "{both:?}");
        assert_eq!((both.mean, both.interval.confidence), (Some(3.0), Confidence::DEFAULT));
        assert_eq!(Confidence::DEFAULT.of_several(1, &values), Confidence::DEFAULT.of(&values));
    }

    /// Ratio 30 / 15; residuals 1, -1, 0 over the mean denominator 5 have the variance 0.04; t(0.975; 2) = 4.302653.
    #[test]
    fn a_ratio_is_that_of_the_sums() {
        let estimate = Estimate::of_ratios(&[(9.0, 4.0), (11.0, 6.0), (10.0, 5.0)]);
        assert_eq!(estimate.mean, Some(2.0));
        assert!((estimate.half_width().unwrap() - 4.302_653 * (0.04_f64 / 3.0).sqrt()).abs() < 1e-5);
        // If all denominators are equal, it is the mean.
        let halves = Estimate::of_ratios(&[(1.0, 2.0), (2.0, 2.0), (5.0, 2.0)]);
        let mean = Estimate::of(&[0.5, 1.0, 2.5]);
        assert!((halves.mean.unwrap() - mean.mean.unwrap()).abs() < 1e-12);
        assert!((halves.half_width().unwrap() - mean.half_width().unwrap()).abs() < 1e-12);
        let moments = Estimate::of_moments(3, [30.0, 15.0, 302.0, 152.0, 77.0]);
        assert_eq!(moments.mean, estimate.mean);
        assert!((moments.half_width().unwrap() - estimate.half_width().unwrap()).abs() < 1e-12);
        assert_eq!(Estimate::of_moments(2, [0.0; 5]).mean, None);
        assert_eq!(Estimate::of_ratios(&[(1.0, 0.0)]), Estimate::default());
    }

    #[test]
    fn relative_half_widths() {
        assert_eq!(
            Estimate { mean: Some(-4.0), interval: Confidence::DEFAULT.interval(Some(1.0)) }.relative(),
            Some(0.25)
        );
        assert_eq!(Estimate { mean: Some(0.0), interval: Confidence::DEFAULT.interval(Some(1.0)) }.relative(), None);
        assert_eq!(Estimate::without_interval(Some(1.0)).relative(), None);
    }

    #[test]
    fn one_value_has_no_interval_and_none_has_no_mean() {
        assert_eq!(Estimate::of(&[2.5]), Estimate::without_interval(Some(2.5)));
        assert_eq!(Estimate::of(&[]), Estimate::without_interval(None));
        assert!(!Estimate::of(&[2.5]).covers(2.5, 1.0));
    }
}
