//! Batch means: a confidence interval from one long series with correlated neighbouring values.
//!
//! The series is cut into batches of equal length. The means of long batches are nearly independent and nearly normal,
//! so [`Estimate::of`](crate::estimate::Estimate::of) applies to them. [`independence`] tests that the batches are long
//! enough. Ten to thirty batches are usual: more of them would be shorter, and the interval gains little.

use statrs::distribution::{ContinuousCDF, Normal};

/// Returns the means of `batches` batches of equal length; empty if the series is shorter than that.
///
/// Values that are left over are removed from the beginning, where remains of a warm-up would be.
#[must_use]
pub fn batch_means(series: &[f64], batches: usize) -> Vec<f64> {
    let length = series.len().checked_div(batches).unwrap_or(0);
    if length == 0 {
        return vec![];
    }
    let left_over = series.len() - length * batches;
    let kept = series.get(left_over..).unwrap_or(&[]);
    kept.chunks_exact(length).map(|batch| batch.iter().sum::<f64>() / length as f64).collect()
}

/// Returns the probability that independent values are at least as positively correlated from one to the next as these.
/// `None` for fewer than three values, or values that are all equal.
///
/// This is von Neumann's test, as LABATCH.2 applies it (Fishman and Yarberry 1997). With the lag-one correlation `r`
/// and the ends' correction, `sqrt((n^2 - 1) / (n - 2)) (r + ((x_1 - m)^2 + (x_n - m)^2) / (2 sum (x_i - m)^2))` is
/// standard normal for independent normal values. A small probability means that the batches are too short for a
/// reliable interval.
#[must_use]
pub fn independence(means: &[f64]) -> Option<f64> {
    let count = means.len() as f64;
    let (first, last) = (means.first()?, means.last()?);
    if means.len() < 3 {
        return None;
    }
    let mean = means.iter().sum::<f64>() / count;
    let squares: f64 = means.iter().map(|value| (value - mean).powi(2)).sum();
    if squares <= 0.0 {
        return None;
    }
    let products: f64 = means.iter().zip(means.iter().skip(1)).map(|(a, b)| (a - mean) * (b - mean)).sum();
    let ends = (first - mean).powi(2) + (last - mean).powi(2);
    let statistic = ((count * count - 1.0) / (count - 2.0)).sqrt() * (products + ends / 2.0) / squares;
    Normal::new(0.0, 1.0).ok().map(|normal| 1.0 - normal.cdf(statistic))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::estimate::Estimate;
    use crate::output::series::autoregressive;
    use proptest::prelude::*;

    #[test]
    fn batches_are_cut_from_the_end() {
        assert_eq!(batch_means(&[9.0, 1.0, 2.0, 3.0, 4.0], 2), [1.5, 3.5]);
        assert_eq!(batch_means(&[1.0, 2.0], 2), [1.0, 2.0]);
        assert!(
            batch_means(&[1.0], 2).is_empty() && batch_means(&[1.0], 0).is_empty() && batch_means(&[], 3).is_empty()
        );
    }

    /// Computes intervals of 95 % from single series whose lag-one correlation is 0.7. Of 600, the number that cover
    /// the mean is binomial, 570 on average with a standard deviation of 5.3. Student's interval of the values
    /// themselves covers it less than half the time.
    #[test]
    fn the_intervals_of_a_correlated_series_cover_its_mean_as_often_as_they_say() {
        let (mut batched, mut naive) = (0, 0);
        for seed in 0..600 {
            let series = autoregressive(seed, 0.7, 5.0, None, 4_000);
            batched += usize::from(Estimate::of(&batch_means(&series, 20)).covers(5.0, 1.0));
            naive += usize::from(Estimate::of(&series).covers(5.0, 1.0));
        }
        assert!((548..=586).contains(&batched), "{batched} of 600");
        assert!(naive < 400, "{naive} of 600");
    }

    /// At a level of 5 %, independent batches are suspected in 5 of 100 series, correlated ones nearly always.
    #[test]
    fn the_test_tells_long_batches_from_short_ones() {
        let suspected = |phi: f64, length: usize| {
            let suspects =
                |seed| independence(&batch_means(&autoregressive(seed, phi, 0.0, None, 30 * length), 30)).unwrap();
            (0..500).filter(|&seed| suspects(seed) < 0.05).count()
        };
        // Binomial with a mean of 25 and a standard deviation of 4.9.
        assert!((9..=41).contains(&suspected(0.0, 4)), "{}", suspected(0.0, 4));
        assert!((9..=60).contains(&suspected(0.7, 200)), "{}", suspected(0.7, 200));
        assert!(suspected(0.9, 4) > 400, "{}", suspected(0.9, 4));
    }

    #[test]
    fn what_has_no_correlation_is_not_tested() {
        assert_eq!(independence(&[1.0, 2.0]), None);
        assert_eq!(independence(&[3.0; 9]), None);
    }

    proptest! {
        #[test]
        fn the_mean_of_the_batches_is_that_of_what_they_cover(series in prop::collection::vec(-1e3..1e3, 1..200), batches in 1..40_usize) {
            let means = batch_means(&series, batches);
            if series.len() < batches {
                prop_assert!(means.is_empty());
            } else {
                let kept = &series[series.len() % batches..];
                let expected = kept.iter().sum::<f64>() / kept.len() as f64;
                prop_assert_eq!(means.len(), batches);
                prop_assert!((means.iter().sum::<f64>() / batches as f64 - expected).abs() < 1e-9);
            }
        }
    }
}
