//! Cutting a table that is larger than the device binds at once.

use imminent_ir::Layout;
use std::ops::Range;

/// Cuts the word columns of a table into consecutive ranges, each of which fits a binding.
///
/// The rule: word columns are numbered as in the canonical layout, fixed words first, then lane after lane. A range
/// starts where the one before it ends and takes as many whole scalars as fit `max_binding_bytes` at `stride` rows per
/// word column; a scalar of two words is never cut. So segment `k` is the part of the table's buffer from word
/// `ranges[k].start * stride` to word `ranges[k].end * stride`, and its words keep their order. Growing the capacity
/// appends ranges or lengthens the last one.
///
/// Gives `None` if a single scalar's columns do not fit. An empty row gives one empty range.
#[must_use]
pub fn plan_segments(layout: &Layout, capacity: u32, stride: u32, max_binding_bytes: u64) -> Option<Vec<Range<u32>>> {
    let column_bytes = u64::from(stride.max(1)) * 4;
    let most = u32::try_from(max_binding_bytes / column_bytes).unwrap_or(u32::MAX);
    let total = u32::try_from(layout.row_words(capacity)).ok()?;
    if total <= most {
        return Some(vec![0..total; 1]);
    }
    let mut ranges = Vec::new();
    let mut start = 0;
    let mut end = 0;
    for scalar in scalars(layout, capacity) {
        if scalar.end - start > most {
            if end == start {
                return None;
            }
            ranges.push(start..end);
            start = end;
            if scalar.end - start > most {
                return None;
            }
        }
        end = scalar.end;
    }
    ranges.push(start..end);
    Some(ranges)
}

/// The word columns of every scalar of a row, in order.
pub(super) fn scalars(layout: &Layout, capacity: u32) -> impl Iterator<Item = Range<u32>> + '_ {
    let fixed = layout.columns.iter().filter(|c| !c.lane).map(|c| c.word..c.word + c.scalar.words());
    let lanes = (0..capacity).flat_map(move |lane| {
        let start = layout.fixed_words + lane * layout.lane_words;
        layout.columns.iter().filter(|c| c.lane).map(move |c| start + c.word..start + c.word + c.scalar.words())
    });
    fixed.chain(lanes)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use imminent_ir::Scalar;

    fn layout() -> &'static Layout {
        imminent_testkit::layouts::row(&[Scalar::U64, Scalar::U32, Scalar::I64], &[Scalar::U64, Scalar::U32])
    }

    #[test]
    fn a_table_that_fits_is_one_segment() {
        assert_eq!(plan_segments(layout(), 2, 64, 64 * 4 * 11), Some(vec![0..11; 1]));
    }

    #[test]
    fn no_scalar_is_cut() {
        for most in 2..11 {
            let ranges = plan_segments(layout(), 2, 64, 64 * 4 * u64::from(most)).unwrap();
            assert_eq!(ranges.first().unwrap().start, 0);
            assert_eq!(ranges.last().unwrap().end, 11);
            for pair in ranges.windows(2) {
                assert_eq!(pair[0].end, pair[1].start);
            }
            for scalar in scalars(layout(), 2) {
                assert!(ranges.iter().any(|r| r.start <= scalar.start && scalar.end <= r.end), "{scalar:?} {ranges:?}");
            }
            assert!(ranges.iter().all(|r| r.end - r.start <= most), "{ranges:?}");
        }
    }

    #[test]
    fn a_scalar_larger_than_a_binding_has_no_plan() {
        assert_eq!(plan_segments(layout(), 0, 64, 64 * 4), None);
        assert_eq!(plan_segments(layout(), 0, 64, 0), None);
    }
}
