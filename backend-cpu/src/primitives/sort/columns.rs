//! Sort of rows within the columns of the result: they are written to their buckets there, and each bucket is sorted
//! where it lies. Fresh memory of the size of the rows would cost a page fault for each 4 KiB.

use super::bucket::Sorter;
use super::key::Radix;
use super::line::Lines;
use super::rows::{Columns, Pair, Part, TASK_ROWS, high_bits};
use crate::primitives::Workers;
use crate::team::lock;
use bytemuck::NoUninit;
use std::sync::Mutex;

/// Sorts rows, a part by each thread. `key` is the key of a value, and `value` its inverse; keys differ in the low
/// `bits` alone.
pub(super) fn sort<T: Copy + Send + Sync + Default + NoUninit, K: Radix>(
    workers: Workers<'_>,
    parts: Vec<Part<'_, T>>,
    mut to: Columns<'_, T>,
    bits: u32,
    stored: (impl Fn(T) -> K + Sync + Copy, impl Fn(K) -> T + Sync + Copy),
) {
    let high = high_bits(to.words.len());
    let low = bits.saturating_sub(high);
    let key = stored.0;
    let bucket = move |value: T| (key(value).bits() >> low) as usize & ((1 << high) - 1);
    let sizes = spread(workers, parts, to.reborrow(), 1 << high, bucket);
    let mut tasks: Vec<(&[usize], Columns<'_, T>)> = Vec::new();
    let mut rest = &sizes[..];
    while !rest.is_empty() {
        let (mut taken, mut count) = (0, 0);
        while count < rest.len() && taken < TASK_ROWS {
            taken += rest[count];
            count += 1;
        }
        let (own, after) = rest.split_at(count);
        tasks.push((own, to.take(taken)));
        rest = after;
    }
    let idle: Mutex<Vec<Sorter<K>>> = Mutex::default();
    workers.map(tasks, |(sizes, mut columns)| {
        let mut sorter = lock(&idle).pop().unwrap_or_default();
        for size in sizes {
            sorter.sort(columns.take(*size), low, stored);
        }
        lock(&idle).push(sorter);
    });
}

/// Writes rows to their buckets, and returns the number of rows of each bucket.
fn spread<T: Copy + Send + Sync + Default + NoUninit>(
    workers: Workers<'_>,
    parts: Vec<Part<'_, T>>,
    mut to: Columns<'_, T>,
    buckets: usize,
    bucket: impl Fn(T) -> usize + Sync + Copy,
) -> Vec<usize> {
    let counts = workers.map(parts.clone(), |part| {
        let mut counts = vec![0_u32; buckets];
        part.rows.values.iter().for_each(|value| counts[bucket(*value)] += 1);
        counts
    });
    // Each part owns a place in each bucket: behind those of the parts before it.
    let mut places: Vec<Vec<Columns<'_, T>>> = parts.iter().map(|_| Vec::with_capacity(buckets)).collect();
    for bucket in 0..buckets {
        for (places, counts) in places.iter_mut().zip(&counts) {
            places.push(to.take(counts[bucket] as usize));
        }
    }
    workers.map(parts.into_iter().zip(places).collect(), |(part, places)| {
        let mut lines = Lines::new(places);
        let row = move |(value, word): (&T, u32)| (bucket(*value), Pair { key: *value, word });
        match part.rows.words {
            Some(words) => lines.extend(part.rows.values.iter().zip(words.iter().copied()).map(row)),
            None => lines.extend(part.rows.values.iter().zip(part.first as u32..).map(row)),
        }
        lines.finish();
    });
    (0..buckets).map(|bucket| counts.iter().map(|counts| counts[bucket] as usize).sum()).collect()
}

#[cfg(test)]
mod tests {
    use super::super::rows::Source;
    use super::*;
    use crate::team::Team;

    /// Sorts keys below 2^`bits` in the columns of the result, with words and with the numbers of the rows.
    fn check<K: Radix + std::fmt::Debug>(threads: usize, keys: &[K], bits: u32, what: &str) {
        let team = Team::new(threads).unwrap();
        let own: Vec<u32> = (0..keys.len() as u32).map(|row| row ^ 5).collect();
        for given in [None, Some(&own[..])] {
            let word = |row: u32| given.map_or(row, |words| words[row as usize]);
            let mut rows: Vec<u32> = (0..keys.len() as u32).collect();
            rows.sort_by_key(|row| keys[*row as usize]);
            let expected: Vec<_> = rows.iter().map(|row| (keys[*row as usize], word(*row))).collect();
            let (mut sorted, mut words) = (vec![K::ZERO; keys.len()], vec![0; keys.len()]);
            let parts = Source { values: keys, words: given }.parts(threads);
            let to = Columns { keys: &mut sorted, words: &mut words };
            sort(Workers::new(&team), parts, to, bits, (|key| key, |key| key));
            assert!(sorted.into_iter().zip(words).eq(expected), "{what}, {threads} threads, {}", given.is_some());
        }
    }

    #[test]
    fn any_keys_are_sorted_in_the_columns() {
        let random = |row: u64| row.wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29);
        for threads in [1, 3] {
            for count in [1, 17, 5_000, 70_000] {
                for bits in [0, 3, 11, 32, 64] {
                    let keys: Vec<u64> = (0..count).map(|row| random(row).unbounded_shr(64 - bits)).collect();
                    check(threads, &keys, bits, &format!("{count} keys of {bits} bits"));
                }
                let narrow: Vec<u32> = (0..count).map(|row| random(row) as u32).collect();
                check(threads, &narrow, 32, &format!("{count} narrow keys"));
                // All in the first bucket, but for one in the last.
                let skewed: Vec<u64> =
                    (0..count).map(|row| if row == 9 { u64::MAX } else { random(row) >> 50 }).collect();
                check(threads, &skewed, 64, &format!("{count} skewed keys"));
            }
        }
        // A bucket whose digits have the fewest bits.
        let large: Vec<u32> = (0..300_000).map(|row| random(row) as u32 >> 12).chain([u32::MAX]).collect();
        check(2, &large, 32, "a large bucket");
    }
}
