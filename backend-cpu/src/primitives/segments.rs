//! Reductions of the segments of a column.

use super::column::{Locked, Scratch, Values, replace};
use super::fold::{Greatest, Least, Total, fold, tree};
use super::number::Ordered;
use super::{Workers, misfit};
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
            let mut scratch = Scratch::default();
            for (segment, into) in (first..).zip(into) {
                let end = (offsets[segment + 1] as usize).min(values.len());
                let start = (offsets[segment] as usize).min(end);
                *into = one(op, &values, start..end, &mut scratch);
            }
        });
        Ok(())
    })
}

fn one<T: Ordered>(op: Reduction, values: &Values<'_, T>, range: Range<usize>, scratch: &mut Scratch<T>) -> T {
    let empty = range.is_empty();
    let values = values.block(range, scratch);
    match op {
        Reduction::Min if empty => T::GREATEST,
        Reduction::Max if empty => T::LEAST,
        Reduction::Min | Reduction::ArgMin => T::of_key(fold(Least, values)),
        Reduction::Max | Reduction::ArgMax => T::of_key(fold(Greatest, values)),
        Reduction::Sum if T::HAS_NAN => tree(values),
        Reduction::Sum | Reduction::SumUnordered => fold(Total, values),
    }
}
