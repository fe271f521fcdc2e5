//! The meaning of operators and built-ins, from the definitions in the IR.

use imminent_core::ir::{BinaryOp, Builtin, Scalar, Type, UnaryOp, Value};

/// The value of an integer.
fn number(value: &Value) -> i128 {
    match value {
        Value::U32(v) => i128::from(*v),
        Value::I32(v) => i128::from(*v),
        Value::U64(v) => i128::from(*v),
        Value::I64(v) => i128::from(*v),
        Value::Bool(v) => i128::from(*v),
        Value::Enum(v) => i128::from(*v),
        other => panic!("not an integer: {other:?}"),
    }
}

/// An integer as an index; `None` where it cannot be one.
pub(crate) fn index(value: &Value) -> Option<usize> {
    usize::try_from(number(value)).ok()
}

/// A `u32`.
pub(crate) fn word(value: &Value) -> u32 {
    match value {
        Value::U32(v) => *v,
        other => panic!("not a u32: {other:?}"),
    }
}

/// A `bool`.
pub(crate) fn truth(value: &Value) -> bool {
    match value {
        Value::Bool(v) => *v,
        other => panic!("not a bool: {other:?}"),
    }
}

/// An integer cut to a scalar type.
fn cut(scalar: Scalar, n: i128) -> Value {
    match scalar {
        Scalar::U32 => Value::U32(n as u32),
        Scalar::I32 => Value::I32(n as i32),
        Scalar::U64 => Value::U64(n as u64),
        Scalar::I64 => Value::I64(n as i64),
        other => panic!("not an integer type: {other}"),
    }
}

fn scalar_of(value: &Value) -> Scalar {
    match value {
        Value::Bool(_) => Scalar::Bool,
        Value::U32(_) | Value::Enum(_) => Scalar::U32,
        Value::I32(_) => Scalar::I32,
        Value::U64(_) => Scalar::U64,
        Value::I64(_) => Scalar::I64,
        Value::F32(_) => Scalar::F32,
        Value::F64(_) => Scalar::F64,
        other => panic!("not a scalar: {other:?}"),
    }
}

pub(crate) fn unary(op: UnaryOp, x: &Value) -> Value {
    match (op, x) {
        (UnaryOp::Neg, Value::F32(bits)) => Value::F32(bits ^ 0x8000_0000),
        (UnaryOp::Neg, Value::F64(bits)) => Value::F64(bits ^ 0x8000_0000_0000_0000),
        (UnaryOp::Not, Value::Bool(b)) => Value::Bool(!b),
        (UnaryOp::Neg, x) => cut(scalar_of(x), -number(x)),
        (UnaryOp::Not, x) => cut(scalar_of(x), !number(x)),
    }
}

