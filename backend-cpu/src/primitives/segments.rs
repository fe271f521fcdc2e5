//! Reductions of the segments of a column.

use super::column::{Locked, Scratch, Values, replace};
use super::fold::{Greatest, Least, Total, fold, folded, tree};
use super::number::Ordered;
use super::prefix::Operation;
use super::types::misfit;
use super::vector::{Kernel, wide};
use super::workers::Workers;
use imminent_core::Result;
use imminent_core::backend::{Reduction, View};
use std::ops::Range;

/// Reduces every segment.
pub(super) fn segmented<T: Ordered>(
    workers: Workers<'_>,
    op: Reduction,
    column: &View,
    offsets: &View,
    into: &View,
) -> Result<()> {
    if op.with_row() {
        return Err(misfit());
    }
    let (locked, locked_offsets) = (Locked::new(column)?, Locked::new(offsets)?);
    let (values, offsets) = (locked.values::<T>(column)?, locked_offsets.values::<u32>(offsets)?.to_vec());
    replace::<T, ()>(into, |into| {
        if offsets.len() != into.len() + 1 {
            return Err(misfit());
        }
        let rows = workers.ranges(values.len(), values.row_bytes()).len();
        let length = into.len().div_ceil(rows).max(1);
        let tasks: Vec<(&mut [T], usize)> =
            into.chunks_mut(length).enumerate().map(|(i, chunk)| (chunk, i * length)).collect();
        workers.map(tasks, |(into, first)| {
            let offsets = &offsets[first..=first + into.len()];
            match (op, &values) {
                (Reduction::Min, Values::Slice(values)) => {
                    wide(Segments { op: Least, none: T::HIGHEST, values, offsets, into })
                }
                (Reduction::Max, Values::Slice(values)) => {
                    wide(Segments { op: Greatest, none: T::LOWEST, values, offsets, into })
                }
                (Reduction::Sum | Reduction::SumUnordered, Values::Slice(values))
                    if op == Reduction::SumUnordered || !T::HAS_NAN =>
                {
                    wide(Segments { op: Total, none: T::ZERO, values, offsets, into });
                }
                _ => {
                    let mut scratch = Scratch::default();
                    for (ends, into) in offsets.windows(2).zip(into) {
                        *into = one(op, &values, rows_of(ends, values.len()), &mut scratch);
                    }
                }
            }
        });
        Ok(())
    })
}

/// Returns the rows of a segment from its start and its end.
#[inline(always)]
fn rows_of(ends: &[u32], rows: usize) -> Range<usize> {
    let end = ends.get(1).map_or(0, |end| (*end as usize).min(rows));
    ends.first().map_or(end, |start| (*start as usize).min(end))..end
}

/// Segments of contiguous values, all in one loop: most are too short to select instructions for each.
struct Segments<'s, T, O> {
    op: O,
    /// Result of no rows.
    none: T,
    values: &'s [T],
    /// Offsets: one more than segments.
    offsets: &'s [u32],
    into: &'s mut [T],
}

impl<T: Ordered, O: Operation<T>> Kernel for Segments<'_, T, O> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        for (ends, into) in self.offsets.windows(2).zip(self.into) {
            let values = self.values.get(rows_of(ends, self.values.len())).unwrap_or_default();
            *into = if values.is_empty() { self.none } else { O::give(folded(self.op, values)) };
        }
    }
}

fn one<T: Ordered>(op: Reduction, values: &Values<'_, T>, range: Range<usize>, scratch: &mut Scratch<T>) -> T {
    let empty = range.is_empty();
    let values = values.block(range, scratch);
    match op {
        Reduction::Min if empty => T::HIGHEST,
        Reduction::Max if empty => T::LOWEST,
        Reduction::Min | Reduction::ArgMin => T::of_key(fold(Least, values)),
        Reduction::Max | Reduction::ArgMax => T::of_key(fold(Greatest, values)),
        Reduction::Sum if T::HAS_NAN => tree(values),
        Reduction::Sum | Reduction::SumUnordered => fold(Total, values),
    }
}
