//! Returned values and their reductions, against folds in plain Rust and, for floats, the fixed tree.

use crate::case::{Cases, SkipReason, Stop, Verdict, ensure, equal};
use crate::compare::show;
use crate::context::Context;
use crate::kernels::reductions::{reduce_f32, reduce_f64, reduce_i32, reduce_i64, reduce_more, reduce_u32, reduce_u64};
use crate::operands::{Operand, singles};
use crate::run::SIZES;
use imminent_core::ir::Scalar;
use imminent_core::{ArgMin, Table};
use rand_core::Rng;

fn sizes(context: &Context<'_>) -> Vec<usize> {
    let mut sizes = SIZES.to_vec();
    sizes.push(context.scaled(65_536, 1_000_003));
    sizes
}

macro_rules! integer_reductions {
    ($cases:expr, $t:ident, $module:ident) => {{
        let rows = |context: &Context<'_>, count: usize| -> Vec<$t> {
            let mut values = singles::<$t>(count + 16, &mut context.random(51 + count as u64));
            values.retain(|x| *x != $t::MIN && *x != $t::MAX);
            values.truncate(count);
            values
        };
        macro_rules! reduction {
            ($kernel:ident, $what:expr, $expected:expr) => {
                $cases.add(concat!(stringify!($t), " reduction: ", $what), move |context| {
                    for (count, last) in sizes(context)
                        .into_iter()
                        .flat_map(|count| [None, Some($t::MIN), Some($t::MAX)].map(|last| (count, last)))
                    {
                        let mut values = rows(context, count);
                        // The extremes are in the last row, which is the easiest to lose.
                        if let (Some(place), Some(last)) = (values.last_mut(), last) {
                            *place = last;
                        }
                        let given: Vec<_> = values.iter().map(|a| $module::Input { a: *a }).collect();
                        let table = Table::from_rows(context.device, &given)?;
                        let found = context.queue().launch::<$module::$kernel>((&table,))?.read()?;
                        let expected: fn(&[$t]) -> _ = $expected;
                        let what = concat!("kernel `", stringify!($module), "::", stringify!($kernel), "`");
                        equal(&format!("{what} over {count} rows"), &found, &expected(&values))?;
                    }
                    Ok(())
                });
            };
        }
        reduction!(min, "`min`; an empty table reduces to the greatest value", |values| {
            values.iter().copied().fold($t::MAX, $t::min)
        });
        reduction!(max, "`max`; an empty table reduces to the least value", |values| {
            values.iter().copied().fold($t::MIN, $t::max)
        });
        reduction!(sum, "`sum` wraps; an empty table reduces to 0", |values| {
            values.iter().fold(0, |sum: $t, x| sum.wrapping_add(*x))
        });
        reduction!(argmin, "`argmin`; an empty table reduces to the greatest value and no row", |values| {
            let first = (0..).zip(values).min_by_key(|(_, x)| **x);
            first.map_or(ArgMin { value: $t::MAX, row: u32::MAX }, |(row, value)| ArgMin { value: *value, row })
        });
        $cases.add(concat!(stringify!($t), " reduction: `argmin` takes the first of equals"), |context| {
            for (count, least) in [(2_usize, 0_usize), (300, 0), (300, 255), (300, 256), (5000, 700), (100_003, 99_000)]
            {
                let given: Vec<_> = (0..count)
                    .map(|row| $module::Input { a: if row >= least && row % 2 == least % 2 { 3 } else { 4 } })
                    .collect();
                let table = Table::from_rows(context.device, &given)?;
                let found = context.queue().launch::<$module::argmin>((&table,))?.read()?;
                equal(
                    &format!("{count} rows, equal from row {least}"),
                    &found,
                    &ArgMin { value: 3, row: least as u32 },
                )?;
            }
            Ok(())
        });
    }};
}

/// Evaluates the fixed tree, version 1, as documented in `imminent_core::reduce`; written independently.
fn tree<T: Copy>(values: &[T], identity: T, op: impl Fn(T, T) -> T + Copy) -> T {
    fn block<T: Copy>(values: &[T], stride: usize, op: impl Fn(T, T) -> T + Copy) -> Vec<T> {
        let mut folded = values.to_vec();
        for i in 0..stride.min(values.len().saturating_sub(stride)) {
            folded[i] = op(values[i], values[i + stride]);
        }
        folded
    }
    let mut level = values.to_vec();
    while level.len() > 1 {
        let blocks = level.chunks(256);
        level = blocks
            .map(|chunk| {
                let halves = [128, 64, 32, 16, 8, 4, 2, 1];
                halves.iter().fold(chunk.to_vec(), |values, stride| block(&values, *stride, op))[0]
            })
            .collect();
    }
    level.first().copied().unwrap_or(identity)
}

