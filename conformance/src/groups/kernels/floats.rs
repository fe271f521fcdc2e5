//! Operations on floats, against plain Rust, as precisely as the device's probe allows.

use crate::case::{Cases, SkipReason, Stop};
use crate::compare::Floats;
use crate::context::Context;
use crate::kernels::floats::{floats_f32, floats_f64};
use crate::operands::{Operand, pairs, singles};
use crate::run::{check_operation, map_by, operation};
use imminent_core::ir::Scalar;

fn random(context: &Context<'_>) -> usize {
    context.scaled(2000, 60_000)
}

macro_rules! float_cases {
    ($cases:expr, $module:ident, $t:ident, $bits:ident, $scalar:expr) => {{
        use $module::{Input, Out};

        let cases: &mut Cases = $cases;
        // Unused operands are one, an ordinary number, which never causes a row to be left out.
        fn given(a: $t, b: $t) -> Input {
            Input { a, b, c: 1.0, bits: 0 }
        }
        let two = |context: &Context<'_>| -> Vec<Input> {
            pairs::<$t, $t>(random(context), &mut context.random(1)).into_iter().map(|(a, b)| given(a, b)).collect()
        };
        let one = |context: &Context<'_>| -> Vec<Input> {
            singles::<$t>(random(context), &mut context.random(2)).into_iter().map(|a| given(a, 1.0)).collect()
        };
        let patterns = |context: &Context<'_>| -> Vec<Input> {
            singles::<$t>(random(context), &mut context.random(3))
                .into_iter()
                .map(|a| Input { bits: a.to_bits(), ..given(1.0, 1.0) })
                .collect()
        };
        let zeros = |context: &Context<'_>| -> Vec<Input> {
            let all = singles::<$t>(random(context), &mut context.random(3));
            all.into_iter().map(|a| Input { bits: a.to_bits(), ..given(a, 1.0) }).collect()
        };
        let name = |what: &str| format!(concat!(stringify!($t), ": {}"), what);
        // An operation, its operands, and the field of the result with what plain Rust expects there.
        macro_rules! operation_case {
            ($op:ident, $what:expr, $floats:ident, $operands:expr, |$given:pat_param| $field:ident: $expected:expr) => {
                map_by::<$module::compute, _, _, _>(
                    cases,
                    name($what),
                    operation!($module, $op),
                    Floats::$floats,
                    $operands,
                    |$given, before| Some(Out { $field: $expected, ..before }),
                );
            };
        }
        macro_rules! binary {
            ($op:ident, $what:expr, $floats:ident, |$a:ident, $b:ident| $expected:expr) => {
                operation_case!($op, $what, $floats, two, |&Input { a: $a, b: $b, .. }| x: $expected);
            };
        }
        macro_rules! unary {
            ($op:ident, $what:expr, $floats:ident, |$a:ident| $expected:expr) => {
                operation_case!($op, $what, $floats, one, |&Input { a: $a, .. }| x: $expected);
            };
        }

        binary!(Add, "`a + b`", Basic, |a, b| a + b);
        binary!(Sub, "`a - b`", Basic, |a, b| a - b);
        binary!(Mul, "`a * b`", Basic, |a, b| a * b);
        binary!(Div, "`a / b`", Division, |a, b| a / b);
        binary!(Rem, "`a % b` is exact and has the sign of `a`", Exact, |a, b| a % b);
        binary!(Min, "`a.min(b)` ignores a NaN", Exact, |a, b| { if a.is_nan() || b < a { b } else { a } });
        binary!(Max, "`a.max(b)` ignores a NaN", Exact, |a, b| { if a.is_nan() || b > a { b } else { a } });
        binary!(Copysign, "`a.copysign(b)`", Exact, |a, b| {
            let sign = 1 << ($bits::BITS - 1);
            $t::from_bits(a.to_bits() & !sign | b.to_bits() & sign)
        });
        map_by::<$module::compute, _, _, _>(
            cases,
            name("comparisons, NaN being unequal to all"),
            operation!($module, Compare),
            Floats::Exact,
            two,
            |&Input { a, b, .. }, before| {
                let order = a.partial_cmp(&b);
                Some(Out {
                    equal: order.is_some_and(|order| order.is_eq()),
                    different: order.is_none_or(|order| order.is_ne()),
                    less: order.is_some_and(|order| order.is_lt()),
                    at_most: order.is_some_and(|order| order.is_le()),
                    greater: order.is_some_and(|order| order.is_gt()),
                    at_least: order.is_some_and(|order| order.is_ge()),
                    ..before
                })
            },
        );
        operation_case!(
            Clamp,
            "`a.clamp(low, high)`: NaN stays, and `low` may be above `high`",
            Exact,
            |context| {
                let pairs = pairs::<$t, $t>(random(context), &mut context.random(5)).into_iter();
                let values = singles::<$t>(random(context), &mut context.random(6)).into_iter().cycle();
                pairs.zip(values).map(|((p, q), a)| Input { c: q, ..given(a, p) }).collect()
            },
            |&Input { a, b, c, .. }| x: if a < b { b } else if a > c { c } else { a }
        );
        cases.add(name("`a * b + c` is not fused"), |context| {
            if context.capabilities().float64 || $scalar == Scalar::F32 {
                if context.probe($scalar).contracts {
                    return Err(Stop::Skip(SkipReason::rounds_otherwise($scalar)));
                }
                let inputs = nearly_cancelling::<$t>(context).into_iter();
                let inputs: Vec<Input> = inputs.map(|(a, b)| Input { c: -(a * b), ..given(a, b) }).collect();
                return check_operation::<$module::compute, _, _, _>(
                    context,
                    operation!($module, ProductAndSum),
                    Floats::Several,
                    &inputs,
                    |&Input { a, b, c, .. }, before| Some(Out { x: a * b + c, ..before }),
                );
            }
            context.needs_float64()
        });
        operation_case!(
            OrderOfSums,
            "sums are not reassociated",
            Several,
            |context| {
                let values = nearly_cancelling::<$t>(context).into_iter();
                values.map(|(a, b)| Input { c: -b * 0.75, ..given(a, b) }).collect()
            },
            |&Input { a, b, c, .. }| x: {
                let left = (a + b) + c;
                let right = a + (b + c);
                left - right
            }
        );
        unary!(Neg, "`-a` flips the sign", Exact, |a| $t::from_bits(a.to_bits() ^ 1 << ($bits::BITS - 1)));
        unary!(Abs, "`a.abs()` clears the sign", Exact, |a| $t::from_bits(a.to_bits() << 1 >> 1));
        unary!(Sqrt, "`a.sqrt()`", SquareRoot, |a| a.sqrt());
        unary!(Floor, "`a.floor()`", Exact, |a| a.floor());
        unary!(Ceil, "`a.ceil()`", Exact, |a| a.ceil());
        unary!(Trunc, "`a.trunc()`", Exact, |a| a.trunc());
        unary!(RoundTiesEven, "`a.round_ties_even()`", Exact, |a| a.round_ties_even());
        operation_case!(RoundConstants, "`round_ties_even` of constants", Exact, one, |&Input { a, .. }| rounded: {
            let far = -1e19;
            let nan = $t::NAN;
            [far, 2.0, nan, $t::NEG_INFINITY, 1e10, far, nan, -0.0, a.round_ties_even()]
        });
        operation_case!(WholeConstants, "`floor`, `ceil` and `trunc` of constants", Exact, one, |_| rounded: {
            let nan = $t::NAN;
            [nan, nan, nan, nan, nan, nan, -1e19, $t::NEG_INFINITY, 2.0]
        });
        operation_case!(CastConstants, "casts of constants to integers", Exact, one, |_| rounded: [1.0; 9]);
        map_by::<$module::compute, _, _, _>(
            cases,
            name("`is_nan` and `is_finite`"),
            operation!($module, Kind),
            Floats::Exact,
            one,
            |&Input { a, .. }, before| {
                let magnitude = a.to_bits() << 1 >> 1;
                let infinity = $t::INFINITY.to_bits();
                Some(Out { nan: magnitude > infinity, finite: magnitude < infinity, ..before })
            },
        );
        operation_case!(ToBits, "`a.to_bits()`", Bits, one, |&Input { a, .. }| bits: a.to_bits());
        operation_case!(FromBits, "`from_bits`", Exact, patterns, |&Input { bits, .. }| x: $t::from_bits(bits));
        binary!(Compound, "compound assignments", Several, |a, b| {
            let sum = a + b;
            let difference = sum - 1.5;
            difference * a
        });
        operation_case!(Zeros, "zeros of both signs, by conditions", Exact, zeros, |&Input { a, bits, .. }| rounded: {
            let zero: $t = 0.0;
            let least = if a < 0.0 { a } else { zero };
            let greatest = if a > 0.0 { a } else { zero };
            let (minus, plus) = if bits == 0 { (-1.0, -zero) } else { (-zero, 1.0) };
            [least, greatest, least, greatest, minus, plus, 0.0, 0.0, 0.0]
        });
        unary!(Constants, "literals and constants", Exact, |a| {
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

/// Returns pairs of ordinary numbers near one, whose products and sums lose bits.
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
