//! Contributions to tallies, as relaxed atomics. Every operation commutes, so their order cannot be observed.

use super::state::FunctionLowering;
use crate::LoweringError;
use crate::walk::{Contribution, Memory, Mode};
use imminent_ir::{TallyOp, Type, WordOp};

impl FunctionLowering<'_, '_> {
    pub(super) fn contribute(&mut self, what: Contribution) -> Result<(), LoweringError> {
        let Contribution { op, scalar, buffer, slot, value, for_group, in_range, site } = what;
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
            let add = format!("{function}(&{buffer}[{slot}], {});", value.text);
            let add = if for_group { format!("if (lane == 0u) {{ {add} }}") } else { add };
            self.guarded(&in_range, &add, site);
            return Ok(());
        }
        let amount = self.temp("amount");
        self.declare_new(Mode::Const, &amount, &Type::Scalar(scalar), &value.text);
        let words = self.low.pack(scalar, &amount);
        let (low, high) = (words.first().map_or("", String::as_str), words.get(1).map_or("", String::as_str));
        self.open(&format!("if ({in_range}) {{"));
        if for_group {
            self.open("if (lane == 0u) {");
        }
        if op == TallyOp::Add {
            // The carry of this addition is known from the word as it was before.
            let before = self.temp("before");
            self.emit(&format!("let {before}: u32 = atomicAdd(&{buffer}[{slot} * 2u], {low});"));
            self.emit(&format!("atomicAdd(&{buffer}[{slot} * 2u + 1u], {high} + u32({before} + {low} < {before}));"));
        } else {
            self.emit(&format!("{function}(&{buffer}[{slot} * 2u], {low});"));
            self.emit(&format!("{function}(&{buffer}[{slot} * 2u + 1u], {high});"));
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

/// Returns an operation on a word.
pub(super) fn word(op: WordOp, buffer: &str, slot: &str, value: &str) -> String {
    match op {
        WordOp::Load => format!("atomicLoad(&{buffer}[{slot}])"),
        WordOp::Store => format!("atomicStore(&{buffer}[{slot}], {value})"),
        WordOp::Exchange => format!("atomicExchange(&{buffer}[{slot}], {value})"),
    }
}
