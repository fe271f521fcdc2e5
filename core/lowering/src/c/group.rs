//! Memory that a group shares.

use super::options::Dialect;
use super::state::Lowering;
use crate::walk::Types;

impl Lowering<'_> {
    /// Returns `true` if the votes need counters, because the hardware does not count.
    pub(super) fn counts_votes(&self) -> bool {
        self.phases.votes() && self.options.dialect == Dialect::OpenCl
    }

    /// The fields of the context that a grouped kernel has beside those of any.
    pub(super) fn group_fields(&mut self) -> String {
        let Some(scratch) = &self.flat.scratch else { return String::new() };
        let ty = self.type_name(scratch);
        let shared = self.options.dialect.shared_pointer();
        let runs = if self.has_stages() { "    bool runs;\n" } else { "" };
        let mut text = format!("{runs}    u32 lane;\n    u32 lane_row;\n    bool lane_active;\n");
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
        text
    }
}
