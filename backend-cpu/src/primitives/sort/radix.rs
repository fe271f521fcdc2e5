//! Sort of keys by their digits.
//!
//! Rows are distributed over buckets by the highest bits in which their keys differ. Each bucket then lies in a near
//! cache, and is sorted from its last digit to its first. Many rows are distributed within the columns of the result,
//! fewer as pairs in memory of their own.

use super::key::Radix;
use super::rows::{Columns, Output, Source};
use super::{columns, pairs};
use crate::primitives::Workers;
use bytemuck::NoUninit;

/// Number of rows from which on keys are distributed first; fewer lie in a near cache anyway.
const SPREAD_ROWS: usize = 1 << 16;

/// Number of bytes of the columns that caches may hold. Longer columns are written past them, where a processor can.
/// Ordinary stores to as many buckets take longer than pairs in memory of their own.
const CACHED_BYTES: usize = if cfg!(target_arch = "x86_64") { 1 << 24 } else { usize::MAX };

/// Sorts words, or the numbers of the rows, by the values of a column. The sort is stable. `key` has the order of the
/// values, and `value` is its inverse.
pub(super) fn sort<T: Copy + Send + Sync + Default + NoUninit, K: Radix>(
    workers: Workers<'_>,
    values: &[T],
    words: Option<&[u32]>,
    output: Output<'_, T>,
    key: impl Fn(T) -> K + Sync + Copy,
    value: impl Fn(K) -> T + Sync + Copy,
) {
    let source = Source { values, words };
    let parts = source.parts(if values.len() < SPREAD_ROWS { 1 } else { workers.threads() });
    let extremes = workers.map(parts.clone(), |part| {
        part.rows.values.iter().fold((K::LAST, K::ZERO), |(least, greatest), value| {
            let key = key(*value);
            (least.min(key), greatest.max(key))
        })
    });
    let least = extremes.iter().map(|(least, _)| *least).min().unwrap_or(K::ZERO).bits();
    let greatest = extremes.iter().map(|(_, greatest)| *greatest).max().unwrap_or(K::ZERO).bits();
    // All keys minus the least differ only in this number of low bits.
    let bits = 64 - greatest.saturating_sub(least).leading_zeros();
    let key = move |value: T| K::of(key(value).bits() - least);
    let value = move |key: K| value(K::of(key.bits() + least));
    let bytes = values.len().saturating_mul(size_of::<T>() + size_of::<u32>());
    match output {
        Output { keys: Some(keys), words } if bytes > CACHED_BYTES => {
            columns::sort(workers, parts, Columns { keys, words }, bits, (key, value));
        }
        output if values.len() < SPREAD_ROWS => pairs::sort_few(source, output, bits, (key, value)),
        output => pairs::sort(workers, parts, output, bits, (key, value)),
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

    #[cfg(target_arch = "x86_64")]
    #[test]
    fn rows_that_are_written_past_the_caches_keep_their_order() {
        let random = |i: u64| i.wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29);
        let keys: Vec<u64> = (0..1_400_000).map(|i| ((random(i) % 500_000) << 32) | (random(i) % 3)).collect();
        assert!(keys.len() * 12 > CACHED_BYTES);
        check(&Team::new(3).unwrap(), &keys, "1,400,000 keys on 3 threads");
    }
}
