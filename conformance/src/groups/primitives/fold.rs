//! Minimum, maximum, sum, and the positions of the extremes.

use super::sample::{Sample, both_ways, extreme, few, lengths, needs_arithmetic, of_none, same, values};
use crate::case::{Cases, Verdict, ensure, equal, refused};
use crate::context::Context;
use crate::kernels::primitives::maps::{Map, fold_then, then};
use imminent_core::primitives::{Float, Integer};
use imminent_core::{ArgMin, Determinism, Error, Reproducible, Table, Unordered};
use rand_core::Rng;

fn extremes<T: Sample>(context: &Context<'_>, greatest: bool) -> Verdict {
    let queue = context.queue();
    for count in lengths(context) {
        for given in [values::<T>(context, count), few::<T>(context, count)] {
            let expected = extreme(&given, greatest);
            both_ways(context.device, &given, |what, column| {
                let found = if greatest { queue.max(column)? } else { queue.min(column)? }.read()?;
                same(what, found, expected.map_or(of_none(greatest), |(_, value)| value))?;
                let found = if greatest { queue.arg_max(column)? } else { queue.arg_min(column)? }.read()?;
                let (row, value) = expected.map_or((u32::MAX, of_none(greatest)), |(row, value)| (row as u32, value));
                same(&format!("{what}, arg"), found.value, value)?;
                equal(&format!("{what}, arg, row"), &found.row, &row)
            })?;
        }
    }
    Ok(())
}

fn lone_extreme<T: Sample>(context: &Context<'_>, greatest: bool) -> Verdict {
    let queue = context.queue();
    let (usual, other) = (T::few(5), of_none::<T>(!greatest));
    let count = context.scaled(70_001, 1_000_003);
    for row in [0, 1, 255, 256, 4095, 4096, 65_535, 65_536, count - 1] {
        // Once alone, once again farther on: the first counts.
        let mut given = vec![usual; count];
        given[row] = other;
        given[count - 1] = other;
        let table = Table::from_rows(context.device, &given)?;
        let found = if greatest { queue.arg_max(&table)? } else { queue.arg_min(&table)? }.read()?;
        equal(
            &format!("{}: the first of two, in row {row}", T::NAME),
            &found,
            &ArgMin { value: other, row: row as u32 },
        )?;
    }
    Ok(())
}

fn integer_sums<T: Sample + Integer>(context: &Context<'_>) -> Verdict {
    for count in lengths(context) {
        let given = values::<T>(context, count);
        let expected = given.iter().fold(T::default(), |sum, x| imminent_core::Reducible::plus(sum, *x));
        both_ways(context.device, &given, |what, column| same(what, context.queue().sum(column)?.read()?, expected))?;
    }
    Ok(())
}

/// Evaluates the fixed tree as documented in `imminent_core::reduce`, without absent values.
pub(super) fn tree<T: Sample + Float>(values: &[T]) -> T {
    let mut level = values.to_vec();
    while level.len() > 1 {
        let reduce = |block: &[T]| {
            let mut x = block.to_vec();
            for stride in [128, 64, 32, 16, 8, 4, 2, 1] {
                for i in 0..stride.min(x.len().saturating_sub(stride)) {
                    x[i] = imminent_core::Reducible::plus(x[i], x[i + stride]);
                }
            }
            x[0]
        };
        level = level.chunks(256).map(reduce).collect();
    }
    level.first().copied().unwrap_or(T::default())
}

/// Returns numbers around one, of both signs, whose sums round.
pub(super) fn ordinary<T: Sample + Float + Into<f64>>(context: &Context<'_>, count: usize) -> Vec<T> {
    let mut rng = context.random(431 + count as u64);
    let draw = std::iter::repeat_with(|| T::random(&mut rng));
    draw.filter(|x| (1e-4..1e6).contains(&(*x).into().abs())).take(count).collect()
}

