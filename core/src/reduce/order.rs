//! Total order of numbers, by which primitives compare, and unsigned integer keys with the same order.
//!
//! Integers have their own order. Floats: -infinity, ..., -0, +0, ..., infinity. A NaN, whatever its sign and payload,
//! comes after every number in sorts, and loses to every number in `min`, `max` and their arg forms. The tests of
//! [`Comparison`](crate::backend::Comparison) differ: they are those of IEEE 754, with equal zeros.

use imminent_ir::Scalar;
use std::cmp::Ordering;

/// Position of NaN among the keys.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Nan {
    /// After every number: to sort, and to find the least.
    Last,
    /// Before every number: to find the greatest.
    First,
}

/// Returns `true` if the bits are those of a NaN of the type.
#[must_use]
#[inline]
pub fn is_nan(scalar: Scalar, bits: u64) -> bool {
    match scalar {
        Scalar::F32 => f32::from_bits(bits as u32).is_nan(),
        Scalar::F64 => f64::from_bits(bits).is_nan(),
        _ => false,
    }
}

/// Returns a key, in the low bits that the type has, whose order as an unsigned integer is the total order. All NaN
/// have one key.
#[must_use]
#[inline]
pub fn key(scalar: Scalar, bits: u64, nan: Nan) -> u64 {
    let aside = |all_ones: u64| if nan == Nan::Last { all_ones } else { 0 };
    match scalar {
        Scalar::Bool | Scalar::U32 => bits & 0xffff_ffff,
        Scalar::U64 => bits,
        Scalar::I32 => (bits ^ 0x8000_0000) & 0xffff_ffff,
        Scalar::I64 => bits ^ (1 << 63),
        Scalar::F32 if is_nan(scalar, bits) => aside(0xffff_ffff),
        Scalar::F64 if is_nan(scalar, bits) => aside(u64::MAX),
        Scalar::F32 => {
            let bits = bits as u32;
            u64::from(if bits >> 31 == 0 { bits | 0x8000_0000 } else { !bits })
        }
        Scalar::F64 => {
            if bits >> 63 == 0 {
                bits | (1 << 63)
            } else {
                !bits
            }
        }
    }
}

/// Compares two values given by their bits.
#[must_use]
pub fn compare(scalar: Scalar, a: u64, b: u64, nan: Nan) -> Ordering {
    key(scalar, a, nan).cmp(&key(scalar, b, nan))
}

/// Returns the minimum over no rows: the greatest value, infinity for floats.
#[must_use]
pub const fn greatest(scalar: Scalar) -> u64 {
    match scalar {
        Scalar::Bool => 1,
        Scalar::U32 => u32::MAX as u64,
        Scalar::I32 => i32::MAX as u64,
        Scalar::U64 => u64::MAX,
        Scalar::I64 => i64::MAX as u64,
        Scalar::F32 => 0x7f80_0000,
        Scalar::F64 => 0x7ff0_0000_0000_0000,
    }
}

/// Returns the maximum over no rows: the least value, negative infinity for floats.
#[must_use]
pub const fn least(scalar: Scalar) -> u64 {
    match scalar {
        Scalar::Bool | Scalar::U32 | Scalar::U64 => 0,
        Scalar::I32 => 0x8000_0000,
        Scalar::I64 => 1 << 63,
        Scalar::F32 => 0xff80_0000,
        Scalar::F64 => 0xfff0_0000_0000_0000,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_of_floats_have_the_total_order() {
        let ordered =
            [f32::NEG_INFINITY, f32::MIN, -1.0, -f32::from_bits(1), -0.0, 0.0, f32::from_bits(1), 1.0, f32::INFINITY];
        for pair in ordered.windows(2) {
            let [a, b] = [pair[0], pair[1]].map(|x| u64::from(x.to_bits()));
            assert_eq!(compare(Scalar::F32, a, b, Nan::Last), Ordering::Less, "{pair:?}");
        }
        for nan in [f32::NAN, -f32::NAN, f32::from_bits(0x7f80_0001)] {
            let nan = u64::from(nan.to_bits());
            for number in ordered.map(|x| u64::from(x.to_bits())) {
                assert_eq!(compare(Scalar::F32, nan, number, Nan::Last), Ordering::Greater);
                assert_eq!(compare(Scalar::F32, nan, number, Nan::First), Ordering::Less);
            }
        }
        let [minus, plus] = [-0.0_f64, 0.0].map(f64::to_bits);
        assert_eq!(compare(Scalar::F64, minus, plus, Nan::Last), Ordering::Less);
    }

    #[test]
    fn keys_of_signed_integers_have_their_order() {
        let bits = |x: i32| u64::from(x as u32);
        for (a, b) in [(i32::MIN, -1), (-1, 0), (0, 1), (1, i32::MAX)] {
            assert_eq!(compare(Scalar::I32, bits(a), bits(b), Nan::Last), Ordering::Less);
            assert_eq!(compare(Scalar::I64, i64::from(a) as u64, i64::from(b) as u64, Nan::Last), Ordering::Less);
        }
    }

    #[test]
    fn the_identities_are_the_extremes() {
        for scalar in [Scalar::U32, Scalar::I32, Scalar::U64, Scalar::I64, Scalar::F32, Scalar::F64] {
            assert_eq!(compare(scalar, least(scalar), greatest(scalar), Nan::Last), Ordering::Less, "{scalar}");
        }
        assert_eq!(f32::from_bits(greatest(Scalar::F32) as u32), f32::INFINITY);
        assert_eq!(f64::from_bits(least(Scalar::F64)), f64::NEG_INFINITY);
    }
}
