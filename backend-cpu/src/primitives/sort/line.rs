//! Rows collected by bucket, and written past the caches a line at a time.
//!
//! A row alone, written to one of a thousand buckets, makes the processor read the bucket's line of memory first, and
//! wait for it. A whole line is written without.

use super::rows::{Columns, Pair};
use bytemuck::NoUninit;

/// Number of rows that are collected: their words fill a line of 64 bytes, and their keys one or two.
const ROWS: usize = 16;

/// Latest rows of a bucket: row `n` at place `n % ROWS`.
#[derive(Clone, Copy, Default)]
#[repr(align(64))]
struct Ring<S>([Pair<S>; ROWS]);

/// Rows of a part that are collected for its places in all buckets.
pub(super) struct Lines<'a, S> {
    places: Vec<Columns<'a, S>>,
    rings: Vec<Ring<S>>,
    /// Number of the next row of each bucket, modulo 2^32. A line of words ends before each multiple of `ROWS`.
    next: Vec<u32>,
    /// Number of rows that a line of keys is ahead of the line of words.
    ahead: u32,
}

impl<'a, S: Copy + Default + NoUninit> Lines<'a, S> {
    /// Creates empty lines for places that follow one another in two columns.
    pub(super) fn new(places: Vec<Columns<'a, S>>) -> Self {
        let next: Vec<u32> = places.iter().map(|place| row_of_line(place.words)).collect();
        let keys = places.first().map_or(0, |place| row_of_line(place.keys));
        let ahead = (keys + ROWS as u32 - next.first().copied().unwrap_or(0)) % ROWS as u32;
        Lines { rings: vec![Ring::default(); places.len()], places, next, ahead }
    }

    /// Adds rows to their buckets.
    pub(super) fn extend(&mut self, rows: impl Iterator<Item = (usize, Pair<S>)>) {
        let (next, rings, ahead) = (&mut self.next[..], &mut self.rings[..], self.ahead);
        for (bucket, pair) in rows {
            let (next, ring) = (&mut next[bucket], &mut rings[bucket]);
            ring.0[*next as usize % ROWS] = pair;
            *next = next.wrapping_add(1);
            let ends = |next: u32| (next as usize).is_multiple_of(ROWS);
            match (ends(*next), ends(next.wrapping_add(ahead))) {
                (false, false) => {}
                (true, true) => write_pairs(&mut self.places[bucket], ring, *next),
                (true, false) => write_words(&mut self.places[bucket], ring, *next),
                (false, true) => write_keys(&mut self.places[bucket], ring, *next),
            }
        }
    }

    /// Writes the rows whose lines are not full.
    pub(super) fn finish(mut self) {
        for (bucket, place) in self.places.iter_mut().enumerate() {
            let (ring, next) = (&self.rings[bucket], self.next[bucket]);
            let rows = end_of(place, next);
            let pair = |row: usize| ring.0[(next as usize % ROWS + ROWS - (rows - row)) % ROWS];
            let rest = |next: u32| rows - rows.min(next as usize % ROWS)..rows;
            rest(next).for_each(|row| place.words[row] = pair(row).word);
            rest(next.wrapping_add(self.ahead)).for_each(|row| place.keys[row] = pair(row).key);
        }
    }
}

impl<S> Drop for Lines<'_, S> {
    /// Makes the written lines visible to threads that read the columns afterwards.
    fn drop(&mut self) {
        #[cfg(target_arch = "x86_64")]
        // SAFETY: processors of this target have SSE, and the function needs nothing else.
        unsafe {
            std::arch::x86_64::_mm_sfence();
        }
    }
}

/// Returns the number of rows between the start of a line, or of a line of keys of two, and the start of a column.
fn row_of_line<V>(column: &[V]) -> u32 {
    (column.as_ptr().addr() / size_of::<V>() % ROWS) as u32
}

/// Returns the number of rows of a place before row `next`.
fn end_of<S>(place: &Columns<'_, S>, next: u32) -> usize {
    next.wrapping_sub(row_of_line(place.words)) as usize
}

/// Values of a line, side by side.
#[repr(align(64))]
struct Line<V>([V; ROWS]);

