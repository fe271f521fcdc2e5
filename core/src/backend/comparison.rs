//! Comparisons of device scalars with constants.

use imminent_ir::Scalar;

/// Comparison of a scalar with a constant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Comparison {
    /// `==`
    Equal,
    /// `!=`
    NotEqual,
    /// `<`
    Less,
    /// `<=`
    LessOrEqual,
    /// `>`
    Greater,
    /// `>=`
    GreaterOrEqual,
}

impl Comparison {
    /// Returns the number by which kernels know the comparison.
    #[must_use]
    pub const fn code(self) -> u32 {
        match self {
            Comparison::Equal => 0,
            Comparison::NotEqual => 1,
            Comparison::Less => 2,
            Comparison::LessOrEqual => 3,
            Comparison::Greater => 4,
            Comparison::GreaterOrEqual => 5,
        }
    }

    /// Returns `true` if the comparison holds between two scalars given by their bits.
    #[must_use]
    pub fn holds(self, scalar: Scalar, left: u64, right: u64) -> bool {
        use std::cmp::Ordering;
        let order = match scalar {
            Scalar::Bool | Scalar::U32 | Scalar::U64 => left.partial_cmp(&right),
            Scalar::I32 => (left as i32).partial_cmp(&(right as i32)),
            Scalar::I64 => (left as i64).partial_cmp(&(right as i64)),
            Scalar::F32 => f32::from_bits(left as u32).partial_cmp(&f32::from_bits(right as u32)),
            Scalar::F64 => f64::from_bits(left).partial_cmp(&f64::from_bits(right)),
        };
        match self {
            Comparison::Equal => order == Some(Ordering::Equal),
            Comparison::NotEqual => order != Some(Ordering::Equal),
            Comparison::Less => order == Some(Ordering::Less),
            Comparison::LessOrEqual => matches!(order, Some(Ordering::Less | Ordering::Equal)),
            Comparison::Greater => order == Some(Ordering::Greater),
            Comparison::GreaterOrEqual => matches!(order, Some(Ordering::Greater | Ordering::Equal)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scalars_compare_as_their_type() {
        use Comparison::{Equal, Greater, GreaterOrEqual, Less, LessOrEqual, NotEqual};
        let minus_one = u64::from(-1_i32 as u32);
        assert!(Less.holds(Scalar::I32, minus_one, 0) && Greater.holds(Scalar::U32, minus_one, 0));
        assert!(Less.holds(Scalar::I64, u64::MAX, 0) && Greater.holds(Scalar::U64, u64::MAX, 0));
        let nan = u64::from(f32::NAN.to_bits());
        for comparison in [Equal, Less, LessOrEqual, Greater, GreaterOrEqual] {
            assert!(!comparison.holds(Scalar::F32, nan, nan), "{comparison:?}");
        }
        assert!(NotEqual.holds(Scalar::F32, nan, nan));
        assert!(Equal.holds(Scalar::F64, 0.0_f64.to_bits(), (-0.0_f64).to_bits()));
    }
}
