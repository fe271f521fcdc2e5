//! Sort of rows as pairs of key and word, in memory of their own.

use super::key::Radix;
use super::rows::{Output, Pair, Part, Source, TASK_ROWS, high_bits, starts};
use crate::primitives::Workers;
use std::ops::Range;

/// Number of rows below which keys are sorted by comparison.
const COMPARED_ROWS: usize = 256;

/// Number of values of a digit.
const DIGITS: usize = 256;

/// Sorts rows that lie in a near cache. `key` is the key of a value, and `value` its inverse; keys differ in the low
/// `bits` alone.
pub(super) fn sort_few<T: Copy, K: Radix>(
    source: Source<'_, T>,
    mut output: Output<'_, T>,
    bits: u32,
    (key, value): (impl Fn(T) -> K, impl Fn(K) -> T),
) {
    let pair = |(row, value): (usize, &T)| Pair { key: key(*value), word: source.word(row) };
    let mut pairs: Vec<Pair<K>> = source.values.iter().enumerate().map(pair).collect();
    sort_pairs(&mut pairs, &mut Vec::new(), bits);
    output.write(&pairs, value);
}

/// Sorts rows that are distributed over buckets first, a part by each thread.
pub(super) fn sort<T: Copy + Send + Sync, K: Radix>(
    workers: Workers<'_>,
    parts: Vec<Part<'_, T>>,
    mut output: Output<'_, T>,
    bits: u32,
    (key, value): (impl Fn(T) -> K + Sync, impl Fn(K) -> T + Sync),
) {
    let high = high_bits(output.words.len());
    let low = bits.saturating_sub(high);
    let spread: Vec<Spread<K>> = workers.map(parts, |part| Spread::new(part, &key, low, 1 << high));
    let mut tasks: Vec<(Range<usize>, Output<'_, T>)> = Vec::new();
    let (mut first, mut taken) = (0, 0);
    for bucket in 0..1 << high {
        taken += spread.iter().map(|part| part.bucket(bucket).len()).sum::<usize>();
        if taken >= TASK_ROWS || bucket + 1 == 1 << high {
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

/// Pairs of a part, bucket by bucket.
struct Spread<K> {
    pairs: Vec<Pair<K>>,
    ends: Vec<u32>,
}

impl<K: Radix> Spread<K> {
    /// Distributes a part over buckets, a power of two, by the bits above the `low` bits of its keys.
    fn new<T: Copy>(part: Part<'_, T>, key: impl Fn(T) -> K, low: u32, buckets: usize) -> Self {
        let bucket = |key: K| (key.bits() >> low) as usize % buckets;
        let mut ends = vec![0; buckets];
        for value in part.rows.values {
            ends[bucket(key(*value))] += 1;
        }
        starts(&mut ends);
        let mut pairs = vec![Pair::default(); part.rows.values.len()];
        for (row, value) in part.rows.values.iter().enumerate() {
            let key = key(*value);
            let place = &mut ends[bucket(key)];
            pairs[*place as usize] = Pair { key, word: part.word(row) };
            *place += 1;
        }
        Spread { pairs, ends }
    }

    fn bucket(&self, bucket: usize) -> &[Pair<K>] {
        let start = bucket.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.pairs[start as usize..self.ends[bucket] as usize]
    }
}

/// Sorts pairs by the low bits of their keys, the only ones in which they differ. `other` is working memory.
fn sort_pairs<K: Radix>(pairs: &mut Vec<Pair<K>>, other: &mut Vec<Pair<K>>, bits: u32) {
    if bits == 0 {
        return;
    }
    if pairs.len() < COMPARED_ROWS {
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
