//! Sketches of distributions of times: log-linear buckets, quantiles of a bounded error, exact extremes.
//!
//! A value below 256 ticks has a bucket of its own. A larger one, between `2^e` and `2^(e+1)`, falls into one of 128
//! buckets of equal width `2^(e-7)`. Counts are integers that can be added in any order, so every exact engine has the
//! same sketch. A quantile lies in the bucket of the value of its rank, within [`RELATIVE_ERROR`], 0.8 %, of that
//! value. The least and the greatest value are kept exactly, and quantiles lie between them.
//!
//! A device counts in all [`BUCKETS`] buckets, 59,392 bytes for each distribution, for any number of values. A
//! [`Sketch`] holds only the buckets from the least to the greatest value, and none without values.

use serde::{Deserialize, Serialize};
use std::ops::AddAssign;

/// Binary logarithm of the number of buckets in an octave.
const BITS: u32 = 7;

/// Number of buckets of all values of 64 bits.
pub const BUCKETS: usize = (64 - BITS as usize + 1) << BITS;

/// Bound on the error of a quantile, relative to the value of its rank.
pub const RELATIVE_ERROR: f64 = 1.0 / (1 << BITS) as f64;

/// Returns the bucket, below [`BUCKETS`], that `value` falls into.
#[must_use]
pub const fn bucket(value: u64) -> usize {
    if value < 1 << BITS {
        return value as usize;
    }
    let octave = value.ilog2();
    // The leading one of the shifted value adds one octave's buckets.
    (((octave - BITS) << BITS) as u64 + (value >> (octave - BITS))) as usize
}

/// Returns the least and the greatest value of a bucket; those of the last bucket for any number beyond.
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

/// Sketch of a distribution of integers.
///
/// ```
/// use imminent_common::output::Sketch;
///
/// let mut sketch = Sketch::default();
/// (1..=1_000).for_each(|value| sketch.add(value));
/// assert_eq!(sketch.extremes(), Some((1, 1_000)));
/// assert!((sketch.quantile(0.95).unwrap() / 950.0 - 1.0).abs() < 1.0 / 128.0);
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Sketch {
    /// Counts of the buckets from that of the least value to that of the greatest.
    counts: Vec<u64>,
    least: u64,
    greatest: u64,
}

impl Sketch {
    /// Returns the sketch with these counts, by bucket, and these extremes; an empty one if all counts are 0.
    ///
    /// Counts past the buckets of the extremes are not used.
    #[must_use]
    pub fn from_counts(counts: &[u64], (least, greatest): (u64, u64)) -> Self {
        let counts = counts.get(bucket(least)..=bucket(greatest).max(bucket(least))).unwrap_or_default();
        if counts.iter().all(|count| *count == 0) {
            return Self::default();
        }
        Self { counts: counts.to_vec(), least, greatest }
    }

    /// Counts a value.
    pub fn add(&mut self, value: u64) {
        self.reach(value, value);
        let place = bucket(value) - bucket(self.least);
        if let Some(count) = self.counts.get_mut(place) {
            *count += 1;
        }
    }

    /// Makes room for values between two bounds, which become the extremes if they exceed them.
    fn reach(&mut self, least: u64, greatest: u64) {
        if self.counts.is_empty() {
            (self.least, self.greatest) = (least, greatest);
        } else {
            let before = bucket(self.least) - bucket(self.least.min(least));
            self.counts.splice(0..0, std::iter::repeat_n(0, before));
            (self.least, self.greatest) = (self.least.min(least), self.greatest.max(greatest));
        }
        self.counts.resize(bucket(self.greatest) - bucket(self.least) + 1, 0);
    }

    /// Returns the least and the greatest value; `None` without values.
    #[must_use]
    pub fn extremes(&self) -> Option<(u64, u64)> {
        (!self.counts.is_empty()).then_some((self.least, self.greatest))
    }

    /// Returns the number of values.
    #[must_use]
    pub fn total(&self) -> u64 {
        self.counts.iter().sum()
    }

    /// Returns the number of values that are 0.
    #[must_use]
    pub fn zeros(&self) -> u64 {
        self.counts.first().copied().filter(|_| self.least == 0).unwrap_or(0)
    }

    /// Returns the buckets that are not empty, in ascending order: least value, greatest value, count. Bounds lie
    /// within the extremes.
    pub fn filled(&self) -> impl Iterator<Item = (u64, u64, u64)> + '_ {
        self.counts.iter().zip(bucket(self.least)..).filter(|(count, _)| **count > 0).map(|(&count, index)| {
            let (least, greatest) = bounds(index);
            (least.max(self.least), greatest.min(self.greatest), count)
        })
    }

    /// Returns a histogram with `per_octave` bars per octave, a power of two of at most 128. Each bar that is not empty
    /// has its least value, end and count, in ascending order. Each value below 128 has a bar of its own.
    #[must_use]
    pub fn bars(&self, per_octave: usize) -> Vec<(u64, u64, u64)> {
        let joined = (1_usize << BITS) / per_octave.clamp(1, 1 << BITS);
        let mut bars: Vec<(usize, usize, u64)> = vec![];
        for (&count, index) in self.counts.iter().zip(bucket(self.least)..).filter(|(count, _)| **count > 0) {
            let (from, width) = if index < 1 << BITS { (index, 1) } else { (index / joined * joined, joined) };
            match bars.last_mut() {
                Some((last, _, sum)) if *last == from => *sum += count,
                _ => bars.push((from, from + width - 1, count)),
            }
        }
        bars.into_iter().map(|(from, last, count)| (bounds(from).0, bounds(last).1.saturating_add(1), count)).collect()
    }

    /// Returns the `share` quantile: of `n` values the one with rank `ceil(share n)`, within [`RELATIVE_ERROR`] of it
    /// and never outside of the extremes; `None` without values, or for a share that is not between 0 and 1.
    ///
    /// The values of a bucket count as spread evenly over it.
    #[must_use]
    pub fn quantile(&self, share: f64) -> Option<f64> {
        let total = self.total();
        if total == 0 || !(0.0..=1.0).contains(&share) {
            return None;
        }
        match ((share * total as f64).ceil() as u64).clamp(1, total) {
            1 => Some(self.least as f64),
            rank if rank == total => Some(self.greatest as f64),
            rank => {
                let mut below = 0;
                self.filled().find_map(|(least, greatest, count)| {
                    let place = (rank - below) as f64 - 0.5;
                    below += count;
                    (below >= rank).then(|| least as f64 + (greatest - least) as f64 * place / count as f64)
                })
            }
        }
    }
}

