//! Structs, arrays, enums, constants and functions.

use crate::case::Cases;
use crate::compare::Floats;
use crate::context::Context;
use crate::kernels::structures::structures::{self, Input, Out};
use crate::operands::Operand;
use crate::run::{map, map_by, operation};

fn given(context: &Context<'_>) -> Vec<Input> {
    let mut rng = context.random(21);
    let small = (0..20).flat_map(|a| (0..12).map(move |b| Input { a, b, d: u64::from(a) << (b * 5) }));
    let mut rows: Vec<Input> = small.collect();
    rows.extend((0..context.scaled(1000, 30_000)).map(|_| Input {
        a: u32::random(&mut rng),
        b: u32::random(&mut rng),
        d: u64::random(&mut rng),
    }));
    rows
}

fn out(x: u64) -> Option<Out> {
    Some(Out { x })
}

const PRIMES: [u64; 8] = [2, 3, 5, 7, 11, 13, 17, 19];

macro_rules! structure_cases {
    ($cases:expr; $($op:ident, $name:expr, $expected:expr;)*) => {
        $(map_by::<structures::run, _, _, _>($cases, $name, operation!(structures, $op), Floats::Exact, given, $expected);)*
    };
}

pub(super) fn add(cases: &mut Cases) {
    structure_cases! { cases;
        StructValues, "structs are made, changed, updated and nested", |g, _| {
            let signed = |x: u32| x as i32 as u64;
            let sum = signed(g.a.wrapping_add(1)).wrapping_mul(3).wrapping_add(signed(g.a).wrapping_mul(5));
            out(sum.wrapping_add(5).wrapping_add(g.d).wrapping_add(1))
        };
        Methods, "methods take `self`, `&self` and `&mut self`", |_, _| None;
        EnumValues, "enums are stored, compared and cast", |g, _| out([0, 101, 109][(g.a % 3) as usize]);
        ConstantTables, "constants and tables of constants", |g, _| {
            let i = g.a % 8;
            let wide = [1, 1 << 32, u64::MAX, 1 << 63][(g.b % 4) as usize];
            let row = i64::from(i % 3 + 1) * if g.b & 1 == 1 { -1 } else { 1 };
            let end = i64::from([i32::MIN, i32::MAX][(g.a & 1) as usize]);
            let ends = end.wrapping_add([i64::MAX, i64::MIN][(g.b & 1) as usize]).wrapping_add(row) as u64;
            out(PRIMES[i as usize].wrapping_add(wide).wrapping_add(ends).wrapping_add(7 + 4))
        };
        OutsideConstants, "constants of the crate around a kernel module", |g, _| {
            let seed = [1 << 40, u64::MAX, 77][(g.a % 3) as usize];
            let square = 0x9e37_79b9u32.wrapping_mul(0x9e37_79b9);
            let sign = if g.b == 0x9e37_79b9 { 5 } else if g.b <= square { 3 } else { 1u64 };
            let offset = (-(1i64 << 33) as u64).wrapping_mul(sign);
            out(u64::wrapping_add(seed, u64::from(g.a.wrapping_mul(0x9e37_79b9))).wrapping_add(offset))
        };
        LocalArrays, "arrays are indexed, copied and changed", |_, _| None;
        IndicesOfEveryType, "an index may be of any integer type", |g, _| {
            let wide = PRIMES[(g.d % 8) as usize];
            out(PRIMES[(g.a % 8) as usize] + wide * 100 + wide * 10_000)
        };
        ArraysOfStructs, "arrays of structs, with methods on their elements", |_, _| None;
        NestedArrays, "arrays of arrays", |g, _| {
            let cell = |i: u32, j: u32| u64::from(i * 10 + j + g.a % 7);
            let (i, j) = (g.a % 4, g.b % 4);
            out(cell(i, g.b % 5) * 1000 + cell(i, 1) + if i == j { 500 } else { 0 })
        };
        MutableParameters, "`&mut` parameters: locals, fields and elements, passed on", |_, _| None;
        ValueBeforePlace, "an assignment computes its value before the index of its place", |g, _| {
            let at = u64::from(g.a % 3);
            out((at + 5) * [10, 100, 1000][at as usize])
        };
        RowsAsValues, "rows without lanes are copied and passed by value", |g, _| {
            let sum = |a: u32, b: u32| u64::from(a).wrapping_add(u64::from(b) * 3).wrapping_add(g.d);
            let a = g.a.wrapping_add(1);
            out(sum(a, g.b) ^ sum(a, 2) ^ sum(g.a, g.b))
        };
        Lossless, "lossless conversions by `from`", |g, _| {
            out(u64::from(g.a) + u64::from(g.b) + u64::from(g.a < g.b))
        };
        ValuesAndArraysAsParameters, "parameters by value and by reference", |g, _| {
            let values = [g.a, g.b, 3, 4].map(|x| x.wrapping_mul(2));
            let of_array = values[(g.b % 4) as usize].wrapping_add(values[0]);
            out(u64::from(g.a.count_ones()) * 1_000_000 + u64::from(of_array))
        };
    }
    map::<structures::rich_rows, _, _>(
        cases,
        "rows with nested structs, arrays and enums",
        Floats::Exact,
        given,
        |_| None,
    );
}
