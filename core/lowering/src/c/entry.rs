//! The entry point: which row an invocation has, faults, and the first level of the reduction.

use super::combine::{Combine, close_groups};
use super::rows::{Elements, header, open_groups, open_items};
use super::state::Lowering;
use crate::LoweringError;
use crate::reduction::Reduction;
use crate::walk::{Memory, Part, Way, WordCode, Writer};
use imminent_ir::launch::{EXTENT_WORD, ReduceLayout};

/// The lines that load the kept fields of the own rows, and those that store them.
fn kept(low: &mut Lowering<'_>) -> Result<(Vec<String>, Vec<String>), LoweringError> {
    let (mut loads, mut stores) = (Vec::new(), Vec::new());
    for ((binding, field), kept) in low.kept.clone() {
        let (text, number) = low.field_constant(kept.row, field);
        let word = WordCode { text: text.clone(), number: Some(number) };
        let (load, _) = low.access(Way::Load, (binding, Part::Columns), &kept.ty, word.clone(), Some("row"))?;
        loads.push(format!("ctx.{} = {load}(&ctx, {text}, row);", kept.name));
        if kept.is_stored {
            let (store, _) = low.access(Way::Store, (binding, Part::Columns), &kept.ty, word, Some("row"))?;
            stores.push(format!("{store}(&ctx, {text}, row, ctx.{});", kept.name));
        }
    }
    Ok((loads, stores))
}

/// Writes the entry point.
pub(super) fn write(low: &mut Lowering<'_>, out: &mut Writer) -> Result<Option<ReduceLayout>, LoweringError> {
    let flat = low.flat;
    let size = low.options.workgroup_size;
    let Some(entry) = flat.entry() else { return Err(low.ill("there is no function")) };
    let combine = Reduction::of(flat, &entry.result)?.map(Combine);
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
            let cast = if combine.0.counts() { "(u32)" } else { "" };
            out.line(&format!("results[item] = {cast}{function}(&ctx, row);"));
            if combine.0.with_row() {
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
    Ok(combine.map(|c| c.0.layout()))
}
