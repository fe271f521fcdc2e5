//! What a memory holds, and where its columns lie.

use imminent_core::backend::{Allocation, Span};
use imminent_ir::{Layout, Scalar};
use std::ops::Range;

/// What a memory holds.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Shape {
    /// A table, with the zeroed row that follows its rows.
    Table {
        /// How rows are cut into columns.
        layout: &'static Layout,
        rows: u32,
        capacity: u32,
    },
    /// A tally.
    Tally { scalar: Scalar, slots: u32 },
    /// The result of a reduction.
    Result { scalar: Scalar, with_row: bool },
}

/// Rows per word column are a multiple of this.
const STRIDE: u64 = 64;

impl Shape {
    pub(crate) fn of(allocation: &Allocation) -> Shape {
        match *allocation {
            Allocation::Table { layout, rows, capacity, .. } => Shape::Table { layout, rows, capacity },
            Allocation::Tally { scalar, slots, .. } => Shape::Tally { scalar, slots },
            Allocation::Result { scalar, with_row } => Shape::Result { scalar, with_row },
        }
    }

    /// For messages.
    pub(crate) fn name(&self) -> String {
        match self {
            Shape::Table { layout, rows, .. } => format!("table of {rows} `{}`", layout.name),
            Shape::Tally { scalar, slots } => format!("tally of {slots} `{scalar}`"),
            Shape::Result { scalar, .. } => format!("result `{scalar}`"),
        }
    }

    /// Number of rows or slots.
    pub(crate) fn rows(&self) -> u32 {
        match self {
            Shape::Table { rows, .. } => *rows,
            Shape::Tally { slots, .. } => *slots,
            Shape::Result { .. } => 1,
        }
    }

    /// Number of lanes.
    pub(crate) fn capacity(&self) -> u32 {
        if let Shape::Table { capacity, .. } = self { *capacity } else { 0 }
    }

    /// Words of a word column, the zeroed row and padding included.
    pub(crate) fn column_words(&self) -> u64 {
        match self {
            Shape::Table { rows, .. } => (u64::from(*rows) + 1).next_multiple_of(STRIDE),
            Shape::Tally { .. } | Shape::Result { .. } => 1,
        }
    }

    /// All words.
    pub(crate) fn words(&self) -> u64 {
        match self {
            Shape::Table { layout, capacity, .. } => layout.row_words(*capacity).saturating_mul(self.column_words()),
            Shape::Tally { scalar, slots } => u64::from(*slots) * u64::from(scalar.words()),
            Shape::Result { scalar, with_row } => u64::from(scalar.words()) + u64::from(*with_row),
        }
    }

    /// All bytes, none of which is left out because there are too many.
    pub(crate) fn bytes(&self) -> u64 {
        self.words().saturating_mul(4)
    }

    /// The words that a span covers; `None` where its numbers are out of all bounds.
    pub(crate) fn words_of(&self, span: &Span) -> Option<Range<u64>> {
        let width = u64::from(span.scalar.words());
        let (start, end) = (u64::from(span.rows.start), u64::from(span.rows.end));
        if start > end || end > u64::from(self.rows()) {
            return None;
        }
        let column = match self {
            Shape::Table { layout, capacity, .. } => match span.lane {
                None if u64::from(span.word) + width <= u64::from(layout.fixed_words) => u64::from(span.word),
                Some(lane) if lane < *capacity && u64::from(span.word) + width <= u64::from(layout.lane_words) => {
                    u64::from(layout.fixed_words)
                        + u64::from(lane) * u64::from(layout.lane_words)
                        + u64::from(span.word)
                }
                _ => return None,
            },
            Shape::Tally { scalar, .. }
                if span.lane.is_none() && span.word == 0 && span.scalar.words() == scalar.words() =>
            {
                0
            }
            Shape::Result { .. } if span.lane.is_none() => u64::from(span.word),
            Shape::Tally { .. } | Shape::Result { .. } => return None,
        };
        let first = column * self.column_words();
        Some(first + start * width..first + end * width)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use imminent_ir::Column;

    fn layout() -> &'static Layout {
        let column = |word, scalar, lane| Column { name: format!("c{word}"), scalar, word, lane };
        Box::leak(Box::new(Layout {
            name: "Row".to_owned(),
            fixed_words: 3,
            lane_words: 3,
            columns: vec![
                column(0, Scalar::U32, false),
                column(1, Scalar::U64, false),
                column(0, Scalar::U64, true),
                column(2, Scalar::U32, true),
            ],
        }))
    }

    fn span(lane: Option<u32>, word: u32, scalar: Scalar, rows: Range<u32>) -> Span {
        Span { lane, word, scalar, rows }
    }

    #[test]
    fn columns_lie_where_the_canonical_layout_says() {
        let table = Shape::Table { layout: layout(), rows: 64, capacity: 2 };
        assert_eq!(table.column_words(), 128);
        assert_eq!(table.words(), 128 * 9);
        assert_eq!(table.words_of(&span(None, 1, Scalar::U64, 3..5)), Some(128 + 6..128 + 10));
        assert_eq!(table.words_of(&span(Some(1), 2, Scalar::U32, 0..64)), Some(128 * 8..128 * 8 + 64));
        assert_eq!(Shape::Table { layout: layout(), rows: 63, capacity: 0 }.column_words(), 64);
        assert_eq!(Shape::Table { layout: layout(), rows: 0, capacity: 0 }.column_words(), 64);
    }

    #[test]
    fn sizes_past_all_bounds_do_not_wrap_around() {
        let table = Shape::Table { layout: layout(), rows: u32::MAX - 64, capacity: u32::MAX };
        assert_eq!(table.bytes(), u64::MAX);
    }

    #[test]
    fn spans_outside_are_refused() {
        let table = Shape::Table { layout: layout(), rows: 64, capacity: 2 };
        for outside in [
            span(None, 3, Scalar::U32, 0..1),
            span(None, 2, Scalar::U64, 0..1),
            span(Some(2), 0, Scalar::U64, 0..1),
            span(Some(0), 3, Scalar::U32, 0..1),
            span(None, 0, Scalar::U32, 0..65),
            span(None, u32::MAX, Scalar::U64, 0..1),
        ] {
            assert_eq!(table.words_of(&outside), None, "{outside:?}");
        }
        let tally = Shape::Tally { scalar: Scalar::U64, slots: 3 };
        assert_eq!(tally.words_of(&span(None, 0, Scalar::U64, 1..3)), Some(2..6));
        assert_eq!(tally.words_of(&span(None, 0, Scalar::U32, 1..3)), None);
    }
}
