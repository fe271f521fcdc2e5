//! Expressions as text.

use super::body::FunctionLowering;
use super::code::Code;
use super::dialect::Dialect;
use crate::LoweringError;
use imminent_ir::{Expr, ExprKind, UnaryOp, Value};

impl<'a, L: Dialect<'a>> FunctionLowering<'_, 'a, L> {
    /// The text of an expression.
    pub(crate) fn expr(&mut self, expr: &Expr) -> Result<Code, LoweringError> {
        Ok(match &expr.kind {
            ExprKind::Literal(value) => self.low.literal(value, &expr.ty)?,
            ExprKind::Load(place) => self.load(place, &expr.ty, None)?,
            ExprKind::Unary(op, x) => match negative(*op, x) {
                Some(literal) => self.low.literal(&literal, &expr.ty)?,
                None => {
                    let scalar = self.scalar(&x.ty)?;
                    let x = self.expr(x)?;
                    self.low.unary(*op, scalar, x)
                }
            },
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
            ExprKind::Struct(parts) | ExprKind::Array(parts) => {
                let parts = self.exprs(parts)?;
                self.low.composite(&expr.ty, &parts)
            }
            ExprKind::Repeat(x) => {
                let x = self.expr(x)?;
                let helper = self.low.repeat_helper(&expr.ty);
                Code::atom(format!("{helper}({})", L::argument(&x)))
            }
            ExprKind::Select(c, a, b) => {
                let (c, a, b) = (self.expr(c)?, self.expr(a)?, self.expr(b)?);
                self.low.select(&expr.ty, c, a, b)
            }
            ExprKind::Group(query) => L::query(self, *query),
            ExprKind::RowsLen(base) | ExprKind::TallyLen(base) => {
                let binding = self.binding(*base)?;
                if self.low.has_single_slot(binding) {
                    return Ok(Code::constant("1u"));
                }
                Code::atom(self.rows(binding))
            }
            ExprKind::LanesCapacity(place) => Code::atom(self.lanes_capacity(place)?),
            ExprKind::ClockFirst(_) => return Err(self.ill("a clock in a flat kernel")),
        })
    }

    fn exprs(&mut self, exprs: &[Expr]) -> Result<Vec<Code>, LoweringError> {
        exprs.iter().map(|expr| self.expr(expr)).collect()
    }
}

/// Returns the value of a float literal with a minus before it. A negative zero is then a literal too, which dialects
/// hide from compilers that lose its sign.
fn negative(op: UnaryOp, x: &Expr) -> Option<Value> {
    match (op, &x.kind) {
        (UnaryOp::Neg, ExprKind::Literal(Value::F32(bits))) => Some(Value::F32(bits ^ (1 << 31))),
        (UnaryOp::Neg, ExprKind::Literal(Value::F64(bits))) => Some(Value::F64(bits ^ (1 << 63))),
        _ => None,
    }
}
