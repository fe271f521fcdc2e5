//! Cutting a table that is larger than the device binds at once.

use super::options::WgslOptions;
use crate::LoweringError;
use imminent_ir::flatten::{BindingKind, FlatKernel};
use imminent_ir::{Column, Layout, Scalar};
use std::ops::Range;

/// The language, in messages.
pub(super) const LANGUAGE: &str = "WGSL";

/// Cuts the word columns of a table into consecutive ranges, each of which fits a binding.
///
/// The rule: word columns are numbered as in the canonical layout, fixed words first, then lane after lane. A range
/// starts where the one before it ends and takes as many whole scalars as fit `max_binding_bytes` at `stride` rows per
/// word column; a scalar of two words is never cut, nor are the fixed words of packed rows, nor a packed lane.
///
/// So segment `k` is the part of the table's buffer from word `ranges[k].start * stride` to word
/// `ranges[k].end * stride`, and its words keep their order. Growing the capacity appends ranges or lengthens the last
/// one.
///
/// Gives `None` if what is never cut does not fit. An empty row gives one empty range.
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
    for whole in uncut(layout, capacity) {
        if whole.end - start > most {
            if end == start {
                return None;
            }
            ranges.push(start..end);
            start = end;
            if whole.end - start > most {
                return None;
            }
        }
        end = whole.end;
    }
    ranges.push(start..end);
    Some(ranges)
}

/// Cuts the word columns of a ragged table: those before the pool are `stride` words long, those of the pool
/// `pool_stride`.
///
/// A table that fits a binding is one range. Else ranges are cut as [`plan_segments`] does, but no range has columns of
/// both kinds.
#[must_use]
pub fn plan_ragged(
    layout: &Layout,
    (stride, pool_stride): (u32, u32),
    max_binding_bytes: u64,
) -> Option<Vec<Range<u32>>> {
    let before = layout.columns_before_pool();
    let total = before.saturating_add(layout.lane_words);
    let words = u64::from(before) * u64::from(stride) + u64::from(layout.lane_words) * u64::from(pool_stride);
    if words.saturating_mul(4) <= max_binding_bytes {
        return Some(vec![0..total; 1]);
    }
    let part = |fixed_words, lane: bool| Layout {
        name: layout.name.clone(),
        fixed_words,
        lane_words: 0,
        packed: layout.packed,
        columns: layout
            .columns
            .iter()
            .filter(|c| c.lane == lane)
            .map(|c| Column { lane: false, ..c.clone() })
            .collect(),
    };
    let mut rows = part(before, false);
    rows.columns.extend((layout.fixed_words..before).map(|word| Column {
        name: String::new(),
        scalar: Scalar::U32,
        word,
        lane: false,
    }));
    let mut ranges = plan_segments(&rows, 0, stride, max_binding_bytes)?;
    let pool = plan_segments(&part(layout.lane_words, true), 0, pool_stride, max_binding_bytes)?;
    ranges.extend(pool.into_iter().map(|range| range.start + before..range.end + before));
    Some(ranges)
}

