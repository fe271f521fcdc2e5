//! Assignment of word columns to segments of a memory.

use imminent_core::backend::Shape;
use imminent_core::ir::Layout;
use imminent_core::{Error, Limit, Result};
use imminent_lowering::wgsl::{plan_ragged, plan_segments};
use std::ops::Range;

/// Returns the word columns of every segment of a memory; no segment is larger than `most_bytes`.
pub(super) fn columns(shape: &Shape, most_bytes: u64) -> Result<Vec<Range<u32>>> {
    match shape {
        Shape::Table { layout, capacity, .. } => {
            let stride = shape.column_words();
            let narrow = u32::try_from(stride).ok();
            narrow.and_then(|stride| plan_segments(layout, *capacity, stride, most_bytes)).ok_or_else(|| {
                Error::limit(segment(layout, shape), stride.saturating_mul(u64::from(widest(layout)) * 4), most_bytes)
            })
        }
        Shape::Ragged { layout, .. } => {
            let strides = (u32::try_from(shape.column_words()), u32::try_from(shape.pool_words()));
            let planned = match strides {
                (Ok(stride), Ok(pool)) => plan_ragged(layout, (stride, pool), most_bytes),
                _ => None,
            };
            planned.ok_or_else(|| {
                let longest = shape.column_words().max(shape.pool_words());
                Error::limit(segment(layout, shape), longest.saturating_mul(u64::from(widest(layout)) * 4), most_bytes)
            })
        }
        Shape::Tally { .. } | Shape::Result { .. } if shape.bytes() > most_bytes => {
            Err(Error::limit(Limit::Bytes { of: format!("a {}", shape.name()) }, shape.bytes(), most_bytes))
        }
        Shape::Tally { .. } | Shape::Result { .. } => Ok(vec![0..1; 1]),
    }
}

/// Returns the greatest number of words that a row has in one segment.
fn widest(layout: &Layout) -> u32 {
    let columns = layout.columns.iter().map(|column| column.scalar.words()).max().unwrap_or(1);
    if layout.packed { layout.fixed_words.max(layout.lane_words) } else { columns }
}

/// Returns the limit on the data that one segment holds as a whole.
fn segment(layout: &Layout, shape: &Shape) -> Limit {
    if layout.packed {
        Limit::PackedBytes { of: format!("a {}", shape.name()) }
    } else {
        Limit::Bytes { of: format!("a column of a {}", shape.name()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use imminent_core::ir::Scalar;

    fn layout() -> &'static Layout {
        imminent_testkit::layouts::row(&[Scalar::U32, Scalar::U64], &[Scalar::U64, Scalar::U32])
    }

    #[test]
    fn a_table_is_cut_into_segments_only_when_it_must_be() {
        let table = Shape::Table { layout: layout(), rows: 10, capacity: 2 };
        assert_eq!(columns(&table, 1 << 20).unwrap(), vec![0..9; 1]);
        assert_eq!(columns(&table, 64 * 4 * 3).unwrap(), vec![0..3, 3..6, 6..9]);
        let text = columns(&table, 64 * 4).unwrap_err().to_string();
        assert!(text.contains("`Row`") && text.contains("512") && text.contains("256"), "{text}");
        let tally = Shape::Tally { scalar: Scalar::U64, slots: 100 };
        assert!(columns(&tally, 799).is_err());
        assert!(columns(&tally, 800).is_ok());
    }
}
