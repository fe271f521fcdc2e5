//! The entry point: which row an invocation has, faults, and the first level of the reduction.

use super::combine::{Combine, close_groups};
use super::rows::{Elements, header, open_groups, open_items, watch_loops};
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
        let word = WordCode { text, number: Some(number) };
        let (load, args) = low.access(Way::Load, (binding, Part::Columns), &kept.ty, word.clone(), Some("row"))?;
        loads.push(format!("{} = {load}({args});", kept.name));
        if kept.is_stored {
            let (store, args) = low.access(Way::Store, (binding, Part::Columns), &kept.ty, word, Some("row"))?;
            stores.push(format!("{store}({args}, {});", kept.name));
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
            let value = if combine.0.counts() { format!("u32({value})") } else { value };
            body.line(&format!("results[item] = {value};"));
            if combine.0.with_row() {
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
    Ok(combine.map(|c| c.0.layout()))
}
