//! Sort of keys: rows are distributed over buckets by the highest bits in which keys differ. Each bucket then lies in a
//! near cache, and is sorted from its last byte to its first.

use crate::primitives::Workers;
use std::ops::{Range, RangeInclusive};

/// Number of rows from which on keys are distributed first; fewer lie in a near cache anyway.
const SPREAD_ROWS: usize = 1 << 16;

/// Number of rows below which keys are sorted by comparison.
const RADIX_ROWS: usize = 256;

/// Bounds of the number of high bits by which keys are distributed.
const SPREAD_BITS: RangeInclusive<u32> = 8..=10;

/// Logarithm of the least number of rows in a bucket, if keys are spread evenly and there are more than 2^8 buckets.
const BUCKET_ROWS: u32 = 10;

/// Number of values of a digit.
const DIGITS: usize = 256;

/// An unsigned integer whose order is that of the keys.
pub(super) trait Radix: Copy + Ord + Send + Sync + Default {
    const ZERO: Self;
    const LAST: Self;
    fn of(key: u64) -> Self;
    fn bits(self) -> u64;
}

impl Radix for u32 {
    const ZERO: u32 = 0;
    const LAST: u32 = u32::MAX;
    #[inline(always)]
    fn of(key: u64) -> Self {
        key as u32
    }
    #[inline(always)]
    fn bits(self) -> u64 {
        self.into()
    }
}

impl Radix for u64 {
    const ZERO: u64 = 0;
    const LAST: u64 = u64::MAX;
    #[inline(always)]
    fn of(key: u64) -> Self {
        key
    }
    #[inline(always)]
    fn bits(self) -> u64 {
        self
    }
}

/// A key and the word that is sorted along.
#[derive(Clone, Copy, Default)]
struct Pair<K> {
    key: K,
    word: u32,
}

/// Rows of a sort's results.
pub(super) struct Output<'a, T> {
    /// Sorted values of the key's column.
    pub(super) keys: Option<&'a mut [T]>,
    /// Words in the order of the keys.
    pub(super) words: &'a mut [u32],
}

impl<T> Output<'_, T> {
    /// Divides the rows after the first `rows`.
    fn split(self, rows: usize) -> (Self, Self) {
        let (words, other_words) = self.words.split_at_mut(rows);
        let (keys, other_keys) = match self.keys.map(|keys| keys.split_at_mut(rows)) {
            Some((keys, others)) => (Some(keys), Some(others)),
            None => (None, None),
        };
        (Output { keys, words }, Output { keys: other_keys, words: other_words })
    }

    /// Writes sorted pairs.
    fn write<K: Copy>(&mut self, pairs: &[Pair<K>], value: impl Fn(K) -> T) {
        self.words.iter_mut().zip(pairs).for_each(|(to, pair)| *to = pair.word);
        if let Some(keys) = &mut self.keys {
            keys.iter_mut().zip(pairs).for_each(|(to, pair)| *to = value(pair.key));
        }
    }
}

/// Sorts words, or the numbers of the rows, by the values of a column. The sort is stable. `key` has the order of the
/// values, and `value` is its inverse.
pub(super) fn sort<T: Copy + Send + Sync, K: Radix>(
    workers: Workers<'_>,
    values: &[T],
    words: Option<&[u32]>,
    mut output: Output<'_, T>,
    key: impl Fn(T) -> K + Sync,
    value: impl Fn(K) -> T + Sync,
) {
    let length = if values.len() < SPREAD_ROWS { values.len() } else { values.len().div_ceil(workers.threads()) };
    let part = |(i, values)| RowSlice { first: i * length, values };
    let parts: Vec<RowSlice<'_, T>> = values.chunks(length.max(1)).enumerate().map(part).collect();
    let extremes = workers.map(parts.clone(), |part| {
        part.values.iter().fold((K::LAST, K::ZERO), |(least, greatest), value| {
            let key = key(*value);
            (least.min(key), greatest.max(key))
        })
    });
    let least = extremes.iter().map(|(least, _)| *least).min().unwrap_or(K::ZERO).bits();
    let greatest = extremes.iter().map(|(_, greatest)| *greatest).max().unwrap_or(K::ZERO).bits();
    // All keys minus the least differ only in this number of low bits.
    let bits = 64 - greatest.saturating_sub(least).leading_zeros();
    let key = |value: T| K::of(key(value).bits() - least);
    let value = |key: K| value(K::of(key.bits() + least));
    let word = |row: usize| words.map_or(row as u32, |words| words[row]);
    if values.len() < SPREAD_ROWS {
        let mut pairs: Vec<Pair<K>> =
            values.iter().enumerate().map(|(row, value)| Pair { key: key(*value), word: word(row) }).collect();
        sort_pairs(&mut pairs, &mut Vec::new(), bits);
        return output.write(&pairs, value);
    }
    let high = values.len().ilog2().saturating_sub(BUCKET_ROWS).clamp(*SPREAD_BITS.start(), *SPREAD_BITS.end());
    let low = bits.saturating_sub(high);
    let spread: Vec<Spread<K>> = workers.map(parts, |part| Spread::new(part, &key, word, low, 1 << high));
    let mut tasks: Vec<(Range<usize>, Output<'_, T>)> = Vec::new();
    let (mut first, mut taken) = (0, 0);
    for bucket in 0..1 << high {
        taken += spread.iter().map(|part| part.bucket(bucket).len()).sum::<usize>();
        if taken >= SPREAD_ROWS / 4 || bucket + 1 == 1 << high {
            let (own, after) = output.split(taken);
            tasks.push((first..bucket + 1, own));
            output = after;
            (first, taken) = (bucket + 1, 0);
        }
    }
    workers.map(tasks, |(buckets, mut output)| {
        let (mut pairs, mut other) = (Vec::new(), Vec::new());
        for bucket in buckets {
            pairs.clear();
            spread.iter().for_each(|part| pairs.extend_from_slice(part.bucket(bucket)));
            sort_pairs(&mut pairs, &mut other, low);
            let (mut own, after) = output.split(pairs.len());
            own.write(&pairs, &value);
            output = after;
        }
    });
}

/// Consecutive rows of a column.
#[derive(Clone, Copy)]
struct RowSlice<'v, T> {
    first: usize,
    values: &'v [T],
}

