//! Simpler forms of expressions.

use super::step::{Step, Zeros, number};
use imminent_core::ir::{Expr, ExprKind, Type};

/// Replaces an expression by zero, by one, or by an expression of its type that it holds, outer ones first.
pub(super) fn replace(expr: &mut Expr, choice: usize, zeros: &Zeros<'_>) -> Step {
    let ty = expr.ty.clone();
    let form = match choice {
        0 => zeros.of(&ty),
        1 => ty.scalar().map(|scalar| Expr::literal(number(scalar, true), scalar)),
        _ => {
            let mut held = Vec::new();
            for operand in operands(expr) {
                collect(operand, &ty, &mut held);
            }
            match held.into_iter().nth(choice - 2) {
                Some(operand) => Some(operand),
                None => return Step::NoSuchChoice,
            }
        }
    };
    match form {
        Some(form) if form != *expr => {
            *expr = form;
            Step::Changed
        }
        _ => Step::Unchanged,
    }
}

/// Collects the expressions of a type in an expression, itself included.
fn collect(expr: &mut Expr, ty: &Type, into: &mut Vec<Expr>) {
    if expr.ty == *ty {
        into.push(expr.clone());
    }
    for operand in operands(expr) {
        collect(operand, ty, into);
    }
}

/// Returns the operands of an expression. The indices of a place are not among them, since they are known to be in
/// range.
pub(super) fn operands(expr: &mut Expr) -> Vec<&mut Expr> {
    match &mut expr.kind {
        ExprKind::Unary(_, a) | ExprKind::Cast(a) | ExprKind::Repeat(a) => vec![a],
        ExprKind::Binary(_, a, b) => vec![a, b],
        ExprKind::Select(condition, a, b) => vec![condition, a, b],
        ExprKind::Builtin(_, all) | ExprKind::Struct(all) | ExprKind::Array(all) => all.iter_mut().collect(),
        _ => vec![],
    }
}
