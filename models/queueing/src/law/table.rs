//! Quantile tables: a law's quantiles in ticks, denser towards both ends.

use super::tail::Tail;
use super::{Law, LawError};
use imminent_common::time::{MAX_TICKS, Tick};

/// Number of entries of one half of a table: 64 for each of the 32 octaves, and the median.
const HALF: usize = 32 * SEGMENTS + 1;

/// Number of segments of an octave.
const SEGMENTS: usize = 64;

/// Quantiles of a law in ticks, as defined in [the module](super): 2,049 entries from the lower end to the median, and
/// 2,049 from the upper end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct QuantileTable {
    ticks: Vec<u64>,
}

impl QuantileTable {
    pub(super) fn new(law: &Law, tick: Tick) -> Result<Self, LawError> {
        let mut ticks = Vec::with_capacity(2 * HALF);
        // A thousandth of a tick is negligible, and neighbours are good guesses for each other.
        let resolution = 1e-3 / tick.per_unit();
        let mut previous = law.mean();
        let distribution = law.distribution();
        for tail in [Tail::Lower as fn(f64) -> Tail, Tail::Upper] {
            let half = ticks.len();
            // From the median outward, where guesses are close.
            for entry in (0..HALF).rev() {
                let (octave, segment) = (entry / SEGMENTS, entry % SEGMENTS);
                let probability = (octave as f64 - 33.0).exp2() * (1.0 + segment as f64 / SEGMENTS as f64);
                let time = distribution.quantile(tail(probability), resolution, previous);
                let rounded = (time * tick.per_unit()).round();
                // NaN is refused too.
                if rounded.is_nan() || rounded > MAX_TICKS as f64 {
                    return Err(LawError::too_long(law.name(), time, tick));
                }
                previous = time;
                ticks.push(rounded as u64);
            }
            if let Some(half) = ticks.get_mut(half..) {
                half.reverse();
            }
        }
        let mut table = Self { ticks };
        table.make_monotone();
        Ok(table)
    }

    /// Restores the order of quantiles, which rounding may have disturbed.
    fn make_monotone(&mut self) {
        let (lower, upper) = self.ticks.split_at_mut(HALF);
        let mut least = 0;
        for entry in lower {
            least = least.max(*entry);
            *entry = least;
        }
        for entry in upper.iter_mut().rev() {
            least = least.max(*entry);
            *entry = least;
        }
    }

    /// Returns all entries: the lower half, rising to the median, and the upper half, falling to it.
    #[must_use]
    pub fn ticks(&self) -> &[u64] {
        &self.ticks
    }

    /// Returns the duration for a random word; may be 0.
    #[inline]
    #[must_use]
    pub fn draw(&self, word: u32) -> u64 {
        let v = (u64::from(word) << 1) | 1;
        let upper = v >> 32 != 0;
        let w = if upper { (1 << 33) - v } else { v } as u32;
        let shift = w.leading_zeros();
        let place = (w << shift) & 0x7FFF_FFFF;
        let segment = (31 - shift as usize) * SEGMENTS + (place >> 25) as usize;
        let rest = u64::from(place & 0x01FF_FFFF);
        let entry = segment + if upper { HALF } else { 0 };
        let near = self.ticks.get(entry).copied().unwrap_or(0);
        let far = self.ticks.get(entry + 1).copied().unwrap_or(near);
        let part = fraction(near.abs_diff(far), rest);
        if upper { near - part } else { near + part }
    }

    /// Returns the mean of the draws over all words, in ticks; a draw of 0 counts as 1.
    pub(super) fn mean(&self) -> f64 {
        let mut sum = 0.0;
        for upper in [false, true] {
            for octave in 0..32_u32 {
                if octave < 8 {
                    // Few words, possibly not evenly spread over the segments.
                    let odd = ((1_u64 << octave)..(2_u64 << octave)).filter(|w| w & 1 == 1);
                    let words = odd.map(|w| if upper { ((1_u64 << 33) - w) >> 1 } else { w >> 1 });
                    sum += words.map(|word| self.draw(word as u32).max(1) as f64).sum::<f64>();
                    continue;
                }
                let words = f64::from(1_u32 << (octave - 1)) / SEGMENTS as f64;
                let first = octave as usize * SEGMENTS + if upper { HALF } else { 0 };
                for pair in self.ticks.get(first..=first + SEGMENTS).unwrap_or(&[]).windows(2) {
                    // The words of a segment are symmetric about its middle.
                    let ends: f64 = pair.iter().map(|&ticks| ticks as f64).sum();
                    sum += words * (ends / 2.0).max(1.0);
                }
            }
        }
        sum / 2_f64.powi(32)
    }
}

/// Computes `(distance * rest + 2^24) >> 25` without overflow; `rest` is below 2^25.
#[inline]
fn fraction(distance: u64, rest: u64) -> u64 {
    (distance >> 25) * rest + (((distance & 0x01FF_FFFF) * rest + (1 << 24)) >> 25)
}
