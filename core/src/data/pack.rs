//! Rows to columns and back.
//!
//! A device stores columns, a program holds rows. They are turned into one another block by block: a block of rows stays in
//! the nearest cache while each of its columns is gone through in a loop of its own, which the compiler knows everything
//! about. `#[derive(Row)]` writes the loops, through [`Data::gather`](super::Data::gather) and its kin.
//!
//! A column that is only folded need not be copied out: the same loops then fold it where it lies.

use crate::primitives::keyed::{ColumnFold, Keyed, fold_rows};

/// Rows that are turned at once.
pub(crate) const BLOCK: usize = 256;

/// Where the columns of some rows lie in one piece of memory.
#[derive(Clone, Debug, Default)]
pub(crate) struct Places {
    /// First byte of each column, in the order of the layout: fixed columns, then those of lane 0, 1, ...
    pub(crate) starts: Vec<usize>,
}

macro_rules! cursor {
    ($(#[$doc:meta])* $name:ident, $slice:ty, $get:ident $(, $mutable:tt, $field:ident: $type:ty)?) => {
        $(#[$doc])*
        #[derive(Debug)]
        pub struct $name<'m> {
            bytes: $slice,
            places: &'m Places,
            /// Number of the next column.
            next: usize,
            /// The first row of the block, among those whose columns these are.
            row: usize,
            $(/// Set where a column is folded instead.
            $field: Option<$type>,)?
        }

        impl<'m> $name<'m> {
            pub(crate) fn new(bytes: $slice, places: &'m Places, row: usize) -> Self {
                $name { bytes, places, next: 0, row $(, $field: None)? }
            }

            /// The bytes of the next column, for so many rows of so many bytes each. Empty where there is no such column.
            fn column(&mut self, width: usize, rows: usize) -> &$($mutable)? [u8] {
                let start = self.places.starts.get(self.next).map_or(usize::MAX, |start| start + self.row * width);
                self.next += 1;
                self.bytes.$get(start..start.saturating_add(rows * width)).unwrap_or_default()
            }
        }
    };
}

cursor! {
    /// Columns that are filled from a block of rows.
    Gather, &'m mut [u8], get_mut, mut, folding: Folding
}

cursor! {
    /// Columns that a block of rows is filled from.
    Scatter, &'m [u8], get
}

/// A fold of one column, and what it comes to, as bits.
#[derive(Debug)]
struct Folding {
    how: ColumnFold,
    bits: Option<u64>,
}

impl<'m> Gather<'m> {
    /// Folds the column that has a place, of all rows.
    pub(crate) fn folding(how: ColumnFold, places: &'m Places) -> Self {
        Gather { folding: Some(Folding { how, bits: None }), ..Gather::new(&mut [], places, 0) }
    }

    /// What the fold came to, as bits; nothing if the column holds no numbers.
    pub(crate) fn folded(&self) -> Option<u64> {
        self.folding.as_ref()?.bits
    }

    /// Whether columns are folded: then goes on to the next, having folded this one if it is wanted.
    #[inline]
    pub(crate) fn fold<R, T: Keyed>(
        &mut self,
        rows: &[R],
        of: impl Fn(&R) -> T + Copy,
        bits: impl Fn(T) -> u64,
    ) -> bool {
        let Some(folding) = &mut self.folding else { return false };
        if self.places.starts.get(self.next) == Some(&0) {
            folding.bits = Some(bits(fold_rows(rows, folding.how, of)));
        }
        self.next += 1;
        true
    }
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
        for (to, row) in column.iter_mut().zip(rows) {
            *to = bits(row);
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
        for (row, from) in rows.iter_mut().zip(column) {
            set(row, *from);
        }
    }
}
