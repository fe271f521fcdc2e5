//! Memory that a group shares.
//!
//! WGSL takes only barriers of which it sees that every invocation reaches them. What it takes to be the same for a
//! whole workgroup are parameters and read-only buffers at such places, but no private variables; so the functions of
//! the group read the launch block where they need it, and are passed what they ask about the group. Everything else
//! that the group reads comes by `workgroupUniformLoad`, which is a barrier before and after a load.

use super::state::Lowering;
use crate::names::to_u32;
use crate::phases;

/// Number of invocations that llvmpipe runs as one vector. In Mesa 22.3 the lanes that a workgroup leaves free in its
/// last vector take part in loops, with 0 for all that they load. The vector goes on while they stay, meets more
/// barriers than the others, and loses what follows. So workgroups leave no lane free.
const VECTOR: u32 = 8;

impl Lowering<'_> {
    /// Number of invocations of a workgroup: rows of a group, and what fills the last vector.
    pub(super) fn invocations(&self) -> u32 {
        if self.flat.shape.is_grouped() { self.workgroup_size.next_multiple_of(VECTOR) } else { self.workgroup_size }
    }

    /// Returns `true` if there are invocations beyond the rows of a whole group. They are never active.
    pub(super) fn has_spare(&self) -> bool {
        self.invocations() != self.workgroup_size
    }

    /// A statement that sets the invocation's element.
    pub(super) fn set_element(&self, value: &str) -> String {
        let set = format!("scratch[lane] = {value};");
        if self.has_spare() { format!("if (lane < {}u) {{ {set} }}", self.workgroup_size) } else { set }
    }

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
