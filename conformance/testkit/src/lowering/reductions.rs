//! Every reduction over launches of many sizes, against the fixed tree.

use super::{Data, Machine, flat, layout, mix};
use crate::modules::kernels;
use imminent_ir::{Reduce, Scalar};
use std::slice;

/// The fixed tree of version 1, level by level.
fn tree<T: Copy>(values: &[T], combine: &impl Fn(T, T) -> T) -> T {
    let mut level = values.to_vec();
    while level.len() > 1 {
        level = level
            .chunks(256)
            .map(|block| {
                let mut x = block.to_vec();
                for stride in [128, 64, 32, 16, 8, 4, 2, 1] {
                    for i in 0..stride {
                        if i + stride < x.len() {
                            x[i] = combine(x[i], x[i + stride]);
                        }
                    }
                }
                x[0]
            })
            .collect();
    }
    level[0]
}

pub fn reductions_follow_the_fixed_tree<M: Machine>(machine: &M) {
    let numbers = [Scalar::U32, Scalar::I32, Scalar::U64, Scalar::I64, Scalar::F32, Scalar::F64];
    let mut kinds: Vec<(Reduce, Scalar)> = vec![(Reduce::Count, Scalar::Bool), (Reduce::Any, Scalar::Bool)];
    for reduce in [Reduce::Min, Reduce::Max, Reduce::Sum, Reduce::ArgMin] {
        kinds.extend(numbers.map(|scalar| (reduce, scalar)));
    }
    for (reduce, scalar) in kinds {
        let flat = flat(&kernels::reduction(reduce, scalar));
        let layout = layout(&flat, 0);
        for n in [0, 1, 2, 129, 255, 256, 257, 70_001] {
            // Few different values, so that minima are met more than once; for floats NaN and both zeros.
            let bits: Vec<u64> = (0..u64::from(n))
                .map(|row| {
                    let x = mix(row + 1);
                    match scalar {
                        Scalar::Bool => u64::from(x.is_multiple_of(1000) && n > 200),
                        Scalar::F32 => {
                            let table = [f32::NAN, 0.0, -0.0, 1.1, 2.7, 1e-3];
                            u64::from(
                                if n < 3 || x % 7 == 6 { (x % 999) as f32 * 0.37 } else { table[(x % 6) as usize] }
                                    .to_bits(),
                            )
                        }
                        Scalar::F64 => if x.is_multiple_of(5) { f64::NAN } else { (x % 50_000) as f64 * 0.1 }.to_bits(),
                        Scalar::U32 | Scalar::I32 => (x >> 40).wrapping_sub(1 << 23) & 0xffff_ffff,
                        _ => x & !0xffff_ffff | (x & 3),
                    }
                })
                .collect();
            let bits: Vec<u64> = if reduce == Reduce::Sum && scalar.is_float() {
                bits.iter().enumerate().map(|(i, _)| float_bits(scalar, (i % 977) as f64 * 0.1)).collect()
            } else {
                bits
            };
            let mut table = Data::table(&layout, n, 0);
            for (x, row) in bits.iter().zip(0..) {
                table.set(&layout, "x", row, *x);
            }
            let expected = expected(reduce, scalar, &bits);
            for options in machine.ways(&flat, slice::from_ref(&table)) {
                if scalar == Scalar::F64 && !machine.has_float64(&options) {
                    continue;
                }
                let outcome = machine.launch(&flat, &options, n, slice::from_ref(&table));
                assert_eq!(outcome.result.unwrap(), expected, "{reduce:?} {scalar} n={n} {options:?}");
            }
        }
    }
}

fn float_bits(scalar: Scalar, x: f64) -> u64 {
    if scalar == Scalar::F32 { u64::from((x as f32).to_bits()) } else { x.to_bits() }
}

/// The words of the result.
pub(super) fn expected(reduce: Reduce, scalar: Scalar, bits: &[u64]) -> Vec<u32> {
    macro_rules! number {
        ($t:ty, $from:expr, $to:expr, $add:expr, $greatest:expr, $least:expr, $nan:expr) => {{
            let from: fn(u64) -> $t = $from;
            let to: fn($t) -> u64 = $to;
            let nan: fn($t) -> bool = $nan;
            let values: Vec<$t> = bits.iter().map(|x| from(*x)).collect();
            let min = |a: $t, b: $t| if nan(a) || b < a { b } else { a };
            let max = |a: $t, b: $t| if nan(a) || b > a { b } else { a };
            if values.is_empty() {
                let identity = match reduce {
                    Reduce::Min | Reduce::ArgMin => $greatest,
                    Reduce::Max => $least,
                    _ => <$t>::default(),
                };
                (to(identity), u32::MAX)
            } else {
                match reduce {
                    Reduce::Min => (to(tree(&values, &min)), 0),
                    Reduce::Max => (to(tree(&values, &max)), 0),
                    Reduce::Sum => (to(tree(&values, &$add)), 0),
                    _ => {
                        let mut best: Option<(usize, $t)> = None;
                        for (row, x) in values.iter().enumerate().filter(|(_, x)| !nan(**x)) {
                            if best.is_none_or(|(_, least)| *x < least) {
                                best = Some((row, *x));
                            }
                        }
                        let (row, x) = best.unwrap_or((0, values[0]));
                        (to(x), row as u32)
                    }
                }
            }
        }};
    }
    let (value, row) = match scalar {
        Scalar::Bool => {
            let count = bits.iter().sum::<u64>();
            (if reduce == Reduce::Any { u64::from(count > 0) } else { count }, 0)
        }
        Scalar::U32 => number!(u32, |x| x as u32, u64::from, |a: u32, b| a.wrapping_add(b), u32::MAX, 0, |_| false),
        Scalar::I32 => number!(
            i32,
            |x| x as i32,
            |x| u64::from(x as u32),
            |a: i32, b| a.wrapping_add(b),
            i32::MAX,
            i32::MIN,
            |_| false
        ),
        Scalar::U64 => number!(u64, |x| x, |x| x, |a: u64, b| a.wrapping_add(b), u64::MAX, 0, |_| false),
        Scalar::I64 => {
            number!(i64, |x| x as i64, |x| x as u64, |a: i64, b| a.wrapping_add(b), i64::MAX, i64::MIN, |_| false)
        }
        Scalar::F32 => number!(
            f32,
            |x| f32::from_bits(x as u32),
            |x| u64::from(x.to_bits()),
            |a: f32, b| a + b,
            f32::INFINITY,
            f32::NEG_INFINITY,
            f32::is_nan
        ),
        Scalar::F64 => {
            number!(f64, f64::from_bits, f64::to_bits, |a: f64, b| a + b, f64::INFINITY, f64::NEG_INFINITY, f64::is_nan)
        }
    };
    let words = if matches!(reduce, Reduce::Count | Reduce::Any) { 1 } else { scalar.words() };
    let mut out = vec![value as u32];
    if words == 2 {
        out.push((value >> 32) as u32);
    }
    if reduce == Reduce::ArgMin {
        out.push(row);
    }
    out
}
