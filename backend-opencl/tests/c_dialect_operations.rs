//! Runs every operation of every scalar type on a device and compares with Rust.

#![allow(clippy::unwrap_used, clippy::panic)]

mod c_dialect_support;

use c_dialect_support::machine::{Data, Machine};
use c_dialect_support::shared::operations::{Operation, kernel, operations};
use imminent_core::c_dialect::{CError, COptions, lower};
use imminent_ir::{Scalar, flatten};

/// Operands: all pairs of edge values, then random ones of all magnitudes.
fn operands(scalar: Scalar) -> Vec<(u64, u64, u32)> {
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    let edges = edges(scalar);
    let mut cases = Vec::new();
    for (i, a) in edges.iter().enumerate() {
        for (j, b) in edges.iter().enumerate() {
            cases.push((*a, *b, (i * 7 + j) as u32));
        }
    }
    let mask = if scalar.words() == 2 { u64::MAX } else { u64::from(u32::MAX) };
    for _ in 0..6000 {
        let (a, b) = match scalar {
            Scalar::Bool => (random.next() & 1, random.next() & 1),
            _ => (random.sized() & mask, random.sized() & mask),
        };
        cases.push((a, b, (random.next() >> 20) as u32 % 200));
    }
    cases
}

fn edges(scalar: Scalar) -> Vec<u64> {
    match scalar {
        Scalar::Bool => vec![0, 1],
        Scalar::F32 => {
            let mut floats = vec![
                0.0,
                1.0,
                0.5,
                1.5,
                2.5,
                3.5,
                0.1,
                16777216.0,
                16777217.0,
                2147483648.0,
                2147483520.0,
                4294967296.0,
                4294967040.0,
                9.223372e18,
                9.223371e18,
                1.8446744e19,
                1.8446743e19,
                1e30,
                f32::MAX,
                f32::MIN_POSITIVE,
                f32::INFINITY,
                f32::NAN,
                3.0,
                7.25,
                0.99999994,
                8388607.5,
                8388609.0,
            ];
            floats.extend(floats.clone().iter().map(|x| -x));
            floats.iter().map(|x| u64::from(x.to_bits())).collect()
        }
        Scalar::F64 => {
            let mut floats = vec![
                0.0,
                1.0,
                0.5,
                1.5,
                2.5,
                0.1,
                4294967295.5,
                2147483647.5,
                9007199254740993.0,
                9.223372036854775e18,
                9.223372036854776e18,
                1.8446744073709552e19,
                1.844674407370955e19,
                1e300,
                f64::MAX,
                f64::MIN_POSITIVE,
                f64::INFINITY,
                f64::NAN,
                f64::from_bits(1),
                3.0,
                4503599627370497.5,
            ];
            floats.extend(floats.clone().iter().map(|x| -x));
            floats.iter().map(|x| x.to_bits()).collect()
        }
        _ => {
            let mut values = vec![
                0,
                1,
                2,
                3,
                5,
                7,
                10,
                255,
                256,
                65535,
                65536,
                65537,
                0x00ff_00ff,
                0x7fff_ffff,
                0x8000_0000,
                0x8000_0001,
            ];
            values.extend([0xffff_ffff, 0xffff_fffe, 0xfffe_0001]);
            if scalar.words() == 2 {
                values.extend([
                    1 << 32,
                    (1 << 32) + 1,
                    (1 << 33) - 1,
                    0xffff_0000_0000,
                    0x0001_0000_0001,
                    1 << 53,
                    (1 << 53) + 1,
                ]);
                values.extend([
                    1 << 62,
                    i64::MAX as u64,
                    (i64::MAX - 1) as u64,
                    1 << 63,
                    (1 << 63) + 1,
                    u64::MAX,
                    u64::MAX - 1,
                ]);
                values.extend([
                    0xffff_ffff_0000_0000,
                    0x8000_0000_8000_0000,
                    0xffff_ffff_0000_0001,
                    0x0000_0001_8000_0000,
                    10_000_000_000,
                ]);
                values.extend([
                    (1 << 24) + 1,
                    (1 << 40) + (1 << 15),
                    (1 << 63) + (1 << 39),
                    (1 << 63) + (3 << 39),
                    6364136223846793005,
                ]);
            }
            values
        }
    }
}

