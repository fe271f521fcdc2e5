//! Running sums, minima and maxima.

use super::fold::ordinary;
use super::sample::{Sample, both_ways, extreme, few, lengths, needs_arithmetic, of_none, same_list, values};
use crate::case::{Cases, Verdict, ensure};
use crate::context::Context;
use imminent_core::Table;
use imminent_core::primitives::{Float, Integer, ScanOp};

/// Returns the inclusive and exclusive scans of the values; `none` is the result of no rows.
fn running<T: Sample>(values: &[T], none: T, op: impl Fn(T, T) -> T) -> (Vec<T>, Vec<T>) {
    let (mut inclusive, mut exclusive) = (Vec::with_capacity(values.len()), Vec::with_capacity(values.len()));
    let mut so_far = None;
    for value in values {
        exclusive.push(so_far.unwrap_or(none));
        let next = so_far.map_or(*value, |so_far| op(so_far, *value));
        inclusive.push(next);
        so_far = Some(next);
    }
    (inclusive, exclusive)
}

fn check<T: Sample>(context: &Context<'_>, given: &[T], op: ScanOp, expected: (Vec<T>, Vec<T>)) -> Verdict {
    both_ways(context.device, given, |what, column| {
        let mut found = Table::zeroed(context.device, given.len())?;
        context.queue().inclusive_scan(column, op, &mut found)?;
        same_list(&format!("{what}, {op:?}, inclusive"), &found.read()?, &expected.0)?;
        context.queue().exclusive_scan(column, op, &mut found)?;
        same_list(&format!("{what}, {op:?}, exclusive"), &found.read()?, &expected.1)
    })
}

fn extremes<T: Sample>(context: &Context<'_>) -> Verdict {
    for count in lengths(context) {
        for given in [values::<T>(context, count), few::<T>(context, count)] {
            for (op, greatest) in [(ScanOp::Min, false), (ScanOp::Max, true)] {
                let better = |a: T, b: T| extreme(&[a, b], greatest).map_or(a, |(_, value)| value);
                check(context, &given, op, running(&given, of_none(greatest), better))?;
            }
        }
    }
    Ok(())
}

fn sums<T: Sample + Integer>(context: &Context<'_>) -> Verdict {
    for count in lengths(context) {
        let given = values::<T>(context, count);
        check(context, &given, ScanOp::Sum, running(&given, T::default(), T::plus))?;
    }
    Ok(())
}

fn float_sums<T: Sample + Float + Into<f64>>(context: &Context<'_>) -> Verdict {
    needs_arithmetic::<T>(context)?;
    for count in lengths(context) {
        let given = ordinary::<T>(context, count);
        let (mut found, mut size, mut exact) = (Table::zeroed(context.device, count)?, 0.0, 0.0);
        context.queue().inclusive_scan(&Table::from_rows(context.device, &given)?, ScanOp::Sum, &mut found)?;
        for (row, (found, value)) in found.read()?.into_iter().zip(&given).enumerate() {
            let (found, value): (f64, f64) = (found.into(), (*value).into());
            (size, exact) = (size + value.abs(), exact + value);
            let bound = size * 2e-7 * ((row + 1) as f64).sqrt().max(8.0);
            ensure((found - exact).abs() <= bound, || {
                format!("{count} {}, row {row}: expected {exact} within {bound}, found {found}", T::NAME)
            })?;
        }
    }
    Ok(())
}

pub(super) fn add(cases: &mut Cases) {
    cases.add("running least and greatest of u32", extremes::<u32>);
    cases.add("running least and greatest of i32", extremes::<i32>);
    cases.add("running least and greatest of u64", extremes::<u64>);
    cases.add("running least and greatest of i64", extremes::<i64>);
    cases.add("running least and greatest of f32, NaN aside", extremes::<f32>);
    cases.add("running least and greatest of f64, NaN aside", extremes::<f64>);
    cases.add("running sums of u32 wrap", sums::<u32>);
    cases.add("running sums of i32 wrap", sums::<i32>);
    cases.add("running sums of u64 wrap", sums::<u64>);
    cases.add("running sums of i64 wrap", sums::<i64>);
    cases.add("running sums of f32 keep within their rounding", float_sums::<f32>);
    cases.add("running sums of f64 keep within their rounding", float_sums::<f64>);
}
