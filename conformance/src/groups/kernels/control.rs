//! Branches, matches and loops. Where possible, plain Rust computes the results in another way.

use crate::case::{Cases, equal_slices};
use crate::compare::Floats;
use crate::context::Context;
use crate::kernels::control::control::{self, Input, Out};
use crate::kernels::ranges::ranges as all_ranges;
use crate::operands::Operand;
use crate::run::{map, map_by, operation};
use imminent_core::Table;
use rand_core::Rng;

/// Returns small numbers, which take every branch, and edge values.
fn given(context: &Context<'_>) -> Vec<Input> {
    let mut rng = context.random(11);
    let mut rows: Vec<Input> = Vec::new();
    for a in 0..24 {
        for b in 0..24 {
            rows.push(Input { a, b, c: a as i32 - b as i32, d: u64::from(a) << b, e: i64::from(b) - 12 });
        }
    }
    let wide = [0, 1, 0xffff_ffff, 0x1_0000_0000, 0x1_0000_0001, u64::MAX - 1, u64::MAX];
    for (i, a) in u32::edges().into_iter().enumerate() {
        let c = i32::edges()[i % i32::edges().len()];
        rows.push(Input { a, b: a ^ 1, c, d: wide[i % wide.len()], e: [i64::MIN, -1, 0, i64::MAX][i % 4] });
    }
    for _ in 0..context.scaled(500, 20_000) {
        rows.push(Input {
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

/// Computes `x = x * factor + i` over values, from 7.
fn chain(start: u64, factor: u64, values: impl IntoIterator<Item = u64>) -> u64 {
    values.into_iter().fold(start, |x, i| x.wrapping_mul(factor).wrapping_add(i))
}

fn next(state: u32) -> u32 {
    state.wrapping_mul(5).wrapping_add(3)
}

macro_rules! control_cases {
    ($cases:expr; $($op:ident, $name:expr, $expected:expr;)*) => {
        $(map_by::<control::run, _, _, _>($cases, $name, operation!(control, $op), Floats::Exact, given, $expected);)*
    };
}

pub(super) fn add(cases: &mut Cases) {
    branches(cases);
    early_return(cases);
    limits_in_memory(cases);
    loops(cases);
    ranges(cases);
    ranges_at_the_ends(cases);
    order(cases);
}

fn branches(cases: &mut Cases) {
    control_cases! { cases;
        IfElseValue, "`if` and `else if` give values", |g, _| {
            out(if g.a > g.b { 3_u64 } else { 2 - u64::from(g.a < g.b) })
        };
        IfWithoutElse, "`if` without `else` changes what it says", |g, _| {
            let (a, b) = (u64::from(g.a & 1), u64::from(g.b & 1));
            out(1 + 10 * a + 1000 * b + 100 * a * b)
        };
        MatchInteger, "`match` on an integer: literals, alternatives, ranges, guards, bindings", |g, _| {
            let a = g.a;
            out(if a == 0 { 100 } else if a < 3 { 101 } else if a < 10 { 102 } else if g.b == 0 { 103 } else if a == u32::MAX {
                104
            } else if a > 1_000_000 { 105 } else if a < 100 { u64::from(a) } else { 106 })
        };
        MatchSigned, "`match` on a signed integer", |g, _| {
            out(if g.c == -1 { 4_u64 } else if g.c <= -100 { 1 } else if g.c < 0 { 2 } else if g.c == 0 { 3 } else { 5 })
        };
        MatchWide, "`match` on 64-bit integers", |g, _| {
            let inner = || if g.e == i64::MIN { 4_u64 } else if g.e == -1 { 5 } else { 6 };
            out(if g.d >> 32 == 0 { 1 } else if g.d == 1 << 32 { 2 } else if g.d == u64::MAX { 3 } else { inner() })
        };
        MatchEnum, "`match` on an enum, and its discriminants", |g, _| out([0_u64, 53, 7][(g.a % 3) as usize]);
        MatchBool, "`match` on a condition, as a statement", |g, _| out(2 - u64::from(g.a < g.b));
    }
}

/// Tests loops whose limits a driver may load once for several loops, and lose for the invocations that leave early.
fn limits_in_memory(cases: &mut Cases) {
    cases.add("loops in turn look at the same limit in memory", |context| {
        let mut rows = given(context);
        let limit = 41_u64;
        rows[0].b = 41;
        let table = Table::from_rows(context.device, &rows)?;
        let mut found = Table::<Out>::zeroed(context.device, rows.len())?;
        context.queue().launch::<control::limits_in_memory>((&table, &table, &mut found))?;
        let expected: Vec<Out> = rows
            .iter()
            .map(|row| {
                let (first, third) = (limit.saturating_sub(u64::from(row.b % 64)), limit.min(u64::from(row.b)));
                Out { x: first << 32 | limit << 24 | limit << 16 | third }
            })
            .collect();
        equal_slices("rounds of the loops", &found.read()?, &expected)
    });
}

/// Tests a separate kernel: returning from a function is another matter.
fn early_return(cases: &mut Cases) {
    map::<control::early_return, _, _>(
        cases,
        "an early `return` keeps what was assigned before",
        Floats::Exact,
        given,
        |g| {
            out(if g.a % 3 == 0 {
                1_u64
            } else if g.b % 2 == 0 {
                3
            } else {
                12
            })
        },
    );
}

fn loops(cases: &mut Cases) {
    control_cases! { cases;
        WhileLoop, "`while`", |g, _| out(64 - g.d.leading_zeros());
        LoopWithValue, "`loop` with a value at its `break`", |g, _| out((g.a % 1000).next_multiple_of(7));
        ContinueAndBreak, "`continue` and `break` in a `for`", |g, _| {
            out((0..=u64::from(g.a % 50)).filter(|i| i % 2 == 1).sum::<u64>())
        };
        NestedLoops, "`continue` and `break` belong to the innermost loop", |g, _| {
            let (mut pairs, mut rows) = (0_u64, 0_u64);
            for i in 1..=u64::from(g.a % 12) {
                rows = i;
                pairs += (1..=i).filter(|j| (i + j) % 3 != 0).count() as u64;
                if pairs > 40 { break; }
            }
            out(pairs * 100 + rows)
        };
        ReturnInsideALoop, "`return` inside a loop of a helper", |g, _| {
            let n = g.a % 200;
            out((2..n).find(|d| n % d == 0).unwrap_or(n))
        };
        CallsInConditions, "a call with effects in the condition of a `while`", |g, _| {
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
        ForExclusive, "`for i in a..b`, empty where `a` is not below `b`", |g, _| {
            out(chain(7, 31, (u64::from(g.a % 20))..u64::from(g.b % 20)))
        };
        ForInclusive, "`for i in a..=b`", |g, _| out(chain(7, 31, u64::from(g.a % 20)..=u64::from(g.b % 20)));
        ForReversed, "`for` over reversed ranges", |g, _| {
            let (a, b) = (u64::from(g.a % 20), u64::from(g.b % 20));
            out(chain(chain(7, 31, (a..b).rev()), 37, (a..=b).rev()))
        };
        ForSigned, "`for` over signed ranges, down to the least value", |g, _| {
            let range = -(g.a as i32 % 10)..g.b as i32 % 10;
            let least = [i32::MIN + 2, i32::MIN + 1, i32::MIN];
            out(chain(7, 31, range.chain(least).map(|i| i as u64)))
        };
        ForAtTheEndOfTheType, "`for` over ranges that end at the greatest or least value", |g, _| {
            let u = (u32::MAX - g.a % 4..=u32::MAX).map(u64::from);
            let down = (0..=g.b % 4).rev().map(u64::from);
            let i = [i32::MAX - 1, i32::MAX].map(|i| i as u64);
            let wide = [u64::MAX - 2, u64::MAX - 1, u64::MAX];
            let least = [i64::MIN + 1, i64::MIN].map(|i| i as u64);
            out(chain(7, 31, u.chain(down).chain(i).chain(wide).chain(least)))
        };
        ForWide, "`for` over 64-bit ranges", |g, _| {
            let start = g.d & 0xffff_ffff_ffff;
            out(chain(7, 31, (0..u64::from(g.a) % 9).map(|i| start + i)))
        };
        ForBoundsAreEvaluatedOnce, "the bounds of a `for` are evaluated once", |g, _| {
            let rounds = u64::from(g.a % 10);
            out(rounds * 1000 + rounds * 6)
        };
    }
}

/// Computes the result of the loops over one range from the numbers that they visit.
fn visited(range: impl Iterator<Item = i128>, skip: bool, modulus: u32, last: u32) -> u32 {
    let mut hash = 1_u32;
    for i in range.map(|i| i as u32).filter(|i| !skip || i % 8 != 3) {
        hash = hash.wrapping_mul(31).wrapping_add(i);
        if hash % modulus == last {
            break;
        }
    }
    hash
}

macro_rules! range_case {
    ($cases:expr, $t:ident, $start:ident, $end:ident, $op:ident) => {
        map_by::<all_ranges::run, _, _, _>(
            $cases,
            concat!("`for` over ranges of ", stringify!($t), " of every kind, up to the ends of the type"),
            operation!(all_ranges, $op),
            Floats::Exact,
            |_| {
                let (least, greatest) = (i128::from($t::MIN), i128::from($t::MAX));
                let starts =
                    [least, least + 1, least + 9, (least + greatest) / 2, greatest - 11, greatest - 1, greatest];
                let ranges =
                    starts.iter().flat_map(|start| [0, 1, 2, 7, 40, -1, -3].map(|length| (*start, start + length)));
                ranges
                    .map(|(start, end)| all_ranges::Input {
                        $start: start as $t,
                        $end: end.clamp(least, greatest) as $t,
                        ..imminent_core::Data::zeroed()
                    })
                    .collect()
            },
            |given, _| {
                let (start, end) = (i128::from(given.$start), i128::from(given.$end));
                Some(all_ranges::Out {
                    hash: [
                        visited(start..end, true, 256, 77),
                        visited(start..=end, true, 256, 77),
                        visited((start..end).rev(), true, 256, 77),
                        visited((start..=end).rev(), true, 256, 77),
                        visited(3..=20, true, 1, 1),
                        visited((3..20).rev(), false, 16, 5),
                    ],
                })
            },
        );
    };
}

fn ranges_at_the_ends(cases: &mut Cases) {
    range_case!(cases, u32, start_u32, end_u32, OfU32);
    range_case!(cases, i32, start_i32, end_i32, OfI32);
    range_case!(cases, u64, start_u64, end_u64, OfU64);
    range_case!(cases, i64, start_i64, end_i64, OfI64);
}

fn order(cases: &mut Cases) {
    control_cases! { cases;
        ShadowingAndBlocks, "a block has its own names and gives a value", |g, _| out(u64::from(g.a) + 2);
        LateInitialisation, "a `let` that is assigned later", |g, _| out(6 - u64::from(g.a > g.b));
        ShortCircuit, "`&&` and `||` do not evaluate what they do not need", |g, _| {
            let divides = g.a.checked_rem(g.b) == Some(0);
            let small = g.a.checked_div(g.b).is_none_or(|q| q < 3);
            out(u64::from(divides) * 2 + u64::from(small))
        };
        OnlyTheTakenBranch, "a branch that is not taken does not fault", |g, _| {
            let first = g.a.checked_div(g.b).map_or(9, u64::from);
            out(first + if g.a < 3 { u64::from(g.a) + 1 } else { 0 })
        };
        OperandsFromLeftToRight, "operands are evaluated from left to right", |g, _| {
            let first = next(g.a);
            let (second, third) = (next(first), next(next(first)));
            out((first % 16) * 256 + (second % 16) * 16 + third % 16)
        };
        LogicOnBools, "operators on conditions", |g, _| {
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
