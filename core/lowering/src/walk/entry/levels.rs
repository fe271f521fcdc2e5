//! The entry point of a reduction's higher levels.

use super::groups::{Elements, open_groups, open_items};
use super::tree;
use super::words::{Entry, Interface};
use crate::reduction::Reduction;
use crate::walk::writer::Writer;
use imminent_ir::Scalar;

/// Writes the entry point, which reduces the results in `input` to one per group in `output`.
pub(crate) fn write<'a, L: Entry<'a>>(low: &mut L, out: &mut Writer, of: &Reduction) {
    let words = of.layout().words;
    low.open_entry(out, Interface::Level);
    low.declare_results(out, of);
    open_groups(low, out, Elements::Results);
    if L::ITEMS_IN_BLOCK {
        out.open("{");
    }
    open_items(low, out, "item < present");
    out.line(&L::named(Scalar::U64, "word", &format!("{} * {words}u", L::wide("(first + item)"))));
    let words: Vec<String> = (0..words).map(|at| format!("input[word + {at}u]")).collect();
    out.line(&format!("results[item] = {};", low.unpack(of.scalar, &words)));
    if of.with_row()
        && let Some(row) = words.last()
    {
        out.line(&format!("result_rows[item] = {row};"));
    }
    out.close("}");
    if L::ITEMS_IN_BLOCK {
        out.close("}");
    }
    tree::tree(low, out, of, "output");
    tree::close_groups(low, out, Some(of), "output");
    out.close("}");
}
