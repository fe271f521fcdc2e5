//! Operations on integers, against plain Rust.

use crate::case::Cases;
use crate::compare::Floats;
use crate::context::Context;
use crate::kernels::integers::{ints_i32, ints_i64, ints_u32, ints_u64};
use crate::operands::{pairs, shifts, singles};
use crate::run::map;

fn random(context: &Context<'_>) -> usize {
    context.scaled(2000, 60_000)
}

macro_rules! integer_cases {
    ($cases:expr, $module:ident, $t:ident, $unsigned:ident) => {{
        use $module::{Counted, Distance, One, Orders, Same, Three, Two, Word};

        let cases: &mut Cases = $cases;
        let two = |context: &Context<'_>| -> Vec<Two> {
            pairs::<$t, $t>(random(context), &mut context.random(1)).into_iter().map(|(a, b)| Two { a, b }).collect()
        };
        let divisible = |context: &Context<'_>| -> Vec<Two> {
            let pairs = pairs::<$t, $t>(random(context), &mut context.random(2)).into_iter();
            pairs.filter(|(_, b)| *b != 0).map(|(a, b)| Two { a, b }).collect()
        };
        let one = |context: &Context<'_>| -> Vec<One> {
            singles::<$t>(random(context), &mut context.random(3)).into_iter().map(|a| One { a }).collect()
        };
        let counted = |context: &Context<'_>| -> Vec<Counted> {
            shifts::<$t>(random(context), &mut context.random(4)).into_iter().map(|(a, n)| Counted { a, n }).collect()
        };
        let ranges = |context: &Context<'_>| -> Vec<Three> {
            let pairs = pairs::<$t, $t>(random(context), &mut context.random(5)).into_iter();
            let values = singles::<$t>(random(context), &mut context.random(6)).into_iter().cycle();
            pairs.zip(values).map(|((p, q), a)| Three { a, low: p, high: q }).collect()
        };
        let name = |what: &str| format!(concat!(stringify!($t), ": {}"), what);
        macro_rules! binary {
            ($kernel:ident, $what:expr, $operands:expr, |$a:ident, $b:ident| $expected:expr) => {
                map::<$module::$kernel, _, _>(cases, name($what), Floats::Exact, $operands, |&Two { a: $a, b: $b }| {
                    Some(Same { x: $expected })
                });
            };
        }
        macro_rules! unary {
            ($kernel:ident, $what:expr, |$a:ident| $out:ident $expected:expr) => {
                map::<$module::$kernel, _, _>(cases, name($what), Floats::Exact, one, |&One { a: $a }| {
                    Some($out { x: $expected })
                });
            };
        }
        macro_rules! counted {
            ($kernel:ident, $what:expr, |$a:ident, $n:ident| $expected:expr) => {
                map::<$module::$kernel, _, _>(cases, name($what), Floats::Exact, counted, |&Counted { a: $a, n: $n }| {
                    Some(Same { x: $expected })
                });
            };
        }

        binary!(add, "`a + b` wraps", two, |a, b| a.wrapping_add(b));
        binary!(sub, "`a - b` wraps", two, |a, b| a.wrapping_sub(b));
        binary!(mul, "`a * b` wraps", two, |a, b| a.wrapping_mul(b));
        binary!(div, "`a / b` rounds towards zero, and wraps at the least value", divisible, |a, b| a.wrapping_div(b));
        binary!(rem, "`a % b` has the sign of `a`", divisible, |a, b| a.wrapping_rem(b));
        binary!(bit_and, "`a & b`", two, |a, b| a & b);
        binary!(bit_or, "`a | b`", two, |a, b| a | b);
        binary!(bit_xor, "`a ^ b`", two, |a, b| a ^ b);
        binary!(min, "`a.min(b)`", two, |a, b| if b < a { b } else { a });
        binary!(max, "`a.max(b)`", two, |a, b| if b > a { b } else { a });
        binary!(saturating_add, "`a.saturating_add(b)`", two, |a, b| {
            (a as i128 + b as i128).clamp($t::MIN as i128, $t::MAX as i128) as $t
        });
        binary!(saturating_sub, "`a.saturating_sub(b)`", two, |a, b| {
            (a as i128 - b as i128).clamp($t::MIN as i128, $t::MAX as i128) as $t
        });
        binary!(wrapping_methods, "`wrapping_add`, `wrapping_mul`, `wrapping_sub` and `wrapping_neg`", two, |a, b| {
            let (a, b) = (a as i128, b as i128);
            ((a + b).wrapping_mul(-b).wrapping_sub(a)) as $t
        });
        binary!(shl_by_itself, "`a << b` takes a count of its own type modulo the width", two, |a, b| {
            a.wrapping_shl(b as u32)
        });
        binary!(shr_by_itself, "`a >> b` takes a count of its own type modulo the width", two, |a, b| {
            a.wrapping_shr(b as u32)
        });
        binary!(compound, "compound assignments", two, |a, b| {
            let x = (a.wrapping_add(b).wrapping_mul(3).wrapping_sub(a) ^ b | 5) & !2;
            ((x.wrapping_shl(3) >> 2) / 7) % 1000
        });
        map::<$module::abs_diff, _, _>(cases, name("`a.abs_diff(b)`"), Floats::Exact, two, |&Two { a, b }| {
            Some(Distance { x: (a as i128 - b as i128).unsigned_abs() as $unsigned })
        });
        map::<$module::compare, _, _>(cases, name("comparisons"), Floats::Exact, two, |&Two { a, b }| {
            let order = a.cmp(&b);
            Some(Orders {
                equal: order.is_eq(),
                different: order.is_ne(),
                less: order.is_lt(),
                at_most: order.is_le(),
                greater: order.is_gt(),
                at_least: order.is_ge(),
            })
        });
        map::<$module::clamp, _, _>(cases, name("`a.clamp(low, high)`, also where `low` is above `high`"), Floats::Exact, ranges, |&Three { a, low, high }| {
            Some(Same { x: if a < low { low } else if a > high { high } else { a } })
        });
        counted!(shl, "`a << n` takes the count modulo the width", |a, n| a.wrapping_shl(n % $t::BITS));
        counted!(shr, "`a >> n` takes the count modulo the width", |a, n| a.wrapping_shr(n % $t::BITS));
        counted!(shift_methods, "`wrapping_shl` and `wrapping_shr`", |a, n| a.wrapping_shl(n) ^ a.wrapping_shr(n));
        counted!(rotate_left, "`a.rotate_left(n)`", |a, n| {
            let (bits, n) = (a as $unsigned, n % $t::BITS);
            (if n == 0 { bits } else { bits << n | bits >> ($t::BITS - n) }) as $t
        });
        counted!(rotate_right, "`a.rotate_right(n)`", |a, n| {
            let (bits, n) = (a as $unsigned, n % $t::BITS);
            (if n == 0 { bits } else { bits >> n | bits << ($t::BITS - n) }) as $t
        });
        counted!(pow, "`a.pow(n)` wraps", |a, n| a.wrapping_pow(n));
        unary!(cube, "`a.pow(3)` wraps", |a| Same a.wrapping_mul(a).wrapping_mul(a));
        unary!(not, "`!a`", |a| Same (-1 - a as i128) as $t);
        unary!(wrapping_neg, "`a.wrapping_neg()`", |a| Same (-(a as i128)) as $t);
        unary!(reverse_bits, "`a.reverse_bits()`", |a| Same {
            (0..$t::BITS).fold(0 as $t, |x, bit| x << 1 | (a >> bit & 1))
        });
        unary!(swap_bytes, "`a.swap_bytes()`", |a| Same $t::from_le_bytes(a.to_be_bytes()));
        unary!(count_ones, "`a.count_ones()`", |a| Word {
            (0..$t::BITS).map(|bit| (a >> bit & 1) as u32 & 1).sum()
        });
        unary!(count_zeros, "`a.count_zeros()`", |a| Word a.count_zeros());
        unary!(leading_zeros, "`a.leading_zeros()` is the width for zero", |a| Word {
            (0..$t::BITS).rev().take_while(|bit| a >> bit & 1 == 0).count() as u32
        });
        unary!(leading_ones, "`a.leading_ones()`", |a| Word a.leading_ones());
        unary!(trailing_zeros, "`a.trailing_zeros()` is the width for zero", |a| Word {
            (0..$t::BITS).take_while(|bit| a >> bit & 1 == 0).count() as u32
        });
        unary!(trailing_ones, "`a.trailing_ones()`", |a| Word a.trailing_ones());
        unary!(literals, "literals and limits", |a| Same {
            a.wrapping_add(1).wrapping_sub($t::MAX).wrapping_add($t::MIN).wrapping_add(127).wrapping_add(1000)
        });
    }};
}

