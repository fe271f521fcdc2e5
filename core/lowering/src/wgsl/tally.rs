//! Contributions to tallies, as relaxed atomics. Every operation commutes, so their order cannot be observed.

use super::WgslError;
use super::function::FunctionLowering;
use super::stmt::number;
use imminent_ir::flatten::Scope;
use imminent_ir::{Base, Expr, SiteId, TallyOp};

impl FunctionLowering<'_, '_> {
    pub(super) fn tally(
        &mut self,
        tally: Base,
        op: TallyOp,
        slot: &Expr,
        value: &Expr,
        site: SiteId,
    ) -> Result<(), WgslError> {
        let scalar = self.scalar(&value.ty)?;
        let binding = self.binding(tally)?;
        let Some(buffer) = self.low.binding_names.get(binding as usize).cloned() else {
            return Err(self.ill("a binding out of range"));
        };
        let slot = self.variable(slot, "slot")?;
        // What the group contributes counts once.
        let for_group = self.function.scope == Scope::Group;
        let value = self.value_for(for_group, value)?;
        let slots = self.low.rows(binding);
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
            self.guarded(&format!("{slot} < {slots}"), &add, site);
            return Ok(());
        }
        let amount = self.temp("amount");
        let ty = self.low.scalar_type(scalar);
        self.emit(&format!("let {amount}: {ty} = {};", value.text));
        let words = self.low.pack(scalar, &amount);
        let (low, high) = (words.first().map_or("", String::as_str), words.get(1).map_or("", String::as_str));
        self.open(&format!("if ({slot} < {slots}) {{"));
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
        let raise = self.low.helper("raise");
        self.emit(&format!("{raise}({});", number(site)));
        self.w.close("}");
        Ok(())
    }
}
