//! Sort of a bucket in a near cache, from the last digit to the first.

use super::key::Radix;
use super::rows::{Columns, Pair, starts};
use std::ops::RangeInclusive;

/// Number of rows below which keys are sorted by comparison.
const COMPARED_ROWS: usize = 256;

/// Number of rows from which on digits have the fewest bits: a near cache does not hold a line of each of more digits.
const LARGE_ROWS: usize = 1 << 18;

/// Bounds of the number of bits of a digit. Counting and clearing more digits than rows would take longest.
const DIGIT_BITS: RangeInclusive<u32> = 8..=11;

/// Working memory of a thread.
#[derive(Default)]
pub(super) struct Sorter<K> {
    from: Vec<Pair<K>>,
    to: Vec<Pair<K>>,
    counts: Vec<u32>,
}

impl<K: Radix> Sorter<K> {
    /// Sorts rows by the low bits of their keys, the only ones in which they differ. `key` returns the key of a stored
    /// value, and `value` is its inverse.
    pub(super) fn sort<S: Copy>(
        &mut self,
        Columns { keys, words }: Columns<'_, S>,
        bits: u32,
        (key, value): (impl Fn(S) -> K + Copy, impl Fn(K) -> S + Copy),
    ) {
        let count = keys.len();
        let Some(first) = keys.first().map(|first| key(*first)) else { return };
        if bits == 0 {
            return;
        }
        let Sorter { from, to, counts } = self;
        let pair = move |(stored, word): (&S, &u32)| Pair { key: key(*stored), word: *word };
        if count < COMPARED_ROWS {
            from.clear();
            from.extend(keys.iter().zip(&*words).map(pair));
            from.sort_by_key(|pair| pair.key);
            return put_back(from, keys, words, value);
        }
        let digits = Digits::new(bits, count);
        let size = digits.mask as usize + 1;
        counts.clear();
        counts.resize(digits.passes as usize * size, 0);
        count_digits(keys.iter().map(|stored| key(*stored)), counts, digits);
        for memory in [&mut *from, &mut *to] {
            memory.resize(count.max(memory.len()), Pair::default());
        }
        let (mut from, mut to) = (&mut from[..count], &mut to[..count]);
        let mut in_columns = true;
        // A digit that is equal in all keys is skipped.
        let differs = |(counts, pass): &(&mut [u32], u32)| (counts[digits.of(first, *pass)] as usize) < count;
        let mut passes = counts.chunks_exact_mut(size).zip(0..).filter(differs).peekable();
        while let Some((next, pass)) = passes.next() {
            starts(next);
            let shift = pass * digits.width;
            if in_columns {
                let to = &mut *to;
                distribute(keys.iter().zip(&*words).map(pair), next, shift, move |row, pair| to[row] = pair);
                in_columns = false;
            } else if passes.peek().is_some() {
                let to = &mut *to;
                distribute(from.iter().copied(), next, shift, move |row, pair| to[row] = pair);
            } else {
                let put = move |row, pair: Pair<K>| (keys[row], words[row]) = (value(pair.key), pair.word);
                return distribute(from.iter().copied(), next, shift, put);
            }
            std::mem::swap(&mut from, &mut to);
        }
        if !in_columns {
            put_back(from, keys, words, value);
        }
    }
}

/// Division of the low bits of a key into digits of equal width.
#[derive(Clone, Copy)]
struct Digits {
    passes: u32,
    width: u32,
    mask: u64,
}

impl Digits {
    fn new(bits: u32, rows: usize) -> Self {
        let most = if rows < LARGE_ROWS { rows.ilog2() } else { 0 }.clamp(*DIGIT_BITS.start(), *DIGIT_BITS.end());
        let passes = bits.div_ceil(most);
        let width = bits.div_ceil(passes);
        Digits { passes, width, mask: (1 << width) - 1 }
    }

    #[inline(always)]
    fn of<K: Radix>(self, key: K, pass: u32) -> usize {
        (key.bits() >> (pass * self.width) & self.mask) as usize
    }
}

/// Puts pairs where those of their digit go next. Each loop is a function of its own, for the sake of its registers.
#[inline(never)]
fn distribute<K: Radix>(
    pairs: impl Iterator<Item = Pair<K>>,
    starts: &mut [u32],
    shift: u32,
    mut put: impl FnMut(usize, Pair<K>),
) {
    let mask = starts.len() - 1;
    for pair in pairs {
        let place = &mut starts[(pair.key.bits() >> shift) as usize & mask];
        put(*place as usize, pair);
        *place += 1;
    }
}

/// Counts the digits of each pass.
#[inline(never)]
fn count_digits<K: Radix>(keys: impl Iterator<Item = K>, counts: &mut [u32], digits: Digits) {
    let mask = digits.mask as usize;
    for key in keys {
        let (mut rest, mut first) = (key.bits(), 0);
        while first < counts.len() {
            counts[first + (rest as usize & mask)] += 1;
            (rest, first) = (rest >> digits.width, first + mask + 1);
        }
    }
}

/// Writes pairs to the columns.
fn put_back<S, K: Copy>(pairs: &[Pair<K>], keys: &mut [S], words: &mut [u32], value: impl Fn(K) -> S) {
    words.iter_mut().zip(pairs).for_each(|(to, pair)| *to = pair.word);
    keys.iter_mut().zip(pairs).for_each(|(to, pair)| *to = value(pair.key));
}
