//! Loops. Ranges may end at the last number of their type, so none of the forms relies on a number past it.

use super::body::{FunctionLowering, Mode};
use super::code::Code;
use super::dialect::{Dialect, Range};
use super::facts::{is_below_last, is_left};
use crate::LoweringError;
use imminent_ir::{Base, BinaryOp, Block, Expr, ExprKind, LocalId, Place, Scalar, Type};

impl<'a, L: Dialect<'a>> FunctionLowering<'_, 'a, L> {
    /// `loop`, which Rust leaves by `break` or `return`.
    pub(crate) fn endless_loop(&mut self, body: &Block) -> Result<(), LoweringError> {
        L::endless_loop(self, body, is_left(body))
    }

    /// `for var in start..end` and its variants.
    pub(crate) fn for_loop(
        &mut self,
        var: LocalId,
        start: &Expr,
        end: &Expr,
        inclusive: bool,
        reverse: bool,
        body: &Block,
    ) -> Result<(), LoweringError> {
        let scalar = self.scalar(self.local_type(var)?)?;
        let up = Range { var, scalar, from: start, to: end };
        let down = Range { var, scalar, from: end, to: start };
        match (inclusive, reverse) {
            (true, false) if is_below_last(end) => L::forward(self, up, BinaryOp::Le, body),
            (false, false) => L::forward(self, up, BinaryOp::Lt, body),
            (false, true) => L::backward(self, down, body),
            (true, false) => L::through(self, up, BinaryOp::Le, body),
            (true, true) => L::through(self, down, BinaryOp::Ge, body),
        }
    }

    /// A bound of a loop, evaluated once: as it stands if it cannot change, else in a variable.
    pub(crate) fn bound(&mut self, expr: &Expr, scalar: Scalar, wanted: &str) -> Result<Code, LoweringError> {
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
        self.declare_new(Mode::Const, &name, &Type::Scalar(scalar), &code.text);
        Ok(Code::atom(name))
    }
}
