//! The entry point: which row an invocation has, faults, and the first level of the reduction.

use super::lowering::Lowering;
use super::memory::Way;
use super::options::Dialect;
use super::reduce::Combine;
use super::source::{Parameter, ParameterRole};
use super::writer::Writer;
use super::{CError, EXTENT_WORD, ROWS_PER_GROUP, ReduceLayout};
use imminent_ir::{Reduce, Type};

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
/// when it is not the launch's turn. Over a subset it opens a loop, which [`close_groups`] closes: few workgroups are launched, and
/// each goes from group to group as far as the list reaches, which only the device knows.
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

/// Ends what [`open_groups`] began; `combine` is what the groups' rows return, if anything.
pub(super) fn close_groups(low: &mut Lowering<'_>, out: &mut Writer, combine: Option<&Combine>, target: &str) {
    if !low.options.subset {
        return;
    }
    if combine.is_some() {
        // The next group's results go where this one's are still being read.
        out.line(low.options.dialect.barrier());
    }
    out.close("}");
    if let Some(combine) = combine {
        combine.of_no_rows(low, out, target);
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

/// The lines that load the kept fields of the own rows, and those that store them.
fn kept(low: &mut Lowering<'_>) -> Result<(Vec<String>, Vec<String>), CError> {
    let (mut loads, mut stores) = (Vec::new(), Vec::new());
    for ((binding, field), kept) in low.kept.clone() {
        let word = low.field_constant(kept.row, field);
        let (load, _) = low.access(Way::Load, binding, &kept.ty, &word, Some("row"))?;
        loads.push(format!("ctx.{} = {load}(&ctx, {word}, row);", kept.name));
        if kept.is_stored {
            let (store, _) = low.access(Way::Store, binding, &kept.ty, &word, Some("row"))?;
            stores.push(format!("{store}(&ctx, {word}, row, ctx.{});", kept.name));
        }
    }
    Ok((loads, stores))
}

/// Writes the entry point.
pub(super) fn write(low: &mut Lowering<'_>, out: &mut Writer) -> Result<Option<ReduceLayout>, CError> {
    let flat = low.flat;
    let size = low.options.workgroup_size;
    let Some(entry) = flat.entry() else { return Err(low.ill("there is no function")) };
    let combine = match (flat.reduce, &entry.result) {
        (Some(reduce), Type::Scalar(scalar)) => Some(Combine::new(reduce, *scalar)?),
        _ => None,
    };
    let function = low.functions.last().cloned().unwrap_or_default();
    let parameters = low.parameters(combine.is_some());
    let (loads, stores) = kept(low)?;
    header(low, out, &parameters);
    if let Some(combine) = &combine {
        combine.declare(low, out);
    }
    let context = low.context_setup(&parameters);
    // What is in a loop should not be set up again in each turn of it.
    let (before, inside) = if low.options.subset { (context, Vec::new()) } else { (Vec::new(), context) };
    before.iter().for_each(|line| out.line(line));
    open_groups(low, out, Elements::Rows);
    inside.iter().for_each(|line| out.line(line));
    // The variable of the block must not meet that of the tree.
    out.open("{");
    open_items(out, size, "item < present");
    if low.options.subset {
        out.line("const u32 row = subset_rows[first + item];");
        // No table has a row of a greater number, so none was chosen; a list that holds one all the same does no harm.
        out.open(&format!("if (row < {}) {{", low.launch_word(EXTENT_WORD)));
    } else {
        out.line("const u32 row = first + item;");
    }
    if flat.facts.faults {
        out.line("ctx.fault = 0u;");
    }
    loads.iter().for_each(|line| out.line(line));
    match &combine {
        Some(combine) => {
            let cast = if matches!(combine.reduce, Reduce::Count | Reduce::Any) { "(u32)" } else { "" };
            out.line(&format!("results[item] = {cast}{function}(&ctx, row);"));
            if combine.with_row() {
                out.line("result_rows[item] = row;");
            }
        }
        None => out.line(&format!("{function}(&ctx, row);")),
    }
    stores.iter().for_each(|line| out.line(line));
    if flat.facts.faults {
        out.open("if (ctx.fault != 0u) {");
        low.report_fault(out, "row");
        out.close("}");
    }
    if low.options.subset {
        if let Some(combine) = &combine {
            out.between("} else {");
            combine.nothing(low, out);
        }
        out.close("}");
    }
    out.close("}");
    out.close("}");
    if let Some(combine) = &combine {
        combine.tree(low, out, "partials");
    }
    close_groups(low, out, combine.as_ref(), "partials");
    out.close("}");
    Ok(combine.map(|c| c.layout()))
}
