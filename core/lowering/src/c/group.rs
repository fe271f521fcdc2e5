//! Memory that a group shares, and the report of the faults of its rows.

use super::options::Dialect;
use super::state::Lowering;
use crate::phases;
use crate::walk::{Types, Writer};
use imminent_ir::{FieldType, Scalar, Type};

impl Lowering<'_> {
    /// Returns `true` if the first invocation reads a row for its group somewhere.
    pub(super) fn reads_for_all(&self) -> bool {
        (0..self.flat.bindings.len()).any(|binding| phases::is_read_for_all(self.flat, binding as u32))
    }

    /// Bytes that a group shares.
    pub(super) fn group_bytes(&self) -> u32 {
        let scratch = self.flat.scratch.as_ref().filter(|_| self.phases.uses_elements());
        let elements = scratch.map_or(0, |ty| self.bytes(ty).0.saturating_mul(self.workgroup_size));
        elements.saturating_add(if self.counts_votes() { 12 } else { 0 }) + if self.reads_for_all() { 8 } else { 0 }
    }

    /// Size and alignment that C gives a type.
    fn bytes(&self, ty: &Type) -> (u32, u32) {
        match ty {
            Type::Unit => (0, 1),
            Type::Scalar(Scalar::Bool) => (1, 1),
            Type::Scalar(scalar) => (scalar.words() * 4, scalar.words() * 4),
            Type::Enum(_) => (4, 4),
            Type::Array(element, count) => {
                let (bytes, alignment) = self.bytes(element);
                (bytes.saturating_mul(*count), alignment)
            }
            Type::Struct(id) => {
                let fields = self.flat.structs.get(id.index()).map_or(&[][..], |def| &def.fields);
                let (end, most) = fields.iter().fold((0_u32, 1), |(end, most), field| {
                    let (FieldType::Value(ty) | FieldType::Lanes(ty)) = &field.ty;
                    let (bytes, alignment) = self.bytes(ty);
                    (end.next_multiple_of(alignment).saturating_add(bytes), most.max(alignment))
                });
                (end.next_multiple_of(most), most)
            }
        }
    }

    /// Returns `true` if the votes need counters, because the hardware does not count.
    pub(super) fn counts_votes(&self) -> bool {
        self.phases.votes() && self.options.dialect == Dialect::OpenCl
    }

    /// The fields of the context that a grouped kernel has beside those of any.
    pub(super) fn group_fields(&mut self) -> String {
        let Some(scratch) = &self.flat.scratch else { return String::new() };
        let ty = self.type_name(scratch);
        let shared = self.options.dialect.shared_pointer();
        let mut text = "    u32 lane;\n    u32 lane_row;\n    bool lane_active;\n".to_owned();
        for field in &self.queries {
            text.push_str(&format!("    u32 {field};\n"));
        }
        if self.phases.uniform_faults() {
            text.push_str("    u32 lane_fault;\n");
        }
        if self.phases.uses_elements() {
            text.push_str(&format!("    {shared}{ty} *scratch;\n"));
        }
        if self.phases.own_elements() {
            text.push_str(&format!("    {ty} own_element;\n"));
        }
        if self.counts_votes() {
            text.push_str(&format!("    u32 group_turn;\n    volatile {shared}u32 *group_votes;\n"));
        }
        if self.reads_for_all() {
            text.push_str(&format!("    {shared}u32 *group_slot;\n"));
        }
        text
    }

    /// Reports the fault of a row, which there is, to the slots of the launch.
    pub(super) fn report_fault(&self, out: &mut Writer, row: &str) {
        let (first, least) = (self.launch_word(1), self.options.dialect.atomic_min());
        out.line(&format!("{least}(&state[{first} + ctx.fault - 1u], {row});"));
        if self.keeps_operands() {
            out.open("for (u32 fault_bit = 0u; fault_bit < 32u; ++fault_bit) {");
            for word in 0..3 {
                let slot = self.flat.sites.len() + 32 * word;
                out.open(&format!("if (((ctx.fault_words[{word}] >> fault_bit) & 1u) != 0u) {{"));
                out.line(&format!("{least}(&state[{first} + {slot}u + fault_bit], {row});"));
                out.close("}");
            }
            out.close("}");
        }
    }
}
