//! Filters: counting the rows that pass, and listing them.

use super::column::{Locked, Native, Values, operand, put, replace};
use super::filter::{Equal, Greater, GreaterOrEqual, Less, LessOrEqual, NotEqual, Test, list, passing};
use super::types::misfit;
use super::workers::Workers;
use super::workers::{tile_rows, tiles};
use imminent_core::Result;
use imminent_core::backend::{Census, Comparison, Filter, View};
use imminent_core::ir::Scalar;
use std::ops::{ControlFlow, Range};

/// Number of values that are tested before the search for one may end.
const LOOK: usize = 4096;

/// Calls a generic function with a filter's comparison as a type.
macro_rules! for_test {
    ($comparison:expr, $function:ident($($arg:expr),*)) => {
        match $comparison {
            Comparison::Equal => $function($($arg),*, Equal),
            Comparison::NotEqual => $function($($arg),*, NotEqual),
            Comparison::Less => $function($($arg),*, Less),
            Comparison::LessOrEqual => $function($($arg),*, LessOrEqual),
            Comparison::Greater => $function($($arg),*, Greater),
            Comparison::GreaterOrEqual => $function($($arg),*, GreaterOrEqual),
        }
    };
}

/// Counts the rows that pass a filter.
pub(super) fn census(workers: Workers<'_>, what: Census, filter: &Filter, into: &View) -> Result<()> {
    if filter.column.scalar() == Scalar::Bool {
        return census_of::<bool>(workers, what, filter, into);
    }
    super::for_number!(filter.column.scalar(), census_of(workers, what, filter, into))
}

fn census_of<T: Native>(workers: Workers<'_>, what: Census, filter: &Filter, into: &View) -> Result<()> {
    let locked = Locked::new(&filter.column)?;
    let values = locked.values::<T>(&filter.column)?;
    let right = operand::<T>(&filter.value)?;
    for_test!(filter.comparison, count_rows(workers, what, &values, right, into))
}

fn count_rows<T: Native, C: Test>(
    workers: Workers<'_>,
    what: Census,
    values: &Values<'_, T>,
    right: T,
    into: &View,
    test: C,
) -> Result<()> {
    let size = (values.len(), values.row_bytes());
    match what {
        Census::Count => {
            let count = workers.fold(size, |range| count_range(values, range, right, test), |a, b| a + b);
            put(into, count as u32)
        }
        Census::Any | Census::All => {
            // For `any` the search ends at a passing value, for `all` at a failing one.
            let wanted = what == Census::Any;
            let found = |range| {
                let mut found = false;
                values.blocks(range, |values| {
                    found = values.chunks(LOOK).any(|part| {
                        let passing = passing(test, part, right);
                        if wanted { passing > 0 } else { passing < part.len() }
                    });
                    if found { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
                });
                found
            };
            put(into, workers.fold(size, found, |a, b| a | b) == wanted)
        }
    }
}

fn count_range<T: Native, C: Test>(values: &Values<'_, T>, range: Range<usize>, right: T, test: C) -> usize {
    let mut count = 0;
    values.blocks(range, |values| {
        count += passing(test, values, right);
        ControlFlow::Continue(())
    });
    count
}

/// Lists the rows that pass a filter.
pub(super) fn select(workers: Workers<'_>, filter: &Filter, rows: &View, count: &View) -> Result<()> {
    if filter.column.scalar() == Scalar::Bool {
        return select_of::<bool>(workers, filter, rows, count);
    }
    super::for_number!(filter.column.scalar(), select_of(workers, filter, rows, count))
}

fn select_of<T: Native>(workers: Workers<'_>, filter: &Filter, rows: &View, count: &View) -> Result<()> {
    let locked = Locked::new(&filter.column)?;
    let values = locked.values::<T>(&filter.column)?;
    let right = operand::<T>(&filter.value)?;
    let listed = replace::<u32, u32>(rows, |rows| {
        if rows.len() < values.len() {
            return Err(misfit());
        }
        for_test!(filter.comparison, list_rows(workers, &values, right, rows))
    })?;
    put(count, listed)
}

fn list_rows<T: Native, C: Test>(
    workers: Workers<'_>,
    values: &Values<'_, T>,
    right: T,
    rows: &mut [u32],
    test: C,
) -> Result<u32> {
    if workers.alone(values.len(), values.row_bytes()) {
        return Ok(list_range(values, 0..values.len(), right, rows, test) as u32);
    }
    let tiles = tiles(values.len(), tile_rows(values.row_bytes()));
    let (mut rest, mut listed) = (rows, 0);
    workers.in_turn(
        tiles.len(),
        |tile| count_range(values, tiles[tile].clone(), right, test),
        |_, count| {
            let (own, after) = std::mem::take(&mut rest).split_at_mut(count);
            rest = after;
            listed += count;
            own
        },
        |tile, own| {
            list_range(values, tiles[tile].clone(), right, own, test);
        },
    );
    Ok(listed as u32)
}

/// Lists the passing rows of a range, while there is room. Returns their number.
fn list_range<T: Native, C: Test>(
    values: &Values<'_, T>,
    range: Range<usize>,
    right: T,
    out: &mut [u32],
    test: C,
) -> usize {
    let (mut row, mut count) = (range.start as u32, 0);
    values.blocks(range, |values| {
        count += list(test, values, right, row, &mut out[count..]);
        row += values.len() as u32;
        ControlFlow::Continue(())
    });
    count
}
