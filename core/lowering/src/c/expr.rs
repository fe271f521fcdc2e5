//! Expressions as text.

use super::CError;
use super::function::FunctionLowering;
use imminent_ir::{Expr, ExprKind};

/// How tightly the text of an expression holds together. What C lets mix in surprising ways stands in parentheses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Level {
    /// `c ? a : b`.
    Choice,
    /// Shifts and bitwise operations: they mix with nothing.
    Bitwise,
    /// `&&` and `||`.
    Logic,
    /// Comparisons.
    Relation,
    /// `+` and `-`.
    Sum,
    /// `*` and `/`.
    Product,
    /// `!`, `~`, `-`, `*` or a cast before an operand.
    Unary,
    /// Names, literals, calls, members and elements.
    Atom,
}

/// The text of an expression.
#[derive(Clone, Debug)]
pub(super) struct Code {
    pub(super) text: String,
    pub(super) level: Level,
}

impl Code {
    /// A name, a literal or a call.
    pub(super) fn atom(text: impl Into<String>) -> Code {
        Code::at(Level::Atom, text)
    }

    pub(super) fn at(level: Level, text: impl Into<String>) -> Code {
        Code { text: text.into(), level }
    }

    /// A call of a function.
    pub(super) fn call(function: &str, args: &[&Code]) -> Code {
        let args: Vec<&str> = args.iter().map(|arg| arg.text.as_str()).collect();
        Code::atom(format!("{function}({})", args.join(", ")))
    }

    /// A cast in C's notation.
    pub(super) fn cast(ty: &str, x: &Code) -> Code {
        Code::at(Level::Unary, format!("({ty}){}", x.operand()))
    }

    /// As something that is an operand where at least this level is needed.
    pub(super) fn within(&self, level: Level) -> String {
        if self.level >= level { self.text.clone() } else { format!("({})", self.text) }
    }

    /// As the operand of a unary operation or the base of a member.
    pub(super) fn operand(&self) -> String {
        self.within(Level::Atom)
    }
}

impl FunctionLowering<'_, '_> {
    /// The text of an expression.
    pub(super) fn expr(&mut self, expr: &Expr) -> Result<Code, CError> {
        Ok(match &expr.kind {
            ExprKind::Literal(value) => self.low.literal(value, &expr.ty)?,
            ExprKind::Load(place) => self.load(place, &expr.ty, None)?,
            ExprKind::Unary(op, x) => {
                let scalar = self.scalar(&x.ty)?;
                let x = self.expr(x)?;
                self.low.unary(*op, scalar, x)
            }
            ExprKind::Binary(op, a, b) => {
                let scalar = self.scalar(&a.ty)?;
                let (a, b) = (self.expr(a)?, self.expr(b)?);
                self.low.binary(*op, scalar, a, b)
            }
            ExprKind::Cast(x) => {
                let (from, to) = (self.scalar(&x.ty)?, self.scalar(&expr.ty)?);
                let x = self.expr(x)?;
                self.low.cast(from, to, x)
            }
            ExprKind::Builtin(builtin, args) => {
                let Some(first) = args.first() else { return Err(self.ill("a built-in operation without operands")) };
                let scalar = self.scalar(&first.ty)?;
                let args = self.exprs(args)?;
                self.low.builtin(*builtin, scalar, &args)
            }
            ExprKind::Struct(fields) => {
                let parts = self.exprs(fields)?;
                self.low.composite(&expr.ty, &parts)
            }
            ExprKind::Array(elements) => {
                let parts = self.exprs(elements)?;
                self.low.composite(&expr.ty, &parts)
            }
            ExprKind::Repeat(x) => {
                let x = self.expr(x)?;
                let helper = self.low.repeat_helper(&expr.ty);
                Code::call(&helper, &[&x])
            }
            ExprKind::Select(c, a, b) => {
                let (c, a, b) = (self.expr(c)?, self.expr(a)?, self.expr(b)?);
                let (c, a, b) = (c.within(Level::Relation), a.within(Level::Bitwise), b.within(Level::Bitwise));
                Code::at(Level::Choice, format!("{c} ? {a} : {b}"))
            }
            ExprKind::Group(query) => Code::atom(self.query(*query)),
            ExprKind::RowsLen(base) | ExprKind::TallyLen(base) => {
                let binding = self.binding(*base)?;
                if self.low.has_single_slot(binding) {
                    return Ok(Code::atom("1u"));
                }
                Code::atom(format!("ctx->{}", self.low.rows(binding)))
            }
            ExprKind::LanesCapacity(place) => Code::atom(self.lanes_capacity(place)?),
            ExprKind::ClockFirst(_) => return Err(self.ill("a clock in a flat kernel")),
        })
    }

    fn exprs(&mut self, exprs: &[Expr]) -> Result<Vec<Code>, CError> {
        exprs.iter().map(|expr| self.expr(expr)).collect()
    }
}
