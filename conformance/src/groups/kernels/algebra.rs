//! Floats are not simplified: expressions are computed as written, with every rounding.
//!
//! WGSL lets an implementation rearrange expressions, and drivers do. A device may round every single operation
//! correctly and still be wrong here. If the probe finds this, these cases are skipped, and the device is not in the
//! class that guarantees them.

use crate::case::Cases;
use crate::compare::Floats;
use crate::context::Context;
use crate::kernels::algebra::{algebra_f32, algebra_f64};
use crate::operands::{Operand, pairs};
use crate::run::{map_by, operation};

/// Returns pairs of every magnitude with a third value. Pairs with subnormal, infinite or NaN results are included;
/// they are left out only if the probe denies them.
fn triples<T: Operand>(context: &Context<'_>) -> Vec<(T, T, T)> {
    let count = context.scaled(2000, 60_000);
    let pairs = pairs::<T, T>(count, &mut context.random(81));
    let mut rng = context.random(82);
    pairs.into_iter().map(|(a, b)| (a, b, T::random(&mut rng))).collect()
}

macro_rules! algebra_cases {
    ($cases:expr, $module:ident, $t:ident) => {{
        use $module::{Input, Out};

        let given = |context: &Context<'_>| -> Vec<Input> {
            triples::<$t>(context).into_iter().map(|(a, b, c)| Input { a, b, c }).collect()
        };
        macro_rules! law {
            ($op:ident, $floats:ident, $what:expr, |$a:ident, $b:ident, $c:ident| $expected:expr) => {
                map_by::<$module::compute, _, _, _>(
                    $cases,
                    concat!(stringify!($t), " is not simplified: ", $what),
                    operation!($module, $op),
                    Floats::$floats,
                    given,
                    |&Input { a: $a, b: $b, c: $c }, before| Some(Out { x: $expected, ..before }),
                );
            };
        }
        // Black boxes prevent constant folding on the host as well.
        use std::hint::black_box as one;
        law!(SumWithConstant, Several, "`a + b - 1.5`", |a, b, _c| one(a + b) - 1.5);
        law!(SumsOfConstants, Several, "`(a + 0.1) + 0.3`", |a, _b, _c| one(a + 0.1) + 0.3);
        law!(ProductsOfConstants, Several, "`(a * 0.1) * 0.7`", |a, _b, _c| one(a * 0.1) * 0.7);
        law!(SumMinusItself, Several, "`(a + b) - a`", |a, b, _c| one(a + b) - a);
        law!(CommonFactor, Several, "`a * b + a * c`", |a, b, c| one(a * b) + one(a * c));
        law!(QuotientTimesDivisor, Several, "`a / b * b`", |a, b, _c| one(a / b) * b);
        law!(DivisionByConstant, Division, "`a / 3.0`", |a, _b, _c| a / one(3.0));
        law!(DoubleReciprocal, Several, "`1.0 / (1.0 / a)`", |a, _b, _c| 1.0 / one(1.0 / a));
        law!(SquareOfRoot, Several, "the square of a root", |a, _b, _c| one(a.abs().sqrt()) * one(a.abs().sqrt()));
        law!(RootsMultiplied, Several, "the product of roots", |a, b, _c| one(a.abs().sqrt()) * one(b.abs().sqrt()));
        law!(LinearInterpolation, Several, "`a * (1.0 - c) + b * c`", |a, b, c| one(a * one(1.0 - c)) + one(b * c));
        law!(MinusItself, Several, "`a - a`", |a, _b, _c| a - one(a));
        law!(ByItself, Several, "`a / a`", |a, _b, _c| a / one(a));
        law!(TimesZero, Several, "`a * 0.0`", |a, _b, _c| a * one(0.0));
        law!(PlusZero, Several, "`a + 0.0`", |a, _b, _c| a + one(0.0));
        law!(ZeroMinus, Several, "`0.0 - a`", |a, _b, _c| one(0.0) - a);
        law!(NegatedDifference, Several, "`-(a - b)`", |a, b, _c| -one(a - b));
        map_by::<$module::compute, _, _, _>(
            $cases,
            concat!(stringify!($t), " is not simplified: negated comparisons"),
            operation!($module, NegatedComparisons),
            Floats::Exact,
            given,
            |&Input { a, b, .. }, before| {
                let order = a.partial_cmp(&b);
                Some(Out {
                    not_less: order.is_none_or(|order| order.is_ge()),
                    not_at_most: order.is_none_or(|order| order.is_gt()),
                    not_equal_to_itself: a.is_nan(),
                    neither: order.is_none(),
                    ..before
                })
            },
        );
    }};
}

pub(super) fn add(cases: &mut Cases) {
    algebra_cases!(cases, algebra_f32, f32);
    algebra_cases!(cases, algebra_f64, f64);
}
