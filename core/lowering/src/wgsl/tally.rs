//! Contributions to tallies, as relaxed atomics. Every operation commutes, so their order cannot be observed.

use super::state::{FunctionLowering, Lowering};
use crate::LoweringError;
use crate::walk::{Contribution, Memory, Mode};
use imminent_ir::flatten::BindingKind;
use imminent_ir::{Scalar, TallyOp, Type, WordOp};

impl FunctionLowering<'_, '_> {
    pub(super) fn contribute(&mut self, what: Contribution) -> Result<(), LoweringError> {
        let Contribution { op, scalar, binding, slot, value, for_group, in_range, site } = what;
        let function = match op {
            TallyOp::Add => "atomicAdd",
            TallyOp::Min => "atomicMin",
            TallyOp::Max => "atomicMax",
            TallyOp::Or => "atomicOr",
            TallyOp::And => "atomicAnd",
        };
        let wide = scalar.words() == 2;
        if !wide || matches!(op, TallyOp::Min | TallyOp::Max) {
            self.low.requires.int64_atomics |= wide;
            let (buffer, index) = self.low.tally_at(binding, slot);
            let value = match scalar {
                Scalar::I32 if self.low.shares_tallies() => format!("bitcast<u32>({})", value.text),
                _ => value.text,
            };
            let add = format!("{function}(&{buffer}[{index}], {value});");
            let add = if for_group { format!("if (lane == 0u) {{ {add} }}") } else { add };
            self.guarded(&in_range, &add, site);
            return Ok(());
        }
        let amount = self.temp("amount");
        self.declare_new(Mode::Const, &amount, &Type::Scalar(scalar), &value.text);
        let words = self.low.pack(scalar, &amount);
        let (low, high) = (words.first().map_or("", String::as_str), words.get(1).map_or("", String::as_str));
        let (buffer, index) = self.low.tally_at(binding, format!("{slot} * 2u"));
        self.open(&format!("if ({in_range}) {{"));
        if for_group {
            self.open("if (lane == 0u) {");
        }
        if op == TallyOp::Add {
            // The carry of this addition is known from the word as it was before.
            let before = self.temp("before");
            self.emit(&format!("let {before}: u32 = atomicAdd(&{buffer}[{index}], {low});"));
            self.emit(&format!("atomicAdd(&{buffer}[{index} + 1u], {high} + u32({before} + {low} < {before}));"));
        } else {
            self.emit(&format!("{function}(&{buffer}[{index}], {low});"));
            self.emit(&format!("{function}(&{buffer}[{index} + 1u], {high});"));
        }
        if for_group {
            self.w.close("}");
        }
        self.w.between("} else {");
        self.raise(site);
        self.w.close("}");
        Ok(())
    }
}

impl Lowering<'_> {
    /// Returns `true` if the kernel binds its tallies together, as words of shared buffers. Minima and maxima may need
    /// another type, and WGSL has one for a buffer: such a kernel binds each tally by its own part of the buffer.
    pub(super) fn shares_tallies(&self) -> bool {
        let typed = |kind: &BindingKind| match kind {
            BindingKind::Tally { scalar, op } => *scalar != Scalar::U32 && is_extremum(*op),
            _ => false,
        };
        self.shares_buffers() && !self.flat.bindings.iter().any(|bound| typed(&bound.kind))
    }

    /// The type of the elements of a tally that the kernel binds alone.
    pub(super) fn tally_element(&self, binding: u32) -> &'static str {
        match self.flat.bindings.get(binding as usize).map(|bound| &bound.kind) {
            Some(BindingKind::Tally { scalar: Scalar::I32, .. }) => "atomic<i32>",
            Some(BindingKind::Tally { scalar: Scalar::U64, op }) if is_extremum(*op) => "atomic<u64>",
            Some(BindingKind::Tally { scalar: Scalar::I64, op }) if is_extremum(*op) => "atomic<i64>",
            _ => "atomic<u32>",
        }
    }
}

fn is_extremum(op: Option<TallyOp>) -> bool {
    matches!(op, Some(TallyOp::Min | TallyOp::Max))
}

/// Returns an operation on a word.
pub(super) fn word(op: WordOp, buffer: &str, index: &str, value: &str) -> String {
    match op {
        WordOp::Load => format!("atomicLoad(&{buffer}[{index}])"),
        WordOp::Store => format!("atomicStore(&{buffer}[{index}], {value})"),
        WordOp::Exchange => format!("atomicExchange(&{buffer}[{index}], {value})"),
    }
}
