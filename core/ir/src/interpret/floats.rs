//! The meaning of operators and built-ins on floats.

use super::numbers::{compare, cut, limits};
use super::{Evaluation, stuck};
use crate::{BinaryOp, Builtin, Scalar, Value};

macro_rules! of_type {
    ($ty:ty, $variant:ident, $binary:ident, $builtin:ident) => {
        fn $binary(op: BinaryOp, x: $ty, y: $ty) -> Evaluation<Value> {
            if let Some(result) = compare(op, &x, &y) {
                return Ok(Value::Bool(result));
            }
            let result = match op {
                BinaryOp::Add => x + y,
                BinaryOp::Sub => x - y,
                BinaryOp::Mul => x * y,
                BinaryOp::Div => x / y,
                BinaryOp::Rem => x % y,
                _ => return stuck(format!("{op:?} of floats")),
            };
            Ok(Value::$variant(result.to_bits()))
        }

        fn $builtin(op: Builtin, x: $ty, y: Option<$ty>) -> Evaluation<Value> {
            let result = match (op, y) {
                (Builtin::Min, Some(y)) => {
                    if x.is_nan() || y < x {
                        y
                    } else {
                        x
                    }
                }
                (Builtin::Max, Some(y)) => {
                    if x.is_nan() || y > x {
                        y
                    } else {
                        x
                    }
                }
                (Builtin::CopySign, Some(y)) => x.copysign(y),
                (Builtin::Abs, _) => x.abs(),
                (Builtin::Sqrt, _) => x.sqrt(),
                (Builtin::Floor, _) => x.floor(),
                (Builtin::Ceil, _) => x.ceil(),
                (Builtin::Trunc, _) => x.trunc(),
                (Builtin::RoundTiesEven, _) => x.round_ties_even(),
                (Builtin::IsNan, _) => return Ok(Value::Bool(x.is_nan())),
                (Builtin::IsFinite, _) => return Ok(Value::Bool(x.is_finite())),
                (other, _) => return stuck(format!("{other:?} of floats")),
            };
            Ok(Value::$variant(result.to_bits()))
        }
    };
}

of_type!(f32, F32, binary_32, builtin_32);
of_type!(f64, F64, binary_64, builtin_64);

pub(super) fn binary(op: BinaryOp, a: &Value, b: &Value) -> Evaluation<Value> {
    match (a, b) {
        (Value::F32(x), Value::F32(y)) => binary_32(op, f32::from_bits(*x), f32::from_bits(*y)),
        (Value::F64(x), Value::F64(y)) => binary_64(op, f64::from_bits(*x), f64::from_bits(*y)),
        _ => stuck(format!("{op:?} of {a:?} and {b:?}")),
    }
}

pub(super) fn builtin(op: Builtin, args: &[Value]) -> Evaluation<Value> {
    match (op, args) {
        (Builtin::ToBits, [Value::F32(bits)]) => Ok(Value::U32(*bits)),
        (Builtin::ToBits, [Value::F64(bits)]) => Ok(Value::U64(*bits)),
        (Builtin::FromBits, [Value::U32(bits)]) => Ok(Value::F32(*bits)),
        (Builtin::FromBits, [Value::U64(bits)]) => Ok(Value::F64(*bits)),
        (op, [Value::F32(x)]) => builtin_32(op, f32::from_bits(*x), None),
        (op, [Value::F64(x)]) => builtin_64(op, f64::from_bits(*x), None),
        (op, [Value::F32(x), Value::F32(y)]) => builtin_32(op, f32::from_bits(*x), Some(f32::from_bits(*y))),
        (op, [Value::F64(x), Value::F64(y)]) => builtin_64(op, f64::from_bits(*x), Some(f64::from_bits(*y))),
        _ => stuck(format!("{op:?} of {args:?}")),
    }
}

/// Casts a float to a value of another type.
pub(super) fn cast_from(to: Scalar, x: &Value) -> Evaluation<Value> {
    let wide = match x {
        Value::F32(bits) => f64::from(f32::from_bits(*bits)),
        Value::F64(bits) => f64::from_bits(*bits),
        other => return stuck(format!("{other:?} is no float")),
    };
    match (to, x) {
        (Scalar::F32, Value::F32(_)) | (Scalar::F64, Value::F64(_)) => Ok(x.clone()),
        (Scalar::F32, _) => Ok(Value::F32((wide as f32).to_bits())),
        (Scalar::F64, _) => Ok(Value::F64(wide.to_bits())),
        (to, _) => {
            let (least, greatest) = limits(to)?;
            // The casts of Rust saturate, and give 0 for a NaN.
            cut(to, (wide as i128).clamp(least, greatest))
        }
    }
}
