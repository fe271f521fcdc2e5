//! Floats are not simplified: what is written is computed, rounding by rounding.
//!
//! WGSL lets an implementation rearrange expressions, and drivers do, so a device may round every single operation correctly and
//! still be wrong here. Where the probe finds that, these are skipped, and the device is not in the class that promises them.

use crate::case::Cases;
use crate::compare::Floats;
use crate::context::Context;
use crate::kernels::algebra::{algebra_f32, algebra_f64};
use crate::operands::{Operand, pairs};
use crate::run::map;

/// Pairs of every magnitude with a third value. Those whose results are subnormal, infinite or NaN are there too: they are left
/// out only where the probe denies them.
fn triples<T: Operand>(context: &Context<'_>) -> Vec<(T, T, T)> {
    let count = context.scaled(2000, 60_000);
    let pairs = pairs::<T, T>(count, &mut context.random(81));
    let mut rng = context.random(82);
    pairs.into_iter().map(|(a, b)| (a, b, T::random(&mut rng))).collect()
}

macro_rules! algebra_cases {
    ($cases:expr, $module:ident, $t:ident) => {{
        use $module::{Same, Three, Truths};

        let given = |context: &Context<'_>| -> Vec<Three> {
            triples::<$t>(context).into_iter().map(|(a, b, c)| Three { a, b, c }).collect()
        };
        macro_rules! law {
            ($kernel:ident, $floats:ident, $what:expr, |$a:ident, $b:ident, $c:ident| $expected:expr) => {
                map::<$module::$kernel, _, _>(
                    $cases,
                    concat!(stringify!($t), " is not simplified: ", $what),
                    Floats::$floats,
                    given,
                    |&Three { a: $a, b: $b, c: $c }| Some(Same { x: $expected }),
                );
            };
        }
        // Black boxes, so that nothing is folded on the host either.
        use std::hint::black_box as one;
        law!(sum_with_constant, Several, "`a + b - 1.5`", |a, b, _c| one(a + b) - 1.5);
        law!(sums_of_constants, Several, "`(a + 0.1) + 0.3`", |a, _b, _c| one(a + 0.1) + 0.3);
        law!(products_of_constants, Several, "`(a * 0.1) * 0.7`", |a, _b, _c| one(a * 0.1) * 0.7);
        law!(sum_minus_itself, Several, "`(a + b) - a`", |a, b, _c| one(a + b) - a);
        law!(common_factor, Several, "`a * b + a * c`", |a, b, c| one(a * b) + one(a * c));
        law!(quotient_times_divisor, Several, "`a / b * b`", |a, b, _c| one(a / b) * b);
        law!(division_by_constant, Division, "`a / 3.0`", |a, _b, _c| a / one(3.0));
        law!(double_reciprocal, Several, "`1.0 / (1.0 / a)`", |a, _b, _c| 1.0 / one(1.0 / a));
        law!(square_of_root, Several, "the square of a root", |a, _b, _c| one(a.abs().sqrt()) * one(a.abs().sqrt()));
        law!(roots_multiplied, Several, "the product of roots", |a, b, _c| one(a.abs().sqrt()) * one(b.abs().sqrt()));
        law!(linear_interpolation, Several, "`a * (1.0 - c) + b * c`", |a, b, c| one(a * one(1.0 - c)) + one(b * c));
        law!(minus_itself, Several, "`a - a`", |a, _b, _c| a - one(a));
        law!(by_itself, Several, "`a / a`", |a, _b, _c| a / one(a));
        law!(times_zero, Several, "`a * 0.0`", |a, _b, _c| a * one(0.0));
        law!(plus_zero, Several, "`a + 0.0`", |a, _b, _c| a + one(0.0));
        law!(zero_minus, Several, "`0.0 - a`", |a, _b, _c| one(0.0) - a);
        law!(negated_difference, Several, "`-(a - b)`", |a, b, _c| -one(a - b));
        map::<$module::negated_comparisons, _, _>(
            $cases,
            concat!(stringify!($t), " is not simplified: negated comparisons"),
            Floats::Exact,
            given,
            |&Three { a, b, .. }| {
                let order = a.partial_cmp(&b);
                Some(Truths {
                    not_less: order.is_none_or(|order| order.is_ge()),
                    not_at_most: order.is_none_or(|order| order.is_gt()),
                    not_equal_to_itself: a.is_nan(),
                    neither: order.is_none(),
                })
            },
        );
    }};
}

pub(super) fn add(cases: &mut Cases) {
    algebra_cases!(cases, algebra_f32, f32);
    algebra_cases!(cases, algebra_f64, f64);
}
