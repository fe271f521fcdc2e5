//! Scans. One thread traverses the rows once. Several traverse tiles, each twice: for its total, and, while it is still
//! in a near cache, with the total before it.

use super::column::{Locked, Values, replace};
use super::fold::{Greatest, Least, Total};
use super::number::Ordered;
use super::prefix::Operation;
use super::reduce::over;
use super::types::misfit;
use super::workers::Workers;
use super::workers::{tile_rows, tiles};
use imminent_core::Result;
use imminent_core::backend::{ScanOp, View};
use std::ops::{ControlFlow, Range};

/// Scans a column.
pub(super) fn scan_column<T: Ordered>(
    workers: Workers<'_>,
    op: ScanOp,
    exclusive: bool,
    column: &View,
    into: &View,
) -> Result<()> {
    let locked = Locked::new(column)?;
    let values = locked.values::<T>(column)?;
    replace::<T, ()>(into, |into| {
        if into.len() != values.len() {
            return Err(misfit());
        }
        match op {
            ScanOp::Sum => scan(workers, Total, &values, into, exclusive),
            ScanOp::Min => scan(workers, Least, &values, into, exclusive),
            ScanOp::Max => scan(workers, Greatest, &values, into, exclusive),
        }
        if let (true, Some(first)) = (exclusive, into.first_mut()) {
            // The value of no rows. Every later row has one before it, which may be a NaN.
            *first = match op {
                ScanOp::Sum => T::ZERO,
                ScanOp::Min => T::HIGHEST,
                ScanOp::Max => T::LOWEST,
            };
        }
        Ok(())
    })
}

fn scan<T: Ordered, O: Operation<T>>(
    workers: Workers<'_>,
    operation: O,
    values: &Values<'_, T>,
    into: &mut [T],
    exclusive: bool,
) {
    // Counts the results, which are written too.
    if workers.alone(values.len(), values.row_bytes() + size_of::<T>()) {
        run(operation, values, 0..values.len(), into, O::NOTHING, exclusive);
        return;
    }
    let length = tile_rows(values.row_bytes());
    let tiles = tiles(values.len(), length);
    let (mut outs, mut carried) = (into.chunks_mut(length), O::NOTHING);
    workers.in_turn(
        tiles.len(),
        |tile| over(operation, values, tiles[tile].clone()),
        |_, total| {
            let before = carried;
            carried = O::join(carried, total);
            (before, outs.next().unwrap_or_default())
        },
        |tile, (before, out)| run(operation, values, tiles[tile].clone(), out, before, exclusive),
    );
}

/// Traverses a range of rows.
fn run<T: Ordered, O: Operation<T>>(
    operation: O,
    values: &Values<'_, T>,
    range: Range<usize>,
    mut out: &mut [T],
    mut carried: O::Partial,
    exclusive: bool,
) {
    values.blocks(range, |values| {
        let (own, after) = std::mem::take(&mut out).split_at_mut(values.len());
        out = after;
        carried = O::running(operation, values, own, carried, exclusive);
        ControlFlow::Continue(())
    });
}
