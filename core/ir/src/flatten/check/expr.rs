//! Types of expressions.

use super::{Checker, Expr, ExprKind, FlattenError, Scalar, Type, to_u32};
use crate::{BinaryOp, Builtin, FieldType, UnaryOp};

impl Checker<'_> {
    pub(super) fn is_u32(&mut self, expr: &Expr) -> Result<(), FlattenError> {
        self.expr(expr)?;
        self.require(expr.ty == Type::Scalar(Scalar::U32), "a `u32` is expected here")
    }

    pub(super) fn is_bool(&mut self, expr: &Expr) -> Result<(), FlattenError> {
        self.expr(expr)?;
        self.require(expr.ty == Type::Scalar(Scalar::Bool), "a `bool` is expected here")
    }

    /// Checks that an expression has the type that it claims.
    pub(super) fn expr(&mut self, expr: &Expr) -> Result<(), FlattenError> {
        self.require(self.types.is_value(&expr.ty), "an expression that is not of a value's type")?;
        let ok = match &expr.kind {
            ExprKind::Literal(value) => self.types.value_has_type(value, &expr.ty),
            ExprKind::Load(place) => self.value(place, false)? == expr.ty,
            ExprKind::Unary(op, x) => {
                self.expr(x)?;
                x.ty == expr.ty && unary_takes(*op, &x.ty)
            }
            ExprKind::Binary(op, a, b) => {
                self.expr(a)?;
                self.expr(b)?;
                binary_gives(*op, &a.ty, &b.ty).is_some_and(|ty| ty == expr.ty)
            }
            ExprKind::Cast(x) => {
                self.expr(x)?;
                cast_allowed(&x.ty, &expr.ty)
            }
            ExprKind::Builtin(builtin, args) => {
                for arg in args {
                    self.expr(arg)?;
                }
                let scalars: Option<Vec<Scalar>> = args.iter().map(|a| a.ty.scalar()).collect();
                scalars.and_then(|s| builtin_gives(*builtin, &s)).is_some_and(|s| Type::Scalar(s) == expr.ty)
            }
            ExprKind::Struct(fields) => self.is_struct_of(&expr.ty, fields)?,
            ExprKind::Array(elements) => {
                for element in elements {
                    self.expr(element)?;
                }
                matches!(&expr.ty, Type::Array(ty, count)
                    if to_u32(elements.len()) == *count && elements.iter().all(|e| e.ty == **ty))
            }
            ExprKind::Repeat(x) => {
                self.expr(x)?;
                matches!(&expr.ty, Type::Array(ty, _) if **ty == x.ty)
            }
            ExprKind::Select(c, a, b) => {
                self.is_bool(c)?;
                self.expr(a)?;
                self.expr(b)?;
                a.ty == expr.ty && b.ty == expr.ty
            }
            ExprKind::RowsLen(base) => {
                self.table(*base)?;
                expr.ty == Type::Scalar(Scalar::U32)
            }
            ExprKind::LanesCapacity(place) => {
                self.lanes(place)?;
                expr.ty == Type::Scalar(Scalar::U32)
            }
            ExprKind::Group(query) => {
                self.query(*query)?;
                expr.ty == Type::Scalar(Scalar::U32)
            }
            ExprKind::ClockFirst(_) => return self.ill("a clock in a flat kernel"),
            ExprKind::TallyLen(base) => {
                self.tally(*base)?;
                expr.ty == Type::Scalar(Scalar::U32)
            }
        };
        self.require(ok, "an expression whose operands do not give the type that it claims")
    }

    fn is_struct_of(&mut self, ty: &Type, values: &[Expr]) -> Result<bool, FlattenError> {
        for value in values {
            self.expr(value)?;
        }
        let Type::Struct(id) = ty else { return Ok(false) };
        Ok(self.types.structs.get(id.index()).is_some_and(|def| {
            def.fields.len() == values.len()
                && def.fields.iter().zip(values).all(|(f, v)| matches!(&f.ty, FieldType::Value(ty) if *ty == v.ty))
        }))
    }
}

fn unary_takes(op: UnaryOp, ty: &Type) -> bool {
    ty.scalar().is_some_and(|s| match op {
        UnaryOp::Neg => s != Scalar::Bool,
        UnaryOp::Not => !s.is_float(),
    })
}

fn binary_gives(op: BinaryOp, a: &Type, b: &Type) -> Option<Type> {
    if op.is_comparison() {
        let comparable = matches!(a, Type::Scalar(_) | Type::Enum(_));
        return (a == b && comparable).then_some(Type::Scalar(Scalar::Bool));
    }
    let scalar = a.scalar()?;
    let fits = match op {
        BinaryOp::Shl | BinaryOp::Shr => {
            return (scalar.is_integer() && *b == Type::Scalar(Scalar::U32)).then(|| a.clone());
        }
        BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul => scalar != Scalar::Bool,
        BinaryOp::Div | BinaryOp::Rem => scalar.is_float(),
        BinaryOp::BitAnd | BinaryOp::BitOr | BinaryOp::BitXor => !scalar.is_float(),
        _ => scalar == Scalar::Bool,
    };
    (fits && a == b).then(|| a.clone())
}

fn cast_allowed(from: &Type, to: &Type) -> bool {
    let Some(to) = to.scalar() else { return false };
    match from {
        Type::Enum(_) => to.is_integer(),
        Type::Scalar(Scalar::Bool) => !to.is_float(),
        Type::Scalar(_) => to != Scalar::Bool,
        _ => false,
    }
}

fn builtin_gives(builtin: Builtin, args: &[Scalar]) -> Option<Scalar> {
    let (&[a] | &[a, _]) = args else { return None };
    let second = args.get(1).copied();
    let unsigned = match a {
        Scalar::I32 => Scalar::U32,
        Scalar::I64 => Scalar::U64,
        other => other,
    };
    let number = a != Scalar::Bool;
    let (takes, wanted, gives) = match builtin {
        Builtin::Min | Builtin::Max => (number, Some(a), a),
        Builtin::Abs => (a.is_signed() || a.is_float(), None, a),
        Builtin::AbsDiff => (a.is_integer(), Some(a), unsigned),
        Builtin::Signum => (a.is_signed(), None, a),
        Builtin::CountOnes | Builtin::LeadingZeros | Builtin::TrailingZeros => (a.is_integer(), None, Scalar::U32),
        Builtin::ReverseBits | Builtin::SwapBytes => (a.is_integer(), None, a),
        Builtin::RotateLeft | Builtin::RotateRight => (a.is_integer(), Some(Scalar::U32), a),
        Builtin::SaturatingAdd | Builtin::SaturatingSub => (a.is_integer(), Some(a), a),
        Builtin::MulHigh => (a.is_integer() && !a.is_signed(), Some(a), a),
        Builtin::Sqrt | Builtin::Floor | Builtin::Ceil | Builtin::Trunc | Builtin::RoundTiesEven => {
            (a.is_float(), None, a)
        }
        Builtin::CopySign => (a.is_float(), Some(a), a),
        Builtin::IsNan | Builtin::IsFinite => (a.is_float(), None, Scalar::Bool),
        Builtin::ToBits => (a.is_float(), None, if a == Scalar::F64 { Scalar::U64 } else { Scalar::U32 }),
        Builtin::FromBits => {
            (matches!(a, Scalar::U32 | Scalar::U64), None, if a == Scalar::U64 { Scalar::F64 } else { Scalar::F32 })
        }
    };
    (takes && wanted == second).then_some(gives)
}
