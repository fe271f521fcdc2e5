//! Parts of columns.

use imminent_ir::Scalar;
use std::ops::Range;

/// A range of one scalar column.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Span {
    /// Lane, for a column that is repeated for every lane. In a ragged table lane 0 stands for the pool.
    pub lane: Option<u32>,
    /// First word of the column in the row, or in the lane.
    pub word: u32,
    /// Type of the values.
    pub scalar: Scalar,
    /// Rows inside the table, or places of a pool.
    pub rows: Range<u32>,
}

impl Span {
    /// Returns the length in bytes: the values one after another, little-endian, `bool` as a word.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.rows.len() * self.scalar.words() as usize * 4
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_span_knows_its_bytes() {
        let span = |scalar| Span { lane: None, word: 0, scalar, rows: 2..7 };
        assert_eq!((span(Scalar::Bool).bytes(), span(Scalar::F64).bytes()), (20, 40));
    }
}
