//! Arithmetic of constants, as rustc does it: what overflows has no value.

use crate::ty::Ty;
use imminent_ir::{BinaryOp, Builtin, FieldType, Module, Scalar, Type, UnaryOp, Value};
use std::ops::{Add, Div, Mul, Rem, Sub};

/// Returns an integer value as a number; enums cannot be indices.
pub(crate) fn number(value: &Value) -> Option<i128> {
    match value {
        Value::U32(v) => Some(i128::from(*v)),
        Value::I32(v) => Some(i128::from(*v)),
        Value::U64(v) => Some(i128::from(*v)),
        Value::I64(v) => Some(i128::from(*v)),
        _ => None,
    }
}

/// Converts an integer to a value of a type; `None` if it does not fit.
pub(crate) fn integer(ty: &Ty, n: i128) -> Option<Value> {
    match ty {
        Ty::Usize | Ty::Scalar(Scalar::U64) => u64::try_from(n).ok().map(Value::U64),
        Ty::Scalar(Scalar::U32) => u32::try_from(n).ok().map(Value::U32),
        Ty::Scalar(Scalar::I32) => i32::try_from(n).ok().map(Value::I32),
        Ty::Scalar(Scalar::I64) => i64::try_from(n).ok().map(Value::I64),
        _ => None,
    }
}

/// Wraps an integer to a type, as `as` does.
fn wrapped(ty: &Ty, n: i128) -> Option<Value> {
    Some(match ty {
        Ty::Usize | Ty::Scalar(Scalar::U64) => Value::U64(n as u64),
        Ty::Scalar(Scalar::U32) => Value::U32(n as u32),
        Ty::Scalar(Scalar::I32) => Value::I32(n as i32),
        Ty::Scalar(Scalar::I64) => Value::I64(n as i64),
        _ => return None,
    })
}

/// Converts a float literal to a value of a type; `None` if it cannot be read.
pub(crate) fn float(scalar: Scalar, digits: &str) -> Option<Value> {
    match scalar {
        Scalar::F32 => digits.parse::<f32>().ok().map(|v| Value::F32(v.to_bits())),
        Scalar::F64 => digits.parse::<f64>().ok().map(|v| Value::F64(v.to_bits())),
        _ => None,
    }
}

/// Returns the zero of a type of the IR.
pub(crate) fn zero(module: &Module, ty: &Type) -> Value {
    match ty {
        Type::Scalar(scalar) => match scalar {
            Scalar::Bool => Value::Bool(false),
            Scalar::U32 => Value::U32(0),
            Scalar::I32 => Value::I32(0),
            Scalar::U64 => Value::U64(0),
            Scalar::I64 => Value::I64(0),
            Scalar::F32 => Value::F32(0),
            Scalar::F64 => Value::F64(0),
        },
        Type::Enum(_) => Value::Enum(0),
        Type::Unit => Value::Struct(Vec::new()),
        Type::Array(element, count) => Value::Array(vec![zero(module, element); *count as usize]),
        Type::Struct(id) => Value::Struct(
            module.structs[id.index()]
                .fields
                .iter()
                .filter_map(|field| match &field.ty {
                    FieldType::Value(ty) => Some(zero(module, ty)),
                    FieldType::Lanes(_) => None,
                })
                .collect(),
        ),
    }
}

/// Computes a unary operation; `None` if it overflows.
pub(crate) fn unary(op: UnaryOp, ty: &Ty, operand: &Value) -> Option<Value> {
    match (op, operand) {
        (UnaryOp::Neg, Value::F32(bits)) => Some(Value::F32(bits ^ (1 << 31))),
        (UnaryOp::Neg, Value::F64(bits)) => Some(Value::F64(bits ^ (1 << 63))),
        (UnaryOp::Neg, value) => integer(ty, number(value)?.checked_neg()?),
        (UnaryOp::Not, Value::Bool(value)) => Some(Value::Bool(!value)),
        (UnaryOp::Not, value) => wrapped(ty, !number(value)?),
    }
}

/// Computes a binary operation; `None` if it overflows or divides by zero.
pub(crate) fn binary(op: BinaryOp, ty: &Ty, a: &Value, b: &Value) -> Option<Value> {
    match (a, b) {
        (Value::Bool(a), Value::Bool(b)) => Some(Value::Bool(match op {
            BinaryOp::And | BinaryOp::BitAnd => a & b,
            BinaryOp::Or | BinaryOp::BitOr => a | b,
            BinaryOp::BitXor | BinaryOp::Ne => a ^ b,
            BinaryOp::Eq => a == b,
            _ => return None,
        })),
        (Value::Enum(a), Value::Enum(b)) => compare(op, a.partial_cmp(b)),
        (Value::F32(a), Value::F32(b)) => {
            binary_float(op, f32::from_bits(*a), f32::from_bits(*b), |value| Value::F32(value.to_bits()))
        }
        (Value::F64(a), Value::F64(b)) => {
            binary_float(op, f64::from_bits(*a), f64::from_bits(*b), |value| Value::F64(value.to_bits()))
        }
        _ => {
            let (a, b) = (number(a)?, number(b)?);
            if op.is_comparison() {
                return compare(op, a.partial_cmp(&b));
            }
            let bits = match ty {
                Ty::Scalar(scalar) => i128::from(scalar.bits()),
                _ => 64,
            };
            match op {
                BinaryOp::Add => integer(ty, a.checked_add(b)?),
                BinaryOp::Sub => integer(ty, a.checked_sub(b)?),
                BinaryOp::Mul => integer(ty, a.checked_mul(b)?),
                BinaryOp::Div => integer(ty, a.checked_div(b)?),
                BinaryOp::Rem => integer(ty, a.checked_rem(b)?),
                BinaryOp::BitAnd => wrapped(ty, a & b),
                BinaryOp::BitOr => wrapped(ty, a | b),
                BinaryOp::BitXor => wrapped(ty, a ^ b),
                BinaryOp::Shl if (0..bits).contains(&b) => wrapped(ty, a << b),
                BinaryOp::Shr if (0..bits).contains(&b) => wrapped(ty, a >> b),
                _ => None,
            }
        }
    }
}

