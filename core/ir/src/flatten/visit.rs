//! A walk over the statements, expressions and places of a block.

use crate::{Arg, Block, Expr, ExprKind, Place, Step, Stmt, StmtKind};

/// Use of a place where it occurs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Use {
    /// The value is read.
    Read,
    /// The place is assigned.
    Write,
    /// The value is copied into a call and back.
    InOut,
    /// A lane of the place is read.
    LaneRead,
    /// A lane of the place is written.
    LaneWrite,
    /// Only the capacity is read.
    Capacity,
}

/// Receives the nodes of a walk, outer ones before inner ones. Every method does nothing unless overridden.
pub trait Visitor {
    /// Receives a statement.
    fn stmt(&mut self, _stmt: &Stmt) {}
    /// Receives an expression.
    fn expr(&mut self, _expr: &Expr) {}
    /// Receives a place; the expressions in its path follow.
    fn place(&mut self, _place: &Place, _used: Use) {}
}

/// Walks statements and all blocks in them.
pub fn walk(block: &[Stmt], visitor: &mut impl Visitor) {
    for stmt in block {
        visitor.stmt(stmt);
        walk_stmt(&stmt.kind, visitor);
    }
}

fn walk_stmt(kind: &StmtKind, v: &mut impl Visitor) {
    match kind {
        StmtKind::Let(_, value) | StmtKind::Return(value) => {
            if let Some(value) = value {
                walk_expr(value, v);
            }
        }
        StmtKind::Assign(place, value) | StmtKind::Store(place, value, _) => {
            walk_place(place, Use::Write, v);
            walk_expr(value, v);
        }
        StmtKind::Load(_, place, _) => walk_place(place, Use::Read, v),
        StmtKind::Divide(_, a, b, _) | StmtKind::Remainder(_, a, b, _) => {
            walk_expr(a, v);
            walk_expr(b, v);
        }
        StmtKind::BindRow { index, .. } | StmtKind::ScratchGet { index, .. } => walk_expr(index, v),
        StmtKind::ScratchSet { value, .. } => walk_expr(value, v),
        StmtKind::LaneGet { lanes, index, .. } => {
            walk_place(lanes, Use::LaneRead, v);
            walk_expr(index, v);
        }
        StmtKind::LaneSet { lanes, index, value, .. } => {
            walk_place(lanes, Use::LaneWrite, v);
            walk_expr(index, v);
            walk_expr(value, v);
        }
        StmtKind::HistoryGet { row, step, .. } => {
            if let Some(row) = row {
                walk_expr(row, v);
            }
            walk_expr(step, v);
        }
        StmtKind::HistorySet { step: slot, value, .. } | StmtKind::Tally { slot, value, .. } => {
            walk_expr(slot, v);
            walk_expr(value, v);
        }
        StmtKind::Word { slot, value, .. } => {
            walk_expr(slot, v);
            if let Some(value) = value {
                walk_expr(value, v);
            }
        }
        StmtKind::Assert(condition, _) => walk_expr(condition, v),
        StmtKind::Call { args, .. } | StmtKind::Phase { args, .. } => {
            for arg in args {
                match arg {
                    Arg::Value(value) => walk_expr(value, v),
                    Arg::InOut(place) | Arg::Resource(place) => walk_place(place, Use::InOut, v),
                }
            }
        }
        StmtKind::If(condition, then, other) => {
            walk_expr(condition, v);
            walk(then, v);
            walk(other, v);
        }
        StmtKind::Loop(body) => walk(body, v),
        StmtKind::While(condition, body) => {
            walk_expr(condition, v);
            walk(body, v);
        }
        StmtKind::For { start, end, body, .. } => {
            walk_expr(start, v);
            walk_expr(end, v);
            walk(body, v);
        }
        StmtKind::Break | StmtKind::Continue | StmtKind::ScratchOwn { .. } => {}
    }
}

/// Walks an expression and all expressions in it.
pub fn walk_expr(expr: &Expr, v: &mut impl Visitor) {
    v.expr(expr);
    match &expr.kind {
        ExprKind::Literal(_)
        | ExprKind::RowsLen(_)
        | ExprKind::TallyLen(_)
        | ExprKind::Group(_)
        | ExprKind::ClockFirst(_) => {}
        ExprKind::Load(place) => walk_place(place, Use::Read, v),
        ExprKind::LanesCapacity(place) => walk_place(place, Use::Capacity, v),
        ExprKind::Unary(_, x) | ExprKind::Cast(x) | ExprKind::Repeat(x) => walk_expr(x, v),
        ExprKind::Binary(_, a, b) => {
            walk_expr(a, v);
            walk_expr(b, v);
        }
        ExprKind::Builtin(_, args) | ExprKind::Struct(args) | ExprKind::Array(args) => {
            for arg in args {
                walk_expr(arg, v);
            }
        }
        ExprKind::Select(c, a, b) => {
            walk_expr(c, v);
            walk_expr(a, v);
            walk_expr(b, v);
        }
    }
}

