//! Loops. Ranges may end at the last number of their type, so none of the forms relies on a number past it.

use super::CError;
use super::expr::{Code, Level};
use super::function::{FunctionLowering, Mode};
use super::ops::infix;
use super::options::Dialect;
use imminent_ir::flatten::visit::{self, Visitor};
use imminent_ir::{Base, Block, Expr, ExprKind, LocalId, Place, Scalar, Stmt, StmtKind, Value};

impl FunctionLowering<'_, '_> {
    /// `loop`, which Rust leaves by `break` or `return`.
    pub(super) fn endless_loop(&mut self, body: &Block) -> Result<(), CError> {
        self.open("for (;;) {");
        if !is_left(body) && self.low.options.dialect == Dialect::Cuda {
            // C++ lets a compiler assume that a loop without effects ends, and drop whatever leads to it.
            self.w.line("asm volatile(\"\");");
        }
        self.block(body)?;
        self.w.close("}");
        Ok(())
    }

    /// `for var in start..end` and its variants.
    pub(super) fn for_loop(
        &mut self,
        var: LocalId,
        start: &Expr,
        end: &Expr,
        inclusive: bool,
        reverse: bool,
        body: &Block,
    ) -> Result<(), CError> {
        let scalar = self.scalar(self.local_type(var)?)?;
        match (inclusive, reverse) {
            (true, false) if is_below_last(end) => self.forward(var, scalar, start, end, "<=", body),
            (false, false) => self.forward(var, scalar, start, end, "<", body),
            (false, true) => self.backward(var, scalar, start, end, body),
            (true, false) => self.through(var, scalar, start, end, ["<=", "++"], body),
            (true, true) => self.through(var, scalar, end, start, [">=", "--"], body),
        }
    }

    /// The variable is below the end before it is incremented, so that it stays within its type.
    fn forward(
        &mut self,
        var: LocalId,
        scalar: Scalar,
        start: &Expr,
        end: &Expr,
        test: &str,
        body: &Block,
    ) -> Result<(), CError> {
        let (name, ty) = (self.name(var)?, scalar.name());
        let end = self.bound(end, scalar, &format!("{name}_end"))?;
        let start = self.expr(start)?;
        let test = infix(test, Level::Relation, &Code::atom(name.clone()), &end);
        self.open(&format!("for ({ty} {name} = {}; {}; ++{name}) {{", start.text, test.text));
        self.block(body)?;
        self.w.close("}");
        Ok(())
    }

    /// Counts down a variable that is one above the loop's own.
    fn backward(&mut self, var: LocalId, scalar: Scalar, start: &Expr, end: &Expr, body: &Block) -> Result<(), CError> {
        let (name, ty) = (self.name(var)?, scalar.name());
        let start = self.bound(start, scalar, &format!("{name}_start"))?;
        let end = self.expr(end)?;
        let above = self.temp(&format!("{name}_above"));
        let test = infix(">", Level::Relation, &Code::atom(above.clone()), &start);
        self.open(&format!("for ({ty} {above} = {}; {}; --{above}) {{", end.text, test.text));
        self.emit(&format!("const {ty} {name} = {above} - 1;"));
        self.block(body)?;
        self.w.close("}");
        Ok(())
    }

    /// A range with both its ends: the loop is left after the last number instead of before the one past it. The variable
    /// is counted on in the loop's header, which `continue` goes through.
    fn through(
        &mut self,
        var: LocalId,
        scalar: Scalar,
        from: &Expr,
        to: &Expr,
        [test, next]: [&str; 2],
        body: &Block,
    ) -> Result<(), CError> {
        let (name, ty) = (self.name(var)?, scalar.name());
        let last = self.bound(to, scalar, &format!("{name}_last"))?;
        let from = self.expr(from)?;
        let own = Code::atom(name.clone());
        let more = self.temp(&format!("{name}_more"));
        let any = infix(test, Level::Relation, &own, &last);
        let not_last = infix("!=", Level::Relation, &own, &last);
        self.emit(&format!("{ty} {name} = {};", from.text));
        self.open(&format!(
            "for (bool {more} = {}; {more}; {more} = {}, {name} = {more} ? {name} {} 1 : {name}) {{",
            any.text,
            not_last.text,
            if next == "++" { "+" } else { "-" }
        ));
        self.block(body)?;
        self.w.close("}");
        Ok(())
    }

    /// A bound of a loop, evaluated once: as it stands if it cannot change, else in a variable.
    fn bound(&mut self, expr: &Expr, scalar: Scalar, wanted: &str) -> Result<Code, CError> {
        let code = self.expr(expr)?;
        let fixed = match &expr.kind {
            ExprKind::Literal(_) | ExprKind::RowsLen(_) | ExprKind::TallyLen(_) | ExprKind::LanesCapacity(_) => true,
            ExprKind::Load(Place { base: Base::Local(local), path }) => {
                path.is_empty() && self.mode(*local) == Mode::Const
            }
            _ => false,
        };
        if fixed {
            return Ok(code);
        }
        let name = self.temp(wanted);
        self.emit(&format!("const {} {name} = {};", scalar.name(), code.text));
        Ok(Code::atom(name))
    }
}

/// Whether a bound is a literal below the greatest number of its type.
fn is_below_last(end: &Expr) -> bool {
    match end.kind {
        ExprKind::Literal(Value::U32(x)) => x < u32::MAX,
        ExprKind::Literal(Value::I32(x)) => x < i32::MAX,
        ExprKind::Literal(Value::U64(x)) => x < u64::MAX,
        ExprKind::Literal(Value::I64(x)) => x < i64::MAX,
        _ => false,
    }
}

/// Whether a loop's body has a `break` of that loop or a `return`.
fn is_left(body: &Block) -> bool {
    body.iter().any(|stmt| match &stmt.kind {
        StmtKind::Break | StmtKind::Return(_) => true,
        StmtKind::If(_, then, other) => is_left(then) || is_left(other),
        StmtKind::Loop(body) | StmtKind::While(_, body) | StmtKind::For { body, .. } => {
            let mut returns = Returns(false);
            visit::walk(body, &mut returns);
            returns.0
        }
        _ => false,
    })
}

struct Returns(bool);

impl Visitor for Returns {
    fn stmt(&mut self, stmt: &Stmt) {
        self.0 |= matches!(stmt.kind, StmtKind::Return(_));
    }
}
