//! Minima, sums, and the position of the minimum.

use super::column::{self, Column};
use super::runner::{Call, Runner, Subject};
use crate::bench::timing::Timing;
use imminent::primitives::{Float, Integer, SumClass};
use imminent::{Reproducible, Result, Table, Unordered};
use imminent_core::ir::Scalar;

pub(super) fn all() -> impl Iterator<Item = Subject> {
    let reduction = |what, scalar: Scalar, measure| {
        let bytes: fn(u64) -> u64 = if scalar.words() == 2 { |rows| 8 * rows } else { |rows| 4 * rows };
        Subject { what, scalar, bytes, measure }
    };
    [
        reduction("min", Scalar::U32, min::<u32>),
        reduction("min", Scalar::U64, min::<u64>),
        reduction("min", Scalar::F32, min::<f32>),
        reduction("sum", Scalar::U32, sum::<u32>),
        reduction("sum", Scalar::U64, sum::<u64>),
        reduction("sum, reproducible", Scalar::F32, |runner, rows| sum_as::<f32, _>(runner, rows, || Reproducible)),
        reduction("sum, unordered", Scalar::F32, |runner, rows| sum_as::<f32, _>(runner, rows, || Unordered)),
        reduction("arg min", Scalar::U32, arg_min::<u32>),
        reduction("arg min", Scalar::U64, arg_min::<u64>),
        reduction("arg min", Scalar::F32, arg_min::<f32>),
    ]
    .into_iter()
}

/// Reduces into an existing table, as a simulation would.
fn min<T: Column>(runner: &Runner<'_>, rows: u32) -> Result<[Timing; 3]> {
    let column = column::table::<T>(runner.device, rows)?;
    let mut into = [Table::<T>::zeroed(runner.device, 1)?, Table::<T>::zeroed(runner.device, 1)?];
    let [put, read] = &mut into;
    let call = Call {
        put: Box::new(|queue| queue.min_into(&column, put).map(drop)),
        read: Box::new(|queue| queue.min_into(&column, read)?.read().map(drop)),
    };
    runner.time(&column, call)
}

fn sum<T: Column + Integer>(runner: &Runner<'_>, rows: u32) -> Result<[Timing; 3]> {
    let column = column::table::<T>(runner.device, rows)?;
    let mut into = [Table::<T>::zeroed(runner.device, 1)?, Table::<T>::zeroed(runner.device, 1)?];
    let [put, read] = &mut into;
    let call = Call {
        put: Box::new(|queue| queue.sum_into(&column, put).map(drop)),
        read: Box::new(|queue| queue.sum_into(&column, read)?.read().map(drop)),
    };
    runner.time(&column, call)
}

fn sum_as<T: Column + Float, C: SumClass>(runner: &Runner<'_>, rows: u32, class: fn() -> C) -> Result<[Timing; 3]> {
    let column = column::table::<T>(runner.device, rows)?;
    let call = Call {
        put: Box::new(|queue| queue.sum_as(&column, class()).map(drop)),
        read: Box::new(|queue| queue.sum_as(&column, class())?.read().map(drop)),
    };
    runner.time(&column, call)
}

fn arg_min<T: Column>(runner: &Runner<'_>, rows: u32) -> Result<[Timing; 3]> {
    let column = column::table::<T>(runner.device, rows)?;
    let call = Call {
        put: Box::new(|queue| queue.arg_min(&column).map(drop)),
        read: Box::new(|queue| queue.arg_min(&column)?.read().map(drop)),
    };
    runner.time(&column, call)
}