impl AddAssign<&Self> for Sketch {
    fn add_assign(&mut self, other: &Self) {
        let Some((least, greatest)) = other.extremes() else { return };
        self.reach(least, greatest);
        let first = bucket(least) - bucket(self.least);
        for (mine, count) in self.counts.iter_mut().skip(first).zip(&other.counts) {
            *mine += count;
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use proptest::prelude::*;

    fn of(values: &[u64]) -> Sketch {
        let mut sketch = Sketch::default();
        values.iter().for_each(|&value| sketch.add(value));
        sketch
    }

    /// Values of every size.
    fn values(most: usize) -> impl Strategy<Value = Vec<u64>> {
        prop::collection::vec((0..64_u32, any::<u64>()).prop_map(|(shift, word)| word >> shift), 0..most)
    }

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
        assert_eq!((bucket(255), bucket(256), bucket(257), bucket(258)), (255, 256, 256, 257));
        assert_eq!((bounds(256), bounds(384)), ((256, 257), (512, 515)));
        let sketch = of(&(1..=10).collect::<Vec<_>>());
        assert_eq!(sketch.quantile(0.5), Some(5.0));
        assert_eq!((sketch.quantile(0.0), sketch.quantile(1.0)), (Some(1.0), Some(10.0)));
        assert_eq!((sketch.quantile(1.1), sketch.quantile(f64::NAN)), (None, None));
        assert_eq!((Sketch::default().quantile(0.5), Sketch::default().extremes()), (None, None));
        assert_eq!((of(&[0, 0, 3]).zeros(), of(&[3]).zeros()), (2, 0));
    }

    #[test]
    fn equal_values_are_their_own_quantiles() {
        // A bucket is 2^23 wide here: its middle would be another value, and above the greatest.
        let sketch = of(&[(1 << 30) + 12_345; 100]);
        assert_eq!([0.01, 0.5, 0.99].map(|share| sketch.quantile(share)), [Some(1_073_754_169.0); 3]);
    }

    proptest! {
        #[test]
        fn quantiles_are_within_their_error_of_the_exact_ones_and_within_the_extremes(
            values in values(300),
            share in 0.0..=1.0_f64,
        ) {
            let sketch = of(&values);
            let mut sorted = values.clone();
            sorted.sort_unstable();
            prop_assert_eq!(sketch.total(), values.len() as u64);
            prop_assert_eq!(sketch.extremes(), sorted.first().copied().zip(sorted.last().copied()));
            let Some(estimate) = sketch.quantile(share) else {
                prop_assert!(values.is_empty());
                return Ok(());
            };
            let rank = ((share * sorted.len() as f64).ceil() as usize).clamp(1, sorted.len());
            let exact = sorted[rank - 1] as f64;
            prop_assert!((estimate - exact).abs() <= RELATIVE_ERROR * exact, "{estimate} for {exact}");
            prop_assert!(sorted[0] as f64 <= estimate && estimate <= sorted[sorted.len() - 1] as f64);
        }

        #[test]
        fn parts_add_up(left in values(50), right in values(50)) {
            let mut sum = of(&left);
            sum += &of(&right);
            prop_assert_eq!(&sum, &of(&[&left[..], &right[..]].concat()));
        }

        #[test]
        fn what_a_device_counts_gives_the_same_sketch(values in values(50)) {
            let mut counts = vec![0; BUCKETS];
            values.iter().for_each(|&value| counts[bucket(value)] += 1);
            let extremes = values.iter().fold((u64::MAX, 0), |(a, b), &value| (a.min(value), b.max(value)));
            prop_assert_eq!(Sketch::from_counts(&counts, extremes), of(&values));
        }

        #[test]
        fn bars_hold_every_value_once(values in values(300), bits in 0..=BITS) {
            let bars = of(&values).bars(1 << bits);
            for &(from, to, count) in &bars {
                let inside = values.iter().filter(|&&value| from <= value && (value < to || to == u64::MAX)).count();
                prop_assert_eq!(inside as u64, count);
                prop_assert!(to - from == 1 || (to - from) as f64 <= from as f64 / f64::from(1_u32 << bits));
            }
            prop_assert_eq!(bars.iter().map(|bar| bar.2).sum::<u64>(), values.len() as u64);
        }
    }
}
