//! Loops. Ranges may end at the last number of their type, so none of the forms relies on a number past it.

use super::expr::Code;
use super::function::{FunctionLowering, Mode};
use super::{Int64, WgslError, ZERO_WORD};
use imminent_ir::flatten::visit::{self, Visitor};
use imminent_ir::{Base, BinaryOp, Block, Expr, ExprKind, LocalId, Place, Scalar, Stmt, StmtKind, Type, Value};

impl FunctionLowering<'_, '_> {
    /// `loop`, which Rust leaves by `break` or `return`; WGSL insists on seeing one of them.
    pub(super) fn endless_loop(&mut self, body: &Block) -> Result<(), WgslError> {
        self.open("loop {");
        self.block(body)?;
        if !is_left(body) {
            // The word is 0: the loop goes on for ever, as it does in Rust.
            self.w.open("continuing {");
            self.w.line(&format!("break if launch[{ZERO_WORD}] != 0u;"));
            self.w.close("}");
        }
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
    ) -> Result<(), WgslError> {
        let scalar = self.scalar(self.local_type(var)?)?;
        match (inclusive, reverse) {
            (true, false) if is_below_last(end) => self.forward(var, scalar, start, end, BinaryOp::Le, body),
            (false, false) => self.forward(var, scalar, start, end, BinaryOp::Lt, body),
            (false, true) => self.backward(var, scalar, start, end, body),
            (true, false) => self.through(var, scalar, start, end, [BinaryOp::Le, BinaryOp::Add], body),
            (true, true) => self.through(var, scalar, end, start, [BinaryOp::Ge, BinaryOp::Sub], body),
        }
    }

    fn forward(
        &mut self,
        var: LocalId,
        scalar: Scalar,
        start: &Expr,
        end: &Expr,
        test: BinaryOp,
        body: &Block,
    ) -> Result<(), WgslError> {
        let (name, ty) = (self.name(var)?, self.low.type_name(&Type::Scalar(scalar)));
        let end = self.bound(end, scalar, &format!("{name}_end"))?;
        let start = self.expr(start)?;
        let test = self.low.binary(test, scalar, Code::runtime(name.clone()), end);
        let step = self.step(BinaryOp::Add, scalar, &name);
        self.open(&format!("for (var {name}: {ty} = {}; {}; {step}) {{", start.text, test.text));
        self.block(body)?;
        self.w.close("}");
        Ok(())
    }

    /// Counts down a variable that is one above the loop's own.
    fn backward(
        &mut self,
        var: LocalId,
        scalar: Scalar,
        start: &Expr,
        end: &Expr,
        body: &Block,
    ) -> Result<(), WgslError> {
        let (name, ty) = (self.name(var)?, self.low.type_name(&Type::Scalar(scalar)));
        let start = self.bound(start, scalar, &format!("{name}_start"))?;
        let end = self.expr(end)?;
        let above = self.temp(&format!("{name}_above"));
        let test = self.low.binary(BinaryOp::Gt, scalar, Code::runtime(above.clone()), start);
        let step = self.step(BinaryOp::Sub, scalar, &above);
        let one = self.one(scalar);
        let own = self.low.binary(BinaryOp::Sub, scalar, Code::runtime(above.clone()), one);
        self.open(&format!("for (var {above}: {ty} = {}; {}; {step}) {{", end.text, test.text));
        self.emit(&format!("let {name}: {ty} = {};", own.text));
        self.block(body)?;
        self.w.close("}");
        Ok(())
    }

    /// A range with both its ends: the loop is left after the last number instead of before the one past it.
    fn through(
        &mut self,
        var: LocalId,
        scalar: Scalar,
        from: &Expr,
        to: &Expr,
        [test, next]: [BinaryOp; 2],
        body: &Block,
    ) -> Result<(), WgslError> {
        let (name, ty) = (self.name(var)?, self.low.type_name(&Type::Scalar(scalar)));
        let last = self.bound(to, scalar, &format!("{name}_last"))?;
        let from = self.expr(from)?;
        let own = Code::runtime(name.clone());
        let any = self.low.binary(test, scalar, own.clone(), last.clone());
        let at_last = self.low.binary(BinaryOp::Eq, scalar, own, last);
        let step = self.step(next, scalar, &name);
        let done = self.temp(&format!("{name}_done"));
        self.emit(&format!("var {name}: {ty} = {};", from.text));
        self.open(&format!("if ({}) {{", any.text));
        self.w.open("loop {");
        self.block(body)?;
        self.w.open("continuing {");
        self.w.line(&format!("let {done}: bool = {};", at_last.text));
        self.w.line(&format!("{step};"));
        self.w.line(&format!("break if {done};"));
        self.w.close("}");
        self.w.close("}");
        self.w.close("}");
        Ok(())
    }

    /// A bound of a loop, evaluated once: as it stands if it cannot change, else in a variable.
    fn bound(&mut self, expr: &Expr, scalar: Scalar, wanted: &str) -> Result<Code, WgslError> {
        let code = self.expr(expr)?;
        let fixed = match &expr.kind {
            ExprKind::Literal(_) | ExprKind::RowsLen(_) | ExprKind::TallyLen(_) | ExprKind::LanesCapacity(_) => true,
            ExprKind::Load(Place { base: Base::Local(local), path }) => {
                path.is_empty() && self.mode(*local) == Mode::Let
            }
            _ => false,
        };
        if fixed {
            return Ok(code);
        }
        let name = self.temp(wanted);
        let ty = self.low.type_name(&Type::Scalar(scalar));
        self.emit(&format!("let {name}: {ty} = {};", code.text));
        Ok(Code::runtime(name))
    }

    fn step(&mut self, op: BinaryOp, scalar: Scalar, name: &str) -> String {
        let one = self.one(scalar);
        if scalar.words() == 2 && self.low.options.int64 == Int64::Emulated {
            let next = self.low.binary(op, scalar, Code::runtime(name.to_owned()), one);
            return format!("{name} = {}", next.text);
        }
        let symbol = if op == BinaryOp::Add { "+=" } else { "-=" };
        format!("{name} {symbol} {}", one.text)
    }

    fn one(&self, scalar: Scalar) -> Code {
        match scalar {
            Scalar::U32 => Code::constant("1u".to_owned()),
            Scalar::I32 => Code::constant("1i".to_owned()),
            _ => self.low.literal_u64(1, scalar == Scalar::I64),
        }
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
