//! Reductions of columns.

use super::column::{Locked, Values, put};
use super::fold::{Greatest, Least, Total, fold, tree, tree_blocks, tree_levels};
use super::number::Ordered;
use super::prefix::Operation;
use super::types::misfit;
use super::vector::{Kernel, wide};
use super::workers::Workers;
use imminent_core::Result;
use imminent_core::backend::{Reduction, View};
use imminent_core::reduce::BLOCK;
use std::ops::{ControlFlow, Range};

/// Number of rows among which the position of a least value is searched for once it is known to be there.
const ARG_ROWS: usize = 4096;

/// Number of rows that are compared at once in that search.
const PIECE: usize = 64;

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
        let (value, found) = match op {
            Reduction::ArgMin => arg(workers, Least, T::HIGHEST, &values),
            _ => arg(workers, Greatest, T::LOWEST, &values),
        };
        put(into, value)?;
        return put(row, found);
    }
    put(into, plain(workers, op, &values)?)
}

fn plain<T: Ordered>(workers: Workers<'_>, op: Reduction, values: &Values<'_, T>) -> Result<T> {
    Ok(match op {
        Reduction::Min if values.len() == 0 => T::HIGHEST,
        Reduction::Max if values.len() == 0 => T::LOWEST,
        Reduction::Min => whole(workers, Least, values),
        Reduction::Max => whole(workers, Greatest, values),
        Reduction::Sum if T::HAS_NAN => tree_of(workers, values),
        Reduction::Sum | Reduction::SumUnordered => whole(workers, Total, values),
        Reduction::ArgMin | Reduction::ArgMax => return Err(misfit()),
    })
}

/// Folds a column.
fn whole<T: Ordered, O: Operation<T>>(workers: Workers<'_>, operation: O, values: &Values<'_, T>) -> T {
    O::give(workers.fold((values.len(), values.row_bytes()), |range| over(operation, values, range), O::join))
}

/// Folds a range of values, block by block.
pub(super) fn over<T: Ordered, O: Operation<T>>(
    operation: O,
    values: &Values<'_, T>,
    range: Range<usize>,
) -> O::Partial {
    let mut folded = O::NOTHING;
    values.blocks(range, |values| {
        folded = O::join(folded, fold(operation, values));
        ControlFlow::Continue(())
    });
    folded
}

/// Sums over the fixed tree. Ranges and blocks start at multiples of the tree's blocks.
fn tree_of<T: Ordered>(workers: Workers<'_>, values: &Values<'_, T>) -> T {
    if let (true, Values::Slice(values)) = (workers.alone(values.len(), values.row_bytes()), values) {
        return tree(values);
    }
    let mut blocks = vec![T::ZERO; values.len().div_ceil(BLOCK)];
    let mut rest = blocks.as_mut_slice();
    let mut tasks = Vec::new();
    for range in workers.ranges(values.len(), values.row_bytes()) {
        let (own, after) = std::mem::take(&mut rest).split_at_mut(range.len().div_ceil(BLOCK));
        rest = after;
        tasks.push((range, own));
    }
    workers.map(tasks, |(range, mut out)| {
        values.blocks(range, |values| {
            let (own, after) = std::mem::take(&mut out).split_at_mut(values.len().div_ceil(BLOCK));
            out = after;
            tree_blocks(values, own);
            ControlFlow::Continue(())
        });
    });
    tree_levels(blocks)
}

/// Returns the best value and its first row.
fn arg<T: Ordered, O: Operation<T, Partial = T::Key>>(
    workers: Workers<'_>,
    operation: O,
    empty: T,
    values: &Values<'_, T>,
) -> (T, u32) {
    if values.len() == 0 {
        return (empty, u32::MAX);
    }
    let better = |a: T::Key, b: T::Key| a != b && O::join(a, b) == a;
    let of = |range: Range<usize>| {
        // First the piece, then the position in it: the first loop has no index to carry along.
        let (mut best, mut piece) = (O::NOTHING, range.start..(range.start + ARG_ROWS).min(range.end));
        let mut at = range.start;
        values.blocks(range, |block| {
            for part in block.chunks(ARG_ROWS) {
                let key = fold(operation, part);
                if better(key, best) {
                    (best, piece) = (key, at..at + part.len());
                }
                at += part.len();
            }
            ControlFlow::Continue(())
        });
        (best, piece)
    };
    // Of equals, the earlier one.
    let (best, piece) =
        workers.fold((values.len(), values.row_bytes()), of, |a, b| if better(b.0, a.0) { b } else { a });
    let mut scratch = super::column::Scratch::default();
    let rows = values.block(piece.clone(), &mut scratch);
    let place = place_of(operation, best, rows).unwrap_or(0);
    (rows.get(place).copied().unwrap_or(empty), u32::try_from(piece.start + place).unwrap_or(u32::MAX))
}

/// Returns the first position of a key.
fn place_of<T: Ordered, O: Operation<T, Partial = T::Key>>(operation: O, key: T::Key, values: &[T]) -> Option<usize> {
    struct FindKey<'v, T: Ordered, O>(&'v [T], T::Key, O);
    impl<T: Ordered, O: Operation<T, Partial = T::Key>> Kernel for FindKey<'_, T, O> {
        type Output = Option<usize>;

        #[inline(always)]
        fn run(self) -> Option<usize> {
            // Vectors find the piece, a scalar loop the position in it.
            let mut pieces = self.0.chunks(PIECE).enumerate();
            let (number, piece) = pieces
                .find(|(_, piece)| piece.iter().fold(false, |found, value| found | (O::take(*value) == self.1)))?;
            piece.iter().position(|value| O::take(*value) == self.1).map(|place| number * PIECE + place)
        }
    }
    wide(FindKey(values, key, operation))
}
