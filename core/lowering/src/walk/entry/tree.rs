//! Reductions: how two results combine, and the tree within a group.

use super::groups::open_items;
use super::words::Entry;
use crate::reduction::Reduction;
use crate::walk::code::Code;
use crate::walk::writer::Writer;
use imminent_ir::launch::{ROWS_PER_GROUP, identity_words};
use imminent_ir::{BinaryOp, Builtin, Reduce, Scalar};

/// Puts the identity in the place of an element.
pub(super) fn nothing<'a, L: Entry<'a>>(low: &mut L, out: &mut Writer, of: &Reduction) {
    // Infinities are no constants of a language that evaluates them.
    let mut words = Vec::new();
    for word in identity_words(of.reduce, of.scalar) {
        words.push(low.opaque(Scalar::U32, Code::constant(format!("{word}u"))).text);
    }
    out.line(&format!("results[item] = {};", low.unpack(of.scalar, &words)));
    if of.with_row()
        && let Some(row) = words.last()
    {
        out.line(&format!("result_rows[item] = {row};"));
    }
}

/// Writes the value `value` as words at a group's place of `target`, an arg-min with its row.
pub(super) fn write_value<'a, L: Entry<'a>>(low: &mut L, out: &mut Writer, of: &Reduction, target: &str) {
    let words = of.layout().words;
    let mut values = low.pack(of.scalar, "value");
    if of.with_row() {
        values.push("result_rows[0]".to_owned());
    }
    for (at, value) in values.iter().enumerate() {
        out.line(&format!("{target}[{} * {words}u + {at}u] = {value};", L::wide("group")));
    }
}

/// Combines `results` in the fixed tree and writes the group's result. Its barriers lie in control flow that depends on
/// constants alone.
pub(super) fn tree<'a, L: Entry<'a>>(low: &mut L, out: &mut Writer, of: &Reduction, target: &str) {
    const PAIR: &str = "item < stride && item + stride < present";
    let (barrier, warp) = (low.barrier(), low.warp());
    let strides =
        |greatest: u32, condition: &str| L::counting("stride", &format!("{greatest}u"), condition, "stride >>= 1u");
    out.line(barrier);
    let condition = warp.map_or_else(|| L::HAS_STRIDE.to_owned(), |warp| format!("stride >= {}u", warp.size));
    out.open(&strides(ROWS_PER_GROUP / 2, &condition));
    open_items(low, out, PAIR);
    step(low, out, of);
    out.close("}");
    out.line(barrier);
    out.close("}");
    if let Some(warp) = warp {
        // What is left lies in one warp.
        out.open(&format!("if (invocation < {}u) {{", warp.size));
        out.open(&strides(warp.size / 2, L::HAS_STRIDE));
        out.line(&L::named(Scalar::U32, "item", "invocation"));
        out.open(&format!("if ({PAIR}) {{"));
        step(low, out, of);
        out.close("}");
        out.line(warp.barrier);
        out.close("}");
        out.close("}");
    }
    out.open("if (invocation == 0u && present > 0u) {");
    out.line(&L::named(of.scalar, "value", "results[0]"));
    write_value(low, out, of, target);
    out.close("}");
}

/// Ends what [`open_groups`](super::groups::open_groups) began; `of` is what the groups' rows return, if anything.
pub(super) fn close_groups<'a, L: Entry<'a>>(low: &L, out: &mut Writer, of: Option<&Reduction>, target: &str) {
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
fn of_no_rows<'a, L: Entry<'a>>(low: &L, out: &mut Writer, of: &Reduction, target: &str) {
    let turn = if L::RETURNS { String::new() } else { format!(" && {}", low.in_turn()) };
    out.open(&format!("if (invocation == 0u && {} == 0u && rows == 0u{turn}) {{", low.first_group().0));
    for (at, word) in identity_words(of.reduce, of.scalar).iter().enumerate() {
        out.line(&format!("{target}[{at}] = {word}u;"));
    }
    out.close("}");
}

fn step<'a, L: Entry<'a>>(low: &mut L, out: &mut Writer, of: &Reduction) {
    out.line(&L::named(of.scalar, "a", "results[item]"));
    out.line(&L::named(of.scalar, "b", "results[item + stride]"));
    let (a, b) = (Code::atom("a"), Code::atom("b"));
    let combined = match of.reduce {
        Reduce::Min => low.builtin(Builtin::Min, of.scalar, vec![a, b]),
        Reduce::Max => low.builtin(Builtin::Max, of.scalar, vec![a, b]),
        Reduce::Sum | Reduce::Count => low.binary(BinaryOp::Add, of.scalar, a, b),
        Reduce::Any => low.binary(BinaryOp::BitOr, of.scalar, a, b),
        Reduce::ArgMin => return arg_step(low, out, of.scalar, &a, &b),
    };
    out.line(&format!("results[item] = {};", combined.text));
}

/// The lesser value wins, of equal ones the lower row; a NaN loses to everything else.
fn arg_step<'a, L: Entry<'a>>(low: &mut L, out: &mut Writer, scalar: Scalar, a: &Code, b: &Code) {
    let less = low.binary(BinaryOp::Lt, scalar, b.clone(), a.clone());
    let equal = low.binary(BinaryOp::Eq, scalar, b.clone(), a.clone());
    out.line(&L::named(Scalar::U32, "a_row", "result_rows[item]"));
    out.line(&L::named(Scalar::U32, "b_row", "result_rows[item + stride]"));
    if scalar.is_float() {
        let nan = low.helper(&format!("is_nan_{}", scalar.name()));
        out.line(&L::named(Scalar::Bool, "a_nan", &format!("{nan}(a)")));
        out.line(&L::named(Scalar::Bool, "b_nan", &format!("{nan}(b)")));
    }
    out.open(&format!("if ({}) {{", L::replaces(scalar.is_float(), &less, &equal)));
    out.line("results[item] = b;");
    out.line("result_rows[item] = b_row;");
    out.close("}");
}
