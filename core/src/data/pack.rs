//! Rows to columns and back.
//!
//! A device stores columns, a program holds rows. They are converted block by block. A block of rows stays in the
//! nearest cache while each of its columns is processed in a separate loop, which the compiler can optimise fully.
//! `#[derive(Row)]` writes the loops, through [`Data::gather`](super::Data::gather) and related methods.

/// Rows that are converted at once.
pub(crate) const BLOCK: usize = 256;

/// Position of a column of some rows in a piece of memory.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Position {
    /// Byte of the first row's value; `usize::MAX` if the column is left out.
    pub(crate) start: usize,
    /// Bytes from the value of a row to that of the next, if others lie between them: in packed rows.
    pub(crate) step: Option<usize>,
}

impl Position {
    /// The position of a column that is left out.
    pub(crate) const NONE: Position = Position { start: usize::MAX, step: None };
}

/// Positions of the columns of some rows in one piece of memory, in the order of the layout: fixed columns, then those
/// of lane 0, 1, ...
pub(crate) type Places = Vec<Position>;

macro_rules! cursor {
    ($(#[$doc:meta])* $name:ident, $slice:ty) => {
        $(#[$doc])*
        #[derive(Debug)]
        pub struct $name<'m> {
            bytes: $slice,
            places: &'m Places,
            /// Number of the next column.
            next: usize,
            /// The first row of the block, among those whose columns these are.
            row: usize,
            /// Values of the present column, if it is in packed rows: they are packed as others are, in one loop.
            apart: Vec<u8>,
        }

        impl<'m> $name<'m> {
            pub(crate) fn new(bytes: $slice, places: &'m Places, row: usize) -> Self {
                $name { bytes, places, next: 0, row, apart: Vec::new() }
            }

            fn position(&self) -> Position {
                self.places.get(self.next).copied().unwrap_or(Position::NONE)
            }
        }
    };
}

cursor! {
    /// Columns to be filled from a block of rows.
    Gather, &'m mut [u8]
}

cursor! {
    /// Columns from which a block of rows is filled.
    Scatter, &'m [u8]
}

/// Returns the bytes of values that lie side by side, from a row on; none if they are not there.
fn side_by_side(start: usize, row: usize, width: usize, rows: usize) -> std::ops::Range<usize> {
    let start = start.saturating_add(row * width);
    start..start.saturating_add(rows * width)
}

/// Copies values to rows of `step` bytes.
fn spread<const WIDTH: usize>(values: &[u8], packed: &mut [u8], step: usize) {
    for (value, row) in values.as_chunks::<WIDTH>().0.iter().zip(packed.chunks_mut(step)) {
        if let Some(to) = row.first_chunk_mut::<WIDTH>() {
            *to = *value;
        }
    }
}

/// Copies values from rows of `step` bytes.
fn collect<const WIDTH: usize>(packed: &[u8], step: usize, values: &mut [u8]) {
    for (value, row) in values.as_chunks_mut::<WIDTH>().0.iter_mut().zip(packed.chunks(step)) {
        if let Some(from) = row.first_chunk::<WIDTH>() {
            *value = *from;
        }
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
        let column = self.open(WIDTH, rows.len()).as_chunks_mut::<WIDTH>().0;
        let count = rows.len().min(column.len());
        let (rows, column) = (&rows[..count], &mut column[..count]);
        // Every field of every table has such a loop: without iterators they compile in half the time.
        let mut i = 0;
        while i < count {
            column[i] = bits(&rows[i]);
            i += 1;
        }
        self.close(WIDTH);
    }

    /// Returns the bytes to fill with the next column, for `rows` rows of `width` bytes each; none if there is no such
    /// column.
    fn open(&mut self, width: usize, rows: usize) -> &mut [u8] {
        let Position { start, step } = self.position();
        if step.is_some() {
            self.apart.resize(rows * width, 0);
            return &mut self.apart;
        }
        self.bytes.get_mut(side_by_side(start, self.row, width, rows)).unwrap_or_default()
    }

    /// Goes on to the next column, after putting the values of this one into packed rows.
    fn close(&mut self, width: usize) {
        if let Position { start, step: Some(step) } = self.position() {
            let first = start.saturating_add(self.row * step);
            let packed = self.bytes.get_mut(first..).unwrap_or_default();
            match width {
                8 => spread::<8>(&self.apart, packed, step),
                _ => spread::<4>(&self.apart, packed, step),
            }
        }
        self.next += 1;
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
        let column = self.take(WIDTH, rows.len()).as_chunks::<WIDTH>().0;
        let count = rows.len().min(column.len());
        let (rows, column) = (&mut rows[..count], &column[..count]);
        let mut i = 0;
        while i < count {
            set(&mut rows[i], column[i]);
            i += 1;
        }
    }

    /// Returns the bytes of the next column, for `rows` rows of `width` bytes each; none if there is no such column.
    fn take(&mut self, width: usize, rows: usize) -> &[u8] {
        let Position { start, step } = self.position();
        self.next += 1;
        let Some(step) = step else {
            return self.bytes.get(side_by_side(start, self.row, width, rows)).unwrap_or_default();
        };
        let packed = self.bytes.get(start.saturating_add(self.row * step)..).unwrap_or_default();
        self.apart.resize(rows * width, 0);
        match width {
            8 => collect::<8>(packed, step, &mut self.apart),
            _ => collect::<4>(packed, step, &mut self.apart),
        }
        &self.apart
    }
}

/// Returns the bits of a value of 4 or 8 little-endian bytes; 0 for other bytes.
#[inline]
pub(crate) fn bits_of(bytes: &[u8]) -> u64 {
    match *bytes {
        [a, b, c, d] => u64::from(u32::from_le_bytes([a, b, c, d])),
        [a, b, c, d, e, f, g, h] => u64::from_le_bytes([a, b, c, d, e, f, g, h]),
        _ => 0,
    }
}
