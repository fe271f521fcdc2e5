//! Memory that a group shares.
//!
//! WGSL takes only barriers of which it sees that every invocation reaches them. What it takes to be the same for a
//! whole workgroup are parameters and read-only buffers at such places, but no private variables; so the functions of
//! the group read the launch block where they need it, and are passed what they ask about the group. Everything else
//! that the group reads comes by `workgroupUniformLoad`, which is a barrier before and after a load.

use super::state::Lowering;
use crate::names::to_u32;
use crate::phases;

impl Lowering<'_> {
    /// Returns `true` if the first invocation reads a row for its group somewhere.
    pub(super) fn reads_for_all(&self) -> bool {
        self.shares_buffers()
            || (0..to_u32(self.flat.bindings.len())).any(|binding| phases::is_read_for_all(self.flat, binding))
    }

    /// The variables of a grouped shader beside those of any.
    pub(super) fn group_variables(&mut self) -> Vec<String> {
        let Some(scratch) = &self.flat.scratch else { return Vec::new() };
        let (ty, shared) = (self.type_text(scratch), self.shared_type(scratch));
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
        when(self.phases.uses_elements(), format!("var<workgroup> scratch: array<{shared}, {}>;", self.workgroup_size));
        when(self.phases.votes(), "var<workgroup> group_votes: atomic<u32>;".to_owned());
        when(self.reads_for_all(), "var<workgroup> group_slot: vec2<u32>;".to_owned());
        when(true, "var<workgroup> group_turn: u32;".to_owned());
        variables
    }
}
