//! Reductions: how two results combine, and the tree within a group.

use super::groups::open_items;
use super::slots::{Slot, slots};
use super::words::Entry;
use crate::walk::code::Code;
use crate::walk::writer::Writer;
use imminent_ir::launch::ROWS_PER_GROUP;
use imminent_ir::{BinaryOp, Builtin, Reduce, Reductions, Scalar};

/// Puts the identities in the place of an element.
pub(super) fn nothing<'a, L: Entry<'a>>(low: &mut L, out: &mut Writer, of: &Reductions) {
    for slot in slots(of) {
        // Infinities are no constants of a language that evaluates them.
        let mut words = Vec::new();
        for word in slot.reduction.identity() {
            words.push(low.opaque(Scalar::U32, Code::constant(format!("{word}u"))).text);
        }
        put(low, out, &slot, &words);
    }
}

/// Sets an element of a result from its words.
pub(super) fn put<'a, L: Entry<'a>>(low: &mut L, out: &mut Writer, slot: &Slot, words: &[String]) {
    out.line(&format!("{}[item] = {};", slot.results, low.unpack(slot.reduction.scalar, words)));
    if let (Some(rows), Some(row)) = (&slot.rows, words.last()) {
        out.line(&format!("{rows}[item] = {row};"));
    }
}

/// Writes the values of a group, which are in variables, as words at the group's place of `target`.
pub(super) fn write_values<'a, L: Entry<'a>>(low: &mut L, out: &mut Writer, of: &Reductions, target: &str) {
    let words = of.words();
    for slot in slots(of) {
        let mut values = low.pack(slot.reduction.scalar, &slot.value);
        values.extend(slot.rows.as_ref().map(|rows| format!("{rows}[0]")));
        for (at, value) in (slot.word..).zip(&values) {
            out.line(&format!("{target}[{} * {words}u + {at}u] = {value};", L::wide("group")));
        }
    }
}

/// Combines the elements of each result in the fixed tree and writes the group's results. The barriers lie in control
/// flow that depends on constants alone.
pub(super) fn tree<'a, L: Entry<'a>>(low: &mut L, out: &mut Writer, of: &Reductions, target: &str) {
    const PAIR: &str = "item < stride && item + stride < present";
    let (barrier, warp) = (low.barrier(), low.warp());
    let strides =
        |greatest: u32, condition: &str| L::counting("stride", &format!("{greatest}u"), condition, "stride >>= 1u");
    out.line(barrier);
    let condition = warp.map_or_else(|| L::HAS_STRIDE.to_owned(), |warp| format!("stride >= {}u", warp.size));
    out.open(&strides(ROWS_PER_GROUP / 2, &condition));
    open_items(low, out, PAIR);
    steps(low, out, of);
    out.close("}");
    out.line(barrier);
    out.close("}");
    if let Some(warp) = warp {
        // What is left lies in one warp.
        out.open(&format!("if (invocation < {}u) {{", warp.size));
        out.open(&strides(warp.size / 2, L::HAS_STRIDE));
        out.line(&L::named(Scalar::U32, "item", "invocation"));
        out.open(&format!("if ({PAIR}) {{"));
        steps(low, out, of);
        out.close("}");
        out.line(warp.barrier);
        out.close("}");
        out.close("}");
    }
    out.open("if (invocation == 0u && present > 0u) {");
    for slot in slots(of) {
        out.line(&L::named(slot.reduction.scalar, &slot.value, &format!("{}[0]", slot.results)));
    }
    write_values(low, out, of, target);
    out.close("}");
}

/// Ends what [`open_groups`](super::groups::open_groups) began; `of` is what the groups' rows return, if anything.
pub(super) fn close_groups<'a, L: Entry<'a>>(low: &L, out: &mut Writer, of: Option<&Reductions>, target: &str) {
    if !low.runs_subset() {
        return;
    }
    if of.is_some() {
        // The next group's results go where this one's are still being read.
        out.line(low.barrier());
    }
    out.close("}");
    if let Some(of) = of {
        of_no_rows(low, out, of, target);
    }
}

/// Over a subset only the device knows that there is no element: then this is the result, and every level hands it on.
fn of_no_rows<'a, L: Entry<'a>>(low: &L, out: &mut Writer, of: &Reductions, target: &str) {
    let turn = if L::RETURNS { String::new() } else { format!(" && {}", low.in_turn()) };
    out.open(&format!("if (invocation == 0u && {} == 0u && rows == 0u{turn}) {{", low.first_group().0));
    for (at, word) in of.identity().iter().enumerate() {
        out.line(&format!("{target}[{at}] = {word}u;"));
    }
    out.close("}");
}

/// Combines two elements of each result.
fn steps<'a, L: Entry<'a>>(low: &mut L, out: &mut Writer, of: &Reductions) {
    let alone = of.single().is_some();
    for slot in slots(of) {
        if alone {
            step(low, out, &slot);
        } else {
            out.open("{");
            step(low, out, &slot);
            out.close("}");
        }
    }
}

fn step<'a, L: Entry<'a>>(low: &mut L, out: &mut Writer, slot: &Slot) {
    let Slot { reduction: of, results, .. } = slot;
    out.line(&L::named(of.scalar, "a", &format!("{results}[item]")));
    out.line(&L::named(of.scalar, "b", &format!("{results}[item + stride]")));
    let (a, b) = (Code::atom("a"), Code::atom("b"));
    let combined = match of.reduce {
        Reduce::Min => low.builtin(Builtin::Min, of.scalar, vec![a, b]),
        Reduce::Max => low.builtin(Builtin::Max, of.scalar, vec![a, b]),
        Reduce::Sum | Reduce::Count => low.binary(BinaryOp::Add, of.scalar, a, b),
        Reduce::Any => low.binary(BinaryOp::BitOr, of.scalar, a, b),
        Reduce::ArgMin => return arg_step(low, out, slot, &a, &b),
    };
    out.line(&format!("{results}[item] = {};", combined.text));
}

/// The lesser value wins, of equal ones the lower row; a NaN loses to everything else.
fn arg_step<'a, L: Entry<'a>>(low: &mut L, out: &mut Writer, slot: &Slot, a: &Code, b: &Code) {
    let (scalar, results) = (slot.reduction.scalar, &slot.results);
    let Some(rows) = &slot.rows else { return };
    let less = low.binary(BinaryOp::Lt, scalar, b.clone(), a.clone());
    let equal = low.binary(BinaryOp::Eq, scalar, b.clone(), a.clone());
    out.line(&L::named(Scalar::U32, "a_row", &format!("{rows}[item]")));
    out.line(&L::named(Scalar::U32, "b_row", &format!("{rows}[item + stride]")));
    if scalar.is_float() {
        let nan = low.helper(&format!("is_nan_{}", scalar.name()));
        out.line(&L::named(Scalar::Bool, "a_nan", &format!("{nan}(a)")));
        out.line(&L::named(Scalar::Bool, "b_nan", &format!("{nan}(b)")));
    }
    out.open(&format!("if ({}) {{", L::replaces(scalar.is_float(), &less, &equal)));
    out.line(&format!("{results}[item] = b;"));
    out.line(&format!("{rows}[item] = b_row;"));
    out.close("}");
}
