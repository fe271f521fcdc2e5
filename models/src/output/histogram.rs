//! Log-linear histograms: eight buckets for every octave of a time in ticks.
//!
//! A value below 16 has a bucket of its own. A larger one, between `2^e` and `2^(e+1)`, falls into one of eight buckets of
//! equal width `2^(e-3)`. The middle of a bucket is therefore within 1/16 (6.25 %) of every value in it, over the whole range
//! of `u64`, with 496 counters. Counts are exact, can be added in any order, and are the same from every exact engine; quantiles have
//! that relative error and no other.

use serde::{Deserialize, Serialize};
use std::ops::AddAssign;

/// Buckets in an octave, as a power of two.
const BITS: u32 = 3;

/// Number of buckets of a histogram.
pub const BUCKETS: usize = (64 - BITS as usize + 1) << BITS;

/// Greatest error of a quantile, relative to it.
pub const RELATIVE_ERROR: f64 = 1.0 / 16.0;

/// The bucket, below [`BUCKETS`], that `value` falls into.
#[must_use]
pub const fn bucket(value: u64) -> usize {
    if value < 1 << BITS {
        return value as usize;
    }
    let octave = value.ilog2();
    // The leading one of the shifted value adds one octave's buckets.
    (((octave - BITS) << BITS) as u64 + (value >> (octave - BITS))) as usize
}

/// The least and the greatest value of a bucket; those of the last bucket for any number beyond.
#[must_use]
pub const fn bounds(bucket: usize) -> (u64, u64) {
    let bucket = if bucket < BUCKETS { bucket } else { BUCKETS - 1 };
    if bucket < 2 << BITS {
        return (bucket as u64, bucket as u64);
    }
    let shift = (bucket >> BITS) as u32 - 1;
    let least = ((1 << BITS) + (bucket as u64 & ((1 << BITS) - 1))) << shift;
    (least, least + ((1 << shift) - 1))
}

/// How often each length of time occurred.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Histogram {
    counts: Vec<u64>,
}

impl Default for Histogram {
    fn default() -> Self {
        Self { counts: vec![0; BUCKETS] }
    }
}

impl Histogram {
    /// A histogram with these counts, by bucket; missing ones are 0, those past the last bucket are not used.
    #[must_use]
    pub fn from_counts(counts: &[u64]) -> Self {
        let mut histogram = Self::default();
        for (mine, count) in histogram.counts.iter_mut().zip(counts) {
            *mine = *count;
        }
        histogram
    }

    /// Counts a value.
    pub fn add(&mut self, value: u64) {
        if let Some(count) = self.counts.get_mut(bucket(value)) {
            *count += 1;
        }
    }

    /// What was counted since an earlier count of the same values.
    #[must_use]
    pub fn since(&self, before: &Self) -> Self {
        let counts = self.counts.iter().zip(&before.counts).map(|(now, before)| now.saturating_sub(*before));
        Self { counts: counts.collect() }
    }

    /// The counts, by bucket.
    #[must_use]
    pub fn counts(&self) -> &[u64] {
        &self.counts
    }

    /// Number of values.
    #[must_use]
    pub fn total(&self) -> u64 {
        self.counts.iter().sum()
    }

    /// The buckets that are not empty, in ascending order: least value, greatest value, count.
    pub fn filled(&self) -> impl Iterator<Item = (u64, u64, u64)> + '_ {
        self.counts.iter().enumerate().filter(|(_, count)| **count > 0).map(|(index, &count)| {
            let (least, greatest) = bounds(index);
            (least, greatest, count)
        })
    }

    /// The `share` quantile: of `n` values the one with rank `ceil(share n)`, within [`RELATIVE_ERROR`] of it; `None` without
    /// values, or for a share that is not between 0 and 1.
    #[must_use]
    pub fn quantile(&self, share: f64) -> Option<f64> {
        let total = self.total();
        if total == 0 || !(0.0..=1.0).contains(&share) {
            return None;
        }
        let rank = ((share * total as f64).ceil() as u64).clamp(1, total);
        let mut below = 0;
        self.filled().find_map(|(least, greatest, count)| {
            below += count;
            (below >= rank).then(|| least as f64 + (greatest - least) as f64 / 2.0)
        })
    }
}

impl AddAssign<&Self> for Histogram {
    fn add_assign(&mut self, other: &Self) {
        for (mine, count) in self.counts.iter_mut().zip(&other.counts) {
            *mine += count;
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn buckets_follow_one_another_without_gaps() {
        let mut next = 0_u64;
        for index in 0..BUCKETS {
            let (least, greatest) = bounds(index);
            assert_eq!(least, next, "bucket {index}");
            assert_eq!((bucket(least), bucket(greatest)), (index, index));
            next = greatest.wrapping_add(1);
        }
        assert_eq!(next, 0, "the last bucket ends at the greatest value");
        assert_eq!(bounds(usize::MAX), bounds(BUCKETS - 1));
    }

    #[test]
    fn by_hand() {
        assert_eq!((bucket(15), bucket(16), bucket(17), bucket(18)), (15, 16, 16, 17));
        assert_eq!((bounds(16), bounds(24)), ((16, 17), (32, 35)));
        let mut histogram = Histogram::default();
        (1..=10).for_each(|value| histogram.add(value));
        assert_eq!(histogram.quantile(0.5), Some(5.0));
        assert_eq!((histogram.quantile(0.0), histogram.quantile(1.0)), (Some(1.0), Some(10.0)));
        assert_eq!((histogram.quantile(1.1), histogram.quantile(f64::NAN)), (None, None));
        assert_eq!(Histogram::default().quantile(0.5), None);
    }

    proptest! {
        #[test]
        fn quantiles_are_within_their_error_of_the_exact_ones(
            values in prop::collection::vec((0..64_u32, any::<u64>()).prop_map(|(shift, word)| word >> shift), 1..300),
            share in 0.0..=1.0_f64,
        ) {
            let mut histogram = Histogram::default();
            values.iter().for_each(|&value| histogram.add(value));
            let mut sorted = values.clone();
            sorted.sort_unstable();
            let rank = ((share * sorted.len() as f64).ceil() as usize).clamp(1, sorted.len());
            let exact = sorted[rank - 1] as f64;
            let estimate = histogram.quantile(share).unwrap();
            prop_assert!((estimate - exact).abs() <= RELATIVE_ERROR * exact, "{estimate} for {exact}");
            prop_assert_eq!(histogram.total(), values.len() as u64);
        }

        #[test]
        fn parts_add_up(left in prop::collection::vec(any::<u64>(), 0..50), right in prop::collection::vec(any::<u64>(), 0..50)) {
            let of = |values: &[u64]| {
                let mut histogram = Histogram::default();
                values.iter().for_each(|&value| histogram.add(value));
                histogram
            };
            let mut sum = of(&left);
            sum += &of(&right);
            prop_assert_eq!(&sum, &of(&[&left[..], &right[..]].concat()));
            prop_assert_eq!(Histogram::from_counts(sum.counts()), sum);
        }
    }
}
