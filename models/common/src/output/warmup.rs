//! Deletion of the warm-up: the beginning of a series that does not belong to the steady state.

/// Cut of a series.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Truncation {
    /// Number of values to delete from the beginning: a multiple of the batch's length.
    pub removed: usize,
    /// `true` if the rule accepts its cut. Otherwise it would delete more than half: the series is too short to find
    /// its steady state.
    pub settled: bool,
}

/// Returns the cut by the marginal standard error rule, over batches of `batch` values: MSER-5 for a batch of 5.
///
/// The rule averages neighbouring values in batches. It cuts after the number of batches that minimizes the rest's mean
/// squared deviation divided by its number of batches. Deleting biased data makes the rest agree, and deleting unbiased
/// data makes it short (White 1997). Only cuts in the first half are compared, as the rule is erratic at the end of a
/// series (Hoad, Robinson and Davies 2010). A series whose best cut is in the last tenth of that half has not settled.
/// `None` for a series of fewer than ten batches, or a batch of 0.
#[must_use]
pub fn mser(series: &[f64], batch: usize) -> Option<Truncation> {
    const MIN_BATCHES: usize = 10;
    let count = series.len().checked_div(batch)?;
    if count < MIN_BATCHES {
        return None;
    }
    let last = count / 2;
    let means: Vec<f64> = series.chunks_exact(batch).map(|values| values.iter().sum::<f64>() / batch as f64).collect();
    // Mean and squared deviations of the batches that are kept, computed from the end by Welford's method: equal values
    // have deviation 0.
    let (mut mean, mut squares) = (0.0, 0.0);
    let mut best: Option<(f64, usize)> = None;
    for (removed, value) in means.iter().enumerate().rev() {
        let kept = (count - removed) as f64;
        let deviation = value - mean;
        mean += deviation / kept;
        squares += deviation * (value - mean);
        let error = squares / (kept * kept);
        // Among equal cuts, the one that deletes least.
        if removed <= last && best.is_none_or(|(least, _)| error <= least) {
            best = Some((error, removed));
        }
    }
    best.map(|(_, removed)| Truncation { removed: removed * batch, settled: 10 * removed < 9 * last })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::output::series::autoregressive;
    use proptest::prelude::*;

    #[test]
    fn a_step_is_cut_where_it_ends() {
        let mut series = vec![7.0; 15];
        series.extend([1.0; 100]);
        assert_eq!(mser(&series, 5), Some(Truncation { removed: 15, settled: true }));
        assert_eq!(mser(&series, 1), Some(Truncation { removed: 15, settled: true }));
        // A batch that is part of both is deleted.
        series.remove(0);
        assert_eq!(mser(&series, 5), Some(Truncation { removed: 15, settled: true }));
    }

    #[test]
    fn a_series_that_never_settles_is_told() {
        let rising: Vec<f64> = (0..200).map(f64::from).collect();
        assert!(!mser(&rising, 5).unwrap().settled);
    }

    #[test]
    fn a_steady_series_keeps_everything_and_a_short_one_has_no_answer() {
        assert_eq!(mser(&[2.5; 60], 5), Some(Truncation { removed: 0, settled: true }));
        assert_eq!(mser(&[2.5; 49], 5), None);
        assert_eq!(mser(&[2.5; 49], 0), None);
        assert_eq!(mser(&[], 1), None);
    }

    /// An autoregressive series that starts 30 standard deviations too high: its first 1,000 values average 0.14 too
    /// high.
    #[test]
    fn the_bias_of_a_far_start_goes() {
        let (mut raw, mut cut, runs) = (0.0, 0.0, 100);
        for seed in 0..runs {
            let series = autoregressive(seed, 0.8, 0.0, Some(50.0), 2_000);
            let truncation = mser(&series, 5).unwrap();
            assert!(truncation.settled && (10..400).contains(&truncation.removed), "{truncation:?}");
            let mean = |values: &[f64]| values.iter().sum::<f64>() / values.len() as f64;
            raw += mean(&series) / runs as f64;
            cut += mean(&series[truncation.removed..]) / runs as f64;
        }
        // Bias 50 / (1 - 0.8) / 2000 = 0.125; the mean of a hundred runs has a standard error of 0.011.
        assert!((raw - 0.125).abs() < 0.045, "{raw}");
        assert!(cut.abs() < 0.045, "{cut}");
    }

    proptest! {
        /// Evaluates the definition naively for every cut.
        #[test]
        fn the_cut_is_the_least_of_all(series in prop::collection::vec(-50..50_i32, 20..120), batch in 1..4_usize) {
            let series: Vec<f64> = series.into_iter().map(f64::from).collect();
            let means: Vec<f64> = series.chunks_exact(batch).map(|b| b.iter().sum::<f64>() / batch as f64).collect();
            let error = |cut: usize| {
                let kept = &means[cut..];
                let mean = kept.iter().sum::<f64>() / kept.len() as f64;
                kept.iter().map(|v| (v - mean).powi(2)).sum::<f64>() / (kept.len() as f64).powi(2)
            };
            match mser(&series, batch) {
                None => prop_assert!(means.len() < 10),
                Some(cut) => {
                    let least = (0..=means.len() / 2).map(error).fold(f64::INFINITY, f64::min);
                    prop_assert!(error(cut.removed / batch) <= least + 1e-9);
                    prop_assert!(cut.removed <= series.len() / 2);
                }
            }
        }
    }
}
