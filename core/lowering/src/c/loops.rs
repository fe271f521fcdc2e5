//! Loops in C.

use super::options::Dialect;
use super::state::{FunctionLowering, Lowering};
use crate::LoweringError;
use crate::walk::{Code, Level, Loops, Range, infix};
use imminent_ir::{BinaryOp, Block, Scalar};

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

    fn counted(name: &str, ty: &str, start: &str, test: &str, step: &str) -> String {
        format!("for ({ty} {name} = {start}; {test}; {step}) {{")
    }

    fn step(&mut self, op: BinaryOp, _: Scalar, name: &str) -> String {
        format!("{}{name}", if op == BinaryOp::Add { "++" } else { "--" })
    }

    fn predecessor(&mut self, _: Scalar, name: &str) -> String {
        format!("{name} - 1")
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
