//! `as` between all pairs of scalars, against plain Rust.

use crate::case::Cases;
use crate::compare::Floats;
use crate::context::Context;
use crate::kernels::casts::{
    casts_bool, casts_f32, casts_f64, casts_i32, casts_i64, casts_to_f64, casts_u32, casts_u64, widened_bool_i64,
    widened_bool_u64, widened_i32_i64, widened_i32_u64, widened_u32_i64, widened_u32_u64,
};
use crate::operands::{pairs, singles};
use crate::run::{map, map_by, operation};

fn random(context: &Context<'_>) -> usize {
    context.scaled(2000, 60_000)
}

macro_rules! casts {
    ($cases:expr, $module:ident, $from:ident, $to_f32:ident) => {{
        use $module::{Input, Out};

        let given = |context: &Context<'_>| -> Vec<Input> {
            singles::<$from>(random(context), &mut context.random(1)).into_iter().map(|a| Input { a }).collect()
        };
        macro_rules! cast {
            ($op:ident, $field:ident, $to:ident, $floats:ident) => {
                map_by::<$module::cast, _, _, _>(
                    $cases,
                    concat!("`", stringify!($from), " as ", stringify!($to), "`"),
                    operation!($module, $op),
                    Floats::$floats,
                    given,
                    |given, before| Some(Out { $field: given.a as $to, ..before }),
                );
            };
        }
        cast!(ToU32, unsigned, u32, Exact);
        cast!(ToI32, signed, i32, Exact);
        cast!(ToU64, wide, u64, Exact);
        cast!(ToI64, wide_signed, i64, Exact);
        cast!(ToF32, single, f32, $to_f32);
    }};
}

macro_rules! to_f64 {
    ($cases:expr, $op:ident, $field:ident, $from:ident, $floats:ident) => {
        map_by::<casts_to_f64::cast, _, _, _>(
            $cases,
            concat!("`", stringify!($from), " as f64`"),
            operation!(casts_to_f64, $op),
            Floats::$floats,
            |context| {
                let values = singles::<$from>(random(context), &mut context.random(1)).into_iter();
                values.map(|value| casts_to_f64::Input { $field: value, ..ORDINARY }).collect()
            },
            |given, _| Some(casts_to_f64::Out { x: given.$field as f64 }),
        );
    };
}

/// Values that never cause a row to be left out.
const ORDINARY: casts_to_f64::Input =
    casts_to_f64::Input { unsigned: 1, signed: 1, wide: 1, wide_signed: 1, single: 1.0 };

/// Cases of widened integers, each against plain Rust in 128 bits.
macro_rules! widened {
    ($cases:expr, $module:ident, $from:ident, $to:ident, $bounds:expr, |$x:ident, $y:ident| $sign:expr, |$a:ident| $arm:expr) => {
        map::<$module::compare, _, _>(
            $cases,
            concat!("a `", stringify!($from), "` that was widened to `", stringify!($to), "` compares with constants"),
            Floats::Exact,
            |context| {
                let pairs = pairs::<$from, $from>(random(context) / 4, &mut context.random(7)).into_iter();
                pairs.map(|(a, b)| $module::Input { a, b }).collect()
            },
            |given| {
                let ($x, $y) = (i128::from(given.a as $to), i128::from(given.b as $to));
                let bits = |holds: fn(i128, i128) -> bool| {
                    $bounds.iter().fold(0, |bits, bound| bits * 2 + u32::from(holds($x, *bound)))
                };
                let $a = $x;
                Some($module::Out {
                    less: bits(|x, bound| x < bound),
                    at_most: bits(|x, bound| x <= bound),
                    greater: bits(|x, bound| x > bound),
                    at_least: bits(|x, bound| x >= bound),
                    equal: bits(|x, bound| x == bound),
                    different: bits(|x, bound| x != bound),
                    other: u32::from($x < $y) + u32::from($x <= $y) * 2 + u32::from($x == $y) * 4,
                    least: $x.min(3) as $to,
                    greatest: $y.max(3) as $to,
                    sum: u32::from((($x + $y) as $to) < 2) + u32::from((($x - $y) as $to) < 2) * 2,
                    product: u32::from((($x * 2) as $to) < 10),
                    sign: $sign as $to,
                    arm: $arm,
                })
            },
        );
    };
}

macro_rules! widened_signed {
    ($cases:expr, $module:ident, $from:ident) => {
        widened!(
            $cases,
            $module,
            $from,
            i64,
            [-5_000_000_000, -2_147_483_649, -2, -1, 0, 1, 5, 100, 2_147_483_648, 5_000_000_000],
            |x, y| (x - y).signum(),
            |x| if x < 0 { 1 } else { [2, 3, 4][(x.min(10) + 8) as usize / 9] }
        );
    };
}

macro_rules! widened_unsigned {
    ($cases:expr, $module:ident, $from:ident) => {
        widened!(
            $cases,
            $module,
            $from,
            u64,
            [0, 1, 5, 100, 2_147_483_648, 4_294_967_295, 4_294_967_296, 5_000_000_000, 18_446_744_073_709_551_609],
            |x, y| x.abs_diff(y),
            |x| if x > 4_294_967_295 { 5 } else { [2, 3, 4][(x.min(10) + 8) as usize / 9] }
        );
    };
}

pub(super) fn add(cases: &mut Cases) {
    widened_signed!(cases, widened_i32_i64, i32);
    widened_signed!(cases, widened_u32_i64, u32);
    widened_signed!(cases, widened_bool_i64, bool);
    widened_unsigned!(cases, widened_i32_u64, i32);
    widened_unsigned!(cases, widened_u32_u64, u32);
    widened_unsigned!(cases, widened_bool_u64, bool);
    casts!(cases, casts_u32, u32, Basic);
    casts!(cases, casts_i32, i32, Basic);
    casts!(cases, casts_u64, u64, Basic);
    casts!(cases, casts_i64, i64, Basic);
    casts!(cases, casts_f32, f32, Exact);
    casts!(cases, casts_f64, f64, Basic);
    to_f64!(cases, FromU32, unsigned, u32, Exact);
    to_f64!(cases, FromI32, signed, i32, Exact);
    to_f64!(cases, FromU64, wide, u64, Basic);
    to_f64!(cases, FromI64, wide_signed, i64, Basic);
    to_f64!(cases, FromF32, single, f32, Exact);
    map::<casts_bool::to_integers, _, _>(
        cases,
        "`bool` as every integer",
        Floats::Exact,
        |_| vec![casts_bool::Input { a: false }, casts_bool::Input { a: true }],
        |given| {
            let one = if given.a { 1 } else { 0 };
            Some(casts_bool::Out { unsigned: one, signed: one as i32, wide: one.into(), wide_signed: one.into() })
        },
    );
}
