//! Memory that a group shares.
//!
//! WGSL takes only barriers of which it sees that every invocation reaches them. What it takes to be the same for a
//! whole workgroup are parameters and read-only buffers at such places, but no private variables; so the functions of
//! the group read the launch block where they need it, and are passed what they ask about the group. Everything else
//! that the group reads comes by `workgroupUniformLoad`, which is a barrier before and after a load.

use super::state::Lowering;
use imminent_ir::{Scalar, Type};

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
}
