//! Facts about statements and expressions that need no text.

use imminent_ir::flatten::visit::{self, Visitor};
use imminent_ir::{Block, Expr, ExprKind, SiteId, Stmt, StmtKind, Value};

/// The number of a fault site as `raise` takes it.
pub(crate) fn number(site: SiteId) -> String {
    format!("{}u", site.0.saturating_add(1))
}

/// Returns `true` if dividing by this expression can neither fault nor overflow.
pub(crate) fn is_safe_divisor(b: &Expr) -> bool {
    match b.kind {
        ExprKind::Literal(Value::U32(x)) => x != 0,
        ExprKind::Literal(Value::U64(x)) => x != 0,
        ExprKind::Literal(Value::I32(x)) => x != 0 && x != -1,
        ExprKind::Literal(Value::I64(x)) => x != 0 && x != -1,
        _ => false,
    }
}

/// Returns `true` if a compiler sees that a block ends in `return`.
pub(crate) fn always_returns(block: &Block) -> bool {
    for stmt in block {
        match &stmt.kind {
            StmtKind::Return(_) => return true,
            StmtKind::Break | StmtKind::Continue => return false,
            _ => {}
        }
    }
    match block.last().map(|stmt| &stmt.kind) {
        Some(StmtKind::If(_, then, other)) => always_returns(then) && always_returns(other),
        _ => false,
    }
}

/// The value of a literal index; `u32::MAX` stands for one that no array has.
pub(crate) fn constant_index(index: &Expr) -> Option<u32> {
    match &index.kind {
        ExprKind::Literal(Value::U32(i)) => Some(*i),
        ExprKind::Literal(Value::I32(i)) => Some(u32::try_from(*i).unwrap_or(u32::MAX)),
        ExprKind::Literal(Value::U64(i)) => Some(u32::try_from(*i).unwrap_or(u32::MAX)),
        ExprKind::Literal(Value::I64(i)) => Some(u32::try_from(*i).unwrap_or(u32::MAX)),
        _ => None,
    }
}

/// Returns `true` if a bound is a literal below the greatest number of its type.
pub(crate) fn is_below_last(end: &Expr) -> bool {
    match end.kind {
        ExprKind::Literal(Value::U32(x)) => x < u32::MAX,
        ExprKind::Literal(Value::I32(x)) => x < i32::MAX,
        ExprKind::Literal(Value::U64(x)) => x < u64::MAX,
        ExprKind::Literal(Value::I64(x)) => x < i64::MAX,
        _ => false,
    }
}

/// Returns `true` if a loop's body has a `break` of that loop or a `return`.
pub(crate) fn is_left(body: &Block) -> bool {
    body.iter().any(|stmt| match &stmt.kind {
        StmtKind::Break | StmtKind::Return(_) => true,
        StmtKind::If(_, then, other) => is_left(then) || is_left(other),
        StmtKind::Loop(body) | StmtKind::While(_, body) | StmtKind::For { body, .. } => returns(body),
        _ => false,
    })
}

/// Returns `true` if there is a `return` anywhere in a block.
pub(crate) fn returns(block: &Block) -> bool {
    let mut returns = Returns(false);
    visit::walk(block, &mut returns);
    returns.0
}

struct Returns(bool);

impl Visitor for Returns {
    fn stmt(&mut self, stmt: &Stmt) {
        self.0 |= matches!(stmt.kind, StmtKind::Return(_));
    }
}
