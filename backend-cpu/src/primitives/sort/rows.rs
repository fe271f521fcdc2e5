//! Rows that are sorted: their places before, between and after.

use std::ops::RangeInclusive;

/// Bounds of the number of high bits by which keys are distributed.
const SPREAD_BITS: RangeInclusive<u32> = 8..=10;

/// Logarithm of the least number of rows in a bucket, if keys are spread evenly and there are more than 2^8 buckets.
const BUCKET_ROWS: u32 = 10;

/// Least number of rows of the buckets that a task sorts.
pub(super) const TASK_ROWS: usize = 1 << 14;

/// A key and the word that is sorted along.
#[derive(Clone, Copy, Default)]
pub(super) struct Pair<K> {
    pub(super) key: K,
    pub(super) word: u32,
}

/// Rows to sort.
#[derive(Clone, Copy)]
pub(super) struct Source<'v, T> {
    pub(super) values: &'v [T],
    /// Words that belong to the values; their row numbers if there are none.
    pub(super) words: Option<&'v [u32]>,
}

/// Consecutive rows of a source.
#[derive(Clone, Copy)]
pub(super) struct Part<'v, T> {
    /// Number of the first row.
    pub(super) first: usize,
    pub(super) rows: Source<'v, T>,
}

impl<T> Part<'_, T> {
    /// Returns the word of a row of the part.
    #[inline(always)]
    pub(super) fn word(&self, row: usize) -> u32 {
        self.rows.words.map_or((self.first + row) as u32, |words| words[row])
    }
}

impl<'v, T> Source<'v, T> {
    /// Returns the word of a row.
    pub(super) fn word(&self, row: usize) -> u32 {
        self.words.map_or(row as u32, |words| words[row])
    }

    /// Divides the rows into at most `count` parts.
    pub(super) fn parts(&self, count: usize) -> Vec<Part<'v, T>> {
        let length = self.values.len().div_ceil(count).max(1);
        let part = |(number, values): (usize, &'v [T])| {
            let first = number * length;
            let words = self.words.map(|words| &words[first..first + values.len()]);
            Part { first, rows: Source { values, words } }
        };
        self.values.chunks(length).enumerate().map(part).collect()
    }
}

/// Columns that rows are written to.
#[derive(Default)]
pub(super) struct Columns<'a, S> {
    pub(super) keys: &'a mut [S],
    pub(super) words: &'a mut [u32],
}

impl<'a, S> Columns<'a, S> {
    /// Takes the first `rows` rows away.
    pub(super) fn take(&mut self, rows: usize) -> Columns<'a, S> {
        let (keys, other_keys) = std::mem::take(&mut self.keys).split_at_mut(rows);
        let (words, other_words) = std::mem::take(&mut self.words).split_at_mut(rows);
        *self = Columns { keys: other_keys, words: other_words };
        Columns { keys, words }
    }

    /// Returns the columns for a while.
    pub(super) fn reborrow(&mut self) -> Columns<'_, S> {
        Columns { keys: self.keys, words: self.words }
    }
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
    pub(super) fn split(self, rows: usize) -> (Self, Self) {
        let (words, other_words) = self.words.split_at_mut(rows);
        let (keys, other_keys) = match self.keys.map(|keys| keys.split_at_mut(rows)) {
            Some((keys, others)) => (Some(keys), Some(others)),
            None => (None, None),
        };
        (Output { keys, words }, Output { keys: other_keys, words: other_words })
    }

    /// Writes sorted pairs.
    pub(super) fn write<K: Copy>(&mut self, pairs: &[Pair<K>], value: impl Fn(K) -> T) {
        self.words.iter_mut().zip(pairs).for_each(|(to, pair)| *to = pair.word);
        if let Some(keys) = &mut self.keys {
            keys.iter_mut().zip(pairs).for_each(|(to, pair)| *to = value(pair.key));
        }
    }
}

/// Returns the number of high bits by which rows are distributed over buckets.
pub(super) fn high_bits(rows: usize) -> u32 {
    rows.ilog2().saturating_sub(BUCKET_ROWS).clamp(*SPREAD_BITS.start(), *SPREAD_BITS.end())
}

/// Converts counts to the start of each bucket or digit.
pub(super) fn starts(counts: &mut [u32]) {
    let mut next = 0;
    for count in counts {
        (*count, next) = (next, next + *count);
    }
}