fn compare<T: PartialOrd>(op: BinaryOp, a: T, b: T) -> Option<bool> {
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

pub(crate) fn binary(op: BinaryOp, a: &Value, b: &Value) -> Value {
    match (a, b) {
        (Value::F32(x), Value::F32(y)) => {
            let (x, y) = (f32::from_bits(*x), f32::from_bits(*y));
            if let Some(result) = compare(op, x, y) {
                return Value::Bool(result);
            }
            Value::F32(
                match op {
                    BinaryOp::Add => x + y,
                    BinaryOp::Sub => x - y,
                    BinaryOp::Mul => x * y,
                    BinaryOp::Div => x / y,
                    BinaryOp::Rem => x % y,
                    _ => panic!("{op:?} of floats"),
                }
                .to_bits(),
            )
        }
        (Value::F64(x), Value::F64(y)) => {
            let (x, y) = (f64::from_bits(*x), f64::from_bits(*y));
            if let Some(result) = compare(op, x, y) {
                return Value::Bool(result);
            }
            Value::F64(
                match op {
                    BinaryOp::Add => x + y,
                    BinaryOp::Sub => x - y,
                    BinaryOp::Mul => x * y,
                    BinaryOp::Div => x / y,
                    BinaryOp::Rem => x % y,
                    _ => panic!("{op:?} of floats"),
                }
                .to_bits(),
            )
        }
        (Value::Bool(x), Value::Bool(y)) => Value::Bool(match op {
            BinaryOp::And | BinaryOp::BitAnd => *x && *y,
            BinaryOp::Or | BinaryOp::BitOr => *x || *y,
            BinaryOp::BitXor | BinaryOp::Ne => x != y,
            BinaryOp::Eq => x == y,
            _ => panic!("{op:?} of bools"),
        }),
        (a, b) => {
            let (x, y) = (number(a), number(b));
            if let Some(result) = compare(op, x, y) {
                assert_eq!(scalar_of(a), scalar_of(b), "{op:?}");
                return Value::Bool(result);
            }
            let scalar = scalar_of(a);
            if matches!(op, BinaryOp::Shl | BinaryOp::Shr) {
                let count = word(b) % scalar.bits();
                return cut(scalar, if op == BinaryOp::Shl { x << count } else { x >> count });
            }
            assert_eq!(scalar, scalar_of(b), "{op:?}");
            cut(
                scalar,
                match op {
                    BinaryOp::Add => x + y,
                    BinaryOp::Sub => x - y,
                    BinaryOp::Mul => x.wrapping_mul(y),
                    BinaryOp::BitAnd => x & y,
                    BinaryOp::BitOr => x | y,
                    BinaryOp::BitXor => x ^ y,
                    _ => panic!("{op:?} of integers is a statement"),
                },
            )
        }
    }
}

/// Integer division or remainder; `None` for a zero divisor.
pub(crate) fn divide(remainder: bool, a: &Value, b: &Value) -> Option<Value> {
    let (x, y) = (number(a), number(b));
    assert_eq!(scalar_of(a), scalar_of(b));
    if y == 0 {
        return None;
    }
    Some(cut(scalar_of(a), if remainder { x % y } else { x / y }))
}

pub(crate) fn cast(to: &Type, x: &Value) -> Value {
    let Type::Scalar(to) = to else { panic!("a cast to {to:?}") };
    let float = match x {
        Value::F32(bits) => Some(f64::from(f32::from_bits(*bits))),
        Value::F64(bits) => Some(f64::from_bits(*bits)),
        _ => None,
    };
    match (to, float) {
        (Scalar::F32, Some(x)) => Value::F32((x as f32).to_bits()),
        (Scalar::F64, Some(x)) => Value::F64(x.to_bits()),
        (Scalar::F32, None) => Value::F32((number(x) as f32).to_bits()),
        (Scalar::F64, None) => Value::F64((number(x) as f64).to_bits()),
        (Scalar::Bool, _) => x.clone(),
        (to, None) => cut(*to, number(x)),
        (to, Some(x)) => {
            let (least, greatest): (i128, i128) = match to {
                Scalar::U32 => (0, i128::from(u32::MAX)),
                Scalar::I32 => (i128::from(i32::MIN), i128::from(i32::MAX)),
                Scalar::U64 => (0, i128::from(u64::MAX)),
                _ => (i128::from(i64::MIN), i128::from(i64::MAX)),
            };
            let n = if x.is_nan() {
                0
            } else if x <= least as f64 {
                least
            } else if x >= greatest as f64 {
                greatest
            } else {
                x as i128
            };
            cut(*to, n)
        }
    }
}

/// The bits of an integer, and how many there are.
fn bits(x: &Value) -> (u64, u32) {
    let width = scalar_of(x).bits();
    let all = number(x) as u64;
    (if width == 32 { all & 0xffff_ffff } else { all }, width)
}

fn rotate(x: u64, width: u32, left: u32) -> u64 {
    let left = left % width;
    if left == 0 {
        return x;
    }
    let mask = if width == 32 { 0xffff_ffff } else { u64::MAX };
    ((x << left) | (x >> (width - left))) & mask
}

fn limits(scalar: Scalar) -> (i128, i128) {
    match scalar {
        Scalar::U32 => (0, i128::from(u32::MAX)),
        Scalar::I32 => (i128::from(i32::MIN), i128::from(i32::MAX)),
        Scalar::U64 => (0, i128::from(u64::MAX)),
        Scalar::I64 => (i128::from(i64::MIN), i128::from(i64::MAX)),
        other => panic!("{other}"),
    }
}

pub(crate) fn builtin(op: Builtin, result: &Type, args: &[Value]) -> Value {
    let x = &args[0];
    let scalar = scalar_of(x);
    if scalar.is_float() && !matches!(op, Builtin::ToBits) {
        return float(op, args);
    }
    match op {
        Builtin::Min => cut(scalar, number(x).min(number(&args[1]))),
        Builtin::Max => cut(scalar, number(x).max(number(&args[1]))),
        Builtin::Abs => cut(scalar, number(x).abs()),
        Builtin::AbsDiff => cast(result, &cut(scalar, (number(x) - number(&args[1])).abs())),
        Builtin::Signum => cut(scalar, number(x).signum()),
        Builtin::CountOnes => Value::U32((0..64).map(|i| (bits(x).0 >> i & 1) as u32).sum()),
        Builtin::LeadingZeros => {
            let (b, width) = bits(x);
            Value::U32((0..width).rev().take_while(|i| b >> i & 1 == 0).count() as u32)
        }
        Builtin::TrailingZeros => {
            let (b, width) = bits(x);
            Value::U32((0..width).take_while(|i| b >> i & 1 == 0).count() as u32)
        }
        Builtin::ReverseBits => {
            let (b, width) = bits(x);
            cut(scalar, i128::from((0..width).fold(0u64, |r, i| r | (b >> i & 1) << (width - 1 - i))))
        }
        Builtin::SwapBytes => {
            let (b, width) = bits(x);
            cut(scalar, i128::from((0..width / 8).fold(0u64, |r, i| r | (b >> (8 * i) & 0xff) << (width - 8 - 8 * i))))
        }
        Builtin::RotateLeft => cut(scalar, i128::from(rotate(bits(x).0, bits(x).1, word(&args[1])))),
        Builtin::RotateRight => {
            let width = bits(x).1;
            cut(scalar, i128::from(rotate(bits(x).0, width, width - word(&args[1]) % width)))
        }
        Builtin::SaturatingAdd | Builtin::SaturatingSub => {
            let (least, greatest) = limits(scalar);
            let exact =
                if op == Builtin::SaturatingAdd { number(x) + number(&args[1]) } else { number(x) - number(&args[1]) };
            cut(scalar, exact.clamp(least, greatest))
        }
        Builtin::MulHigh => cut(scalar, ((number(x) as u128 * number(&args[1]) as u128) >> scalar.bits()) as i128),
        Builtin::ToBits => match x {
            Value::F32(b) => Value::U32(*b),
            Value::F64(b) => Value::U64(*b),
            other => panic!("{other:?}"),
        },
        Builtin::FromBits => match x {
            Value::U32(b) => Value::F32(*b),
            Value::U64(b) => Value::F64(*b),
            other => panic!("{other:?}"),
        },
        other => panic!("{other:?} of {x:?}"),
    }
}

macro_rules! float_builtin {
    ($op:expr, $args:expr, $ty:ty, $variant:ident) => {{
        let get = |i: usize| match &$args[i] {
            Value::$variant(bits) => <$ty>::from_bits(*bits),
            other => panic!("{other:?}"),
        };
        let x = get(0);
        let result = match $op {
            Builtin::Min => {
                let y = get(1);
                if x.is_nan() || y < x { y } else { x }
            }
            Builtin::Max => {
                let y = get(1);
                if x.is_nan() || y > x { y } else { x }
            }
            Builtin::Abs => x.abs(),
            Builtin::Sqrt => x.sqrt(),
            Builtin::Floor => x.floor(),
            Builtin::Ceil => x.ceil(),
            Builtin::Trunc => x.trunc(),
            Builtin::RoundTiesEven => x.round_ties_even(),
            Builtin::CopySign => x.copysign(get(1)),
            Builtin::IsNan => return Value::Bool(x != x),
            Builtin::IsFinite => return Value::Bool((x - x) == 0.0),
            other => panic!("{other:?} of a float"),
        };
        Value::$variant(result.to_bits())
    }};
}

#[allow(clippy::eq_op)]
fn float(op: Builtin, args: &[Value]) -> Value {
    match &args[0] {
        Value::F32(_) => float_builtin!(op, args, f32, F32),
        _ => float_builtin!(op, args, f64, F64),
    }
}