/// Pairs of a part, bucket by bucket.
struct Spread<K> {
    pairs: Vec<Pair<K>>,
    ends: Vec<u32>,
}

impl<K: Radix> Spread<K> {
    /// Distributes a part over buckets, a power of two, by the bits above the `low` bits of its keys.
    fn new<T: Copy>(
        part: RowSlice<'_, T>,
        key: impl Fn(T) -> K,
        word: impl Fn(usize) -> u32,
        low: u32,
        buckets: usize,
    ) -> Self {
        let bucket = |key: K| (key.bits() >> low) as usize % buckets;
        let mut ends = vec![0; buckets];
        for value in part.values {
            ends[bucket(key(*value))] += 1;
        }
        starts(&mut ends);
        let mut pairs = vec![Pair::default(); part.values.len()];
        for (row, value) in (part.first..).zip(part.values) {
            let key = key(*value);
            let place = &mut ends[bucket(key)];
            pairs[*place as usize] = Pair { key, word: word(row) };
            *place += 1;
        }
        Spread { pairs, ends }
    }

    fn bucket(&self, bucket: usize) -> &[Pair<K>] {
        let start = bucket.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.pairs[start as usize..self.ends[bucket] as usize]
    }
}

/// Converts counts to the start of each bucket.
fn starts(counts: &mut [u32]) {
    let mut next = 0;
    for count in counts {
        (*count, next) = (next, next + *count);
    }
}

/// Sorts pairs by the low bits of their keys, the only ones in which they differ. `other` is working memory.
fn sort_pairs<K: Radix>(pairs: &mut Vec<Pair<K>>, other: &mut Vec<Pair<K>>, bits: u32) {
    if bits == 0 {
        return;
    }
    if pairs.len() < RADIX_ROWS {
        pairs.sort_by_key(|pair| pair.key);
        return;
    }
    let passes = bits.div_ceil(DIGITS.ilog2());
    let width = bits.div_ceil(passes);
    let digit = |pair: &Pair<K>, pass: u32| (pair.key.bits() >> (pass * width)) as usize % (1 << width);
    let mut counts = [[0_u32; DIGITS]; 8];
    for pair in &*pairs {
        for pass in 0..passes {
            counts[pass as usize][digit(pair, pass)] += 1;
        }
    }
    other.clear();
    other.resize(pairs.len(), Pair::default());
    for (pass, counts) in (0..passes).zip(&mut counts) {
        // A digit that is equal in all keys is skipped.
        if counts[digit(&pairs[0], pass)] as usize == pairs.len() {
            continue;
        }
        starts(counts);
        for pair in &*pairs {
            let place = &mut counts[digit(pair, pass)];
            other[*place as usize] = *pair;
            *place += 1;
        }
        std::mem::swap(pairs, other);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::team::Team;

    /// Sorts keys, and checks keys and words.
    fn check<K: Radix + std::fmt::Debug>(team: &Team, keys: &[K], what: &str) {
        let workers = Workers::new(team);
        let mut expected: Vec<u32> = (0..keys.len() as u32).collect();
        expected.sort_by_key(|row| keys[*row as usize]);
        let mut rows = vec![0; keys.len()];
        sort(workers, keys, None, Output { keys: None, words: &mut rows }, |key| key, |key| key);
        assert!(rows == expected, "{what}");
        let words: Vec<u32> = (0..keys.len() as u32).map(|row| !row).collect();
        let (mut sorted, mut to) = (vec![K::ZERO; keys.len()], vec![0; keys.len()]);
        let output = Output { keys: Some(&mut sorted), words: &mut to };
        sort(workers, keys, Some(&words), output, |key| key, |key| key);
        assert!(to.iter().zip(&expected).all(|(word, row)| *word == !row), "words of {what}");
        assert!(sorted.iter().zip(&expected).all(|(key, row)| *key == keys[*row as usize]), "sorted {what}");
    }

    #[test]
    fn the_order_is_that_of_a_stable_sort() {
        for threads in [1, 3] {
            let team = Team::new(threads).unwrap();
            for (count, range) in [
                (0, 1),
                (1, 1),
                (300, 7),
                (70_000, 1),
                (70_000, 100),
                (200_000, 1 << 20),
                (200_000, 0),
                (600_000, 1 << 30),
                (1_200_000, 900),
            ] {
                let random = |i: u64| i.wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29);
                let keys: Vec<u64> =
                    (0..count).map(|i| random(i).checked_rem(range).map_or(random(i), |x| x + 5_000_000_000)).collect();
                check(&team, &keys, &format!("{count} keys of {range} on {threads} threads"));
                let narrow: Vec<u32> = keys.iter().map(|key| *key as u32).collect();
                check(&team, &narrow, &format!("{count} narrow keys of {range} on {threads} threads"));
            }
        }
    }
}
