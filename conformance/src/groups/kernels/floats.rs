//! Operations on floats, against plain Rust, as far as the device's probe lets them be compared.

use crate::case::{Cases, SkipReason, Stop};
use crate::compare::Floats;
use crate::context::Context;
use crate::kernels::floats::{floats_f32, floats_f64};
use crate::operands::{Operand, pairs, singles};
use crate::run::{check_map, map};
use imminent_core::ir::Scalar;

fn random(context: &Context<'_>) -> usize {
    context.scaled(2000, 60_000)
}

macro_rules! float_cases {
    ($cases:expr, $module:ident, $t:ident, $bits:ident, $scalar:expr) => {{
        use $module::{Kind, One, Orders, Pattern, Rounded, Same, Three, Two};

        let cases: &mut Cases = $cases;
        let two = |context: &Context<'_>| -> Vec<Two> {
            pairs::<$t, $t>(random(context), &mut context.random(1)).into_iter().map(|(a, b)| Two { a, b }).collect()
        };
        let one = |context: &Context<'_>| -> Vec<One> {
            singles::<$t>(random(context), &mut context.random(2)).into_iter().map(|a| One { a }).collect()
        };
        let patterns = |context: &Context<'_>| -> Vec<Pattern> {
            singles::<$t>(random(context), &mut context.random(3))
                .into_iter()
                .map(|a| Pattern { x: a.to_bits() })
                .collect()
        };
        let name = |what: &str| format!(concat!(stringify!($t), ": {}"), what);
        macro_rules! binary {
            ($kernel:ident, $what:expr, $floats:ident, |$a:ident, $b:ident| $expected:expr) => {
                map::<$module::$kernel, _, _>(cases, name($what), Floats::$floats, two, |&Two { a: $a, b: $b }| {
                    Some(Same { x: $expected })
                });
            };
        }
        macro_rules! unary {
            ($kernel:ident, $what:expr, $floats:ident, |$a:ident| $expected:expr) => {
                map::<$module::$kernel, _, _>(cases, name($what), Floats::$floats, one, |&One { a: $a }| {
                    Some(Same { x: $expected })
                });
            };
        }

        binary!(add, "`a + b`", Basic, |a, b| a + b);
        binary!(sub, "`a - b`", Basic, |a, b| a - b);
        binary!(mul, "`a * b`", Basic, |a, b| a * b);
        binary!(div, "`a / b`", Division, |a, b| a / b);
        binary!(rem, "`a % b` is exact and has the sign of `a`", Exact, |a, b| a % b);
        binary!(min, "`a.min(b)` ignores a NaN", Exact, |a, b| { if a.is_nan() || b < a { b } else { a } });
        binary!(max, "`a.max(b)` ignores a NaN", Exact, |a, b| { if a.is_nan() || b > a { b } else { a } });
        binary!(copysign, "`a.copysign(b)`", Exact, |a, b| {
            let sign = 1 << ($bits::BITS - 1);
            $t::from_bits(a.to_bits() & !sign | b.to_bits() & sign)
        });
        map::<$module::compare, _, _>(
            cases,
            name("comparisons, NaN being unequal to all"),
            Floats::Exact,
            two,
            |&Two { a, b }| {
                let order = a.partial_cmp(&b);
                Some(Orders {
                    equal: order.is_some_and(|order| order.is_eq()),
                    different: order.is_none_or(|order| order.is_ne()),
                    less: order.is_some_and(|order| order.is_lt()),
                    at_most: order.is_some_and(|order| order.is_le()),
                    greater: order.is_some_and(|order| order.is_gt()),
                    at_least: order.is_some_and(|order| order.is_ge()),
                })
            },
        );
        map::<$module::clamp, _, _>(
            cases,
            name("`a.clamp(low, high)`: NaN stays, and `low` may be above `high`"),
            Floats::Exact,
            |context| {
                let pairs = pairs::<$t, $t>(random(context), &mut context.random(5)).into_iter();
                let values = singles::<$t>(random(context), &mut context.random(6)).into_iter().cycle();
                pairs.zip(values).map(|((p, q), a)| Three { a, b: p, c: q }).collect()
            },
            |&Three { a, b, c }| {
                Some(Same {
                    x: if a < b {
                        b
                    } else if a > c {
                        c
                    } else {
                        a
                    },
                })
            },
        );
        cases.add(name("`a * b + c` is not fused"), |context| {
            if context.capabilities().float64 || $scalar == Scalar::F32 {
                if context.probe($scalar).contracts {
                    return Err(Stop::Skip(SkipReason::rounds_otherwise($scalar)));
                }
                let inputs = nearly_cancelling::<$t>(context).into_iter();
                let inputs: Vec<Three> = inputs.map(|(a, b)| Three { a, b, c: -(a * b) }).collect();
                return check_map::<$module::product_and_sum, _, _>(
                    context,
                    Floats::Several,
                    &inputs,
                    |&Three { a, b, c }| Some(Same { x: a * b + c }),
                );
            }
            context.needs_float64()
        });
        map::<$module::order_of_sums, _, _>(
            cases,
            name("sums are not reassociated"),
            Floats::Several,
            |context| {
                let values = nearly_cancelling::<$t>(context).into_iter();
                values.map(|(a, b)| Three { a, b, c: -b * 0.75 }).collect()
            },
            |&Three { a, b, c }| {
                let left = (a + b) + c;
                let right = a + (b + c);
                Some(Same { x: left - right })
            },
        );
        unary!(neg, "`-a` flips the sign", Exact, |a| $t::from_bits(a.to_bits() ^ 1 << ($bits::BITS - 1)));
        unary!(abs, "`a.abs()` clears the sign", Exact, |a| $t::from_bits(a.to_bits() << 1 >> 1));
        unary!(sqrt, "`a.sqrt()`", SquareRoot, |a| a.sqrt());
        unary!(floor, "`a.floor()`", Exact, |a| a.floor());
        unary!(ceil, "`a.ceil()`", Exact, |a| a.ceil());
        unary!(trunc, "`a.trunc()`", Exact, |a| a.trunc());
        unary!(round_ties_even, "`a.round_ties_even()`", Exact, |a| a.round_ties_even());
        map::<$module::round_constants, _, _>(
            cases,
            name("`round_ties_even` of constants"),
            Floats::Exact,
            one,
            |&One { a }| {
                let far = -1e19;
                let nan = $t::NAN;
                Some(Rounded { x: [far, 2.0, nan, $t::NEG_INFINITY, 1e10, far, nan, -0.0, a.round_ties_even()] })
            },
        );
        map::<$module::kind, _, _>(cases, name("`is_nan` and `is_finite`"), Floats::Exact, one, |&One { a }| {
            let magnitude = a.to_bits() << 1 >> 1;
            let infinity = $t::INFINITY.to_bits();
            Some(Kind { nan: magnitude > infinity, finite: magnitude < infinity })
        });
        map::<$module::to_bits, _, _>(cases, name("`a.to_bits()`"), Floats::Bits, one, |&One { a }| {
            Some(Pattern { x: a.to_bits() })
        });
        map::<$module::from_bits, _, _>(cases, name("`from_bits`"), Floats::Exact, patterns, |&Pattern { x }| {
            Some(Same { x: $t::from_bits(x) })
        });
        binary!(compound, "compound assignments", Several, |a, b| {
            let sum = a + b;
            let difference = sum - 1.5;
            difference * a
        });
        unary!(constants, "literals and constants", Exact, |a| {
            if a > 0.1 && a < 1e10 {
                -2.5e-3
            } else if a.is_infinite() {
                $t::MIN
            } else if a < $t::MIN_POSITIVE {
                $t::EPSILON
            } else {
                $t::MAX
            }
        });
    }};
}

/// Pairs of ordinary numbers near one, whose products and sums lose bits.
fn nearly_cancelling<T: Operand + Into<f64>>(context: &Context<'_>) -> Vec<(T, T)> {
    let mut rng = context.random(7);
    let ordinary = |x: T| (1e-3..1e3).contains(&x.into().abs());
    let mut draw = || loop {
        let x = T::random(&mut rng);
        if ordinary(x) {
            return x;
        }
    };
    (0..random(context)).map(|_| (draw(), draw())).collect()
}

pub(super) fn add(cases: &mut Cases) {
    float_cases!(cases, floats_f32, f32, u32, Scalar::F32);
    float_cases!(cases, floats_f64, f64, u64, Scalar::F64);
}
