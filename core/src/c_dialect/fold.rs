//! Casts of literals, which the kernel language writes a lot: `x >> 3` has an `i32` literal that is cast to `u32`.

use imminent_ir::{Expr, ExprKind, Scalar, Type, Value};

/// The value of an integer or `bool` literal as an integer type.
pub(super) fn cast(x: &Expr, to: &Type) -> Option<Value> {
    let ExprKind::Literal(value) = &x.kind else { return None };
    // Two's complement, extended by the sign of the source.
    let bits: u64 = match *value {
        Value::Bool(x) => u64::from(x),
        Value::U32(x) => u64::from(x),
        Value::I32(x) => i64::from(x).cast_unsigned(),
        Value::U64(x) => x,
        Value::I64(x) => x.cast_unsigned(),
        _ => return None,
    };
    let low = (bits & 0xffff_ffff) as u32;
    match to.scalar()? {
        Scalar::U32 => Some(Value::U32(low)),
        Scalar::I32 => Some(Value::I32(low.cast_signed())),
        Scalar::U64 => Some(Value::U64(bits)),
        Scalar::I64 => Some(Value::I64(bits.cast_signed())),
        Scalar::Bool | Scalar::F32 | Scalar::F64 => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn literals_are_cast_as_rust_does() {
        let cast = |value, from: Scalar, to: Scalar| super::cast(&Expr::literal(value, from), &to.into());
        assert_eq!(cast(Value::I32(-1), Scalar::I32, Scalar::U64), Some(Value::U64(-1_i32 as u64)));
        assert_eq!(cast(Value::U32(u32::MAX), Scalar::U32, Scalar::I64), Some(Value::I64(i64::from(u32::MAX))));
        assert_eq!(cast(Value::I64(-5), Scalar::I64, Scalar::I32), Some(Value::I32(-5)));
        assert_eq!(cast(Value::U64(1 << 40), Scalar::U64, Scalar::U32), Some(Value::U32(0)));
        assert_eq!(cast(Value::Bool(true), Scalar::Bool, Scalar::I32), Some(Value::I32(1)));
        assert_eq!(cast(Value::F32(0), Scalar::F32, Scalar::I32), None);
        assert_eq!(cast(Value::I32(3), Scalar::I32, Scalar::F32), None);
    }
}