/// Writes the words of the latest rows.
#[inline(never)]
fn write_words<S: Copy>(place: &mut Columns<'_, S>, ring: &Ring<S>, next: u32) {
    let end = end_of(place, next);
    write(place.words, end, &Line(std::array::from_fn(|row| ring.0[row].word)));
}

/// Writes the keys of the latest rows, of which the first is anywhere in the ring.
#[inline(never)]
fn write_keys<S: NoUninit>(place: &mut Columns<'_, S>, ring: &Ring<S>, next: u32) {
    let (end, first) = (end_of(place, next), next as usize % ROWS);
    write(place.keys, end, &Line(std::array::from_fn(|row| ring.0[(first + row) % ROWS].key)));
}

/// Writes keys and words of the latest rows, in one function: the processor waits for the rows' stores once.
#[inline(never)]
fn write_pairs<S: NoUninit>(place: &mut Columns<'_, S>, ring: &Ring<S>, next: u32) {
    let end = end_of(place, next);
    let keys = Line(std::array::from_fn(|row| ring.0[row].key));
    let words = Line(std::array::from_fn(|row| ring.0[row].word));
    write(place.keys, end, &keys);
    write(place.words, end, &words);
}

/// Writes a line that ends before row `end` of a column. The first line of a column may lack its first rows.
#[inline(always)]
fn write<V: NoUninit>(column: &mut [V], end: usize, line: &Line<V>) {
    if end < ROWS {
        return column[..end].copy_from_slice(&line.0[ROWS - end..]);
    }
    let to = &mut column[end - ROWS..end];
    #[cfg(target_arch = "x86_64")]
    if to.as_ptr().cast::<std::arch::x86_64::__m128i>().is_aligned() {
        use std::arch::x86_64::{__m128i, _mm_stream_si128};
        let (to, from) = (to.as_mut_ptr().cast::<__m128i>(), line.0.as_ptr().cast::<__m128i>());
        for part in 0..size_of_val(&line.0) / size_of::<__m128i>() {
            // SAFETY: `to` and `from` have `size_of_val(&line.0)` bytes, so part `part` lies within both. Both are
            // aligned to 16 bytes: `to` as just tested, `from` by its type. The values of `from` have no uninitialized
            // bytes, and those of `to` are of the same type. Processors of this target have SSE2. `Lines` borrows the
            // column exclusively until `drop` has fenced, and does not read it.
            unsafe {
                _mm_stream_si128(to.add(part), *from.add(part));
            }
        }
        return;
    }
    to.copy_from_slice(&line.0);
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks three buckets in columns that start at any row of a line.
    fn check<S: Copy + Default + NoUninit + PartialEq + std::fmt::Debug>(key: impl Fn(u32) -> S) {
        for (keys_from, words_from, rows) in (0..17)
            .flat_map(|a| (0..17).map(move |b| (a, b)))
            .flat_map(|(a, b)| [0, 1, 15, 16, 47, 100].map(|c| (a, b, c)))
        {
            let bucket = |row: u32| (row.wrapping_mul(0x9e37_79b9) >> 30) as usize % 3;
            let mut expected: Vec<u32> = (0..rows).collect();
            expected.sort_by_key(|row| bucket(*row));
            let (mut keys, mut words) = (vec![S::default(); 150], vec![u32::MAX; 150]);
            let mut rest = Columns { keys: &mut keys[keys_from..], words: &mut words[words_from..] };
            let size = |number| (0..rows).filter(|row| bucket(*row) == number).count();
            let mut lines = Lines::new((0..3).map(|number| rest.take(size(number))).collect());
            lines.extend((0..rows).map(|row| (bucket(row), Pair { key: key(row), word: row })));
            lines.finish();
            let what = format!("{rows} rows from {keys_from} and {words_from}");
            assert_eq!(words[words_from..words_from + rows as usize], expected, "{what}");
            assert!(words[words_from + rows as usize..].iter().all(|word| *word == u32::MAX), "beyond {what}");
            let expected: Vec<S> = expected.into_iter().map(&key).collect();
            assert_eq!(keys[keys_from..keys_from + rows as usize], expected, "keys of {what}");
        }
    }

    #[test]
    fn rows_of_a_bucket_keep_their_order_wherever_its_lines_begin() {
        check(|row| !row);
        check(|row| u64::from(row) << 32 | 7);
    }
}
