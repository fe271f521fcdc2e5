//! Parts of columns.

use imminent_ir::Scalar;
use std::ops::Range;

/// A range of one scalar column, or of whole packed rows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Span {
    /// Lane, for a column that is repeated for every lane. In a ragged table lane 0 stands for the pool.
    pub lane: Option<u32>,
    /// First word of the column in the row, or in the lane.
    pub word: u32,
    /// Type of the values; `u32` for packed rows.
    pub scalar: Scalar,
    /// Words of each row: those of a value, or all words of a [packed](imminent_ir::Layout::packed) row or lane. Of a
    /// packed table, a device that stores words has spans of whole rows, and values of single rows; in native structs
    /// whole columns are spans too.
    pub words: u32,
    /// Rows inside the table, or places of a pool.
    pub rows: Range<u32>,
}

impl Span {
    /// Creates a span of a scalar column.
    #[must_use]
    pub fn column(lane: Option<u32>, word: u32, scalar: Scalar, rows: Range<u32>) -> Span {
        Span { lane, word, scalar, words: scalar.words(), rows }
    }

    /// Creates a span of all words of packed rows, without their lanes, or of one lane of each.
    #[must_use]
    pub fn packed(lane: Option<u32>, words: u32, rows: Range<u32>) -> Span {
        Span { lane, word: 0, scalar: Scalar::U32, words, rows }
    }

    /// Divides the span into one for each row. Their bytes, one after another, are those of the span.
    pub fn by_rows(&self) -> impl Iterator<Item = Span> + '_ {
        self.rows.clone().map(|row| Span { rows: row..row + 1, ..self.clone() })
    }

    /// Returns the length in bytes: the values one after another, little-endian, `bool` as a word.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.rows.len() * self.words as usize * 4
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_span_knows_its_bytes() {
        let span = |scalar| Span::column(None, 0, scalar, 2..7);
        assert_eq!((span(Scalar::Bool).bytes(), span(Scalar::F64).bytes()), (20, 40));
    }
}
