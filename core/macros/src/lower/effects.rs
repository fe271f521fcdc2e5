//! Side effects of evaluating expressions.

use crate::hir::{Arg, Base, Expr, Kind, Place, Step, Stmt};
use imminent_ir::{Base as IrBase, Expr as IrExpr, ExprKind, Step as IrStep};

/// Calls `f` with the operands of an expression.
pub(crate) fn children<'e>(e: &'e Expr, f: &mut dyn FnMut(&'e Expr)) {
    match &e.kind {
        Kind::Unit
        | Kind::Integer(_)
        | Kind::Float(_)
        | Kind::Value(_)
        | Kind::Outside(_)
        | Kind::Continue
        | Kind::Group(_)
        | Kind::ScratchOwn(_)
        | Kind::Bundle(_)
        // The arguments of a phase are names, and its body is another function.
        | Kind::Phase(_) => {}
        Kind::Place(p) | Kind::RowsLen(p) | Kind::LanesCapacity(p) | Kind::TallyLen(p) | Kind::ClockFirst(p) => {
            place_children(p, f);
        }
        Kind::Unary(_, x) | Kind::Cast(x) | Kind::Wrapping(x) | Kind::Repeat(x) | Kind::Assert(x) | Kind::Loop(x) => f(x),
        Kind::Binary(_, a, b) | Kind::Power(a, b) | Kind::While(a, b) => {
            f(a);
            f(b);
        }
        Kind::Clamp(a, b, c) => {
            f(a);
            f(b);
            f(c);
        }
        Kind::Builtin(_, args) | Kind::Array(args) => args.iter().for_each(f),
        Kind::Struct(_, fields, base) => {
            fields.iter().for_each(|(_, field)| f(field));
            if let Some(base) = base {
                f(base);
            }
        }
        Kind::Call(_, args) => {
            for arg in args {
                match arg {
                    Arg::Value(value) => f(value),
                    Arg::InOut(place, _) | Arg::Resource(place, _) => place_children(place, f),
                }
            }
        }
        Kind::ScratchGet(_, x) | Kind::ScratchSet(_, x) => f(x),
        Kind::LaneGet(p, index) => {
            place_children(p, f);
            f(index);
        }
        Kind::HistoryGet(p, row, step) => {
            place_children(p, f);
            row.iter().for_each(|row| f(row));
            f(step);
        }
        Kind::LaneSet(p, a, b) | Kind::Tally(p, _, a, b) | Kind::HistorySet(p, a, b) => {
            place_children(p, f);
            f(a);
            f(b);
        }
        Kind::Word(p, _, slot, value) => {
            place_children(p, f);
            f(slot);
            value.iter().for_each(|value| f(value));
        }
        Kind::If(c, a, b) => {
            f(c);
            f(a);
            if let Some(b) = b {
                f(b);
            }
        }
        Kind::Match(scrutinee, arms) => {
            f(scrutinee);
            for arm in arms {
                if let Some(guard) = &arm.guard {
                    f(guard);
                }
                f(&arm.body);
            }
        }
        Kind::Block(block) => {
            for stmt in &block.stmts {
                match stmt {
                    Stmt::Let(_, Some(init), _) => f(init),
                    Stmt::Let(_, None, _) => {}
                    Stmt::Expr(e) => f(e),
                }
            }
            if let Some(tail) = &block.tail {
                f(tail);
            }
        }
        Kind::For(parts) => {
            f(&parts.start);
            f(&parts.end);
            f(&parts.body);
        }
        Kind::Break(value) | Kind::Return(value) => {
            if let Some(value) = value {
                f(value);
            }
        }
        Kind::Assign(p, value) | Kind::Update(p, _, value, _) => {
            place_children(p, f);
            f(value);
        }
    }
}

fn place_children<'e>(place: &'e Place, f: &mut dyn FnMut(&'e Expr)) {
    match &place.base {
        Base::RowOf(rows, index, _) => {
            place_children(rows, f);
            f(index);
        }
        Base::Value(value) => f(value),
        _ => {}
    }
    for step in &place.path {
        if let Step::Index(index) = step {
            f(index);
        }
    }
}

/// Returns `true` if evaluating an expression may change a local, a parameter or a row.
pub(super) fn mutates(e: &Expr) -> bool {
    let this = match &e.kind {
        Kind::Assign(..)
        | Kind::Update(..)
        | Kind::LaneSet(..)
        | Kind::HistorySet(..)
        | Kind::ScratchSet(..)
        | Kind::Word(..)
        | Kind::Phase(_) => true,
        Kind::Call(_, args) => args.iter().any(|arg| matches!(arg, Arg::InOut(_, true) | Arg::Resource(_, true))),
        _ => false,
    };
    let mut found = this;
    if !found {
        children(e, &mut |child| found |= mutates(child));
    }
    found
}

/// Returns `true` if evaluating a place may have side effects.
pub(super) fn place_mutates(place: &Place) -> bool {
    let mut found = false;
    place_children(place, &mut |child| found |= mutates(child));
    found
}

/// Returns `true` if evaluating an argument may have side effects, before the call itself.
pub(super) fn arg_mutates(arg: &Arg) -> bool {
    match arg {
        Arg::Value(value) => mutates(value),
        Arg::InOut(place, _) | Arg::Resource(place, _) => place_mutates(place),
    }
}

/// Returns `true` if a later statement could change the value of a lowered expression. `is_stable` is `true` for locals
/// that are assigned only once.
pub(super) fn reads_state(e: &IrExpr, is_stable: &dyn Fn(imminent_ir::LocalId) -> bool) -> bool {
    match &e.kind {
        ExprKind::Literal(_)
        | ExprKind::RowsLen(_)
        | ExprKind::LanesCapacity(_)
        | ExprKind::TallyLen(_)
        | ExprKind::ClockFirst(_)
        | ExprKind::Group(_) => false,
        ExprKind::Load(place) => {
            let base = match place.base {
                IrBase::Local(local) => !is_stable(local),
                IrBase::Const(_) => false,
                _ => true,
            };
            base || place.path.iter().any(|step| match step {
                IrStep::Field(_) => false,
                IrStep::Index(index) => reads_state(index, is_stable),
            })
        }
        ExprKind::Unary(_, x) | ExprKind::Cast(x) | ExprKind::Repeat(x) => reads_state(x, is_stable),
        ExprKind::Binary(_, a, b) => reads_state(a, is_stable) || reads_state(b, is_stable),
        ExprKind::Select(a, b, c) => {
            reads_state(a, is_stable) || reads_state(b, is_stable) || reads_state(c, is_stable)
        }
        ExprKind::Builtin(_, args) | ExprKind::Struct(args) | ExprKind::Array(args) => {
            args.iter().any(|arg| reads_state(arg, is_stable))
        }
    }
}
