//! Reductions of columns.

use super::column::{Locked, Values, put};
use super::fold::{Ordered, greatest, least, sum, tree_blocks};
use super::{Workers, misfit};
use imminent_core::Result;
use imminent_core::backend::{Reduction, View};
use imminent_core::reduce::reduce_levels;
use std::ops::{ControlFlow, Range};

/// Rows among which the place of a least value is looked for once it is known to be there.
const ARG_ROWS: usize = 4096;

/// Reduces a column.
pub(super) fn reduce_column<T: Ordered>(
    workers: Workers<'_>,
    op: Reduction,
    column: &View,
    into: &View,
    row: Option<&View>,
) -> Result<()> {
    let locked = Locked::new(column)?;
    let values = locked.values::<T>(column)?;
    if let (Reduction::ArgMin | Reduction::ArgMax, Some(row)) = (op, row) {
        let (value, found) = arg(workers, op == Reduction::ArgMin, &values);
        put(into, value)?;
        return put(row, found);
    }
    put(into, plain(workers, op, &values)?)
}

fn plain<T: Ordered>(workers: Workers<'_>, op: Reduction, values: &Values<'_, T>) -> Result<T> {
    let ranges = workers.ranges(values.len(), values.row_bytes());
    Ok(match op {
        Reduction::Min if values.len() == 0 => T::GREATEST,
        Reduction::Max if values.len() == 0 => T::LEAST,
        Reduction::Min => {
            let keys = workers.map(ranges, |range| over(values, range, T::LAST, least, Ord::min));
            T::of_key(keys.into_iter().fold(T::LAST, Ord::min))
        }
        Reduction::Max => {
            let keys = workers.map(ranges, |range| over(values, range, T::FIRST, greatest, Ord::max));
            T::of_key(keys.into_iter().fold(T::FIRST, Ord::max))
        }
        Reduction::Sum if T::HAS_NAN => tree(workers, ranges, values),
        Reduction::Sum | Reduction::SumUnordered => {
            let sums = workers.map(ranges, |range| over(values, range, T::default(), sum, T::plus));
            sums.into_iter().fold(T::default(), T::plus)
        }
        Reduction::ArgMin | Reduction::ArgMax => return Err(misfit()),
    })
}

/// Folds a range of values, block by block.
fn over<T: Ordered, A: Copy>(
    values: &Values<'_, T>,
    range: Range<usize>,
    first: A,
    block: impl Fn(&[T]) -> A,
    op: impl Fn(A, A) -> A,
) -> A {
    let mut folded = first;
    values.blocks(range, |values| {
        folded = op(folded, block(values));
        ControlFlow::Continue(())
    });
    folded
}

/// The sum over the fixed tree. Ranges and blocks start at multiples of the tree's blocks.
pub(super) fn tree<T: Ordered>(workers: Workers<'_>, ranges: Vec<Range<usize>>, values: &Values<'_, T>) -> T {
    let blocks = workers.map(ranges, |range| {
        let mut blocks = Vec::new();
        values.blocks(range, |values| {
            tree_blocks(values, &mut blocks);
            ControlFlow::Continue(())
        });
        blocks
    });
    reduce_levels(blocks.concat(), T::plus).unwrap_or_default()
}

fn arg<T: Ordered>(workers: Workers<'_>, of_least: bool, values: &Values<'_, T>) -> (T, u32) {
    let (none, empty) = if of_least { (T::LAST, T::GREATEST) } else { (T::FIRST, T::LEAST) };
    let better = |a: T::Key, b: T::Key| if of_least { a < b } else { a > b };
    let extreme = |values: &[T]| if of_least { least(values) } else { greatest(values) };
    if values.len() == 0 {
        return (empty, u32::MAX);
    }
    let bests = workers.map(workers.ranges(values.len(), values.row_bytes()), |range| {
        // First in which piece it is, then where in the piece: the first loop has no index to carry along.
        let (mut best, mut piece) = (none, range.start..(range.start + ARG_ROWS).min(range.end));
        let mut at = range.start;
        values.blocks(range.clone(), |block| {
            for part in block.chunks(ARG_ROWS) {
                let key = extreme(part);
                if better(key, best) {
                    (best, piece) = (key, at..at + part.len());
                }
                at += part.len();
            }
            ControlFlow::Continue(())
        });
        (best, piece)
    });
    let mut bests = bests.into_iter();
    let Some((mut best, mut piece)) = bests.next() else { return (empty, u32::MAX) };
    for (key, at) in bests {
        if better(key, best) {
            (best, piece) = (key, at);
        }
    }
    let mut scratch = super::column::Scratch::default();
    let place = values.block(piece.clone(), &mut scratch).iter().position(|value| value.key(none) == best);
    let row = piece.start + place.unwrap_or(0);
    let value = values.block(row..row + 1, &mut scratch).first().copied().unwrap_or(empty);
    (value, u32::try_from(row).unwrap_or(u32::MAX))
}