macro_rules! float_reductions {
    ($cases:expr, $t:ident, $module:ident, $scalar:expr) => {{
        let bits = |x: $t| u64::from(x.to_bits());
        let reduce = |context: &Context<'_>, values: &[$t]| -> Result<[$t; 3], Stop> {
            let given: Vec<_> = values.iter().map(|a| $module::Input { a: *a }).collect();
            let table = Table::from_rows(context.device, &given)?;
            let queue = context.queue();
            Ok([
                queue.launch::<$module::min>((&table,))?.read()?,
                queue.launch::<$module::max>((&table,))?.read()?,
                queue.launch::<$module::sum>((&table,))?.read()?,
            ])
        };
        let same = move |what: String, found: $t, expected: $t| -> Verdict {
            ensure(found.to_bits() == expected.to_bits() || found.is_nan() && expected.is_nan(), || {
                format!("{what}: expected {}, found {}", show($scalar, bits(expected)), show($scalar, bits(found)))
            })
        };
        $cases.add(concat!(stringify!($t), " reduction: sums follow the fixed tree"), move |context| {
            needs($scalar, context)?;
            let probe = context.probe($scalar);
            if !probe.basic_correct || probe.contracts {
                return Err(Stop::Skip(SkipReason::rounds_otherwise($scalar)));
            }
            for count in sizes(context) {
                let values = ordinary::<$t>(context, count);
                let [_, _, sum] = reduce(context, &values)?;
                same(
                    format!("kernel `{}::sum` over {count} rows", stringify!($module)),
                    sum,
                    tree(&values, 0.0, |a, b| a + b),
                )?;
            }
            Ok(())
        });
        $cases.add(concat!(stringify!($t), " reduction: `min` and `max` of ordinary numbers"), move |context| {
            needs($scalar, context)?;
            for count in sizes(context).into_iter().filter(|count| *count > 0) {
                let values = ordinary::<$t>(context, count);
                let [min, max, _] = reduce(context, &values)?;
                let sorted = |best: fn($t, $t) -> $t| values.iter().copied().reduce(best).unwrap_or_default();
                same(format!("`min` over {count} rows"), min, sorted($t::min))?;
                same(format!("`max` over {count} rows"), max, sorted($t::max))?;
            }
            Ok(())
        });
        $cases.add(concat!(stringify!($t), " reduction: an empty table reduces to the identity"), move |context| {
            needs($scalar, context)?;
            let [min, max, sum] = reduce(context, &[])?;
            same("sum of no rows".to_owned(), sum, 0.0)?;
            needs_non_finite($scalar, context)?;
            same("min of no rows".to_owned(), min, $t::INFINITY)?;
            same("max of no rows".to_owned(), max, $t::NEG_INFINITY)?;
            let table = Table::<$module::Input>::zeroed(context.device, 0)?;
            let least = context.queue().launch::<$module::argmin>((&table,))?.read()?;
            equal("argmin of no rows", &least, &ArgMin { value: $t::INFINITY, row: u32::MAX })
        });
        $cases.add(concat!(stringify!($t), " reduction: a NaN is ignored, unless all are"), move |context| {
            needs($scalar, context)?;
            needs_non_finite($scalar, context)?;
            for count in [1_usize, 2, 255, 256, 257, 1000] {
                for number in [0, count / 2, count - 1] {
                    let mut values = vec![$t::NAN; count];
                    values[number] = -2.5;
                    let [min, max, sum] = reduce(context, &values)?;
                    same(format!("min of {count} rows, all but row {number} NaN"), min, -2.5)?;
                    same(format!("max of {count} rows, all but row {number} NaN"), max, -2.5)?;
                    same(
                        format!("sum of {count} rows, all but row {number} NaN"),
                        sum,
                        if count == 1 { -2.5 } else { $t::NAN },
                    )?;
                }
                let [min, max, _] = reduce(context, &vec![$t::NAN; count])?;
                same(format!("min of {count} NaN"), min, $t::NAN)?;
                same(format!("max of {count} NaN"), max, $t::NAN)?;
            }
            Ok(())
        });
        $cases.add(concat!(stringify!($t), " reduction: `argmin` takes the first of equals"), move |context| {
            needs($scalar, context)?;
            for (count, first) in [(1_usize, 0_usize), (300, 7), (300, 256), (5000, 700), (100_003, 99_000)] {
                let value = |row: usize| if row >= first && row % 2 == first % 2 { -1.5 } else { row as $t };
                let given: Vec<_> = (0..count).map(|row| $module::Input { a: value(row) }).collect();
                let table = Table::from_rows(context.device, &given)?;
                let least = context.queue().launch::<$module::argmin>((&table,))?.read()?;
                equal(
                    &format!("{count} rows, equal from row {first}"),
                    &least,
                    &ArgMin { value: -1.5, row: first as u32 },
                )?;
            }
            Ok(())
        });
        $cases.add(concat!(stringify!($t), " reduction: `argmin` prefers any number to a NaN"), move |context| {
            needs($scalar, context)?;
            needs_non_finite($scalar, context)?;
            for (count, number) in [(2_usize, 1_usize), (2, 0), (257, 256), (1000, 999)] {
                let value = |row: usize| if row == number { $t::INFINITY } else { $t::NAN };
                let given: Vec<_> = (0..count).map(|row| $module::Input { a: value(row) }).collect();
                let table = Table::from_rows(context.device, &given)?;
                let least = context.queue().launch::<$module::argmin>((&table,))?.read()?;
                let expected = ArgMin { value: $t::INFINITY, row: number as u32 };
                equal(&format!("{count} rows, all but row {number} NaN"), &least, &expected)?;
            }
            let table = Table::from_rows(context.device, &vec![$module::Input { a: $t::NAN }; 300])?;
            let least = context.queue().launch::<$module::argmin>((&table,))?.read()?;
            ensure(least.value.is_nan() && least.row == 0, || {
                format!("300 NaN: expected a NaN in row 0, found {least:?}")
            })
        });
    }};
}

