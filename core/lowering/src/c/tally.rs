//! Contributions to tallies, as relaxed atomics. Every operation commutes, so their order cannot be observed.

use super::options::Dialect;
use super::state::FunctionLowering;
use crate::LoweringError;
use crate::walk::{Accessors, Contribution};
use imminent_ir::{Scalar, TallyOp, WordOp};

impl FunctionLowering<'_, '_> {
    pub(super) fn contribute(&mut self, what: Contribution) -> Result<(), LoweringError> {
        let Contribution { op, scalar, binding, slot, value, for_group, in_range, site } = what;
        let buffer = self.low.buffer_name(binding, None);
        let dialect = self.low.options.dialect;
        let wide = scalar.words() == 2;
        self.open(&format!("if ({in_range}) {{"));
        if for_group {
            self.open("if (ctx->lane == 0u) {");
        }
        match dialect {
            Dialect::Cuda => {
                self.low.requires.int64_atomics |= wide;
                let function = cuda_function(op);
                let ty = element(op, scalar);
                let place = if ty == "u32" {
                    format!("&ctx->{buffer}[{slot}]")
                } else {
                    format!("({ty} *)ctx->{buffer} + {slot}")
                };
                let value = self.low.cast_to(scalar, ty, value);
                self.emit(&format!("{function}({place}, {});", value.text));
            }
            Dialect::OpenCl if !wide || self.low.options.int64_atomics => {
                self.low.requires.int64_atomics |= wide;
                let function = opencl_function(op, wide);
                let ty = element(op, scalar);
                let value = self.low.cast_to(scalar, ty, value);
                self.emit(&format!("{function}((volatile GLOBAL {ty} *)ctx->{buffer} + {slot}, {});", value.text));
            }
            Dialect::OpenCl => self.by_words(op, &buffer, &slot, scalar, value.text)?,
        }
        if for_group {
            self.w.close("}");
        }
        self.w.between("} else {");
        self.raise(site);
        self.w.close("}");
        Ok(())
    }

    /// A contribution to a 64-bit slot by 32-bit atomics: every sum, or and and is one of words, but for the carry.
    fn by_words(
        &mut self,
        op: TallyOp,
        buffer: &str,
        slot: &str,
        scalar: Scalar,
        value: String,
    ) -> Result<(), LoweringError> {
        if matches!(op, TallyOp::Min | TallyOp::Max) {
            return Err(LoweringError::WideTally {
                kernel: self.low.flat.name.clone(),
                file: self.function.file.clone(),
                line: self.line,
            });
        }
        let function = opencl_function(op, false);
        let amount = self.temp("amount");
        let words = self.temp("words");
        self.emit(&format!("const {} {amount} = {value};", scalar.name()));
        self.emit(&format!("volatile GLOBAL u32 *{words} = ctx->{buffer} + (u64){slot} * 2u;"));
        let (low, high) = (format!("(u32){amount}"), format!("(u32)((u64){amount} >> 32u)"));
        if op == TallyOp::Add {
            // The carry of this addition is known from the word as it was before.
            let before = self.temp("before");
            self.emit(&format!("const u32 {before} = {function}({words}, {low});"));
            self.emit(&format!("{function}({words} + 1, {high} + ({before} + {low} < {before} ? 1u : 0u));"));
        } else {
            self.emit(&format!("{function}({words}, {low});"));
            self.emit(&format!("{function}({words} + 1, {high});"));
        }
        Ok(())
    }
}

/// Returns an operation on a word. `volatile` keeps the compiler from using what it read before.
pub(super) fn word(dialect: Dialect, op: WordOp, buffer: &str, slot: &str, value: &str) -> String {
    let place = format!("(volatile GLOBAL u32 *)ctx->{buffer} + {slot}");
    match (op, dialect) {
        (WordOp::Load, _) => format!("*({place})"),
        (WordOp::Store, _) => format!("*({place}) = {value}"),
        (WordOp::Exchange, Dialect::Cuda) => format!("atomicExch(&ctx->{buffer}[{slot}], {value})"),
        (WordOp::Exchange, Dialect::OpenCl) => format!("atomic_xchg({place}, {value})"),
    }
}

/// The type in which a slot is operated on: the sign matters to minima and maxima alone.
fn element(op: TallyOp, scalar: Scalar) -> &'static str {
    match (op, scalar) {
        (TallyOp::Min | TallyOp::Max, scalar) => scalar.name(),
        (_, scalar) if scalar.words() == 2 => "u64",
        _ => "u32",
    }
}

fn cuda_function(op: TallyOp) -> &'static str {
    match op {
        TallyOp::Add => "atomicAdd",
        TallyOp::Min => "atomicMin",
        TallyOp::Max => "atomicMax",
        TallyOp::Or => "atomicOr",
        TallyOp::And => "atomicAnd",
    }
}

/// OpenCL 1.2 spells the atomics of its core and those of the 64-bit extensions differently.
fn opencl_function(op: TallyOp, wide: bool) -> &'static str {
    match (op, wide) {
        (TallyOp::Add, false) => "atomic_add",
        (TallyOp::Min, false) => "atomic_min",
        (TallyOp::Max, false) => "atomic_max",
        (TallyOp::Or, false) => "atomic_or",
        (TallyOp::And, false) => "atomic_and",
        (TallyOp::Add, true) => "atom_add",
        (TallyOp::Min, true) => "atom_min",
        (TallyOp::Max, true) => "atom_max",
        (TallyOp::Or, true) => "atom_or",
        (TallyOp::And, true) => "atom_and",
    }
}
