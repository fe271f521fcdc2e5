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
            (true, false) if is_below_last(end) => self.forward(up, BinaryOp::Le, body),
            (false, false) => self.forward(up, BinaryOp::Lt, body),
            (false, true) => self.backward(down, body),
            (true, false) => L::through(self, up, BinaryOp::Le, body),
            (true, true) => L::through(self, down, BinaryOp::Ge, body),
        }
    }

    /// A range whose numbers all are below its end (`Lt`), or end with a number below the greatest (`Le`). The variable
    /// is below the end before it is incremented, so that it stays within its type.
    fn forward(&mut self, range: Range<'_>, test: BinaryOp, body: &Block) -> Result<(), LoweringError> {
        let Range { var, scalar, from, to } = range;
        let (name, ty) = (self.name(var)?, self.low.type_name(&Type::Scalar(scalar)));
        let end = self.bound(to, scalar, &format!("{name}_end"))?;
        let start = self.expr(from)?;
        let test = self.low.binary(test, scalar, Code::atom(name.clone()), end);
        let step = self.low.step(BinaryOp::Add, scalar, &name);
        self.open(&L::counted(&name, &ty, &start.text, &test.text, &step));
        self.block(body)?;
        self.w.close("}");
        Ok(())
    }

    /// A range that is walked down from the number before its end. It counts down a variable that is one above the
    /// loop's own.
    fn backward(&mut self, range: Range<'_>, body: &Block) -> Result<(), LoweringError> {
        let Range { var, scalar, from, to } = range;
        let (name, ty) = (self.name(var)?, self.low.type_name(&Type::Scalar(scalar)));
        let start = self.bound(to, scalar, &format!("{name}_start"))?;
        let end = self.expr(from)?;
        let above = self.temp(&format!("{name}_above"));
        let test = self.low.binary(BinaryOp::Gt, scalar, Code::atom(above.clone()), start);
        let step = self.low.step(BinaryOp::Sub, scalar, &above);
        let own = self.low.predecessor(scalar, &above);
        self.open(&L::counted(&above, &ty, &end.text, &test.text, &step));
        self.emit(&L::declaration(Mode::Const, &name, &ty, &own));
        self.block(body)?;
        self.w.close("}");
        Ok(())
    }

    /// A bound of a loop, evaluated once: as it stands if it cannot change, else in a variable.
    pub(crate) fn bound(&mut self, expr: &Expr, scalar: Scalar, wanted: &str) -> Result<Code, LoweringError> {
        let code = self.expr(expr)?;
        // Lengths cannot change either, but SwiftShader takes one that the loop's header loads for 0 after the loop.
        let fixed = match &expr.kind {
            ExprKind::Literal(_) => true,
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
