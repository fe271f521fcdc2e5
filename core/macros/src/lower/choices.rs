//! Blocks, `if` and `match`.

use super::{Dest, Lowerer, line_of};
use crate::hir::{Arm, Base, Block, Expr, Kind, Pattern, Place, Stmt};
use crate::ty::Ty;
use imminent_ir::{
    BinaryOp, Block as IrBlock, Expr as IrExpr, ExprKind, FaultKind, LocalKind, Place as IrPlace, Scalar, StmtKind,
    Type, UnaryOp, Value,
};

impl Lowerer<'_, '_> {
    pub(super) fn put_block(&mut self, block: &Block, dest: Dest) {
        for stmt in &block.stmts {
            match stmt {
                Stmt::Let(local, init, span) => {
                    self.line = line_of(*span);
                    self.put_let(*local, init.as_ref());
                }
                Stmt::Expr(e) => self.put(e, Dest::Drop),
            }
        }
        if let Some(tail) = &block.tail {
            self.put(tail, dest);
        }
    }

    fn put_let(&mut self, local: u32, init: Option<&Expr>) {
        let deep = self.infer.deep(&self.body.locals[local as usize].ty);
        let Some(init) = init else {
            if deep.to_ir().is_some_and(|ty| ty != Type::Unit) {
                let id = self.declare_local(local);
                self.push(StmtKind::Let(id, None));
            }
            return;
        };
        if matches!(deep, Ty::Unit | Ty::Var(_) | Ty::Never) || matches!(self.infer.deep(&init.ty), Ty::Never) {
            self.put(init, Dest::Drop);
            return;
        }
        if let (Ty::Ref(..), Kind::Place(Place { base: Base::RowOf(rows, index, span), .. })) = (&deep, &init.kind) {
            let rows = self.place(rows).0.base;
            let index = self.value(index);
            let id = self.declare_local(local);
            self.stable.insert(id);
            self.line = line_of(*span);
            let site = self.site(FaultKind::RowOutOfRange, *span);
            self.push(StmtKind::BindRow { local: id, rows, index, site });
            return;
        }
        // The initial value cannot see the new name, so declaring first is harmless.
        let id = self.declare_local(local);
        self.declare(init, id);
        debug_assert!(matches!(self.locals[id.index()].kind, LocalKind::Value(_)));
    }

    pub(super) fn put_if(&mut self, condition: &Expr, then: &Expr, otherwise: Option<&Expr>, dest: Dest) {
        let line = self.line;
        let condition = self.value(condition);
        let (then, ()) = self.nested(|this| this.put(then, dest));
        let (otherwise, ()) = self.nested(|this| {
            if let Some(otherwise) = otherwise {
                this.put(otherwise, dest);
            }
        });
        self.line = line;
        self.push(StmtKind::If(condition, then, otherwise));
    }

    pub(super) fn put_match(&mut self, scrutinee: &Expr, arms: &[Arm], dest: Dest) {
        let value = self.value(scrutinee);
        let value = self.keep(value);
        self.put_arms(&value, arms, dest);
    }

    fn put_arms(&mut self, scrutinee: &IrExpr, arms: &[Arm], dest: Dest) {
        let Some((arm, rest)) = arms.split_first() else { return };
        let line = line_of(arm.body.span);
        self.line = line;
        self.bind_pattern(&arm.pattern, scrutinee);
        // rustc checks that the arms are exhaustive, so the last one needs no test.
        let test = if rest.is_empty() && arm.guard.is_none() { None } else { self.test(&arm.pattern, scrutinee) };
        let condition = match (&arm.guard, test) {
            (None, None) => return self.put(&arm.body, dest),
            (None, Some(test)) => test,
            (Some(guard), None) => self.value(guard),
            (Some(guard), Some(test)) => self.guarded(guard, test),
        };
        let (then, ()) = self.nested(|this| this.put(&arm.body, dest));
        let (otherwise, ()): (IrBlock, ()) = self.nested(|this| this.put_arms(scrutinee, rest, dest));
        self.line = line;
        self.push(StmtKind::If(condition, then, otherwise));
    }

    /// Returns the pattern's test combined with the guard, which is evaluated only if the pattern fits.
    fn guarded(&mut self, guard: &Expr, test: IrExpr) -> IrExpr {
        let (mut stmts, value) = self.nested(|this| this.value(guard));
        if stmts.is_empty() {
            return truth(BinaryOp::And, test, value);
        }
        let local = self.joined(Type::Scalar(Scalar::Bool));
        self.push(StmtKind::Let(local, Some(test)));
        stmts.push(imminent_ir::Stmt { line: self.line, kind: StmtKind::Assign(IrPlace::local(local), value) });
        let fits = self.load(local);
        self.push(StmtKind::If(fits, stmts, Vec::new()));
        self.load(local)
    }

    fn bind_pattern(&mut self, pattern: &Pattern, scrutinee: &IrExpr) {
        if let Pattern::Bind(local, inner) = pattern {
            let id = self.declare_local(*local);
            self.push(StmtKind::Let(id, Some(scrutinee.clone())));
            self.bind_pattern(inner, scrutinee);
        }
    }

    /// Returns the test of a value against a pattern; `None` if every value fits.
    fn test(&mut self, pattern: &Pattern, scrutinee: &IrExpr) -> Option<IrExpr> {
        match pattern {
            Pattern::Any => None,
            Pattern::Bind(_, inner) => self.test(inner, scrutinee),
            Pattern::Equals(value) => {
                let value = self.value(value);
                Some(match value.kind {
                    ExprKind::Literal(Value::Bool(true)) => scrutinee.clone(),
                    ExprKind::Literal(Value::Bool(false)) => IrExpr {
                        ty: Type::Scalar(Scalar::Bool),
                        kind: ExprKind::Unary(UnaryOp::Not, Box::new(scrutinee.clone())),
                    },
                    _ => truth(BinaryOp::Eq, scrutinee.clone(), value),
                })
            }
            Pattern::Range(from, to, inclusive) => {
                let from = from
                    .as_ref()
                    .map(|bound| self.value(bound))
                    .map(|bound| truth(BinaryOp::Ge, scrutinee.clone(), bound));
                let op = if *inclusive { BinaryOp::Le } else { BinaryOp::Lt };
                let to = to.as_ref().map(|bound| self.value(bound)).map(|bound| truth(op, scrutinee.clone(), bound));
                match (from, to) {
                    (Some(from), Some(to)) => Some(truth(BinaryOp::And, from, to)),
                    (one, other) => one.or(other),
                }
            }
            Pattern::OneOf(cases) => {
                let mut any: Option<IrExpr> = None;
                for case in cases {
                    let test = self.test(case, scrutinee)?;
                    any = Some(match any {
                        Some(any) => truth(BinaryOp::Or, any, test),
                        None => test,
                    });
                }
                any
            }
        }
    }
}

fn truth(op: BinaryOp, a: IrExpr, b: IrExpr) -> IrExpr {
    IrExpr { ty: Type::Scalar(Scalar::Bool), kind: ExprKind::Binary(op, Box::new(a), Box::new(b)) }
}
