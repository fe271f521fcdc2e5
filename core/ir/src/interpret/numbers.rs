//! Values as numbers, and numbers as values.

use super::{Evaluation, stuck};
use crate::{BinaryOp, Scalar, Value};

/// Returns the value of an integer.
pub(super) fn number(value: &Value) -> Evaluation<i128> {
    Ok(match value {
        Value::U32(v) => i128::from(*v),
        Value::I32(v) => i128::from(*v),
        Value::U64(v) => i128::from(*v),
        Value::I64(v) => i128::from(*v),
        Value::Bool(v) => i128::from(*v),
        Value::Enum(v) => i128::from(*v),
        other => return stuck(format!("{other:?} is no integer")),
    })
}

/// Returns an integer as an index; `None` if it cannot be one.
pub(super) fn index(value: &Value) -> Evaluation<Option<usize>> {
    Ok(usize::try_from(number(value)?).ok())
}

/// Returns a `u32`.
pub(super) fn word(value: &Value) -> Evaluation<u32> {
    match value {
        Value::U32(v) => Ok(*v),
        other => stuck(format!("{other:?} is no `u32`")),
    }
}

/// Returns a `bool`.
pub(super) fn truth(value: &Value) -> Evaluation<bool> {
    match value {
        Value::Bool(v) => Ok(*v),
        other => stuck(format!("{other:?} is no `bool`")),
    }
}

/// Wraps an integer to a scalar type.
pub(super) fn cut(scalar: Scalar, n: i128) -> Evaluation<Value> {
    Ok(match scalar {
        Scalar::U32 => Value::U32(n as u32),
        Scalar::I32 => Value::I32(n as i32),
        Scalar::U64 => Value::U64(n as u64),
        Scalar::I64 => Value::I64(n as i64),
        other => return stuck(format!("{other} is no integer type")),
    })
}

pub(super) fn scalar_of(value: &Value) -> Evaluation<Scalar> {
    Ok(match value {
        Value::Bool(_) => Scalar::Bool,
        Value::U32(_) | Value::Enum(_) => Scalar::U32,
        Value::I32(_) => Scalar::I32,
        Value::U64(_) => Scalar::U64,
        Value::I64(_) => Scalar::I64,
        Value::F32(_) => Scalar::F32,
        Value::F64(_) => Scalar::F64,
        other => return stuck(format!("{other:?} is no scalar")),
    })
}

/// Compares two values; `None` for another operator.
pub(super) fn compare<T: PartialOrd>(op: BinaryOp, a: &T, b: &T) -> Option<bool> {
    Some(match op {
        BinaryOp::Eq => a == b,
        BinaryOp::Ne => a != b,
        BinaryOp::Lt => a < b,
        BinaryOp::Le => a <= b,
        BinaryOp::Gt => a > b,
        BinaryOp::Ge => a >= b,
        _ => return None,
    })
}

/// Returns the least and the greatest value of an integer type.
pub(super) fn limits(scalar: Scalar) -> Evaluation<(i128, i128)> {
    Ok(match scalar {
        Scalar::U32 => (0, i128::from(u32::MAX)),
        Scalar::I32 => (i128::from(i32::MIN), i128::from(i32::MAX)),
        Scalar::U64 => (0, i128::from(u64::MAX)),
        Scalar::I64 => (i128::from(i64::MIN), i128::from(i64::MAX)),
        other => return stuck(format!("{other} is no integer type")),
    })
}
