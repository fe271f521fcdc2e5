//! Operations on integers, against plain Rust.

use crate::case::Cases;
use crate::compare::Floats;
use crate::context::Context;
use crate::kernels::integers::{ints_i32, ints_i64, ints_u32, ints_u64};
use crate::operands::{pairs, shifts, singles};
use crate::run::{map_by, operation};

fn random(context: &Context<'_>) -> usize {
    context.scaled(2000, 60_000)
}

macro_rules! integer_cases {
    ($cases:expr, $module:ident, $t:ident, $unsigned:ident) => {{
        use $module::{Input, Out};

        let cases: &mut Cases = $cases;
        fn given(a: $t, b: $t) -> Input {
            Input { a, b, c: 0, n: 0 }
        }
        let two = |context: &Context<'_>| -> Vec<Input> {
            pairs::<$t, $t>(random(context), &mut context.random(1)).into_iter().map(|(a, b)| given(a, b)).collect()
        };
        let divisible = |context: &Context<'_>| -> Vec<Input> {
            let pairs = pairs::<$t, $t>(random(context), &mut context.random(2)).into_iter();
            pairs.filter(|(_, b)| *b != 0).map(|(a, b)| given(a, b)).collect()
        };
        let one = |context: &Context<'_>| -> Vec<Input> {
            singles::<$t>(random(context), &mut context.random(3)).into_iter().map(|a| given(a, 0)).collect()
        };
        let counted = |context: &Context<'_>| -> Vec<Input> {
            shifts::<$t>(random(context), &mut context.random(4)).into_iter().map(|(a, n)| Input { n, ..given(a, 0) }).collect()
        };
        let ranges = |context: &Context<'_>| -> Vec<Input> {
            let pairs = pairs::<$t, $t>(random(context), &mut context.random(5)).into_iter();
            let values = singles::<$t>(random(context), &mut context.random(6)).into_iter().cycle();
            pairs.zip(values).map(|((p, q), a)| Input { c: q, ..given(a, p) }).collect()
        };
        let name = |what: &str| format!(concat!(stringify!($t), ": {}"), what);
        // An operation, its operands, and the field of the result with what plain Rust expects there.
        macro_rules! operation_case {
            ($op:ident, $what:expr, $operands:expr, |$given:pat_param| $field:ident: $expected:expr) => {
                map_by::<$module::compute, _, _, _>(
                    cases,
                    name($what),
                    operation!($module, $op),
                    Floats::Exact,
                    $operands,
                    |$given, before| Some(Out { $field: $expected, ..before }),
                );
            };
        }
        macro_rules! binary {
            ($op:ident, $what:expr, $operands:expr, |$a:ident, $b:ident| $expected:expr) => {
                operation_case!($op, $what, $operands, |&Input { a: $a, b: $b, .. }| x: $expected);
            };
        }
        macro_rules! unary {
            ($op:ident, $what:expr, |$a:ident| $field:ident: $expected:expr) => {
                operation_case!($op, $what, one, |&Input { a: $a, .. }| $field: $expected);
            };
        }
        macro_rules! counted {
            ($op:ident, $what:expr, |$a:ident, $n:ident| $expected:expr) => {
                operation_case!($op, $what, counted, |&Input { a: $a, n: $n, .. }| x: $expected);
            };
        }

        binary!(Add, "`a + b` wraps", two, |a, b| a.wrapping_add(b));
        binary!(Sub, "`a - b` wraps", two, |a, b| a.wrapping_sub(b));
        binary!(Mul, "`a * b` wraps", two, |a, b| a.wrapping_mul(b));
        binary!(Div, "`a / b` rounds towards zero, and wraps at the least value", divisible, |a, b| a.wrapping_div(b));
        binary!(Rem, "`a % b` has the sign of `a`", divisible, |a, b| a.wrapping_rem(b));
        binary!(BitAnd, "`a & b`", two, |a, b| a & b);
        binary!(BitOr, "`a | b`", two, |a, b| a | b);
        binary!(BitXor, "`a ^ b`", two, |a, b| a ^ b);
        binary!(Min, "`a.min(b)`", two, |a, b| if b < a { b } else { a });
        binary!(Max, "`a.max(b)`", two, |a, b| if b > a { b } else { a });
        binary!(SaturatingAdd, "`a.saturating_add(b)`", two, |a, b| {
            (a as i128 + b as i128).clamp($t::MIN as i128, $t::MAX as i128) as $t
        });
        binary!(SaturatingSub, "`a.saturating_sub(b)`", two, |a, b| {
            (a as i128 - b as i128).clamp($t::MIN as i128, $t::MAX as i128) as $t
        });
        binary!(WrappingMethods, "`wrapping_add`, `wrapping_mul`, `wrapping_sub` and `wrapping_neg`", two, |a, b| {
            let (a, b) = (a as i128, b as i128);
            ((a + b).wrapping_mul(-b).wrapping_sub(a)) as $t
        });
        binary!(ShlByItself, "`a << b` takes a count of its own type modulo the width", two, |a, b| {
            a.wrapping_shl(b as u32)
        });
        binary!(ShrByItself, "`a >> b` takes a count of its own type modulo the width", two, |a, b| {
            a.wrapping_shr(b as u32)
        });
        binary!(Compound, "compound assignments", two, |a, b| {
            let x = (a.wrapping_add(b).wrapping_mul(3).wrapping_sub(a) ^ b | 5) & !2;
            ((x.wrapping_shl(3) >> 2) / 7) % 1000
        });
        operation_case!(AbsDiff, "`a.abs_diff(b)`", two, |&Input { a, b, .. }| distance: {
            (a as i128 - b as i128).unsigned_abs() as $unsigned
        });
        map_by::<$module::compute, _, _, _>(
            cases,
            name("comparisons"),
            operation!($module, Compare),
            Floats::Exact,
            two,
            |&Input { a, b, .. }, before| {
                let order = a.cmp(&b);
                Some(Out {
                    equal: order.is_eq(),
                    different: order.is_ne(),
                    less: order.is_lt(),
                    at_most: order.is_le(),
                    greater: order.is_gt(),
                    at_least: order.is_ge(),
                    ..before
                })
            },
        );
        operation_case!(
            Clamp,
            "`a.clamp(low, high)`, also where `low` is above `high`",
            ranges,
            |&Input { a, b: low, c: high, .. }| x: if a < low { low } else if a > high { high } else { a }
        );
        counted!(Shl, "`a << n` takes the count modulo the width", |a, n| a.wrapping_shl(n % $t::BITS));
        counted!(Shr, "`a >> n` takes the count modulo the width", |a, n| a.wrapping_shr(n % $t::BITS));
        counted!(ShiftMethods, "`wrapping_shl` and `wrapping_shr`", |a, n| a.wrapping_shl(n) ^ a.wrapping_shr(n));
        counted!(RotateLeft, "`a.rotate_left(n)`", |a, n| {
            let (bits, n) = (a as $unsigned, n % $t::BITS);
            (if n == 0 { bits } else { bits << n | bits >> ($t::BITS - n) }) as $t
        });
        counted!(RotateRight, "`a.rotate_right(n)`", |a, n| {
            let (bits, n) = (a as $unsigned, n % $t::BITS);
            (if n == 0 { bits } else { bits >> n | bits << ($t::BITS - n) }) as $t
        });
        operation_case!(ConstantCounts, "shifts and rotations by constants", one, |&Input { a, .. }| x: {
            let turned = [a.rotate_right(8), a.rotate_right(16), a.rotate_right(32), a.rotate_left(32)];
            let counts = [16_u32.wrapping_neg(), 32_u32.wrapping_neg()];
            let shifted = counts.map(|n| a.wrapping_shl(n)).into_iter().chain(counts.map(|n| a.wrapping_shr(n)));
            turned.into_iter().chain(shifted).fold(0, |x: $t, term| x.wrapping_mul(3).wrapping_add(term))
        });
        counted!(Pow, "`a.pow(n)` wraps", |a, n| a.wrapping_pow(n));
        unary!(Cube, "`a.pow(3)` wraps", |a| x: a.wrapping_mul(a).wrapping_mul(a));
        unary!(Not, "`!a`", |a| x: (-1 - a as i128) as $t);
        unary!(WrappingNeg, "`a.wrapping_neg()`", |a| x: (-(a as i128)) as $t);
        unary!(ReverseBits, "`a.reverse_bits()`", |a| x: {
            (0..$t::BITS).fold(0 as $t, |x, bit| x << 1 | (a >> bit & 1))
        });
        unary!(SwapBytes, "`a.swap_bytes()`", |a| x: $t::from_le_bytes(a.to_be_bytes()));
        unary!(CountOnes, "`a.count_ones()`", |a| word: {
            (0..$t::BITS).map(|bit| (a >> bit & 1) as u32 & 1).sum()
        });
        unary!(CountZeros, "`a.count_zeros()`", |a| word: a.count_zeros());
        unary!(LeadingZeros, "`a.leading_zeros()` is the width for zero", |a| word: {
            (0..$t::BITS).rev().take_while(|bit| a >> bit & 1 == 0).count() as u32
        });
        unary!(LeadingOnes, "`a.leading_ones()`", |a| word: a.leading_ones());
        unary!(TrailingZeros, "`a.trailing_zeros()` is the width for zero", |a| word: {
            (0..$t::BITS).take_while(|bit| a >> bit & 1 == 0).count() as u32
        });
        unary!(TrailingOnes, "`a.trailing_ones()`", |a| word: a.trailing_ones());
        unary!(Literals, "literals and limits", |a| x: {
            a.wrapping_add(1).wrapping_sub($t::MAX).wrapping_add($t::MIN).wrapping_add(127).wrapping_add(1000)
        });
        unary!(LiteralsThatWrap, "literals wrap as what is computed from them", |a| x: {
            let (least, greatest) = ($t::MIN, $t::MAX);
            let literals = least ^ least.wrapping_sub(3) ^ greatest.wrapping_mul(3) ^ (greatest << 5);
            literals ^ least.wrapping_neg() ^ (a << (37 % $t::BITS)) ^ (a >> (101 % $t::BITS)) ^ a
        });
    }};
}

