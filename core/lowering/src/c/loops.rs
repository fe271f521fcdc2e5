//! Loops in C.

use super::options::Dialect;
use super::state::{FunctionLowering, Lowering};
use crate::LoweringError;
use crate::walk::{Code, Level, Loops, Range, infix};
use imminent_ir::{BinaryOp, Block};

impl<'a> Loops<'a> for Lowering<'a> {
    /// `loop`, which Rust leaves by `break` or `return`.
    fn endless_loop(f: &mut FunctionLowering<'_, 'a>, body: &Block, is_left: bool) -> Result<(), LoweringError> {
        f.open("for (;;) {");
        if !is_left && f.low.options.dialect == Dialect::Cuda {
            // C++ lets a compiler assume that a loop without effects ends, and drop whatever leads to it.
            f.w.line("asm volatile(\"\");");
        }
        f.block(body)?;
        f.w.close("}");
        Ok(())
    }

    /// The variable is below the end before it is incremented, so that it stays within its type.
    fn forward(
        f: &mut FunctionLowering<'_, 'a>,
        range: Range<'_>,
        test: BinaryOp,
        body: &Block,
    ) -> Result<(), LoweringError> {
        let (name, ty) = (f.name(range.var)?, range.scalar.name());
        let end = f.bound(range.to, range.scalar, &format!("{name}_end"))?;
        let start = f.expr(range.from)?;
        let test = if test == BinaryOp::Le { "<=" } else { "<" };
        let test = infix(test, Level::Relation, &Code::atom(name.clone()), &end);
        f.open(&format!("for ({ty} {name} = {}; {}; ++{name}) {{", start.text, test.text));
        f.block(body)?;
        f.w.close("}");
        Ok(())
    }

    /// Counts down a variable that is one above the loop's own.
    fn backward(f: &mut FunctionLowering<'_, 'a>, range: Range<'_>, body: &Block) -> Result<(), LoweringError> {
        let (name, ty) = (f.name(range.var)?, range.scalar.name());
        let start = f.bound(range.to, range.scalar, &format!("{name}_start"))?;
        let end = f.expr(range.from)?;
        let above = f.temp(&format!("{name}_above"));
        let test = infix(">", Level::Relation, &Code::atom(above.clone()), &start);
        f.open(&format!("for ({ty} {above} = {}; {}; --{above}) {{", end.text, test.text));
        f.emit(&format!("const {ty} {name} = {above} - 1;"));
        f.block(body)?;
        f.w.close("}");
        Ok(())
    }

    /// A range with both its ends: the loop is left after the last number instead of before the one past it. The
    /// variable is counted on in the loop's header, which `continue` goes through.
    fn through(
        f: &mut FunctionLowering<'_, 'a>,
        range: Range<'_>,
        test: BinaryOp,
        body: &Block,
    ) -> Result<(), LoweringError> {
        let (name, ty) = (f.name(range.var)?, range.scalar.name());
        let (test, next) = if test == BinaryOp::Le { ("<=", "+") } else { (">=", "-") };
        let last = f.bound(range.to, range.scalar, &format!("{name}_last"))?;
        let from = f.expr(range.from)?;
        let own = Code::atom(name.clone());
        let more = f.temp(&format!("{name}_more"));
        let any = infix(test, Level::Relation, &own, &last);
        let not_last = infix("!=", Level::Relation, &own, &last);
        f.emit(&format!("{ty} {name} = {};", from.text));
        f.open(&format!(
            "for (bool {more} = {}; {more}; {more} = {}, {name} = {more} ? {name} {next} 1 : {name}) {{",
            any.text, not_last.text,
        ));
        f.block(body)?;
        f.w.close("}");
        Ok(())
    }
}
