//! Branches, matches and loops. Plain Rust says the results in another way where there is one.

use crate::case::Cases;
use crate::compare::Floats;
use crate::context::Context;
use crate::kernels::control::control::{self, Given, Out};
use crate::operands::Operand;
use crate::run::map;
use rand_core::Rng;

/// Small numbers, from which every branch is taken, and edges.
fn given(context: &Context<'_>) -> Vec<Given> {
    let mut rng = context.random(11);
    let mut rows: Vec<Given> = Vec::new();
    for a in 0..24 {
        for b in 0..24 {
            rows.push(Given { a, b, c: a as i32 - b as i32, d: u64::from(a) << b, e: i64::from(b) - 12 });
        }
    }
    let wide = [0, 1, 0xffff_ffff, 0x1_0000_0000, 0x1_0000_0001, u64::MAX - 1, u64::MAX];
    for (i, a) in u32::edges().into_iter().enumerate() {
        let c = i32::edges()[i % i32::edges().len()];
        rows.push(Given { a, b: a ^ 1, c, d: wide[i % wide.len()], e: [i64::MIN, -1, 0, i64::MAX][i % 4] });
    }
    for _ in 0..context.scaled(500, 20_000) {
        rows.push(Given {
            a: u32::random(&mut rng),
            b: rng.next_u32() % 64,
            c: i32::random(&mut rng),
            d: u64::random(&mut rng),
            e: i64::random(&mut rng),
        });
    }
    rows
}

fn out(x: impl Into<u64>) -> Option<Out> {
    Some(Out { x: x.into() })
}

/// `x = x * factor + i` over values, from 7.
fn chain(start: u64, factor: u64, values: impl IntoIterator<Item = u64>) -> u64 {
    values.into_iter().fold(start, |x, i| x.wrapping_mul(factor).wrapping_add(i))
}

fn next(state: u32) -> u32 {
    state.wrapping_mul(5).wrapping_add(3)
}

macro_rules! control_cases {
    ($cases:expr; $($kernel:ident, $name:expr, $expected:expr;)*) => {
        $(map::<control::$kernel, _, _>($cases, $name, Floats::Exact, given, $expected);)*
    };
}

pub(super) fn add(cases: &mut Cases) {
    branches(cases);
    loops(cases);
    ranges(cases);
    order(cases);
}

fn branches(cases: &mut Cases) {
    control_cases! { cases;
        if_else_value, "`if` and `else if` give values", |g| {
            out(if g.a > g.b { 3_u64 } else { 2 - u64::from(g.a < g.b) })
        };
        if_without_else, "`if` without `else` changes what it says", |g| {
            let (a, b) = (u64::from(g.a & 1), u64::from(g.b & 1));
            out(1 + 10 * a + 1000 * b + 100 * a * b)
        };
        early_return, "an early `return` keeps what was assigned before", |g| {
            out(if g.a % 3 == 0 { 1_u64 } else if g.b % 2 == 0 { 3 } else { 12 })
        };
        match_integer, "`match` on an integer: literals, alternatives, ranges, guards, bindings", |g| {
            let a = g.a;
            out(if a == 0 { 100 } else if a < 3 { 101 } else if a < 10 { 102 } else if g.b == 0 { 103 } else if a == u32::MAX {
                104
            } else if a > 1_000_000 { 105 } else if a < 100 { u64::from(a) } else { 106 })
        };
        match_signed, "`match` on a signed integer", |g| {
            out(if g.c == -1 { 4_u64 } else if g.c <= -100 { 1 } else if g.c < 0 { 2 } else if g.c == 0 { 3 } else { 5 })
        };
        match_wide, "`match` on 64-bit integers", |g| {
            let inner = || if g.e == i64::MIN { 4_u64 } else if g.e == -1 { 5 } else { 6 };
            out(if g.d >> 32 == 0 { 1 } else if g.d == 1 << 32 { 2 } else if g.d == u64::MAX { 3 } else { inner() })
        };
        match_enum, "`match` on an enum, and its discriminants", |g| out([0_u64, 53, 7][(g.a % 3) as usize]);
        match_bool, "`match` on a condition, as a statement", |g| out(2 - u64::from(g.a < g.b));
    }
}