macro_rules! unsigned_cases {
    ($cases:expr, $module:ident, $t:ident) => {{
        use $module::{Input, Out};

        integer_cases!($cases, $module, $t, $t);
        map_by::<$module::compute, _, _, _>(
            $cases,
            concat!(stringify!($t), ": `a.is_power_of_two()`"),
            operation!($module, IsPowerOfTwo),
            Floats::Exact,
            |context| {
                let values = singles::<$t>(random(context), &mut context.random(3)).into_iter();
                values.map(|a| Input { a, b: 0, c: 0, n: 0 }).collect()
            },
            |&Input { a, .. }, before| Some(Out { flag: (0..$t::BITS).any(|bit| a == 1 << bit), ..before }),
        );
        map_by::<$module::compute, _, _, _>(
            $cases,
            concat!(stringify!($t), ": `mul_high(a, b)` is the high half of the product"),
            operation!($module, HighOfProduct),
            Floats::Exact,
            |context| {
                let pairs = pairs::<$t, $t>(random(context), &mut context.random(1)).into_iter();
                pairs.map(|(a, b)| Input { a, b, c: 0, n: 0 }).collect()
            },
            |&Input { a, b, .. }, before| Some(Out { x: (a as u128 * b as u128 >> $t::BITS) as $t, ..before }),
        );
    }};
}

