//! Operations on literals, evaluated once for all lowerings.
//!
//! Two kinds are folded. Casts among integers are common: `x >> 3` has an `i32` literal that is cast to `u32`.
//! Functions of floats with a constant operand are evaluated by a device's compiler, and not every compiler does so as
//! its device would: PoCL 3.1 gets `rint` of large numbers and of NaN wrong. Operations that round, such as sums, are
//! left to the device, since its determinism class describes those.

use super::flat::FlatKernel;
use super::visit;
use crate::{Builtin, Expr, ExprKind, Scalar, Type, Value};

/// Evaluates constant operations in every function of a kernel.
pub(super) fn fold(flat: &mut FlatKernel) {
    for function in &mut flat.functions {
        visit::rewrite(&mut function.body, &mut |expr| {
            if let Some(value) = folded(expr) {
                expr.kind = ExprKind::Literal(value);
            }
        });
    }
}

fn folded(expr: &Expr) -> Option<Value> {
    match &expr.kind {
        ExprKind::Cast(x) => cast(literal(x)?, &expr.ty),
        ExprKind::Builtin(op, args) => match args.as_slice() {
            [x] => function(*op, literal(x)?),
            _ => None,
        },
        _ => None,
    }
}

fn literal(expr: &Expr) -> Option<&Value> {
    match &expr.kind {
        ExprKind::Literal(value) => Some(value),
        _ => None,
    }
}

/// Casts an integer or `bool` to an integer type.
fn cast(x: &Value, to: &Type) -> Option<Value> {
    // Two's complement, extended by the sign of the source.
    let bits: u64 = match *x {
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

/// Evaluates a function of one float whose result is exact.
fn function(op: Builtin, x: &Value) -> Option<Value> {
    macro_rules! of {
        ($x:expr, $value:ident) => {{
            let x = $x;
            let result = match op {
                Builtin::Abs => x.abs(),
                Builtin::Floor => x.floor(),
                Builtin::Ceil => x.ceil(),
                Builtin::Trunc => x.trunc(),
                Builtin::RoundTiesEven => x.round_ties_even(),
                Builtin::IsNan => return Some(Value::Bool(x.is_nan())),
                Builtin::IsFinite => return Some(Value::Bool(x.is_finite())),
                _ => return None,
            };
            Some(Value::$value(result.to_bits()))
        }};
    }
    match *x {
        Value::F32(bits) => of!(f32::from_bits(bits), F32),
        Value::F64(bits) => of!(f64::from_bits(bits), F64),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of_literal(kind: impl Fn(Box<Expr>) -> ExprKind, value: Value, from: Scalar, to: Scalar) -> Option<Value> {
        folded(&Expr { ty: to.into(), kind: kind(Box::new(Expr::literal(value, from))) })
    }

    #[test]
    fn literals_are_cast_as_rust_does() {
        let cast = |value, from, to| of_literal(ExprKind::Cast, value, from, to);
        assert_eq!(cast(Value::I32(-1), Scalar::I32, Scalar::U64), Some(Value::U64(-1_i32 as u64)));
        assert_eq!(cast(Value::U32(u32::MAX), Scalar::U32, Scalar::I64), Some(Value::I64(i64::from(u32::MAX))));
        assert_eq!(cast(Value::I64(-5), Scalar::I64, Scalar::I32), Some(Value::I32(-5)));
        assert_eq!(cast(Value::U64(1 << 40), Scalar::U64, Scalar::U32), Some(Value::U32(0)));
        assert_eq!(cast(Value::Bool(true), Scalar::Bool, Scalar::I32), Some(Value::I32(1)));
        assert_eq!(cast(Value::F32(0), Scalar::F32, Scalar::I32), None);
        assert_eq!(cast(Value::I32(3), Scalar::I32, Scalar::F32), None);
    }

    #[test]
    fn functions_of_literals_are_exact() {
        let single = |op, x: f32| {
            of_literal(|x| ExprKind::Builtin(op, vec![*x]), Value::F32(x.to_bits()), Scalar::F32, Scalar::F32)
        };
        let is = |x: f32| Some(Value::F32(x.to_bits()));
        for (x, rounded) in
            [(-1e19, -1e19), (1e10, 1e10), (2.5, 2.0), (3.5, 4.0), (-0.4, -0.0), (f32::INFINITY, f32::INFINITY)]
        {
            assert_eq!(single(Builtin::RoundTiesEven, x), is(rounded), "{x}");
        }
        assert_eq!(single(Builtin::Ceil, -0.5), is(-0.0));
        assert_eq!(single(Builtin::Floor, -0.5), is(-1.0));
        assert_eq!(single(Builtin::Trunc, -1.75), is(-1.0));
        assert_eq!(single(Builtin::IsNan, f32::NAN), Some(Value::Bool(true)));
        assert_eq!(single(Builtin::Sqrt, 2.0), None);
        let double = of_literal(
            |x| ExprKind::Builtin(Builtin::RoundTiesEven, vec![*x]),
            Value::F64(4_503_599_627_370_495.5_f64.to_bits()),
            Scalar::F64,
            Scalar::F64,
        );
        assert_eq!(double, Some(Value::F64(4_503_599_627_370_496.0_f64.to_bits())));
    }
}