macro_rules! unsigned_cases {
    ($cases:expr, $module:ident, $t:ident) => {{
        use $module::{Flag, One, Same, Two};

        integer_cases!($cases, $module, $t, $t);
        map::<$module::is_power_of_two, _, _>(
            $cases,
            concat!(stringify!($t), ": `a.is_power_of_two()`"),
            Floats::Exact,
            |context| singles::<$t>(random(context), &mut context.random(3)).into_iter().map(|a| One { a }).collect(),
            |&One { a }| Some(Flag { x: (0..$t::BITS).any(|bit| a == 1 << bit) }),
        );
        map::<$module::high_of_product, _, _>(
            $cases,
            concat!(stringify!($t), ": `mul_high(a, b)` is the high half of the product"),
            Floats::Exact,
            |context| {
                let pairs = pairs::<$t, $t>(random(context), &mut context.random(1)).into_iter();
                pairs.map(|(a, b)| Two { a, b }).collect()
            },
            |&Two { a, b }| Some(Same { x: (a as u128 * b as u128 >> $t::BITS) as $t }),
        );
    }};
}

macro_rules! signed_cases {
    ($cases:expr, $module:ident, $t:ident, $unsigned:ident) => {{
        use $module::{One, Same};

        integer_cases!($cases, $module, $t, $unsigned);
        let one = |context: &Context<'_>| -> Vec<One> {
            singles::<$t>(random(context), &mut context.random(3)).into_iter().map(|a| One { a }).collect()
        };
        let name = |what: &str| format!(concat!(stringify!($t), ": {}"), what);
        map::<$module::neg, _, _>($cases, name("`-a` wraps"), Floats::Exact, one, |&One { a }| {
            Some(Same { x: (-(a as i128)) as $t })
        });
        map::<$module::abs, _, _>($cases, name("`a.abs()` wraps"), Floats::Exact, one, |&One { a }| {
            Some(Same { x: (a as i128).abs() as $t })
        });
        map::<$module::wrapping_abs, _, _>($cases, name("`a.wrapping_abs()`"), Floats::Exact, one, |&One { a }| {
            Some(Same { x: (a as i128).abs() as $t })
        });
        map::<$module::signum, _, _>($cases, name("`a.signum()`"), Floats::Exact, one, |&One { a }| {
            Some(Same { x: (a > 0) as $t - (a < 0) as $t })
        });
    }};
}

pub(super) fn add(cases: &mut Cases) {
    unsigned_cases!(cases, ints_u32, u32);
    signed_cases!(cases, ints_i32, i32, u32);
    unsigned_cases!(cases, ints_u64, u64);
    signed_cases!(cases, ints_i64, i64, u64);
}
