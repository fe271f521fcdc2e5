//! The entry point: which row an invocation has, faults, and the first level of the reduction.

use super::lowering::Lowering;
use super::memory::{Way, WordCode};
use super::reduce::Combine;
use super::stmt::number;
use super::writer::Writer;
use super::{EXTENT_WORD, ROWS_PER_GROUP, ReduceLayout, TURN_WORD, WgslError};
use imminent_ir::{Reduce, Type};

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
/// when it is not the launch's turn. Over a subset it opens a loop, which [`close_groups`] closes: few workgroups are dispatched, and
/// each goes from group to group as far as the list reaches, which only the device knows. The barriers inside need a loop that is
/// uniform: the count is read-only, and the turn is loaded for the whole workgroup.
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

/// Ends what [`open_groups`] began; `combine` is what the groups' rows return, if anything.
pub(super) fn close_groups(low: &Lowering<'_>, out: &mut Writer, combine: Option<&Combine>, target: &str) {
    if !low.options.subset {
        return;
    }
    if combine.is_some() {
        // The next group's results go where this one's are still being read.
        out.line("workgroupBarrier();");
    }
    out.close("}");
    if let Some(combine) = combine {
        combine.of_no_rows(out, target);
    }
}

/// What the groups of a kernel are made of.
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

/// The lines that load the kept fields of the own rows, and those that store them.
fn kept(low: &mut Lowering<'_>) -> Result<(Vec<String>, Vec<String>), WgslError> {
    let (mut loads, mut stores) = (Vec::new(), Vec::new());
    for ((binding, field), kept) in low.kept.clone() {
        let (text, number) = low.field_constant(kept.row, field);
        let word = WordCode { text, number: Some(number) };
        let (load, args) = low.access(Way::Load, binding, &kept.ty, &word, Some("row"))?;
        loads.push(format!("{} = {load}({args});", kept.name));
        if kept.is_stored {
            let (store, args) = low.access(Way::Store, binding, &kept.ty, &word, Some("row"))?;
            stores.push(format!("{store}({args}, {});", kept.name));
        }
    }
    Ok((loads, stores))
}

/// Writes the entry point.
pub(super) fn write(low: &mut Lowering<'_>, out: &mut Writer) -> Result<Option<ReduceLayout>, WgslError> {
    let flat = low.flat;
    let size = low.options.workgroup_size;
    let Some(entry) = flat.entry() else { return Err(low.ill("there is no function")) };
    let combine = match (flat.reduce, &entry.result) {
        (Some(reduce), Type::Scalar(scalar)) => Some(Combine::new(reduce, *scalar)?),
        _ => None,
    };
    let function = low.functions.last().cloned().unwrap_or_default();
    let mut body = Writer::default();
    let constants = low.computed_constants()?;
    // What is in a loop should not be computed again in each turn of it.
    let (before, inside) = if low.options.subset { (constants, Vec::new()) } else { (Vec::new(), constants) };
    before.iter().for_each(|line| body.line(line));
    open_groups(low, &mut body, Elements::Rows);
    inside.iter().for_each(|line| body.line(line));
    open_items(&mut body, size);
    if low.options.subset {
        body.line("let row = subset_rows[first + item];");
        // No table has a row of a greater number, so none was chosen; a list that holds one all the same does no harm.
        body.open(&format!("if (row < launch[{EXTENT_WORD}]) {{"));
    } else {
        body.line("let row = first + item;");
    }
    if flat.facts.faults {
        body.line("fault = 0u;");
    }
    let (loads, stores) = kept(low)?;
    loads.iter().for_each(|line| body.line(line));
    match &combine {
        Some(combine) => {
            let value = format!("{function}(row)");
            let value =
                if matches!(combine.reduce, Reduce::Count | Reduce::Any) { format!("u32({value})") } else { value };
            body.line(&format!("results[item] = {value};"));
            if combine.with_row() {
                body.line("result_rows[item] = row;");
            }
        }
        None => body.line(&format!("{function}(row);")),
    }
    stores.iter().for_each(|line| body.line(line));
    watch_loops(low, &mut body);
    if flat.facts.faults {
        body.open("if (fault != 0u) {");
        low.report_fault(&mut body, "row");
        body.close("}");
    }
    if low.options.subset {
        if let Some(combine) = &combine {
            body.between("} else {");
            combine.nothing(low, &mut body);
        }
        body.close("}");
    }
    body.close("}");
    if let Some(combine) = &combine {
        combine.tree(low, &mut body, size, "partials");
    }
    close_groups(low, &mut body, combine.as_ref(), "partials");
    header(out, size);
    // The private variables are known only now that the body has been written.
    for (name, word) in &low.privates {
        out.line(&format!("{name} = launch[{word}];"));
    }
    out.lines(&body.finish().0);
    out.close("}");
    Ok(combine.map(|c| c.layout()))
}