/// Refuses segments that are not such as the planner makes.
pub(super) fn check(flat: &FlatKernel, options: &WgslOptions) -> Result<(), LoweringError> {
    let bad = |what| Err(LoweringError::Options { kernel: flat.name.clone(), language: LANGUAGE, what });
    for (number, starts) in options.segments.iter().enumerate().filter(|(_, s)| s.len() > 1) {
        if starts.first() != Some(&0) || starts.windows(2).any(|pair| pair[0] >= pair[1]) {
            return bad("the segments of a binding do not start at 0 and increase");
        }
        match flat.bindings.get(number).map(|b| &b.kind) {
            Some(BindingKind::Table { layout, .. }) if layout.packed => {
                let lanes = options.ragged.iter().all(|at| *at as usize != number);
                let before = if lanes { layout.fixed_words } else { layout.columns_before_pool() };
                let cut = |word: u32| match word.checked_sub(before) {
                    Some(past) => past % layout.lane_words.max(1) != 0,
                    None => word != 0,
                };
                if starts.iter().any(|&word| cut(word)) {
                    return bad("a segment starts inside a packed row: use the plan of `plan_segments`");
                }
            }
            Some(BindingKind::Table { layout, .. }) if options.ragged.iter().any(|at| *at as usize == number) => {
                let before = layout.columns_before_pool();
                let cut = |word: u32| {
                    let (word, lane) = word.checked_sub(before).map_or((word, false), |past| (past, true));
                    layout.columns.iter().any(|c| c.lane == lane && c.word < word && word < c.word + c.scalar.words())
                };
                if starts.iter().any(|&word| cut(word)) || !starts.contains(&before) {
                    return bad("the segments of a ragged table are not those of `plan_ragged`");
                }
            }
            Some(BindingKind::Table { layout, .. }) => {
                let cut = |word: u32| {
                    let (word, lane) = match word.checked_sub(layout.fixed_words) {
                        Some(past) => (if layout.lane_words == 0 { 0 } else { past % layout.lane_words }, true),
                        None => (word, false),
                    };
                    layout.columns.iter().any(|c| c.lane == lane && c.word < word && word < c.word + c.scalar.words())
                };
                if starts.iter().any(|&word| cut(word)) {
                    return bad("a segment starts inside a scalar of two words: use the plan of `plan_segments`");
                }
            }
            _ => return bad("segments are given for something that is no table"),
        }
    }
    Ok(())
}

/// The word columns that are never cut: of each scalar, or those of the fixed words and of each lane of a packed row.
fn uncut(layout: &Layout, capacity: u32) -> Vec<Range<u32>> {
    let lane_start = |lane: u32| layout.fixed_words + lane * layout.lane_words;
    if layout.packed {
        let lanes = (0..capacity).map(|lane| lane_start(lane)..lane_start(lane + 1));
        return std::iter::once(0..layout.fixed_words).chain(lanes).collect();
    }
    let of = |start: u32, lane: bool| {
        let columns = layout.columns.iter().filter(move |column| column.lane == lane);
        columns.map(move |column| start + column.word..start + column.word + column.scalar.words())
    };
    of(0, false).chain((0..capacity).flat_map(|lane| of(lane_start(lane), true))).collect()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

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
            for scalar in uncut(layout(), 2) {
                assert!(ranges.iter().any(|r| r.start <= scalar.start && scalar.end <= r.end), "{scalar:?} {ranges:?}");
            }
            assert!(ranges.iter().all(|r| r.end - r.start <= most), "{ranges:?}");
        }
    }

    #[test]
    fn a_ragged_table_is_cut_between_its_rows_and_its_pool() {
        assert_eq!(plan_ragged(layout(), (64, 128), 4 * (64 * 7 + 128 * 3)), Some(vec![0..10; 1]));
        assert_eq!(plan_ragged(layout(), (64, 128), 4 * (64 * 7 + 128 * 3) - 1), Some(vec![0..7, 7..10]));
        assert_eq!(plan_ragged(layout(), (64, 128), 4 * 64 * 5), Some(vec![0..5, 5..7, 7..9, 9..10]));
        assert_eq!(plan_ragged(layout(), (64, 128), 4 * 64 * 3), None);
    }

    #[test]
    fn packed_rows_are_cut_between_lanes() {
        let packed = Layout { packed: true, fixed_words: 6, lane_words: 4, ..layout().clone() };
        assert_eq!(plan_segments(&packed, 3, 64, 64 * 4 * 9), Some(vec![0..6, 6..14, 14..18]));
        assert_eq!(plan_segments(&packed, 3, 64, 64 * 4 * 10), Some(vec![0..10, 10..18]));
        assert_eq!(plan_segments(&packed, 3, 64, 64 * 4 * 5), None);
        assert_eq!(plan_ragged(&packed, (64, 128), 4 * 64 * 8), Some(vec![0..8, 8..12]));
    }

    #[test]
    fn a_scalar_larger_than_a_binding_has_no_plan() {
        assert_eq!(plan_segments(layout(), 0, 64, 64 * 4), None);
        assert_eq!(plan_segments(layout(), 0, 64, 0), None);
    }
}
