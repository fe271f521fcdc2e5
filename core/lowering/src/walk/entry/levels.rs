//! The entry point of a reduction's higher levels.

use super::groups::{Elements, open_groups, open_items};
use super::slots::slots;
use super::tree;
use super::words::{Entry, Interface};
use crate::walk::writer::Writer;
use imminent_ir::{Reductions, Scalar};

/// Writes the entry point, which reduces the results in `input` to one per group in `output`.
pub(crate) fn write<'a, L: Entry<'a>>(low: &mut L, out: &mut Writer, of: &Reductions) {
    let words = of.words();
    low.open_entry(out, Interface::Level);
    low.declare_results(out, of);
    open_groups(low, out, Elements::Results);
    if L::ITEMS_IN_BLOCK {
        out.open("{");
    }
    open_items(low, out, "item < present");
    out.line(&L::named(Scalar::U64, "word", &format!("{} * {words}u", L::wide("(first + item)"))));
    for slot in slots(of) {
        let words = slot.word..slot.word + slot.reduction.words();
        let words: Vec<String> = words.map(|at| format!("input[word + {at}u]")).collect();
        tree::put(low, out, &slot, &words);
    }
    out.close("}");
    if L::ITEMS_IN_BLOCK {
        out.close("}");
    }
    tree::tree(low, out, of, "output");
    tree::close_groups(low, out, Some(of), "output");
    out.close("}");
}
