//! Expressions as text.

use super::function::FunctionLowering;
use super::{Int64, WgslError};
use imminent_ir::{Expr, ExprKind, GroupQuery, Scalar, Type};

/// How tightly the text of an expression holds together, by WGSL's grammar.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Level {
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
    /// `!`, `~`, `-`, `*` before an operand.
    Unary,
    /// Names, literals, calls, members and elements.
    Atom,
}

/// The text of an expression.
#[derive(Clone, Debug)]
pub(super) struct Code {
    pub(super) text: String,
    pub(super) level: Level,
    /// Whether WGSL takes it for a constant expression. Operations on those must not overflow.
    pub(super) constant: bool,
}

impl Code {
    pub(super) fn constant(text: String) -> Code {
        Code { text, level: Level::Atom, constant: true }
    }

    /// An atom that is evaluated at run time.
    pub(super) fn runtime(text: String) -> Code {
        Code::at(Level::Atom, text)
    }

    /// Something evaluated at run time.
    pub(super) fn at(level: Level, text: String) -> Code {
        Code { text, level, constant: false }
    }

    /// A call of a function of the shader.
    pub(super) fn call(function: &str, args: &[&Code]) -> Code {
        let args: Vec<String> = args.iter().map(|arg| arg.argument()).collect();
        Code::runtime(format!("{function}({})", args.join(", ")))
    }

    /// A constructor.
    pub(super) fn composite(ty: &str, parts: &[Code]) -> Code {
        let args: Vec<&Code> = parts.iter().collect();
        Code { constant: parts.iter().all(|p| p.constant), ..Code::call(ty, &args) }
    }

    /// As something that is an operand where at least this level is needed.
    pub(super) fn within(&self, level: Level) -> String {
        if self.level >= level { self.text.clone() } else { format!("({})", self.text) }
    }

    /// As the operand of a unary operation or the base of a member.
    pub(super) fn operand(&self) -> String {
        self.within(Level::Atom)
    }

    /// As an argument. In `f(a < b, c > d)` WGSL sees a template `a<b, c>`, so comparisons stand in parentheses.
    pub(super) fn argument(&self) -> String {
        if matches!(self.level, Level::Relation | Level::Logic) {
            format!("({})", self.text)
        } else {
            self.text.clone()
        }
    }
}

impl FunctionLowering<'_, '_> {
    /// The text of an expression.
    pub(super) fn expr(&mut self, expr: &Expr) -> Result<Code, WgslError> {
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
                self.low.builtin(*builtin, scalar, args)
            }
            ExprKind::Struct(fields) => Code::composite(&self.low.type_name(&expr.ty), &self.exprs(fields)?),
            ExprKind::Array(elements) => Code::composite(&self.low.type_name(&expr.ty), &self.exprs(elements)?),
            ExprKind::Repeat(x) => {
                let x = self.expr(x)?;
                let helper = self.low.repeat_helper(&expr.ty);
                Code::call(&helper, &[&x])
            }
            ExprKind::Select(c, a, b) => {
                let (c, a, b) = (self.expr(c)?, self.expr(a)?, self.expr(b)?);
                match &expr.ty {
                    Type::Struct(_) | Type::Array(..) => {
                        let helper = self.low.select_helper(&expr.ty);
                        Code::call(&helper, &[&a, &b, &c])
                    }
                    Type::Scalar(Scalar::U64) if self.low.options.int64 == Int64::Native => {
                        Code::call(&self.low.helper("pick_u64"), &[&b, &a, &c])
                    }
                    Type::Scalar(Scalar::I64) if self.low.options.int64 == Int64::Native => {
                        Code::call(&self.low.helper("pick_i64"), &[&b, &a, &c])
                    }
                    _ => {
                        Code { constant: c.constant && a.constant && b.constant, ..Code::call("select", &[&b, &a, &c]) }
                    }
                }
            }
            ExprKind::Group(query) => {
                Code { constant: *query == GroupQuery::Size, ..Code::runtime(self.query(*query)) }
            }
            ExprKind::RowsLen(base) | ExprKind::TallyLen(base) => {
                let binding = self.binding(*base)?;
                if self.low.has_single_slot(binding) {
                    return Ok(Code::constant("1u".to_owned()));
                }
                Code::runtime(self.low.rows(binding))
            }
            ExprKind::LanesCapacity(place) => Code::runtime(self.lanes_capacity(place)?),
            ExprKind::ClockFirst(_) => return Err(self.ill("a clock in a flat kernel")),
        })
    }

    fn exprs(&mut self, exprs: &[Expr]) -> Result<Vec<Code>, WgslError> {
        exprs.iter().map(|e| self.expr(e)).collect()
    }
}
