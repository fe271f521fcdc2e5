//! The entry point of a grouped kernel: the group's rows, its memory, and what its first invocation does for all.

use super::combine::Combine;
use super::rows;
use super::state::Lowering;
use crate::LoweringError;
use crate::reduction::Reduction;
use crate::walk::{Dialect as _, Writer};
use imminent_ir::Shape;
use imminent_ir::launch::{EXTENT_WORD, ReduceLayout, TURN_WORD};

/// Writes the entry point.
pub(super) fn write(low: &mut Lowering<'_>, out: &mut Writer) -> Result<Option<ReduceLayout>, LoweringError> {
    let flat = low.flat;
    let Some(body) = flat.entry() else { return Err(low.ill("there is no function")) };
    let combine = Reduction::of(flat, &body.result)?.map(Combine);
    let function = low.functions.last().cloned().unwrap_or_default();
    rows::header(out, low.workgroup_size);
    for (name, word) in &low.privates {
        out.line(&format!("{name} = launch[{word}];"));
    }
    out.line("lane = invocation;");
    out.line("let rows = launch[0];");
    out.line("let group = launch[2] + workgroup.y * workgroups.x + workgroup.x;");
    groups(low, out);
    begin(low, out);
    // The turn is passed on between launches alone: what the first invocation reads is true for all.
    out.line("let turn = workgroupUniformLoad(&group_turn);");
    out.open(&format!("if (group >= groups || turn != launch[{TURN_WORD}]) {{"));
    out.line("return;");
    out.close("}");
    place(low, out);
    for line in low.computed_constants()? {
        out.line(&line);
    }
    let mut args = vec!["group"];
    args.extend(low.asked(flat.functions.len() - 1).iter().map(|query| match *query {
        "group_index" => "group",
        _ => "present",
    }));
    let call = format!("{function}({})", args.join(", "));
    match &combine {
        Some(combine) if combine.0.counts() => {
            out.line(&format!("let value = u32({call});"));
        }
        Some(_) => out.line(&format!("let value = {call};")),
        None => out.line(&format!("{call};")),
    }
    if let Some(combine) = &combine {
        out.open("if (lane == 0u) {");
        combine.write_value(low, out, "partials");
        out.close("}");
    }
    faults(low, out);
    out.close("}");
    Ok(combine.map(|c| c.0.layout()))
}

/// Declares `groups`: how many there are.
fn groups(low: &Lowering<'_>, out: &mut Writer) {
    let parts = |whole: &str, part: u32| match part {
        1 => whole.to_owned(),
        _ => format!("({whole} / {part}u + u32({whole} % {part}u != 0u))"),
    };
    match low.flat.shape {
        Shape::Tile(width, height) => {
            out.line(&format!("let grid_width = launch[{EXTENT_WORD}];"));
            // A grid without columns has no rows either.
            out.line("let grid_height = rows / max(grid_width, 1u);");
            out.line(&format!("let tiles_across = {};", parts("grid_width", width)));
            out.line(&format!("let groups = tiles_across * {};", parts("grid_height", height)));
        }
        shape => out.line(&format!("let groups = {};", parts("rows", shape.size()))),
    }
}

/// Makes the group's memory ready. The load of the turn that follows is a barrier.
fn begin(low: &Lowering<'_>, out: &mut Writer) {
    if let Some(scratch) = low.flat.scratch.as_ref().filter(|_| low.phases.uses_elements()) {
        out.line(&format!("scratch[lane] = {}();", low.shared_type(scratch)));
    }
    out.open("if (lane == 0u) {");
    if low.phases.votes() {
        out.line("atomicStore(&group_votes, 0u);");
    }
    out.line("group_turn = atomicLoad(&state[0]);");
    out.close("}");
    if low.phases.uniform_faults() {
        out.line("fault = select(0xffffffffu, 0u, lane == 0u);");
    }
}

/// Sets the invocation's place in the group, and whether there is a row for it; declares `present`, the rows of the
/// group.
fn place(low: &Lowering<'_>, out: &mut Writer) {
    match low.flat.shape {
        Shape::Tile(width, height) => {
            out.line(&format!("let tile_x = group % tiles_across * {width}u;"));
            out.line(&format!("let tile_y = group / tiles_across * {height}u;"));
            out.line(&format!(
                "let present = min(grid_width - tile_x, {width}u) * min(grid_height - tile_y, {height}u);"
            ));
            out.line(&format!("let x = tile_x + lane % {width}u;"));
            out.line(&format!("let y = tile_y + lane / {width}u;"));
            out.line("lane_row = y * grid_width + x;");
            out.line("lane_active = x < grid_width && y < grid_height;");
            for (name, value) in [("lane_x", "x"), ("lane_y", "y")] {
                if low.queries.contains(name) {
                    out.line(&format!("{name} = {value};"));
                }
            }
        }
        shape => {
            let size = shape.size();
            out.line(&format!("let first = group * {size}u;"));
            out.line(&format!("let present = min(rows - first, {size}u);"));
            out.line("lane_row = first + lane;");
            out.line("lane_active = lane < present;");
        }
    }
    for (name, value) in [("group_index", "group"), ("group_len", "present")] {
        if low.queries.contains(name) {
            out.line(&format!("{name} = {value};"));
        }
    }
}

/// Reports the first fault of each row.
fn faults(low: &mut Lowering<'_>, out: &mut Writer) {
    if !low.flat.facts.faults {
        return;
    }
    if low.phases.uniform_faults() {
        out.open("if (lane != 0u) {");
        out.line("fault = lane_fault;");
        out.close("}");
    }
    rows::watch_loops(low, out);
    out.open("if (lane_active && fault != 0u) {");
    low.report_fault(out, "lane_row");
    out.close("}");
}
