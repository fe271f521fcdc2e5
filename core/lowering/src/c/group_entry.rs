//! The entry point of a grouped kernel: the group's rows, its memory, and what its first invocation does for all.

use super::combine::Combine;
use super::rows;
use super::state::Lowering;
use crate::LoweringError;
use crate::reduction::Reduction;
use crate::walk::{Dialect as _, Types, Writer};
use imminent_ir::Shape;
use imminent_ir::launch::{EXTENT_WORD, ReduceLayout};

/// Writes the entry point.
pub(super) fn write(low: &mut Lowering<'_>, out: &mut Writer) -> Result<Option<ReduceLayout>, LoweringError> {
    let flat = low.flat;
    let Some(body) = flat.entry() else { return Err(low.ill("there is no function")) };
    let combine = Reduction::of(flat, &body.result)?.map(Combine);
    let function = low.functions.last().cloned().unwrap_or_default();
    let parameters = low.parameters(combine.is_some());
    rows::header(low, out, &parameters);
    shared_memory(low, out);
    out.line(&format!("const u32 rows = {};", low.launch_word(0)));
    out.line(&format!("const u32 group = {};", low.options.dialect.group()));
    groups(low, out);
    // The same for all invocations of the group: the turn is passed on between launches alone.
    out.open(&format!("if (group < groups && {}) {{", low.in_turn()));
    for line in low.context_setup(&parameters) {
        out.line(&line);
    }
    out.line(&format!("ctx.lane = {};", low.options.dialect.invocation()));
    place(low, out);
    begin(low, out);
    match &combine {
        Some(combine) => {
            let cast = if combine.0.counts() { "(u32)" } else { "" };
            let ty = combine.0.layout().scalar;
            out.line(&format!("const {ty} value = {cast}{function}(&ctx, group);"));
            out.open("if (ctx.lane == 0u) {");
            combine.write_value(low, out, "partials");
            out.close("}");
        }
        None => out.line(&format!("{function}(&ctx, group);")),
    }
    faults(low, out);
    out.close("}");
    out.close("}");
    Ok(combine.map(|c| c.0.layout()))
}

/// Declares what the group shares.
fn shared_memory(low: &mut Lowering<'_>, out: &mut Writer) {
    let shared = low.options.dialect.shared();
    let size = low.workgroup_size;
    if low.phases.uses_elements()
        && let Some(scratch) = &low.flat.scratch
    {
        let ty = low.type_name(scratch);
        out.line(&format!("{shared} {ty} scratch[{size}];"));
    }
    if low.counts_votes() {
        out.line(&format!("{shared} u32 group_votes[3];"));
    }
    if low.reads_for_all() {
        out.line(&format!("{shared} u32 group_slot[2];"));
    }
}

/// Declares `groups`: how many there are.
fn groups(low: &Lowering<'_>, out: &mut Writer) {
    let parts = |whole: &str, part: u32| match part {
        1 => whole.to_owned(),
        _ => format!("({whole} / {part}u + ({whole} % {part}u != 0u ? 1u : 0u))"),
    };
    match low.flat.shape {
        Shape::Tile(width, height) => {
            out.line(&format!("const u32 grid_width = {};", low.launch_word(EXTENT_WORD)));
            out.line("const u32 grid_height = grid_width == 0u ? 0u : rows / grid_width;");
            out.line(&format!("const u32 tiles_across = {};", parts("grid_width", width)));
            out.line(&format!("const u32 groups = tiles_across * {};", parts("grid_height", height)));
        }
        shape => out.line(&format!("const u32 groups = {};", parts("rows", shape.size()))),
    }
}

/// Sets the invocation's place in the group, and whether there is a row for it.
fn place(low: &Lowering<'_>, out: &mut Writer) {
    let asks = |query: &str| low.queries.contains(query);
    match low.flat.shape {
        Shape::Tile(width, height) => {
            out.line(&format!("const u32 tile_x = group % tiles_across * {width}u;"));
            out.line(&format!("const u32 tile_y = group / tiles_across * {height}u;"));
            out.line(&format!("const u32 lane_x = tile_x + ctx.lane % {width}u;"));
            out.line(&format!("const u32 lane_y = tile_y + ctx.lane / {width}u;"));
            out.line("ctx.lane_row = lane_y * grid_width + lane_x;");
            out.line("ctx.lane_active = lane_x < grid_width && lane_y < grid_height;");
            for name in ["lane_x", "lane_y"].into_iter().filter(|name| asks(name)) {
                out.line(&format!("ctx.{name} = {name};"));
            }
            if asks("group_len") {
                let within = |whole: &str, start: &str, most: u32| {
                    format!("({whole} - {start} < {most}u ? {whole} - {start} : {most}u)")
                };
                let (across, down) = (within("grid_width", "tile_x", width), within("grid_height", "tile_y", height));
                out.line(&format!("ctx.group_len = {across} * {down};"));
            }
        }
        shape => {
            let size = shape.size();
            out.line(&format!("const u32 first = group * {size}u;"));
            out.line(&format!("const u32 present = rows - first < {size}u ? rows - first : {size}u;"));
            out.line("ctx.lane_row = first + ctx.lane;");
            out.line("ctx.lane_active = ctx.lane < present;");
            if asks("group_len") {
                out.line("ctx.group_len = present;");
            }
        }
    }
    if asks("group_index") {
        out.line("ctx.group_index = group;");
    }
}

/// Makes the group's memory ready.
fn begin(low: &mut Lowering<'_>, out: &mut Writer) {
    let mut shares = false;
    if let Some(scratch) = &low.flat.scratch
        && (low.phases.uses_elements() || low.phases.own_elements())
    {
        let (ty, zero) = (low.type_name(scratch), low.zero(scratch));
        out.line(&format!("const {ty} nothing = {zero};"));
        if low.phases.own_elements() {
            out.line("ctx.own_element = nothing;");
        }
        if low.phases.uses_elements() {
            out.line("ctx.scratch = scratch;");
            out.line("scratch[ctx.lane] = nothing;");
            shares = true;
        }
    }
    if low.counts_votes() {
        out.line("ctx.group_turn = 0u;");
        out.line("ctx.group_votes = group_votes;");
        out.open("if (ctx.lane == 0u) {");
        out.line("group_votes[0] = 0u;");
        out.close("}");
        shares = true;
    }
    if low.reads_for_all() {
        out.line("ctx.group_slot = group_slot;");
    }
    if low.phases.uniform_faults() {
        out.line("ctx.lane_fault = 0u;");
        out.line("ctx.fault = ctx.lane == 0u ? 0u : 0xffffffffu;");
    }
    if shares {
        out.line(low.barrier());
    }
}

/// Reports the first fault of each row.
fn faults(low: &Lowering<'_>, out: &mut Writer) {
    if !low.flat.facts.faults {
        return;
    }
    if low.phases.uniform_faults() {
        out.open("if (ctx.lane != 0u) {");
        out.line("ctx.fault = ctx.lane_fault;");
        out.close("}");
    }
    out.open("if (ctx.lane_active && ctx.fault != 0u) {");
    low.report_fault(out, "ctx.lane_row");
    out.close("}");
}
