//! Stopping at a relative precision.

use crate::estimate::Estimate;
use thiserror::Error;

/// A relative error is not between 0 and 1.
#[derive(Debug, Clone, Copy, PartialEq, Error)]
#[error("a relative error of {given} is not possible: give a number between 0 and 1, for instance 0.05")]
pub struct PrecisionError {
    /// Relative error given.
    pub given: f64,
}

/// Precision of a mean at which a run may stop.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Precision {
    relative: f64,
}

impl Precision {
    /// Smallest number of values for a decision to stop (Law and Kelton, section 9.4). Fewer are close to each other by
    /// chance so often that of runs to 5 % of M/M/1's sojourn time 91.4 % cover it with at least 5, and 92.5 % with 10.
    pub const MIN_VALUES: usize = 10;

    /// Creates a precision: the mean must be within `relative` times the true mean of it, with the confidence of the
    /// estimate's interval.
    ///
    /// # Errors
    /// [`PrecisionError`] unless `relative` lies between 0 and 1.
    pub fn new(relative: f64) -> Result<Self, PrecisionError> {
        if relative > 0.0 && relative < 1.0 { Ok(Self { relative }) } else { Err(PrecisionError { given: relative }) }
    }

    /// Returns the relative error requested.
    #[must_use]
    pub fn relative(&self) -> f64 {
        self.relative
    }

    /// Returns `true` if an estimate from `values` values is precise enough.
    ///
    /// The half-width may be `g / (1 + g)` of the mean's amount for a relative error of `g`. The interval is relative
    /// to the estimate, the promise to the true mean (Law and Kelton, section 9.4). A mean of 0 has no relative
    /// precision. The interval is checked repeatedly until it is short, so its coverage is slightly lower than stated:
    /// the less, the smaller `g` is.
    #[must_use]
    pub fn met(&self, estimate: &Estimate, values: usize) -> bool {
        let allowed = self.relative / (1.0 + self.relative);
        values >= Self::MIN_VALUES && estimate.relative().is_some_and(|relative| relative <= allowed)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::estimate::Confidence;
    use crate::output::series::uniform;
    use crate::streams::StreamKey;

    #[test]
    fn the_half_width_is_compared_with_the_mean() {
        let precision = Precision::new(0.1).unwrap();
        let estimate = |mean, half| Estimate { mean: Some(mean), interval: Confidence::DEFAULT.interval(half) };
        let of = |mean, half| precision.met(&estimate(mean, Some(half)), 10);
        assert!(of(11.0, 1.0) && !of(10.9, 1.0) && of(-11.0, 1.0));
        assert!(!of(0.0, 0.1));
        assert!(!precision.met(&estimate(11.0, Some(1.0)), 9));
        assert!(!precision.met(&estimate(11.0, None), 10));
    }

    #[test]
    fn only_shares_of_one_are_precisions() {
        for given in [0.0, 1.0, -0.5, f64::NAN, f64::INFINITY] {
            assert!(Precision::new(given).unwrap_err().to_string().contains("between 0 and 1"));
        }
    }

    /// Draws exponential values with mean 1, one at a time, until the mean's relative error is 0.1: about 400 of them.
    /// Of 400 runs, nearly 95 in 100 end within 0.1 of the true mean.
    #[test]
    fn runs_that_stop_by_themselves_are_as_precise_as_they_say() {
        let precision = Precision::new(0.1).unwrap();
        let (mut within, mut lengths) = (0, 0);
        for seed in 0..400 {
            let mut rng = StreamKey::new(seed, 1).node(0).generator();
            let mut values = vec![];
            let estimate = loop {
                values.extend((0..10).map(|_| -uniform(&mut rng).ln()));
                let estimate = Estimate::of(&values);
                if precision.met(&estimate, values.len()) {
                    break estimate;
                }
            };
            within += usize::from((estimate.mean.unwrap() - 1.0).abs() <= 0.1);
            lengths += values.len();
        }
        assert!(within >= 360, "{within} of 400");
        assert!((350..550).contains(&(lengths / 400)), "{}", lengths / 400);
    }
}
