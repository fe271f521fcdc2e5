//! The meaning of operators and built-ins on integers and `bool`, from the definitions in the IR.

use super::floats;
use super::numbers::{compare, cut, limits, number, scalar_of, word};
use super::{Evaluation, stuck};
use crate::{BinaryOp, Builtin, Scalar, TallyOp, Type, UnaryOp, Value};

pub(super) fn unary(op: UnaryOp, x: &Value) -> Evaluation<Value> {
    match (op, x) {
        (UnaryOp::Neg, Value::F32(bits)) => Ok(Value::F32(bits ^ 0x8000_0000)),
        (UnaryOp::Neg, Value::F64(bits)) => Ok(Value::F64(bits ^ 0x8000_0000_0000_0000)),
        (UnaryOp::Not, Value::Bool(b)) => Ok(Value::Bool(!b)),
        (UnaryOp::Neg, x) => cut(scalar_of(x)?, -number(x)?),
        (UnaryOp::Not, x) => cut(scalar_of(x)?, !number(x)?),
    }
}

pub(super) fn binary(op: BinaryOp, a: &Value, b: &Value) -> Evaluation<Value> {
    match (a, b) {
        (Value::F32(_) | Value::F64(_), _) => floats::binary(op, a, b),
        (Value::Bool(x), Value::Bool(y)) => Ok(Value::Bool(match op {
            BinaryOp::And | BinaryOp::BitAnd => *x && *y,
            BinaryOp::Or | BinaryOp::BitOr => *x || *y,
            BinaryOp::BitXor | BinaryOp::Ne => x != y,
            BinaryOp::Eq => x == y,
            _ => return stuck(format!("{op:?} of `bool`s")),
        })),
        (a, b) => integers(op, a, b),
    }
}

fn integers(op: BinaryOp, a: &Value, b: &Value) -> Evaluation<Value> {
    let (x, y) = (number(a)?, number(b)?);
    let scalar = scalar_of(a)?;
    if matches!(op, BinaryOp::Shl | BinaryOp::Shr) {
        let count = word(b)? % scalar.bits();
        return cut(scalar, if op == BinaryOp::Shl { x << count } else { x >> count });
    }
    if scalar != scalar_of(b)? {
        return stuck(format!("{op:?} of {a:?} and {b:?}"));
    }
    if let Some(result) = compare(op, &x, &y) {
        return Ok(Value::Bool(result));
    }
    let result = match op {
        BinaryOp::Add => x + y,
        BinaryOp::Sub => x - y,
        BinaryOp::Mul => x.wrapping_mul(y),
        BinaryOp::BitAnd => x & y,
        BinaryOp::BitOr => x | y,
        BinaryOp::BitXor => x ^ y,
        _ => return stuck(format!("{op:?} of integers is a statement")),
    };
    cut(scalar, result)
}

/// Divides integers or takes the remainder; `None` for a zero divisor.
pub(super) fn divide(remainder: bool, a: &Value, b: &Value) -> Evaluation<Option<Value>> {
    let (x, y, scalar) = (number(a)?, number(b)?, scalar_of(a)?);
    if scalar != scalar_of(b)? {
        return stuck(format!("a division of {a:?} by {b:?}"));
    }
    if y == 0 {
        return Ok(None);
    }
    cut(scalar, if remainder { x % y } else { x / y }).map(Some)
}

pub(super) fn cast(to: &Type, x: &Value) -> Evaluation<Value> {
    let Type::Scalar(to) = to else { return stuck(format!("a cast to {to:?}")) };
    match x {
        Value::F32(_) | Value::F64(_) => floats::cast_from(*to, x),
        _ => match to {
            Scalar::F32 => Ok(Value::F32((number(x)? as f32).to_bits())),
            Scalar::F64 => Ok(Value::F64((number(x)? as f64).to_bits())),
            Scalar::Bool => Ok(x.clone()),
            to => cut(*to, number(x)?),
        },
    }
}