/// Computes the operation of a wrapping method on integers.
pub(crate) fn wrapping(op: BinaryOp, ty: &Ty, a: &Value, b: &Value) -> Option<Value> {
    let (a, b) = (number(a)?, number(b)?);
    let bits = match ty {
        Ty::Scalar(scalar) => i128::from(scalar.bits()),
        _ => 64,
    };
    // The low 64 bits of a product are right, whatever the higher ones.
    wrapped(
        ty,
        match op {
            BinaryOp::Add => a + b,
            BinaryOp::Sub => a - b,
            BinaryOp::Mul => a.wrapping_mul(b),
            BinaryOp::Shl => a << (b & (bits - 1)),
            BinaryOp::Shr => a >> (b & (bits - 1)),
            _ => return None,
        },
    )
}

/// Computes with floats of one type; `value` makes a value of the result.
fn binary_float<T>(op: BinaryOp, a: T, b: T, value: impl FnOnce(T) -> Value) -> Option<Value>
where
    T: PartialOrd + Add<Output = T> + Sub<Output = T> + Mul<Output = T> + Div<Output = T> + Rem<Output = T>,
{
    Some(value(match op {
        BinaryOp::Add => a + b,
        BinaryOp::Sub => a - b,
        BinaryOp::Mul => a * b,
        BinaryOp::Div => a / b,
        BinaryOp::Rem => a % b,
        _ => return compare(op, a.partial_cmp(&b)),
    }))
}

fn compare(op: BinaryOp, order: Option<std::cmp::Ordering>) -> Option<Value> {
    use std::cmp::Ordering::{Equal, Greater, Less};
    Some(Value::Bool(match op {
        BinaryOp::Eq => order == Some(Equal),
        BinaryOp::Ne => order != Some(Equal),
        BinaryOp::Lt => order == Some(Less),
        BinaryOp::Le => matches!(order, Some(Less | Equal)),
        BinaryOp::Gt => order == Some(Greater),
        BinaryOp::Ge => matches!(order, Some(Greater | Equal)),
        _ => return None,
    }))
}

/// Converts a value to a type, as `as` does.
pub(crate) fn cast(ty: &Ty, value: &Value) -> Option<Value> {
    let from_float = |x: f64| match ty {
        Ty::Usize | Ty::Scalar(Scalar::U64) => Some(Value::U64(x as u64)),
        Ty::Scalar(Scalar::U32) => Some(Value::U32(x as u32)),
        Ty::Scalar(Scalar::I32) => Some(Value::I32(x as i32)),
        Ty::Scalar(Scalar::I64) => Some(Value::I64(x as i64)),
        Ty::Scalar(Scalar::F32) => Some(Value::F32((x as f32).to_bits())),
        Ty::Scalar(Scalar::F64) => Some(Value::F64(x.to_bits())),
        _ => None,
    };
    let n = match value {
        Value::F32(bits) => return from_float(f64::from(f32::from_bits(*bits))),
        Value::F64(bits) => return from_float(f64::from_bits(*bits)),
        Value::Bool(b) if *ty == Ty::BOOL => return Some(Value::Bool(*b)),
        Value::Bool(b) => i128::from(*b),
        Value::Enum(e) => i128::from(*e),
        other => number(other)?,
    };
    match ty {
        Ty::Scalar(Scalar::F32) => Some(Value::F32((n as f32).to_bits())),
        Ty::Scalar(Scalar::F64) => Some(Value::F64((n as f64).to_bits())),
        ty => wrapped(ty, n),
    }
}

/// Computes a function of the language; `None` for those that constants cannot use.
pub(crate) fn builtin(op: Builtin, ty: &Ty, args: &[Value]) -> Option<Value> {
    match (op, args) {
        (Builtin::FromBits, [Value::U32(bits)]) => Some(Value::F32(*bits)),
        (Builtin::FromBits, [Value::U64(bits)]) => Some(Value::F64(*bits)),
        (Builtin::ToBits, [Value::F32(bits)]) => Some(Value::U32(*bits)),
        (Builtin::ToBits, [Value::F64(bits)]) => Some(Value::U64(*bits)),
        (Builtin::Abs, [value]) => integer(ty, number(value)?.abs()),
        (Builtin::CountOnes, [Value::U32(v)]) => Some(Value::U32(v.count_ones())),
        (Builtin::CountOnes, [Value::U64(v)]) => Some(Value::U32(v.count_ones())),
        (Builtin::LeadingZeros, [Value::U32(v)]) => Some(Value::U32(v.leading_zeros())),
        (Builtin::LeadingZeros, [Value::U64(v)]) => Some(Value::U32(v.leading_zeros())),
        (Builtin::TrailingZeros, [Value::U32(v)]) => Some(Value::U32(v.trailing_zeros())),
        (Builtin::TrailingZeros, [Value::U64(v)]) => Some(Value::U32(v.trailing_zeros())),
        _ => None,
    }
}
