//! Primitives over `u32` whose result is a column, a list of rows, or a tally.

use super::column;
use super::runner::{Call, Runner, Subject};
use crate::bench::timing::Timing;
use imminent::{Queue, Result, Selection, Table, TallyTable};
use imminent_core::backend::ScanOp;
use imminent_core::ir::Scalar;
use std::cell::RefCell;

pub(super) fn all() -> impl Iterator<Item = Subject> {
    let of = |what, bytes, measure| Subject { what, scalar: Scalar::U32, bytes, measure };
    [
        of("scan", |rows| 8 * rows, scan as fn(&Runner<'_>, u32) -> _),
        of("select 1 %", |rows| 4 * rows + 4 * rows / 100, |runner, rows| select(runner, rows, 1)),
        of("select 50 %", |rows| 4 * rows + 2 * rows, |runner, rows| select(runner, rows, 50)),
        // Traffic of four passes of eight bits: each reads the keys twice and the payloads once, and writes both.
        of("sort pairs", |rows| 80 * rows, sort),
        of("histogram", |rows| 4 * rows, histogram),
        of("gather", |rows| 12 * rows, gather),
    ]
    .into_iter()
}

/// Measures a primitive that writes to `state`; `look` reads a part of it.
fn timed<S>(
    runner: &Runner<'_>,
    column: &Table<u32>,
    state: S,
    put: impl Fn(&Queue, &mut S) -> Result<()>,
    look: impl Fn(&S) -> Result<()>,
) -> Result<[Timing; 3]> {
    let state = RefCell::new(state);
    let call = Call {
        put: Box::new(|queue| put(queue, &mut state.borrow_mut())),
        read: Box::new(|queue| {
            let state = &mut *state.borrow_mut();
            put(queue, state)?;
            look(state)
        }),
    };
    runner.time(column, call)
}

/// Reads the last row.
fn last(table: &Table<u32>) -> Result<()> {
    table.column::<u32>(0).read_rows(table.len() - 1..table.len()).map(drop)
}

fn scan(runner: &Runner<'_>, rows: u32) -> Result<[Timing; 3]> {
    let column = column::table::<u32>(runner.device, rows)?;
    let into = Table::<u32>::zeroed(runner.device, column.len())?;
    timed(runner, &column, into, |queue, into| queue.inclusive_scan(&column, ScanOp::Sum, into), last)
}

fn select(runner: &Runner<'_>, rows: u32, per_cent: u32) -> Result<[Timing; 3]> {
    let column = column::table::<u32>(runner.device, rows)?;
    let into = Selection::with_capacity(runner.device, column.len())?;
    let limit = u32::MAX / 100 * per_cent;
    timed(
        runner,
        &column,
        into,
        |queue, into| queue.select_into(column.column::<u32>(0).below(limit)?, into),
        |into| into.count_scalar()?.read().map(drop),
    )
}

fn sort(runner: &Runner<'_>, rows: u32) -> Result<[Timing; 3]> {
    let column = column::table::<u32>(runner.device, rows)?;
    let payload = Table::from_rows(runner.device, &(0..rows).collect::<Vec<u32>>())?;
    let sorted = [Table::zeroed(runner.device, column.len())?, Table::zeroed(runner.device, column.len())?];
    timed(
        runner,
        &column,
        sorted,
        |queue, [keys, values]| queue.sort_by_key(&column, &payload, keys, values),
        |[keys, _]| last(keys),
    )
}

/// Measures a histogram of 256 slots of equal width.
fn histogram(runner: &Runner<'_>, rows: u32) -> Result<[Timing; 3]> {
    let column = column::table::<u32>(runner.device, rows)?;
    let into = TallyTable::<u32>::new(runner.device, &[0; 256])?;
    timed(runner, &column, into, |queue, into| queue.histogram(&column, 0, 1 << 24, into), |into| into.read().map(drop))
}

/// Measures a gather by pseudorandom numbers: most reads touch different cache lines.
fn gather(runner: &Runner<'_>, rows: u32) -> Result<[Timing; 3]> {
    let column = column::table::<u32>(runner.device, rows)?;
    let numbers: Vec<u32> = column::values::<u32>(rows).iter().map(|value| value % rows).collect();
    let numbers = Table::from_rows(runner.device, &numbers)?;
    let into = Table::<u32>::zeroed(runner.device, column.len())?;
    timed(runner, &column, into, |queue, into| queue.gather(&numbers, &column, into), last)
}
