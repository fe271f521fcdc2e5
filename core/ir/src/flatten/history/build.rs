//! Expressions of words.

use crate::{BinaryOp, Builtin, Expr, ExprKind, LocalId, Place, Scalar, Value};

pub(super) fn literal(value: u32) -> Expr {
    Expr::literal(Value::U32(value), Scalar::U32)
}

pub(super) fn value(place: Place) -> Expr {
    Expr { ty: Scalar::U32.into(), kind: ExprKind::Load(place) }
}

pub(super) fn load(local: LocalId) -> Expr {
    value(Place::local(local))
}

pub(super) fn capacity(lanes: Place) -> Expr {
    Expr { ty: Scalar::U32.into(), kind: ExprKind::LanesCapacity(lanes) }
}

pub(super) fn add(a: Expr, b: Expr) -> Expr {
    binary(BinaryOp::Add, a, b)
}

pub(super) fn sub(a: Expr, b: Expr) -> Expr {
    binary(BinaryOp::Sub, a, b)
}

pub(super) fn binary(op: BinaryOp, a: Expr, b: Expr) -> Expr {
    let truth = op.is_comparison() || matches!(op, BinaryOp::And);
    let ty = if truth { Scalar::Bool } else { Scalar::U32 }.into();
    Expr { ty, kind: ExprKind::Binary(op, Box::new(a), Box::new(b)) }
}

pub(super) fn builtin<const N: usize>(builtin: Builtin, args: [Expr; N]) -> Expr {
    Expr { ty: Scalar::U32.into(), kind: ExprKind::Builtin(builtin, args.into()) }
}
