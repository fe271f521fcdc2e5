//! `as` between all pairs of scalars, against plain Rust.

use crate::case::Cases;
use crate::compare::Floats;
use crate::context::Context;
use crate::kernels::casts::{
    casts_bool, casts_f32, casts_f64, casts_i32, casts_i64, casts_u32, casts_u64, widen_f32, widen_i32, widen_i64,
    widen_u32, widen_u64,
};
use crate::operands::singles;
use crate::run::map;

fn random(context: &Context<'_>) -> usize {
    context.scaled(2000, 60_000)
}

macro_rules! casts {
    ($cases:expr, $module:ident, $from:ident, $to_f32:ident) => {{
        use $module::{Given, ToF32, ToI32, ToI64, ToU32, ToU64};

        let given = |context: &Context<'_>| -> Vec<Given> {
            singles::<$from>(random(context), &mut context.random(1)).into_iter().map(|a| Given { a }).collect()
        };
        macro_rules! cast {
            ($kernel:ident, $out:ident, $to:ident, $floats:ident) => {
                map::<$module::$kernel, _, _>(
                    $cases,
                    concat!("`", stringify!($from), " as ", stringify!($to), "`"),
                    Floats::$floats,
                    given,
                    |given| Some($out { x: given.a as $to }),
                );
            };
        }
        cast!(to_u32, ToU32, u32, Exact);
        cast!(to_i32, ToI32, i32, Exact);
        cast!(to_u64, ToU64, u64, Exact);
        cast!(to_i64, ToI64, i64, Exact);
        cast!(to_f32, ToF32, f32, $to_f32);
    }};
}

macro_rules! casts_to_f64 {
    ($cases:expr, $module:ident, $from:ident, $floats:ident) => {{
        use $module::{Given, ToF64};

        map::<$module::to_f64, _, _>(
            $cases,
            concat!("`", stringify!($from), " as f64`"),
            Floats::$floats,
            |context| {
                singles::<$from>(random(context), &mut context.random(1)).into_iter().map(|a| Given { a }).collect()
            },
            |given| Some(ToF64 { x: given.a as f64 }),
        );
    }};
}

pub(super) fn add(cases: &mut Cases) {
    casts!(cases, casts_u32, u32, Basic);
    casts!(cases, casts_i32, i32, Basic);
    casts!(cases, casts_u64, u64, Basic);
    casts!(cases, casts_i64, i64, Basic);
    casts!(cases, casts_f32, f32, Exact);
    casts!(cases, casts_f64, f64, Basic);
    casts_to_f64!(cases, widen_u32, u32, Exact);
    casts_to_f64!(cases, widen_i32, i32, Exact);
    casts_to_f64!(cases, widen_u64, u64, Basic);
    casts_to_f64!(cases, widen_i64, i64, Basic);
    casts_to_f64!(cases, widen_f32, f32, Exact);
    map::<casts_bool::to_integers, _, _>(
        cases,
        "`bool` as every integer",
        Floats::Exact,
        |_| vec![casts_bool::Given { a: false }, casts_bool::Given { a: true }],
        |given| {
            let one = if given.a { 1 } else { 0 };
            Some(casts_bool::Out { unsigned: one, signed: one as i32, wide: one.into(), wide_signed: one.into() })
        },
    );
}
