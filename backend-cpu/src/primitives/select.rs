//! Filters: counting the rows that pass, and listing them.

use super::column::{Locked, Native, Values, operand, put, replace};
use super::vector::{Kernel, wide};
use super::{Workers, misfit};
use imminent_core::Result;
use imminent_core::backend::{Census, Comparison, Filter, View};
use imminent_core::ir::Scalar;
use std::ops::{ControlFlow, Range};

/// Calls a generic function with the native type of a filter and its comparison as a function of two values.
macro_rules! for_test {
    ($comparison:expr, $function:ident($($arg:expr),*)) => {
        match $comparison {
            Comparison::Equal => $function($($arg),*, |a, b| a == b),
            Comparison::NotEqual => $function($($arg),*, |a, b| a != b),
            Comparison::Less => $function($($arg),*, |a, b| a < b),
            Comparison::LessOrEqual => $function($($arg),*, |a, b| a <= b),
            Comparison::Greater => $function($($arg),*, |a, b| a > b),
            Comparison::GreaterOrEqual => $function($($arg),*, |a, b| a >= b),
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

fn count_rows<T: Native>(
    workers: Workers<'_>,
    what: Census,
    values: &Values<'_, T>,
    right: T,
    into: &View,
    test: impl Fn(&T, &T) -> bool + Copy + Send + Sync,
) -> Result<()> {
    let ranges = workers.ranges(values.len(), values.row_bytes());
    // How many rows stop the search: for `any` one that passes, for `all` one that does not.
    match what {
        Census::Count => {
            let counts = workers.map(ranges, |range| {
                let mut count = 0;
                values.blocks(range, |values| {
                    count += passing(values, right, test);
                    ControlFlow::Continue(())
                });
                count
            });
            put(into, counts.iter().sum::<usize>() as u32)
        }
        Census::Any | Census::All => {
            let wanted = what == Census::Any;
            let found = workers.map(ranges, |range| {
                let mut found = false;
                values.blocks(range, |values| {
                    found = values.chunks(4096).any(|part| {
                        let passing = passing(part, right, test);
                        if wanted { passing > 0 } else { passing < part.len() }
                    });
                    if found { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
                });
                found
            });
            put(into, found.contains(&true) == wanted)
        }
    }
}

fn passing<T: Native>(values: &[T], right: T, test: impl Fn(&T, &T) -> bool + Copy) -> usize {
    struct Count<'v, T, F> {
        values: &'v [T],
        right: T,
        test: F,
    }
    impl<T: Native, F: Fn(&T, &T) -> bool> Kernel for Count<'_, T, F> {
        type Output = usize;

        #[inline(always)]
        fn run(self) -> usize {
            // Counts of 32 bits make for wider vectors than those of 64, and a piece cannot overflow them.
            let pieces = self.values.chunks(1 << 20);
            pieces.map(|p| p.iter().map(|x| u32::from((self.test)(x, &self.right))).sum::<u32>() as usize).sum()
        }
    }
    wide(Count { values, right, test })
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
        for_test!(filter.comparison, list(workers, &values, right, rows))
    })?;
    put(count, listed)
}

fn list<T: Native>(
    workers: Workers<'_>,
    values: &Values<'_, T>,
    right: T,
    rows: &mut [u32],
    test: impl Fn(&T, &T) -> bool + Copy + Send + Sync,
) -> Result<u32> {
    let ranges = workers.ranges(values.len(), values.row_bytes());
    if ranges.len() <= 1 {
        return Ok(list_range(values, 0..values.len(), right, rows, test) as u32);
    }
    let counts = workers.map(ranges.clone(), |range| {
        let mut count = 0;
        values.blocks(range, |values| {
            count += passing(values, right, test);
            ControlFlow::Continue(())
        });
        count
    });
    let mut rest = rows;
    let mut tasks = Vec::with_capacity(ranges.len());
    for (range, count) in ranges.into_iter().zip(&counts) {
        let (out, after) = rest.split_at_mut(*count);
        rest = after;
        tasks.push((range, out));
    }
    workers.map(tasks, |(range, out)| list_range(values, range, right, out, test));
    Ok(counts.iter().sum::<usize>() as u32)
}

/// Lists the passing rows of a range, as far as there is room, and gives their number.
fn list_range<T: Native>(
    values: &Values<'_, T>,
    range: Range<usize>,
    right: T,
    out: &mut [u32],
    test: impl Fn(&T, &T) -> bool + Copy,
) -> usize {
    let (mut row, mut count) = (range.start as u32, 0);
    values.blocks(range, |values| {
        for part in values.chunks(64) {
            let before = row;
            row += part.len() as u32;
            // Most pieces of a sparse selection have nothing: counting is quicker than listing.
            if passing_few(part, right, test) == 0 {
                continue;
            }
            for (row, value) in (before..).zip(part) {
                if let Some(place) = out.get_mut(count) {
                    // Written in any case, kept if the row passes: no branch to be mispredicted.
                    *place = row;
                }
                count += usize::from(test(value, &right));
            }
        }
        ControlFlow::Continue(())
    });
    count
}

#[inline]
fn passing_few<T: Native>(values: &[T], right: T, test: impl Fn(&T, &T) -> bool) -> u32 {
    values.iter().map(|x| u32::from(test(x, &right))).sum()
}
