//! The signature of an entry point, and which rows its workgroups and invocations have.

use super::options::Dialect;
use super::source::{Parameter, ParameterRole};
use super::state::Lowering;
use crate::walk::Writer;
use imminent_ir::launch::{EXTENT_WORD, ROWS_PER_GROUP};

/// Writes the signature of a kernel and opens its body.
pub(super) fn header(low: &Lowering<'_>, out: &mut Writer, parameters: &[Parameter]) {
    let dialect = low.options.dialect;
    let (size, name) = (low.workgroup_size, &low.entry);
    out.open(&match dialect {
        Dialect::Cuda => format!("extern \"C\" __global__ void __launch_bounds__({size}) {name}("),
        Dialect::OpenCl => {
            format!("__kernel __attribute__((reqd_work_group_size({size}, 1, 1))) void {name}(")
        }
    });
    for (at, parameter) in parameters.iter().enumerate() {
        let constant = if parameter.writable { "" } else { "const " };
        let ty = match parameter.role {
            ParameterRole::Launch if low.options.launch_in_buffer => "GLOBAL const imminent_launch *".to_owned(),
            ParameterRole::Launch if dialect == Dialect::Cuda => "const __grid_constant__ imminent_launch ".to_owned(),
            ParameterRole::Launch => "const imminent_launch ".to_owned(),
            ParameterRole::State => "GLOBAL u32 *".to_owned(),
            _ => format!("GLOBAL {constant}u32 *{}", dialect.restrict()),
        };
        let comma = if at + 1 < parameters.len() { "," } else { "" };
        out.line(&format!("{ty}{}{comma}", parameter.name));
    }
    out.between(") {");
}

/// Declares `rows`, `group`, `first` and `present`: how many rows this group has, 0 for a group past the last one or
/// when it is not the launch's turn. Over a subset it opens a loop, which `close_groups` closes: few workgroups are
/// launched, and each goes from group to group as far as the list reaches, which only the device knows.
pub(super) fn open_groups(low: &Lowering<'_>, out: &mut Writer, of: Elements) {
    let dialect = low.options.dialect;
    let shift = ROWS_PER_GROUP.trailing_zeros();
    let mask = ROWS_PER_GROUP - 1;
    let turn = low.in_turn();
    let groups = format!("(rows >> {shift}u) + ((rows & {mask}u) != 0u ? 1u : 0u)");
    let present = format!("rows - first < {ROWS_PER_GROUP}u ? rows - first : {ROWS_PER_GROUP}u");
    rows(low, out, of);
    if low.options.subset {
        out.line(&format!("const u32 invocation = {};", dialect.invocation()));
        out.line(&format!("const u32 groups = {turn} ? {groups} : 0u;"));
        out.open(&format!("for (u32 group = {}; group < groups; group += {}) {{", dialect.group(), dialect.groups()));
        out.line(&format!("const u32 first = group << {shift}u;"));
        out.line(&format!("const u32 present = {present};"));
        return;
    }
    out.line(&format!("const u32 group = {};", dialect.group()));
    out.line(&format!("const u32 invocation = {};", dialect.invocation()));
    out.line(&format!("const u32 first = group << {shift}u;"));
    out.line("u32 present = 0u;");
    out.open(&format!("if (group < {groups} && {turn}) {{"));
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
    let most = low.launch_word(0);
    if !low.options.subset {
        out.line(&format!("const u32 rows = {most};"));
        return;
    }
    let changes = if of == Elements::Results { "" } else { "const " };
    out.line(&format!("{changes}u32 rows = subset_count[0] < {most} ? subset_count[0] : {most};"));
    if of == Elements::Results {
        let (shift, mask) = (ROWS_PER_GROUP.trailing_zeros(), ROWS_PER_GROUP - 1);
        out.open(&format!("for (u32 level = 0u; level < {}; ++level) {{", low.launch_word(EXTENT_WORD)));
        out.line(&format!("rows = (rows >> {shift}u) + ((rows & {mask}u) != 0u ? 1u : 0u);"));
        out.close("}");
    }
}

/// Opens the block in which an invocation handles element `item` of its group; closed by `}`.
pub(super) fn open_items(out: &mut Writer, size: u32, condition: &str) {
    if size == ROWS_PER_GROUP {
        out.line("const u32 item = invocation;");
        out.open(&format!("if ({condition}) {{"));
    } else {
        out.open(&format!("for (u32 item = invocation; {condition}; item += {size}u) {{"));
    }
}
