//! The signature of an entry point, and which rows its workgroups and invocations have.

use super::state::Lowering;
use crate::walk::{Writer, number};
use imminent_ir::launch::{EXTENT_WORD, ROWS_PER_GROUP, TURN_WORD};

/// Parameters of every entry point, and the rows of its group. Groups are counted before their number is multiplied, so
/// that nothing wraps.
pub(super) fn header(out: &mut Writer, size: u32) {
    out.line(&format!("@compute @workgroup_size({size})"));
    out.open("fn main(");
    out.line("@builtin(local_invocation_index) invocation: u32,");
    out.line("@builtin(workgroup_id) workgroup: vec3<u32>,");
    out.line("@builtin(num_workgroups) workgroups: vec3<u32>,");
    out.between(") {");
}

/// Declares `rows`, `group`, `first` and `present`: how many rows this group has, 0 for a group past the last one or
/// when it is not the launch's turn. Over a subset it opens a loop, which `close_groups` closes: few workgroups are
/// dispatched, and each goes from group to group as far as the list reaches, which only the device knows. The barriers
/// inside need a loop that is uniform: the count is read-only, and the turn is loaded for the whole workgroup.
pub(super) fn open_groups(low: &mut Lowering<'_>, out: &mut Writer, of: Elements) {
    let shift = ROWS_PER_GROUP.trailing_zeros();
    let mask = ROWS_PER_GROUP - 1;
    let groups = format!("(rows >> {shift}u) + u32((rows & {mask}u) != 0u)");
    let present = format!("min(rows - first, {ROWS_PER_GROUP}u)");
    if low.options.subset {
        low.workgroup_vars.push("var<workgroup> launch_turn: u32;".to_owned());
        out.open("if (invocation == 0u) {");
        out.line("launch_turn = atomicLoad(&state[0]);");
        out.close("}");
        // The turn is passed on between launches alone: what the first invocation reads is true for all.
        out.open(&format!("if (workgroupUniformLoad(&launch_turn) != launch[{TURN_WORD}]) {{"));
        out.line("return;");
        out.close("}");
        rows(low, out, of);
        out.line(&format!("let groups = {groups};"));
        out.line("let own_group = workgroup.y * workgroups.x + workgroup.x;");
        out.open("for (var group = own_group; group < groups; group += workgroups.x * workgroups.y) {");
        out.line(&format!("let first = group << {shift}u;"));
        out.line(&format!("let present = {present};"));
        return;
    }
    rows(low, out, of);
    out.line("let group = launch[2] + workgroup.y * workgroups.x + workgroup.x;");
    out.line(&format!("let first = group << {shift}u;"));
    out.line("var present = 0u;");
    out.open(&format!("if (group < {groups} && atomicLoad(&state[0]) == launch[{TURN_WORD}]) {{"));
    out.line(&format!("present = {present};"));
    out.close("}");
}

/// Kind of elements that make up the groups of a kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Elements {
    /// Rows.
    Rows,
    /// Results of the level below.
    Results,
}

/// Declares `rows`: how many elements there are.
fn rows(low: &Lowering<'_>, out: &mut Writer, of: Elements) {
    match (low.options.subset, of) {
        (false, _) => out.line("let rows = launch[0];"),
        (true, Elements::Rows) => out.line("let rows = min(subset_count[0], launch[0]);"),
        (true, Elements::Results) => {
            let (shift, mask) = (ROWS_PER_GROUP.trailing_zeros(), ROWS_PER_GROUP - 1);
            out.line("var rows = min(subset_count[0], launch[0]);");
            out.open(&format!("for (var level = 0u; level < launch[{EXTENT_WORD}]; level++) {{"));
            out.line(&format!("rows = (rows >> {shift}u) + u32((rows & {mask}u) != 0u);"));
            out.close("}");
        }
    }
}

/// Raises the fault of a kernel whose loops are watched, if one was cut.
pub(super) fn watch_loops(low: &mut Lowering<'_>, out: &mut Writer) {
    if let Some(site) = low.flat.watched_loops() {
        let (cut, raise) = (low.helper("loops_are_cut"), low.helper("raise"));
        out.open(&format!("if ({cut}()) {{"));
        out.line(&format!("{raise}({});", number(site)));
        out.close("}");
    }
}

/// Opens the block in which an invocation handles element `item` of its group; closed by `close_items`.
pub(super) fn open_items(out: &mut Writer, size: u32) {
    if size == ROWS_PER_GROUP {
        out.line("let item = invocation;");
        out.open("if (item < present) {");
    } else {
        out.open(&format!("for (var item = invocation; item < present; item += {size}u) {{"));
    }
}