/// Returns the bits of an integer, and their number.
fn bits(x: &Value) -> Evaluation<(u64, u32)> {
    let width = scalar_of(x)?.bits();
    let all = number(x)? as u64;
    Ok((if width == 32 { all & 0xffff_ffff } else { all }, width))
}

fn rotate(x: u64, width: u32, left: u32) -> u64 {
    let left = left % width;
    if left == 0 {
        return x;
    }
    let mask = if width == 32 { 0xffff_ffff } else { u64::MAX };
    ((x << left) | (x >> (width - left))) & mask
}

pub(super) fn builtin(op: Builtin, result: &Type, args: &[Value]) -> Evaluation<Value> {
    let Some(x) = args.first() else { return stuck(format!("{op:?} of nothing")) };
    let y = || args.get(1).map_or_else(|| stuck(format!("{op:?} of one operand")), Ok);
    let scalar = scalar_of(x)?;
    if scalar.is_float() || op == Builtin::FromBits {
        return floats::builtin(op, args);
    }
    let (b, width) = bits(x)?;
    match op {
        Builtin::Min => cut(scalar, number(x)?.min(number(y()?)?)),
        Builtin::Max => cut(scalar, number(x)?.max(number(y()?)?)),
        Builtin::Abs => cut(scalar, number(x)?.abs()),
        Builtin::AbsDiff => cast(result, &cut(scalar, (number(x)? - number(y()?)?).abs())?),
        Builtin::Signum => cut(scalar, number(x)?.signum()),
        Builtin::CountOnes => Ok(Value::U32((0..64).map(|i| (b >> i & 1) as u32).sum())),
        Builtin::LeadingZeros => Ok(Value::U32((0..width).rev().take_while(|i| b >> i & 1 == 0).count() as u32)),
        Builtin::TrailingZeros => Ok(Value::U32((0..width).take_while(|i| b >> i & 1 == 0).count() as u32)),
        Builtin::ReverseBits => {
            cut(scalar, i128::from((0..width).fold(0_u64, |r, i| r | (b >> i & 1) << (width - 1 - i))))
        }
        Builtin::SwapBytes => {
            let byte = |i: u32| (b >> (8 * i) & 0xff) << (width - 8 - 8 * i);
            cut(scalar, i128::from((0..width / 8).fold(0_u64, |r, i| r | byte(i))))
        }
        Builtin::RotateLeft => cut(scalar, i128::from(rotate(b, width, word(y()?)?))),
        Builtin::RotateRight => cut(scalar, i128::from(rotate(b, width, width - word(y()?)? % width))),
        Builtin::SaturatingAdd | Builtin::SaturatingSub => {
            let (least, greatest) = limits(scalar)?;
            let (x, y) = (number(x)?, number(y()?)?);
            let exact = if op == Builtin::SaturatingAdd { x + y } else { x - y };
            cut(scalar, exact.clamp(least, greatest))
        }
        Builtin::MulHigh => {
            let product = number(x)?.unsigned_abs().wrapping_mul(number(y()?)?.unsigned_abs());
            cut(scalar, (product >> scalar.bits()) as i128)
        }
        other => stuck(format!("{other:?} of {x:?}")),
    }
}

/// Returns a tally's slot after a contribution.
pub(super) fn tallied(op: TallyOp, slot: &Value, value: &Value) -> Evaluation<Value> {
    let both = [slot.clone(), value.clone()];
    let ty = Type::Scalar(scalar_of(slot)?);
    match op {
        TallyOp::Add => binary(BinaryOp::Add, slot, value),
        TallyOp::Or => binary(BinaryOp::BitOr, slot, value),
        TallyOp::And => binary(BinaryOp::BitAnd, slot, value),
        TallyOp::Min => builtin(Builtin::Min, &ty, &both),
        TallyOp::Max => builtin(Builtin::Max, &ty, &both),
    }
}
