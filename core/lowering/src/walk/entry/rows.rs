//! The entry point of a kernel that runs row by row: which row an invocation has, faults, and the first level of the
//! reduction.

use super::faults;
use super::groups::{Elements, open_groups, open_items};
use super::slots::slots;
use super::tree;
use super::words::{Entry, Interface};
use crate::LoweringError;
use crate::walk::body::Mode;
use crate::walk::code::Code;
use crate::walk::keeping::keeping;
use crate::walk::writer::Writer;
use imminent_ir::launch::EXTENT_WORD;
use imminent_ir::{Reductions, Scalar, Type};

/// Writes the entry point.
pub(crate) fn write<'a, L: Entry<'a>>(low: &mut L, out: &mut Writer) -> Result<Option<Reductions>, LoweringError> {
    let flat = low.flat;
    let Some(entry) = flat.entry() else { return Err(low.ill("there is no function")) };
    let results = flat.results();
    let (loads, stores) = match low.kept_block {
        Some(_) => (Vec::new(), Vec::new()),
        None => keeping(low, L::OWN, L::PASSED, "row")?,
    };
    low.open_entry(out, Interface::Kernel { reduces: results.is_some() });
    if let Some(of) = &results {
        low.declare_results(out, of);
    }
    let subset = low.runs_subset();
    let setup = low.setup()?;
    // What is in a loop should not be set up again in each turn of it.
    let (before, inside) = if subset { (setup, Vec::new()) } else { (Vec::new(), setup) };
    before.iter().for_each(|line| out.line(line));
    open_groups(low, out, Elements::Rows);
    inside.iter().for_each(|line| out.line(line));
    if L::ITEMS_IN_BLOCK {
        out.open("{");
    }
    open_items(low, out, "item < present");
    if subset {
        out.line(&L::named(Scalar::U32, "row", &low.listed_row("first + item")));
        // No table has a row of a greater number, so none was chosen; a list that holds one all the same does no harm.
        out.open(&format!("if (row < {}) {{", low.launch_word(EXTENT_WORD)));
    } else {
        out.line(&L::named(Scalar::U32, "row", "first + item"));
    }
    if flat.facts.faults {
        out.line(&format!("{}fault = 0u;", L::OWN));
    }
    loads.iter().for_each(|line| out.line(line));
    let call = call_entry(low, &["row"]);
    match &results {
        Some(of) => {
            let values = returned(low, out, of, &entry.result, call);
            for (slot, value) in slots(of).iter().zip(values) {
                out.line(&format!("{}[item] = {value};", slot.results));
                if let Some(rows) = &slot.rows {
                    out.line(&format!("{rows}[item] = row;"));
                }
            }
        }
        None => out.line(&format!("{call};")),
    }
    stores.iter().for_each(|line| out.line(line));
    low.watch_loops(out);
    if flat.facts.faults {
        out.open(&format!("if ({}fault != 0u) {{", L::OWN));
        faults::report(low, out, "row");
        out.close("}");
    }
    if subset {
        if let Some(of) = &results {
            out.between("} else {");
            tree::nothing(low, out, of);
        }
        out.close("}");
    }
    out.close("}");
    if L::ITEMS_IN_BLOCK {
        out.close("}");
    }
    if let Some(of) = &results {
        tree::tree(low, out, of, "partials");
    }
    tree::close_groups(low, out, results.as_ref(), "partials");
    out.close("}");
    Ok(results)
}

/// A call of the function that is the kernel's body.
pub(super) fn call_entry<'a, L: Entry<'a>>(low: &L, args: &[&str]) -> String {
    let function = low.functions.last().cloned().unwrap_or_default();
    let args: Vec<&str> = L::PASSED.iter().chain(args).copied().collect();
    format!("{function}({})", args.join(", "))
}

/// The values that a call of the kernel's body gives to the reductions. Several are fields of what it returns.
pub(super) fn returned<'a, L: Entry<'a>>(
    low: &mut L,
    out: &mut Writer,
    of: &Reductions,
    ty: &Type,
    call: String,
) -> Vec<String> {
    let values = match ty {
        Type::Struct(id) => {
            let name = low.type_name(ty);
            out.line(&L::declaration(Mode::Const, "returned", &name, &call));
            let fields = low.structs.get(id.index()).map(|(_, fields)| fields.clone()).unwrap_or_default();
            let member = |field: &String| {
                let mut text = "returned".to_owned();
                L::member(&mut text, field);
                text
            };
            fields.iter().map(member).collect()
        }
        _ => vec![call],
    };
    let values = values.into_iter().zip(of.iter()).map(|(value, one)| match one.counts() {
        true => low.cast(Scalar::Bool, Scalar::U32, Code::atom(value)).text,
        false => value,
    });
    values.collect()
}
