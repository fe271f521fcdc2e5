//! Rows to columns and back.
//!
//! A device stores columns, a program holds rows. They are converted block by block. A block of rows stays in the
//! nearest cache while each of its columns is processed in a separate loop, which the compiler can optimise fully.
//! `#[derive(Row)]` writes the loops, through [`Data::gather`](super::Data::gather) and related methods.

/// Rows that are converted at once.
pub(crate) const BLOCK: usize = 256;

/// Positions of the columns of some rows in one piece of memory.
#[derive(Clone, Debug, Default)]
pub(crate) struct Places {
    /// First byte of each column, in the order of the layout: fixed columns, then those of lane 0, 1, ...
    pub(crate) starts: Vec<usize>,
}

macro_rules! cursor {
    ($(#[$doc:meta])* $name:ident, $slice:ty, $get:ident $(, $mutable:tt)?) => {
        $(#[$doc])*
        #[derive(Debug)]
        pub struct $name<'m> {
            bytes: $slice,
            places: &'m Places,
            /// Number of the next column.
            next: usize,
            /// The first row of the block, among those whose columns these are.
            row: usize,
        }

        impl<'m> $name<'m> {
            pub(crate) fn new(bytes: $slice, places: &'m Places, row: usize) -> Self {
                $name { bytes, places, next: 0, row }
            }

            /// Returns the bytes of the next column, for `rows` rows of `width` bytes each. Empty if there is no such
            /// column.
            fn column(&mut self, width: usize, rows: usize) -> &$($mutable)? [u8] {
                let start = self.places.starts.get(self.next).map_or(usize::MAX, |start| start + self.row * width);
                self.next += 1;
                self.bytes.$get(start..start.saturating_add(rows * width)).unwrap_or_default()
            }
        }
    };
}

cursor! {
    /// Columns to be filled from a block of rows.
    Gather, &'m mut [u8], get_mut, mut
}

cursor! {
    /// Columns from which a block of rows is filled.
    Scatter, &'m [u8], get
}

impl Gather<'_> {
    /// Fills the next column, of words.
    #[doc(hidden)]
    #[inline]
    pub fn words<R>(&mut self, rows: &[R], word: impl Fn(&R) -> u32) {
        self.fill(rows, |row| word(row).to_le_bytes());
    }

    /// Fills the next column: `bits` gives the little-endian bytes of a row's value.
    #[inline]
    pub(crate) fn fill<R, const WIDTH: usize>(&mut self, rows: &[R], bits: impl Fn(&R) -> [u8; WIDTH]) {
        let column = self.column(WIDTH, rows.len()).as_chunks_mut::<WIDTH>().0;
        let count = rows.len().min(column.len());
        let (rows, column) = (&rows[..count], &mut column[..count]);
        // Every field of every table has such a loop: without iterators they compile in half the time.
        let mut i = 0;
        while i < count {
            column[i] = bits(&rows[i]);
            i += 1;
        }
    }
}

impl Scatter<'_> {
    /// Empties the next column, of words, into rows.
    #[doc(hidden)]
    #[inline]
    pub fn words<R>(&mut self, rows: &mut [R], set: impl Fn(&mut R, u32)) {
        self.drain(rows, |row, bytes| set(row, u32::from_le_bytes(bytes)));
    }

    /// Empties the next column into rows: `set` takes the little-endian bytes of a row's value.
    #[inline]
    pub(crate) fn drain<R, const WIDTH: usize>(&mut self, rows: &mut [R], set: impl Fn(&mut R, [u8; WIDTH])) {
        let column = self.column(WIDTH, rows.len()).as_chunks::<WIDTH>().0;
        let count = rows.len().min(column.len());
        let (rows, column) = (&mut rows[..count], &column[..count]);
        let mut i = 0;
        while i < count {
            set(&mut rows[i], column[i]);
            i += 1;
        }
    }
}

/// Returns the bits of a value of 4 or 8 little-endian bytes.
pub(crate) fn bits_of(bytes: &[u8]) -> u64 {
    bytes.iter().rev().fold(0, |bits, byte| bits << 8 | u64::from(*byte))
}
