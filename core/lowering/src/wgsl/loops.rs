//! Loops in WGSL.

use super::options::Int64;
use super::state::{FunctionLowering, Lowering};
use crate::LoweringError;
use crate::walk::{Code, Loops, Operations, Range, Types};
use imminent_ir::launch::ZERO_WORD;
use imminent_ir::{BinaryOp, Block, Scalar, Type};

impl<'a> Loops<'a> for Lowering<'a> {
    /// `loop`, which Rust leaves by `break` or `return`; WGSL insists on seeing one of them.
    fn endless_loop(f: &mut FunctionLowering<'_, 'a>, body: &Block, is_left: bool) -> Result<(), LoweringError> {
        f.open("loop {");
        f.block(body)?;
        if !is_left {
            // The word is 0: the loop goes on for ever, as it does in Rust.
            f.w.open("continuing {");
            f.w.line(&format!("break if launch[{ZERO_WORD}] != 0u;"));
            f.w.close("}");
        }
        f.w.close("}");
        Ok(())
    }

    fn counted(name: &str, ty: &str, start: &str, test: &str, step: &str) -> String {
        format!("for (var {name}: {ty} = {start}; {test}; {step}) {{")
    }

    fn step(&mut self, op: BinaryOp, scalar: Scalar, name: &str) -> String {
        let one = self.one(scalar);
        if scalar.words() == 2 && self.options.int64 == Int64::Emulated {
            let next = self.binary(op, scalar, Code::atom(name.to_owned()), one);
            return format!("{name} = {}", next.text);
        }
        let symbol = if op == BinaryOp::Add { "+=" } else { "-=" };
        format!("{name} {symbol} {}", one.text)
    }

    fn predecessor(&mut self, scalar: Scalar, name: &str) -> String {
        let one = self.one(scalar);
        self.binary(BinaryOp::Sub, scalar, Code::atom(name), one).text
    }

    /// A range with both its ends: the loop is left after the last number instead of before the one past it.
    fn through(
        f: &mut FunctionLowering<'_, 'a>,
        range: Range<'_>,
        test: BinaryOp,
        body: &Block,
    ) -> Result<(), LoweringError> {
        let Range { var, scalar, from, to } = range;
        let next = if test == BinaryOp::Le { BinaryOp::Add } else { BinaryOp::Sub };
        let (name, ty) = (f.name(var)?, f.low.type_name(&Type::Scalar(scalar)));
        let last = f.bound(to, scalar, &format!("{name}_last"))?;
        let from = f.expr(from)?;
        let own = Code::atom(name.clone());
        let any = f.low.binary(test, scalar, own.clone(), last.clone());
        let at_last = f.low.binary(BinaryOp::Eq, scalar, own, last);
        let step = f.low.step(next, scalar, &name);
        let done = f.temp(&format!("{name}_done"));
        f.emit(&format!("var {name}: {ty} = {};", from.text));
        f.open(&format!("if ({}) {{", any.text));
        f.w.open("loop {");
        f.block(body)?;
        f.w.open("continuing {");
        f.w.line(&format!("let {done}: bool = {};", at_last.text));
        f.w.line(&format!("{step};"));
        f.w.line(&format!("break if {done};"));
        f.w.close("}");
        f.w.close("}");
        f.w.close("}");
        Ok(())
    }
}

impl Lowering<'_> {
    fn one(&self, scalar: Scalar) -> Code {
        match scalar {
            Scalar::U32 => Code::constant("1u".to_owned()),
            Scalar::I32 => Code::constant("1i".to_owned()),
            _ => self.literal_u64(1, scalar == Scalar::I64),
        }
    }
}