fn float_sums<T: Sample + Float + Into<f64>>(context: &Context<'_>) -> Verdict {
    needs_arithmetic::<T>(context)?;
    let queue = context.queue();
    let mut special = few::<T>(context, 300);
    special.retain(|x| !x.nan());
    for given in lengths(context).into_iter().map(|count| ordinary::<T>(context, count)).chain([special]) {
        let exact: f64 = given.iter().map(|x| (*x).into()).sum();
        let size: f64 = given.iter().map(|x| (*x).into().abs()).sum();
        both_ways(context.device, &given, |what, column| {
            match queue.sum_as(column, Reproducible) {
                Ok(sum) => same(&format!("{what}, reproducible"), sum.read()?, tree(&given))?,
                Err(error) => ensure(
                    matches!(error, Error::Determinism { asked: Determinism::Reproducible, .. })
                        && context.probe(T::TYPE).class() != Determinism::Reproducible,
                    || format!("{what}: expected a sum or `Error::Determinism` as the probe tells, found: {error}"),
                )?,
            }
            let found: f64 = queue.sum_as(column, Unordered)?.read()?.into();
            // Any order of additions, each rounded by at most 2^-23 of its result.
            let bound = size * 2e-7 * (given.len() as f64).sqrt().max(8.0);
            ensure(found == exact || (found - exact).abs() <= bound, || {
                format!("{what}, unordered: expected {exact} within {bound}, found {found}")
            })
        })?;
    }
    Ok(())
}

macro_rules! folds {
    ($cases:expr; $($t:ident),*) => {$(
        $cases.add(concat!("`min` and `arg_min` of ", stringify!($t), ": the order is total, the lowest row wins"), |context| {
            extremes::<$t>(context, false)
        });
        $cases.add(concat!("`max` and `arg_max` of ", stringify!($t), ": the order is total, the lowest row wins"), |context| {
            extremes::<$t>(context, true)
        });
        $cases.add(concat!("`arg_min` and `arg_max` of ", stringify!($t), " find one row among many"), |context| {
            lone_extreme::<$t>(context, false)?;
            lone_extreme::<$t>(context, true)
        });
    )*};
}

pub(super) fn add(cases: &mut Cases) {
    folds!(cases; u32, i32, u64, i64, f32, f64);
    cases.add("`sum` of u32 wraps", integer_sums::<u32>);
    cases.add("`sum` of i32 wraps", integer_sums::<i32>);
    cases.add("`sum` of u64 wraps", integer_sums::<u64>);
    cases.add("`sum` of i64 wraps", integer_sums::<i64>);
    cases.add("`sum_as` of f32: reproducible over the fixed tree, unordered within its rounding", float_sums::<f32>);
    cases.add("`sum_as` of f64: reproducible over the fixed tree, unordered within its rounding", float_sums::<f64>);
    cases.add("`min` of floats: NaN aside, -0 below +0", |context| {
        let queue = context.queue();
        let least = |values: &[f32]| -> Result<(f32, u32), Error> {
            let table = Table::from_rows(context.device, values)?;
            Ok((queue.min(&table)?.read()?, queue.arg_min(&table)?.read()?.row))
        };
        let (value, row) = least(&[0.0, f32::NAN, -0.0, -0.0])?;
        same("the least of zeros", value, -0.0)?;
        equal("its row", &row, &2)?;
        let (value, row) = least(&[-f32::NAN, f32::NAN])?;
        ensure(value.is_nan() && row == 0, || format!("of NaN alone: expected NaN in row 0, found {value} in {row}"))?;
        let (value, row) = least(&[f32::NAN, f32::INFINITY])?;
        same("infinity and NaN", value, f32::INFINITY)?;
        equal("its row", &row, &1)
    });
    cases.add("a model's own operator combines the rows in their order", |context| {
        for count in lengths(context) {
            let mut rng = context.random(441 + count as u64);
            let given: Vec<Map> =
                (0..count).map(|_| Map { factor: rng.next_u32() | 1, offset: rng.next_u32() }).collect();
            let table = Table::from_rows(context.device, &given)?;
            let found = context.queue().fold::<fold_then, _>(&table)?.read()?;
            let expected = given.into_iter().reduce(then).unwrap_or(Map { factor: 0, offset: 0 });
            equal(&format!("{count} maps, one after another"), &found, &vec![expected])?;
        }
        Ok(())
    });
    cases.add("a device scalar of another primitive's type is read as what it is", |context| {
        let table = Table::from_rows(context.device, &[5_u32, 3, 9])?;
        let least = context.queue().min(&table)?;
        // Reads twice: reading does not consume the value.
        equal("the least", &least.read()?, &3)?;
        equal("the least again", &least.read()?, &3)?;
        refused(
            "a result in a table of two rows",
            context.queue().min_into(&table, &mut Table::from_rows(context.device, &[0_u32, 0])?),
            "`Error::Invalid`",
            |error| matches!(error, Error::Invalid { .. }),
        )
    });
}
