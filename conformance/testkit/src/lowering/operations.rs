//! Every operation of every scalar type against Rust.

use super::operands::operands;
use super::{Data, Machine, Rounding, flat};
use crate::modules::operations::{Operation, kernel, operations};
use imminent_ir::Scalar;
use std::slice;

/// A table of cases in the canonical layout.
fn table(scalar: Scalar, operations: &[Operation], cases: &[(u64, u64, u32)]) -> Data {
    let rows = cases.len() as u32;
    let stride = (rows + 1).next_multiple_of(64);
    let words = 2 * scalar.words() + 1 + operations.iter().map(|o| o.result.words()).sum::<u32>();
    let mut data = Data { rows, stride, capacity: 0, words: vec![0; (words * stride) as usize] };
    for (r, (a, b, n)) in cases.iter().enumerate() {
        write(&mut data, 0, scalar, r, *a);
        write(&mut data, scalar.words(), scalar, r, *b);
        write(&mut data, 2 * scalar.words(), Scalar::U32, r, u64::from(*n));
    }
    data
}

fn write(data: &mut Data, word: u32, scalar: Scalar, row: usize, bits: u64) {
    let at = (word * data.stride) as usize + row * scalar.words() as usize;
    data.words[at] = bits as u32;
    if scalar.words() == 2 {
        data.words[at + 1] = (bits >> 32) as u32;
    }
}

fn read(words: &[u32], stride: u32, word: u32, scalar: Scalar, row: usize) -> u64 {
    let at = (word * stride) as usize + row * scalar.words() as usize;
    let high = if scalar.words() == 2 { u64::from(words[at + 1]) } else { 0 };
    u64::from(words[at]) | high << 32
}

/// Whether two results agree: any NaN is as good as another, and floats may be some units in the last place apart.
fn same(scalar: Scalar, a: u64, b: u64, ulps: u64, rounding: Rounding) -> bool {
    let (nan, sign, least_normal) = match scalar {
        Scalar::F32 => (0x7f80_0000, 0x8000_0000, 0x0080_0000),
        Scalar::F64 => (0x7ff0_0000_0000_0000, 1 << 63, 0x0010_0000_0000_0000),
        _ => return a == b,
    };
    let (x, y) = (a & !sign, b & !sign);
    if a == b || (x > nan && y > nan) {
        return true;
    }
    let close = x <= nan && y <= nan && a & sign == b & sign && x.abs_diff(y) <= ulps;
    match rounding {
        Rounding::Exact => false,
        Rounding::Within => close,
        Rounding::WithinOrFlushed => ulps > 0 && (close || (x < 2 * least_normal && y < 2 * least_normal)),
    }
}

/// Runs all operations of a type in one way.
fn check<M: Machine>(machine: &M, scalar: Scalar, options: &M::Options) {
    let operations = operations(scalar);
    let flat = flat(&kernel(scalar, &operations));
    let cases = operands(scalar);
    let data = table(scalar, &operations, &cases);
    let outcome = machine.launch(&flat, options, cases.len() as u32, slice::from_ref(&data));
    let mut wrong = Vec::new();
    let mut word = 2 * scalar.words() + 1;
    for op in &operations {
        let rounding = machine.rounding(options, op.result);
        for (row, (a, b, n)) in cases.iter().enumerate() {
            let got = read(&outcome.data[0], data.stride, word, op.result, row);
            let expected = (op.expected)(*a, *b, *n);
            if !same(op.result, got, expected, op.ulps, rounding) {
                wrong.push(format!("{scalar} {} ({a:#x}, {b:#x}, {n}): {got:#x}, Rust gives {expected:#x}", op.name));
            }
        }
        word += op.result.words();
    }
    let mut names: Vec<&str> = wrong.iter().filter_map(|w| w.split(" (").next()).collect();
    names.dedup();
    let first = wrong[..wrong.len().min(20)].join("\n");
    assert!(wrong.is_empty(), "{options:?}: {} wrong, {names:?}, first:\n{first}", wrong.len());
    // Both kinds of division fault; the lowest row with a zero divisor is the one recorded.
    if scalar.is_integer() {
        let first = cases.iter().position(|(_, b, _)| *b == 0).unwrap() as u32;
        assert_eq!(outcome.faults, [first, u32::MAX], "the remainder's fault comes second in each row");
    }
}

fn check_all<M: Machine>(machine: &M, scalar: Scalar) {
    for options in machine.arithmetic(scalar) {
        check(machine, scalar, &options);
    }
}

pub fn bool_operations_give_rusts_results<M: Machine>(machine: &M) {
    check_all(machine, Scalar::Bool);
}

pub fn u32_operations_give_rusts_results<M: Machine>(machine: &M) {
    check_all(machine, Scalar::U32);
}

pub fn i32_operations_give_rusts_results<M: Machine>(machine: &M) {
    check_all(machine, Scalar::I32);
}

pub fn u64_operations_give_rusts_results<M: Machine>(machine: &M) {
    check_all(machine, Scalar::U64);
}

pub fn i64_operations_give_rusts_results<M: Machine>(machine: &M) {
    check_all(machine, Scalar::I64);
}

pub fn f32_operations_give_rusts_results<M: Machine>(machine: &M) {
    check_all(machine, Scalar::F32);
}

pub fn f64_operations_give_rusts_results_or_the_typed_error<M: Machine>(machine: &M) {
    let ways = machine.arithmetic(Scalar::F64);
    assert!(ways.iter().any(|way| !machine.has_float64(way)), "the typed error is not looked at");
    for options in ways {
        if machine.has_float64(&options) {
            check(machine, Scalar::F64, &options);
        } else {
            machine.refusal(&flat(&kernel(Scalar::F64, &operations(Scalar::F64))), &options);
        }
    }
}
