//! Loops.

use super::{Dest, Lowerer};
use crate::hir::{Expr, For};
use imminent_ir::{Expr as IrExpr, ExprKind, Param, Scalar, Stmt, StmtKind, Type, UnaryOp};

impl Lowerer<'_, '_> {
    /// Returns the parameters of the function being lowered.
    pub(super) fn params(&self) -> &[Param] {
        &self.ir_params
    }

    fn loop_body(&mut self, body: &Expr, dest: Dest) -> Vec<Stmt> {
        self.loops.push(dest);
        let (block, ()) = self.nested(|this| this.put(body, Dest::Drop));
        self.loops.pop();
        block
    }

    pub(super) fn put_loop(&mut self, body: &Expr, dest: Dest) {
        let line = self.line;
        let block = self.loop_body(body, dest);
        self.line = line;
        self.push(StmtKind::Loop(block));
    }

    pub(super) fn put_while(&mut self, condition: &Expr, body: &Expr) {
        let line = self.line;
        let (mut stmts, condition) = self.nested(|this| this.value(condition));
        let block = self.loop_body(body, Dest::Drop);
        self.line = line;
        if stmts.is_empty() {
            self.push(StmtKind::While(condition, block));
            return;
        }
        let done = IrExpr { ty: Type::Scalar(Scalar::Bool), kind: ExprKind::Unary(UnaryOp::Not, Box::new(condition)) };
        stmts.push(Stmt { line, kind: StmtKind::If(done, vec![Stmt { line, kind: StmtKind::Break }], Vec::new()) });
        stmts.extend(block);
        self.push(StmtKind::Loop(stmts));
    }

    pub(super) fn put_for(&mut self, parts: &For) {
        let line = self.line;
        let mut bounds = self.operands(&[&parts.start, &parts.end]).into_iter();
        let (Some(start), Some(end)) = (bounds.next(), bounds.next()) else { return };
        let var = self.declare_local(parts.var);
        self.loops.push(Dest::Drop);
        let (body, ()) = self.nested(|this| {
            if let Some(copy) = parts.copy {
                let copied = this.declare_local(copy);
                let value = this.load(var);
                this.push(StmtKind::Let(copied, Some(value)));
            }
            this.put(&parts.body, Dest::Drop);
        });
        self.loops.pop();
        self.line = line;
        self.push(StmtKind::For { var, start, end, inclusive: parts.inclusive, reverse: parts.reverse, body });
    }

    pub(super) fn put_break(&mut self, value: Option<&Expr>) {
        let line = self.line;
        let dest = self.loops.last().copied().unwrap_or(Dest::Drop);
        if let Some(value) = value {
            self.put(value, dest);
        }
        self.line = line;
        if dest != Dest::Return || value.is_none() {
            self.push(StmtKind::Break);
        }
    }
}