/// Returns numbers of both signs without subnormals, infinities or zeros of two signs.
fn ordinary<T: Operand + Into<f64>>(context: &Context<'_>, count: usize) -> Vec<T> {
    let mut rng = context.random(61 + count as u64);
    std::iter::repeat_with(|| T::random(&mut rng))
        .filter(|x| (1e-4..1e6).contains(&(*x).into().abs()))
        .take(count)
        .collect()
}

fn needs(scalar: Scalar, context: &Context<'_>) -> Verdict {
    if scalar == Scalar::F64 { context.needs_float64() } else { Ok(()) }
}

fn needs_non_finite(scalar: Scalar, context: &Context<'_>) -> Verdict {
    if context.probe(scalar).non_finite { Ok(()) } else { Err(Stop::Skip(SkipReason::lacks_non_finite(scalar))) }
}

pub(super) fn add(cases: &mut Cases) {
    integer_reductions!(cases, u32, reduce_u32);
    integer_reductions!(cases, i32, reduce_i32);
    integer_reductions!(cases, u64, reduce_u64);
    integer_reductions!(cases, i64, reduce_i64);
    float_reductions!(cases, f32, reduce_f32, Scalar::F32);
    float_reductions!(cases, f64, reduce_f64, Scalar::F64);
    cases.add("`count` is how many rows returned true", |context| {
        for count in sizes(context) {
            let mut rng = context.random(71);
            let values: Vec<u32> = (0..count).map(|_| rng.next_u32()).collect();
            let given: Vec<_> = values.iter().map(|a| reduce_more::Input { a: *a }).collect();
            let table = Table::from_rows(context.device, &given)?;
            let found = context.queue().launch::<reduce_more::count>((&table,))?.read()?;
            let expected = values.iter().filter(|a| **a % 3 == 0).count() as u32;
            equal(&format!("kernel `reduce_more::count` over {count} rows"), &found, &expected)?;
        }
        Ok(())
    });
    cases.add("`any` is whether one row returned true", |context| {
        for count in sizes(context) {
            let places = [None, Some(0), count.checked_sub(1), count.checked_div(2)];
            for place in places.into_iter().filter(|place| place.is_none_or(|place| place < count)) {
                let given: Vec<_> =
                    (0..count).map(|row| reduce_more::Input { a: if Some(row) == place { 77 } else { 5 } }).collect();
                let table = Table::from_rows(context.device, &given)?;
                let found = context.queue().launch::<reduce_more::any>((&table,))?.read()?;
                equal(
                    &format!("kernel `reduce_more::any` over {count} rows, true in {place:?}"),
                    &found,
                    &place.is_some(),
                )?;
            }
        }
        Ok(())
    });
    cases.add("a kernel changes its rows and returns, early or late", |context| {
        for count in sizes(context) {
            let given: Vec<_> =
                (0..count as u32).map(|row| reduce_more::Input { a: row.wrapping_mul(2_654_435_761) }).collect();
            let mut table = Table::from_rows(context.device, &given)?;
            let found = context.queue().launch::<reduce_more::change_and_sum>((&mut table,))?.read()?;
            let returned = given.iter().map(|row| if row.a % 2 == 0 { 1 << 40 } else { u64::from(row.a) });
            equal(&format!("kernel `reduce_more::change_and_sum` over {count} rows"), &found, &returned.sum::<u64>())?;
            let changed: Vec<_> =
                (0..).zip(&given).map(|(id, row)| reduce_more::Input { a: row.a.wrapping_add(id) }).collect();
            crate::case::equal_slices(&format!("the {count} rows"), &table.read()?, &changed)?;
        }
        Ok(())
    });
    cases.add("a reduction over the first rows leaves the others out", |context| {
        let given: Vec<_> = (0..1000_u32).map(|row| reduce_u32::Input { a: row + 1 }).collect();
        let table = Table::from_rows(context.device, &given)?;
        for rows in [0_usize, 1, 256, 257, 999] {
            let found = context.queue().launch_rows::<reduce_u32::sum>(rows, (&table,))?.read()?;
            equal(&format!("sum over {rows} rows"), &found, &((1..=rows as u32).sum()))?;
        }
        Ok(())
    });
}
