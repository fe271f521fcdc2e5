//! Means over replications, with their confidence intervals.

use serde::{Deserialize, Serialize};
use statrs::distribution::{ContinuousCDF, StudentsT};

/// A mean over replications, with the half-width of its 95 % confidence interval.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Estimate {
    /// The mean; `None` if no replication gave a value.
    pub mean: Option<f64>,
    /// Half the width of the interval that covers the true mean in 95 of 100 experiments, by Student's t; `None` for
    /// fewer than two values.
    pub ci95: Option<f64>,
}

impl Estimate {
    /// Estimates the mean from independent values.
    #[must_use]
    pub fn of(values: &[f64]) -> Self {
        if values.is_empty() {
            return Self { mean: None, ci95: None };
        }
        let count = values.len() as f64;
        let mean = values.iter().sum::<f64>() / count;
        let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
        let freedom = count - 1.0;
        let ci95 = StudentsT::new(0.0, 1.0, freedom)
            .ok()
            .map(|student| student.inverse_cdf(0.975) * (squares / freedom / count).sqrt());
        Self { mean: Some(mean), ci95 }
    }

    /// Whether `value` lies within `widths` half-widths of the mean; false where either is missing.
    #[must_use]
    pub fn covers(&self, value: f64, widths: f64) -> bool {
        matches!((self.mean, self.ci95), (Some(mean), Some(ci95)) if (value - mean).abs() <= widths * ci95)
    }
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
        assert!((estimate.ci95.unwrap() - 2.776_445 * 0.5_f64.sqrt()).abs() < 1e-5);
        assert!(estimate.covers(4.9, 1.0) && !estimate.covers(5.0, 1.0));
    }

    #[test]
    fn one_value_has_no_interval_and_none_has_no_mean() {
        assert_eq!(Estimate::of(&[2.5]), Estimate { mean: Some(2.5), ci95: None });
        assert_eq!(Estimate::of(&[]), Estimate { mean: None, ci95: None });
        assert!(!Estimate::of(&[2.5]).covers(2.5, 1.0));
    }
}
