//! Layouts of rows that do not correspond to a Rust struct.

use imminent_ir::{Column, Layout, Scalar};

/// Returns the layout of a row `Row` whose fixed scalars, and whose scalars of each lane, follow one another in this
/// order.
pub fn row(fixed: &[Scalar], lane: &[Scalar]) -> &'static Layout {
    let mut columns = Vec::new();
    let mut place = |scalars: &[Scalar], lane: bool| {
        scalars.iter().fold(0, |word, &scalar| {
            columns.push(Column { name: format!("c{word}"), scalar, word, lane });
            word + scalar.words()
        })
    };
    let (fixed_words, lane_words) = (place(fixed, false), place(lane, true));
    Box::leak(Box::new(Layout { name: "Row".to_owned(), fixed_words, lane_words, packed: false, columns }))
}
