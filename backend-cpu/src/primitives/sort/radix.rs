//! Sort of keys: rows are distributed over buckets by the highest bits in which keys differ. Each bucket then lies in a
//! near cache, and is sorted from its last byte to its first.

use crate::primitives::Workers;
use std::ops::Range;

/// Number of rows from which on keys are distributed first; fewer lie in a near cache anyway.
const SPREAD_ROWS: usize = 1 << 16;

/// Number of rows below which keys are sorted by comparison.
const RADIX_ROWS: usize = 256;

/// Number of values of a byte.
const BUCKETS: usize = 256;

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

/// A key and the row that it comes from.
#[derive(Clone, Copy, Default)]
struct Pair<K> {
    key: K,
    row: u32,
}

/// Sets `rows` to the stable order of the values' keys.
pub(super) fn order<T: Copy + Sync, K: Radix>(
    workers: Workers<'_>,
    values: &[T],
    key: impl Fn(T) -> K + Sync,
    rows: &mut [u32],
) {
    let length = if values.len() < SPREAD_ROWS { values.len() } else { values.len().div_ceil(workers.threads()) };
    let parts: Vec<(u32, &[T])> =
        values.chunks(length.max(1)).enumerate().map(|(i, part)| ((i * length) as u32, part)).collect();
    let extremes = workers.map(parts.clone(), |(_, part)| {
        part.iter().fold((K::LAST, K::ZERO), |(least, greatest), value| {
            let key = key(*value);
            (least.min(key), greatest.max(key))
        })
    });
    let least = extremes.iter().map(|(least, _)| *least).min().unwrap_or(K::ZERO).bits();
    let greatest = extremes.iter().map(|(_, greatest)| *greatest).max().unwrap_or(K::ZERO).bits();
    // All keys minus the least differ only in this number of low bits.
    let bits = 64 - greatest.saturating_sub(least).leading_zeros();
    let pair = |row: u32, value: T| Pair { key: K::of(key(value).bits() - least), row };
    if values.len() < SPREAD_ROWS {
        let mut pairs: Vec<Pair<K>> = (0..).zip(values).map(|(row, value)| pair(row, *value)).collect();
        sort_pairs(&mut pairs, &mut Vec::new(), bits);
        rows.iter_mut().zip(&pairs).for_each(|(to, pair)| *to = pair.row);
        return;
    }
    let low = bits.saturating_sub(BUCKETS.ilog2());
    let spread: Vec<Spread<K>> = workers.map(parts, |(first, part)| Spread::new(first, part, pair, low));
    let mut tasks: Vec<(Range<usize>, &mut [u32])> = Vec::new();
    let (mut rest, mut first, mut taken) = (rows, 0, 0);
    for bucket in 0..BUCKETS {
        taken += spread.iter().map(|part| part.bucket(bucket).len()).sum::<usize>();
        if taken >= SPREAD_ROWS / 4 || bucket + 1 == BUCKETS {
            let (own, after) = std::mem::take(&mut rest).split_at_mut(taken);
            rest = after;
            tasks.push((first..bucket + 1, own));
            (first, taken) = (bucket + 1, 0);
        }
    }
    workers.map(tasks, |(buckets, mut rows)| {
        let (mut pairs, mut other) = (Vec::new(), Vec::new());
        for bucket in buckets {
            pairs.clear();
            spread.iter().for_each(|part| pairs.extend_from_slice(part.bucket(bucket)));
            sort_pairs(&mut pairs, &mut other, low);
            let (own, after) = std::mem::take(&mut rows).split_at_mut(pairs.len());
            rows = after;
            own.iter_mut().zip(&pairs).for_each(|(to, pair)| *to = pair.row);
        }
    });
}

/// Pairs of a part, bucket by bucket.
struct Spread<K> {
    pairs: Vec<Pair<K>>,
    ends: [u32; BUCKETS],
}

impl<K: Radix> Spread<K> {
    /// Distributes a part by the byte above the `low` bits of its keys.
    fn new<T: Copy>(first: u32, part: &[T], pair: impl Fn(u32, T) -> Pair<K>, low: u32) -> Self {
        let byte = |pair: &Pair<K>| (pair.key.bits() >> low) as usize % BUCKETS;
        let mut ends = [0; BUCKETS];
        for value in part {
            ends[byte(&pair(0, *value))] += 1;
        }
        starts(&mut ends);
        let mut pairs = vec![Pair::default(); part.len()];
        for (row, value) in (first..).zip(part) {
            let pair = pair(row, *value);
            let place = &mut ends[byte(&pair)];
            pairs[*place as usize] = pair;
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
fn starts(counts: &mut [u32; BUCKETS]) {
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
        // No two rows are equal, so this is stable.
        pairs.sort_unstable_by_key(|pair| (pair.key, pair.row));
        return;
    }
    let passes = bits.div_ceil(BUCKETS.ilog2());
    let byte = |pair: &Pair<K>, pass: u32| (pair.key.bits() >> (pass * BUCKETS.ilog2())) as usize % BUCKETS;
    let mut counts = [[0_u32; BUCKETS]; 8];
    for pair in &*pairs {
        for pass in 0..passes {
            counts[pass as usize][byte(pair, pass)] += 1;
        }
    }
    other.clear();
    other.resize(pairs.len(), Pair::default());
    for (pass, counts) in (0..passes).zip(&mut counts) {
        // A byte that is equal in all keys is skipped.
        if counts[byte(&pairs[0], pass)] as usize == pairs.len() {
            continue;
        }
        starts(counts);
        for pair in &*pairs {
            let place = &mut counts[byte(pair, pass)];
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

    #[test]
    fn the_order_is_that_of_a_stable_sort() {
        for threads in [1, 3] {
            let team = Team::new(threads).unwrap();
            for (count, range) in
                [(0, 1), (1, 1), (300, 7), (70_000, 1), (70_000, 100), (200_000, 1 << 20), (200_000, 0)]
            {
                let random = |i: u64| i.wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29);
                let keys: Vec<u64> =
                    (0..count).map(|i| random(i).checked_rem(range).map_or(random(i), |x| x + 5_000_000_000)).collect();
                let mut expected: Vec<u32> = (0..count as u32).collect();
                expected.sort_by_key(|row| keys[*row as usize]);
                let mut rows = vec![0; keys.len()];
                order(Workers::new(&team), &keys, |key| key, &mut rows);
                assert!(rows == expected, "{count} keys of {range} on {threads} threads");
                let narrow: Vec<u32> = keys.iter().map(|key| *key as u32).collect();
                expected.sort_unstable();
                expected.sort_by_key(|row| narrow[*row as usize]);
                order(Workers::new(&team), &narrow, |key| key, &mut rows);
                assert!(rows == expected, "{count} narrow keys of {range} on {threads} threads");
            }
        }
    }
}
