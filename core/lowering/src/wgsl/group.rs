//! Memory that a group shares, and the report of the faults of its rows.
//!
//! WGSL takes only barriers of which it sees that every invocation reaches them. What it takes to be the same for a
//! whole workgroup are parameters and read-only buffers at such places, but no private variables; so the functions of
//! the group read the launch block where they need it, and are passed what they ask about the group. Everything else
//! that the group reads comes by `workgroupUniformLoad`, which is a barrier before and after a load.

use super::state::Lowering;
use crate::phases;
use crate::walk::Writer;
use imminent_ir::{FieldType, Scalar, Type};

impl Lowering<'_> {
    /// Returns `true` if elements are `bool`. A group shares them as words, since NVIDIA's Vulkan driver 580.159 reads
    /// workgroup memory of `bool` wrongly.
    pub(super) fn shares_bool(&self) -> bool {
        self.flat.scratch == Some(Type::Scalar(Scalar::Bool))
    }

    /// The type of the elements that a group shares.
    pub(super) fn shared_type(&self, element: &Type) -> String {
        if self.shares_bool() { "u32".to_owned() } else { self.type_text(element) }
    }

    /// Returns `true` if the first invocation reads a row for its group somewhere.
    pub(super) fn reads_for_all(&self) -> bool {
        (0..self.flat.bindings.len() as u32).any(|binding| phases::is_read_for_all(self.flat, binding))
    }

    /// The variables of a grouped shader beside those of any.
    pub(super) fn group_variables(&self) -> Vec<String> {
        let Some(scratch) = &self.flat.scratch else { return Vec::new() };
        let ty = self.type_text(scratch);
        let mut variables: Vec<String> =
            ["lane: u32", "lane_row: u32", "lane_active: bool"].map(|one| format!("var<private> {one};")).into();
        variables.extend(self.queries.iter().map(|name| format!("var<private> {name}: u32;")));
        let mut when = |condition: bool, text: String| {
            if condition {
                variables.push(text);
            }
        };
        when(self.phases.uniform_faults(), "var<private> lane_fault: u32;".to_owned());
        when(self.phases.own_elements(), format!("var<private> own_element: {ty};"));
        when(
            self.phases.uses_elements(),
            format!("var<workgroup> scratch: array<{}, {}>;", self.shared_type(scratch), self.workgroup_size),
        );
        when(self.phases.votes(), "var<workgroup> group_votes: atomic<u32>;".to_owned());
        when(self.reads_for_all(), "var<workgroup> group_slot: vec2<u32>;".to_owned());
        when(true, "var<workgroup> group_turn: u32;".to_owned());
        variables
    }

    /// Bytes that a group shares.
    pub(super) fn group_bytes(&self) -> u32 {
        let scratch = self.flat.scratch.as_ref().filter(|_| self.phases.uses_elements());
        let elements = scratch.map_or(0, |ty| {
            let (bytes, alignment) = self.bytes(ty);
            bytes.next_multiple_of(alignment).saturating_mul(self.workgroup_size)
        });
        // Votes, slot and turn, each as far apart as alignment may put them.
        elements.saturating_add(32)
    }

    /// Size and alignment that WGSL gives a type.
    fn bytes(&self, ty: &Type) -> (u32, u32) {
        match ty {
            Type::Unit => (0, 1),
            Type::Scalar(Scalar::Bool) | Type::Enum(_) => (4, 4),
            Type::Scalar(scalar) => (scalar.words() * 4, scalar.words() * 4),
            Type::Array(element, count) => {
                let (bytes, alignment) = self.bytes(element);
                (bytes.next_multiple_of(alignment).saturating_mul(*count), alignment)
            }
            Type::Struct(id) => {
                let fields = self.flat.structs.get(id.index()).map_or(&[][..], |def| &def.fields);
                let (end, most) = fields.iter().fold((0_u32, 4), |(end, most), field| {
                    let (FieldType::Value(ty) | FieldType::Lanes(ty)) = &field.ty;
                    let (bytes, alignment) = self.bytes(ty);
                    (end.next_multiple_of(alignment).saturating_add(bytes), most.max(alignment))
                });
                (end.next_multiple_of(most), most)
            }
        }
    }

    /// Reports the fault of a row, which there is, to the slots of the launch.
    pub(super) fn report_fault(&self, out: &mut Writer, row: &str) {
        out.line(&format!("atomicMin(&state[launch[1] + fault - 1u], {row});"));
        if self.keeps_operands() {
            out.open("for (var fault_bit = 0u; fault_bit < 32u; fault_bit += 1u) {");
            for (word, name) in ["x", "y", "z"].into_iter().enumerate() {
                let slot = self.flat.sites.len() + 32 * word;
                out.open(&format!("if (((fault_words.{name} >> fault_bit) & 1u) != 0u) {{"));
                out.line(&format!("atomicMin(&state[launch[1] + {slot}u + fault_bit], {row});"));
                out.close("}");
            }
            out.close("}");
        }
    }
}