fn walk_place(place: &Place, used: Use, v: &mut impl Visitor) {
    v.place(place, used);
    for step in &place.path {
        if let Step::Index(index) = step {
            walk_expr(index, v);
        }
    }
}

/// Calls a function with every expression of a block and of all blocks in it, operands before the expressions that use
/// them.
pub(super) fn rewrite(block: &mut Block, f: &mut impl FnMut(&mut Expr)) {
    for stmt in block {
        rewrite_stmt(&mut stmt.kind, f);
    }
}

fn rewrite_stmt(kind: &mut StmtKind, f: &mut impl FnMut(&mut Expr)) {
    match kind {
        StmtKind::Let(_, value) | StmtKind::Return(value) => value.iter_mut().for_each(|value| rewrite_expr(value, f)),
        StmtKind::Assign(place, value) | StmtKind::Store(place, value, _) => {
            rewrite_place(place, f);
            rewrite_expr(value, f);
        }
        StmtKind::Load(_, place, _) => rewrite_place(place, f),
        StmtKind::Divide(_, a, b, _) | StmtKind::Remainder(_, a, b, _) => {
            rewrite_expr(a, f);
            rewrite_expr(b, f);
        }
        StmtKind::BindRow { index, .. } | StmtKind::ScratchGet { index, .. } => rewrite_expr(index, f),
        StmtKind::ScratchSet { value, .. } => rewrite_expr(value, f),
        StmtKind::LaneGet { lanes, index, .. } => {
            rewrite_place(lanes, f);
            rewrite_expr(index, f);
        }
        StmtKind::LaneSet { lanes, index, value, .. } => {
            rewrite_place(lanes, f);
            rewrite_expr(index, f);
            rewrite_expr(value, f);
        }
        StmtKind::HistoryGet { row, step, .. } => {
            row.iter_mut().for_each(|row| rewrite_expr(row, f));
            rewrite_expr(step, f);
        }
        StmtKind::HistorySet { step: slot, value, .. } | StmtKind::Tally { slot, value, .. } => {
            rewrite_expr(slot, f);
            rewrite_expr(value, f);
        }
        StmtKind::Word { slot, value, .. } => {
            rewrite_expr(slot, f);
            value.iter_mut().for_each(|value| rewrite_expr(value, f));
        }
        StmtKind::Assert(condition, _) => rewrite_expr(condition, f),
        StmtKind::Call { args, .. } | StmtKind::Phase { args, .. } => {
            for arg in args {
                match arg {
                    Arg::Value(value) => rewrite_expr(value, f),
                    Arg::InOut(place) | Arg::Resource(place) => rewrite_place(place, f),
                }
            }
        }
        StmtKind::If(condition, then, other) => {
            rewrite_expr(condition, f);
            rewrite(then, f);
            rewrite(other, f);
        }
        StmtKind::Loop(body) => rewrite(body, f),
        StmtKind::While(condition, body) => {
            rewrite_expr(condition, f);
            rewrite(body, f);
        }
        StmtKind::For { start, end, body, .. } => {
            rewrite_expr(start, f);
            rewrite_expr(end, f);
            rewrite(body, f);
        }
        StmtKind::Break | StmtKind::Continue | StmtKind::ScratchOwn { .. } => {}
    }
}

fn rewrite_expr(expr: &mut Expr, f: &mut impl FnMut(&mut Expr)) {
    match &mut expr.kind {
        ExprKind::Literal(_)
        | ExprKind::RowsLen(_)
        | ExprKind::TallyLen(_)
        | ExprKind::Group(_)
        | ExprKind::ClockFirst(_) => {}
        ExprKind::Load(place) | ExprKind::LanesCapacity(place) => rewrite_place(place, f),
        ExprKind::Unary(_, x) | ExprKind::Cast(x) | ExprKind::Repeat(x) => rewrite_expr(x, f),
        ExprKind::Binary(_, a, b) => {
            rewrite_expr(a, f);
            rewrite_expr(b, f);
        }
        ExprKind::Builtin(_, args) | ExprKind::Struct(args) | ExprKind::Array(args) => {
            args.iter_mut().for_each(|arg| rewrite_expr(arg, f));
        }
        ExprKind::Select(c, a, b) => {
            rewrite_expr(c, f);
            rewrite_expr(a, f);
            rewrite_expr(b, f);
        }
    }
    f(expr);
}

fn rewrite_place(place: &mut Place, f: &mut impl FnMut(&mut Expr)) {
    for step in &mut place.path {
        if let Step::Index(index) = step {
            rewrite_expr(index, f);
        }
    }
}
