//! Which kernels are known to end.

use super::pipeline::Loops;
use imminent_ir::flatten::FlatKernel;
use imminent_ir::{Stmt, StmtKind};

/// Whether every loop of a kernel is a `for` over a range. There is no recursion, so such a kernel ends.
pub(super) fn loops(kernel: &FlatKernel) -> Loops {
    if kernel.functions.iter().any(|function| unbounded(&function.body)) { Loops::Unbounded } else { Loops::Bounded }
}

fn unbounded(block: &[Stmt]) -> bool {
    block.iter().any(|stmt| match &stmt.kind {
        StmtKind::Loop(_) | StmtKind::While(..) => true,
        StmtKind::If(_, yes, no) => unbounded(yes) || unbounded(no),
        StmtKind::For { body, .. } => unbounded(body),
        _ => false,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use imminent_ir::{Expr, ExprKind, LocalId, Scalar, Value};

    fn stmt(kind: StmtKind) -> Stmt {
        Stmt { line: 1, kind }
    }

    fn literal(value: Value, scalar: Scalar) -> Expr {
        Expr { ty: scalar.into(), kind: ExprKind::Literal(value) }
    }

    fn over_a_range(body: Vec<Stmt>) -> Stmt {
        let bound = |n| literal(Value::U32(n), Scalar::U32);
        stmt(StmtKind::For { var: LocalId(0), start: bound(0), end: bound(9), inclusive: false, reverse: false, body })
    }

    #[test]
    fn only_loops_over_ranges_are_known_to_end() {
        assert!(!unbounded(&[over_a_range(vec![over_a_range(vec![stmt(StmtKind::Break)])])]));
        let endless = stmt(StmtKind::Loop(vec![]));
        assert!(unbounded(std::slice::from_ref(&endless)));
        let condition = literal(Value::Bool(true), Scalar::Bool);
        assert!(unbounded(&[over_a_range(vec![stmt(StmtKind::If(condition.clone(), vec![], vec![endless]))])]));
        assert!(unbounded(&[stmt(StmtKind::While(condition, vec![]))]));
    }
}