/// A small generator, so that the cases are the same every time.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number of a random length, sometimes negated.
    fn sized(&mut self) -> u64 {
        let length = self.next() % 64;
        let x = self.next() >> length;
        if self.next().is_multiple_of(4) { x.wrapping_neg() } else { x }
    }
}

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
fn same(scalar: Scalar, a: u64, b: u64, ulps: u64) -> bool {
    let (nan, sign) = match scalar {
        Scalar::F32 => (0x7f80_0000, 0x8000_0000),
        Scalar::F64 => (0x7ff0_0000_0000_0000, 1 << 63),
        _ => return a == b,
    };
    let (x, y) = (a & !sign, b & !sign);
    a == b || (x > nan && y > nan) || (x <= nan && y <= nan && a & sign == b & sign && x.abs_diff(y) <= ulps)
}

/// Runs all operations of a type under the given options. Division and square roots are exact where the options say so.
fn check(machine: &Machine, scalar: Scalar, options: &COptions) {
    let operations = operations(scalar);
    let built = kernel(scalar, &operations);
    let flat = flatten(&built.module, &built.kernel).unwrap_or_else(|e| panic!("{e}"));
    let cases = operands(scalar);
    let data = table(scalar, &operations, &cases);
    let outcome = machine.launch(&flat, options, cases.len() as u32, std::slice::from_ref(&data));
    let exact = scalar != Scalar::F32 || options.correctly_rounded_divide_sqrt || options.float64;
    let mut wrong = Vec::new();
    let mut word = 2 * scalar.words() + 1;
    for op in &operations {
        for (row, (a, b, n)) in cases.iter().enumerate() {
            let got = read(&outcome.data[0], data.stride, word, op.result, row);
            let expected = (op.expected)(*a, *b, *n);
            if !same(op.result, got, expected, if exact { 0 } else { op.ulps }) {
                wrong.push(format!("{scalar} {} ({a:#x}, {b:#x}, {n}): {got:#x}, Rust gives {expected:#x}", op.name));
            }
        }
        word += op.result.words();
    }
    let mut names: Vec<&str> = wrong.iter().filter_map(|w| w.split(" (").next()).collect();
    names.dedup();
    assert!(wrong.is_empty(), "{} wrong, {names:?}, first:\n{}", wrong.len(), wrong[..wrong.len().min(20)].join("\n"));
    // Both kinds of division fault; the lowest row with a zero divisor is the one recorded.
    if scalar.is_integer() {
        let first = cases.iter().position(|(_, b, _)| *b == 0).unwrap() as u32;
        assert_eq!(outcome.faults, [first, u32::MAX], "the remainder's fault comes second in each row");
    }
}

fn check_all(scalar: Scalar) {
    let machine = Machine::open();
    check(&machine, scalar, &machine.options());
}

#[test]
fn bool_operations_give_rusts_results() {
    check_all(Scalar::Bool);
}

#[test]
fn u32_operations_give_rusts_results() {
    check_all(Scalar::U32);
}

#[test]
fn i32_operations_give_rusts_results() {
    check_all(Scalar::I32);
}

#[test]
fn u64_operations_give_rusts_results() {
    check_all(Scalar::U64);
}

#[test]
fn i64_operations_give_rusts_results() {
    check_all(Scalar::I64);
}

#[test]
fn f32_operations_give_rusts_results() {
    check_all(Scalar::F32);
}

#[test]
fn f32_operations_give_rusts_results_however_division_is_rounded() {
    let machine = Machine::open();
    for float64 in [false, machine.options().float64] {
        let options = COptions { float64, correctly_rounded_divide_sqrt: false, ..machine.options() };
        check(&machine, Scalar::F32, &options);
    }
}

#[test]
fn f64_operations_give_rusts_results_or_the_typed_error() {
    let machine = Machine::open();
    if machine.options().float64 {
        check_all(Scalar::F64);
    }
    let built = kernel(Scalar::F64, &operations(Scalar::F64));
    let flat = flatten(&built.module, &built.kernel).unwrap();
    let error = lower(&flat, &COptions { float64: false, ..machine.options() }).unwrap_err();
    assert!(matches!(error, CError::Unsupported { scalar: Scalar::F64, .. }), "{error}");
}