macro_rules! signed_cases {
    ($cases:expr, $module:ident, $t:ident, $unsigned:ident) => {{
        use $module::{Input, Out};

        integer_cases!($cases, $module, $t, $unsigned);
        let one = |context: &Context<'_>| -> Vec<Input> {
            let values = singles::<$t>(random(context), &mut context.random(3)).into_iter();
            values.map(|a| Input { a, b: 0, c: 0, n: 0 }).collect()
        };
        macro_rules! unary {
            ($op:ident, $what:expr, |$a:ident| $expected:expr) => {
                map_by::<$module::compute, _, _, _>(
                    $cases,
                    concat!(stringify!($t), ": ", $what),
                    operation!($module, $op),
                    Floats::Exact,
                    one,
                    |&Input { a: $a, .. }, before| Some(Out { x: $expected, ..before }),
                );
            };
        }
        unary!(Neg, "`-a` wraps", |a| (-(a as i128)) as $t);
        unary!(Abs, "`a.abs()` wraps", |a| (a as i128).abs() as $t);
        unary!(WrappingAbs, "`a.wrapping_abs()`", |a| (a as i128).abs() as $t);
        unary!(Signum, "`a.signum()`", |a| (a > 0) as $t - (a < 0) as $t);
    }};
}

pub(super) fn add(cases: &mut Cases) {
    unsigned_cases!(cases, ints_u32, u32);
    signed_cases!(cases, ints_i32, i32, u32);
    unsigned_cases!(cases, ints_u64, u64);
    signed_cases!(cases, ints_i64, i64, u64);
}
