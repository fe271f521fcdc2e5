//! Scans in two passes: the totals of all ranges, then every range with what came before it.

use super::column::{Locked, Values, replace};
use super::fold::{Ordered, greatest, least, sum};
use super::{Workers, misfit};
use imminent_core::Result;
use imminent_core::backend::{ScanOp, View};
use std::ops::ControlFlow;

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
            ScanOp::Sum => scan(workers, &values, into, exclusive, T::default(), |x| x, |x| x, sum, T::plus),
            ScanOp::Min => {
                scan(workers, &values, into, exclusive, T::LAST, |x| x.key(T::LAST), T::of_key, least, Ord::min);
            }
            ScanOp::Max => {
                scan(workers, &values, into, exclusive, T::FIRST, |x| x.key(T::FIRST), T::of_key, greatest, Ord::max);
            }
        }
        if let (true, Some(first)) = (exclusive, into.first_mut()) {
            // Of no rows; every later row has one before it, which may be a NaN.
            *first = match op {
                ScanOp::Sum => T::default(),
                ScanOp::Min => T::GREATEST,
                ScanOp::Max => T::LEAST,
            };
        }
        Ok(())
    })
}

#[expect(clippy::too_many_arguments, reason = "an operation is its identity, its two maps and its two forms")]
fn scan<T: Ordered, A: Copy + Send + Sync>(
    workers: Workers<'_>,
    values: &Values<'_, T>,
    into: &mut [T],
    exclusive: bool,
    none: A,
    take: impl Fn(T) -> A + Copy + Send + Sync,
    give: impl Fn(A) -> T + Copy + Send + Sync,
    total: impl Fn(&[T]) -> A + Copy + Send + Sync,
    op: impl Fn(A, A) -> A + Copy + Send + Sync,
) {
    let ranges = workers.ranges(values.len(), values.row_bytes());
    let mut totals = vec![none; ranges.len()];
    if ranges.len() > 1 {
        totals = workers.map(ranges.clone(), |range| {
            let mut folded = none;
            values.blocks(range, |values| {
                folded = op(folded, total(values));
                ControlFlow::Continue(())
            });
            folded
        });
    }
    let mut carried = none;
    let mut rest = into;
    let mut tasks = Vec::with_capacity(ranges.len());
    for (range, total) in ranges.into_iter().zip(totals) {
        let (out, after) = rest.split_at_mut(range.len());
        rest = after;
        tasks.push((range, out, carried));
        carried = op(carried, total);
    }
    workers.map(tasks, |(range, mut out, mut carried)| {
        values.blocks(range, |values| {
            let (here, after) = std::mem::take(&mut out).split_at_mut(values.len());
            out = after;
            for (value, out) in values.iter().zip(here) {
                let next = op(carried, take(*value));
                *out = give(if exclusive { carried } else { next });
                carried = next;
            }
            ControlFlow::Continue(())
        });
    });
}