fn loops(cases: &mut Cases) {
    control_cases! { cases;
        while_loop, "`while`", |g| out(64 - g.d.leading_zeros());
        loop_with_value, "`loop` with a value at its `break`", |g| out((g.a % 1000).next_multiple_of(7));
        continue_and_break, "`continue` and `break` in a `for`", |g| {
            out((0..=u64::from(g.a % 50)).filter(|i| i % 2 == 1).sum::<u64>())
        };
        nested_loops, "`continue` and `break` belong to the innermost loop", |g| {
            let (mut pairs, mut rows) = (0_u64, 0_u64);
            for i in 1..=u64::from(g.a % 12) {
                rows = i;
                pairs += (1..=i).filter(|j| (i + j) % 3 != 0).count() as u64;
                if pairs > 40 { break; }
            }
            out(pairs * 100 + rows)
        };
        return_inside_a_loop, "`return` inside a loop of a helper", |g| {
            let n = g.a % 200;
            out((2..n).find(|d| n % d == 0).unwrap_or(n))
        };
        calls_in_conditions, "a call with effects in the condition of a `while`", |g| {
            let mut state = next(g.a);
            let mut steps = 0_u64;
            while !state.is_multiple_of(16) && steps < 50 {
                steps += 1;
                state = next(state);
            }
            out(steps * 100 + u64::from(state % 16))
        };
    }
}

fn ranges(cases: &mut Cases) {
    control_cases! { cases;
        for_exclusive, "`for i in a..b`, empty where `a` is not below `b`", |g| {
            out(chain(7, 31, (u64::from(g.a % 20))..u64::from(g.b % 20)))
        };
        for_inclusive, "`for i in a..=b`", |g| out(chain(7, 31, u64::from(g.a % 20)..=u64::from(g.b % 20)));
        for_reversed, "`for` over reversed ranges", |g| {
            let (a, b) = (u64::from(g.a % 20), u64::from(g.b % 20));
            out(chain(chain(7, 31, (a..b).rev()), 37, (a..=b).rev()))
        };
        for_signed, "`for` over signed ranges, down to the least value", |g| {
            let range = -(g.a as i32 % 10)..g.b as i32 % 10;
            let least = [i32::MIN + 2, i32::MIN + 1, i32::MIN];
            out(chain(7, 31, range.chain(least).map(|i| i as u64)))
        };
        for_at_the_end_of_the_type, "`for` over ranges that end at the greatest or least value", |g| {
            let u = (u32::MAX - g.a % 4..=u32::MAX).map(u64::from);
            let down = (0..=g.b % 4).rev().map(u64::from);
            let i = [i32::MAX - 1, i32::MAX].map(|i| i as u64);
            let wide = [u64::MAX - 2, u64::MAX - 1, u64::MAX];
            let least = [i64::MIN + 1, i64::MIN].map(|i| i as u64);
            out(chain(7, 31, u.chain(down).chain(i).chain(wide).chain(least)))
        };
        for_wide, "`for` over 64-bit ranges", |g| {
            let start = g.d & 0xffff_ffff_ffff;
            out(chain(7, 31, (0..u64::from(g.a) % 9).map(|i| start + i)))
        };
        for_bounds_are_evaluated_once, "the bounds of a `for` are evaluated once", |g| {
            let rounds = u64::from(g.a % 10);
            out(rounds * 1000 + rounds * 6)
        };
    }
}

fn order(cases: &mut Cases) {
    control_cases! { cases;
        shadowing_and_blocks, "a block has its own names and gives a value", |g| out(u64::from(g.a) + 2);
        late_initialisation, "a `let` that is assigned later", |g| out(6 - u64::from(g.a > g.b));
        short_circuit, "`&&` and `||` do not evaluate what they do not need", |g| {
            let divides = g.a.checked_rem(g.b) == Some(0);
            let small = g.a.checked_div(g.b).is_none_or(|q| q < 3);
            out(u64::from(divides) * 2 + u64::from(small))
        };
        only_the_taken_branch, "a branch that is not taken does not fault", |g| {
            let first = g.a.checked_div(g.b).map_or(9, u64::from);
            out(first + if g.a < 3 { u64::from(g.a) + 1 } else { 0 })
        };
        operands_from_left_to_right, "operands are evaluated from left to right", |g| {
            let first = next(g.a);
            let (second, third) = (next(first), next(next(first)));
            out((first % 16) * 256 + (second % 16) * 16 + third % 16)
        };
        logic_on_bools, "operators on conditions", |g| {
            let bits = match (g.a & 1, g.b & 1) {
                (0, 0) => 0b01_1000_u64,
                (0, _) => 0b10_1110,
                (_, 0) => 0b10_0110,
                _ => 0b01_0011,
            };
            out(bits)
        };
    }
}
