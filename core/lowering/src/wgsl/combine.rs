//! Reductions: how two results combine, and the tree within a group.

use super::state::Lowering;
use crate::reduction::Reduction;
use crate::walk::{Code, Memory, Operations, Writer};
use imminent_ir::launch::{ROWS_PER_GROUP, identity_words};
use imminent_ir::{BinaryOp, Builtin, Reduce};

/// The combining of results in this language.
#[derive(Clone, Copy, Debug)]
pub(super) struct Combine(pub(super) Reduction);

impl Combine {
    /// Declares what the tree works on.
    fn declare(&self, low: &mut Lowering<'_>) {
        let ty = low.scalar_type(self.0.scalar);
        low.workgroup_vars.push(format!("var<workgroup> results: array<{ty}, {ROWS_PER_GROUP}>;"));
        if self.0.with_row() {
            low.workgroup_vars.push(format!("var<workgroup> result_rows: array<u32, {ROWS_PER_GROUP}>;"));
        }
    }

    /// Combines `results` in the fixed tree and writes the group's result. Its barriers lie in control flow that
    /// depends on constants alone.
    pub(super) fn tree(&self, low: &mut Lowering<'_>, out: &mut Writer, size: u32, target: &str) {
        self.declare(low);
        out.line("workgroupBarrier();");
        out.open(&format!("for (var stride = {}u; stride > 0u; stride >>= 1u) {{", ROWS_PER_GROUP / 2));
        if size == ROWS_PER_GROUP {
            out.line("let item = invocation;");
            out.open("if (item < stride && item + stride < present) {");
        } else {
            out.open(&format!(
                "for (var item = invocation; item < stride && item + stride < present; item += {size}u) {{"
            ));
        }
        self.step(low, out);
        out.close("}");
        out.line("workgroupBarrier();");
        out.close("}");
        out.open("if (invocation == 0u && present > 0u) {");
        out.line("let value = results[0];");
        self.write_value(low, out, target);
        out.close("}");
    }

    /// Over a subset only the device knows that there is no element: then this is the result, and every level hands it
    /// on.
    pub(super) fn of_no_rows(&self, out: &mut Writer, target: &str) {
        out.open("if (invocation == 0u && own_group == 0u && rows == 0u) {");
        for (at, word) in identity_words(self.0.reduce, self.0.scalar).iter().enumerate() {
            out.line(&format!("{target}[{at}] = {word}u;"));
        }
        out.close("}");
    }

    /// The value `value` as words at a group's place of `target`, an arg-min with its row.
    pub(super) fn write_value(&self, low: &mut Lowering<'_>, out: &mut Writer, target: &str) {
        let words = self.0.layout().words;
        let mut values = low.pack(self.0.scalar, "value");
        if self.0.with_row() {
            values.push("result_rows[0]".to_owned());
        }
        for (at, value) in values.iter().enumerate() {
            out.line(&format!("{target}[group * {words}u + {at}u] = {value};"));
        }
    }

    /// Puts the identity in the place of an element.
    pub(super) fn nothing(&self, low: &mut Lowering<'_>, out: &mut Writer) {
        // Infinities are no constants of WGSL.
        let opaque = low.helper("opaque_u32");
        let words: Vec<String> =
            identity_words(self.0.reduce, self.0.scalar).iter().map(|word| format!("{opaque}({word}u)")).collect();
        out.line(&format!("results[item] = {};", low.unpack(self.0.scalar, &words)));
        if self.0.with_row()
            && let Some(row) = words.last()
        {
            out.line(&format!("result_rows[item] = {row};"));
        }
    }

    fn step(&self, low: &mut Lowering<'_>, out: &mut Writer) {
        out.line("let a = results[item];");
        out.line("let b = results[item + stride];");
        let (a, b) = (Code::atom("a".to_owned()), Code::atom("b".to_owned()));
        let combined = match self.0.reduce {
            Reduce::Min => low.builtin(Builtin::Min, self.0.scalar, vec![a, b]),
            Reduce::Max => low.builtin(Builtin::Max, self.0.scalar, vec![a, b]),
            Reduce::Sum | Reduce::Count => low.binary(BinaryOp::Add, self.0.scalar, a, b),
            Reduce::Any => low.binary(BinaryOp::BitOr, self.0.scalar, a, b),
            Reduce::ArgMin => {
                let less = low.binary(BinaryOp::Lt, self.0.scalar, b.clone(), a.clone()).operand();
                let equal = low.binary(BinaryOp::Eq, self.0.scalar, b, a).operand();
                out.line("let a_row = result_rows[item];");
                out.line("let b_row = result_rows[item + stride];");
                let replaces = if self.0.scalar.is_float() {
                    let nan = low.helper(&format!("is_nan_{}", self.0.scalar.name()));
                    out.line(&format!("let a_nan = {nan}(a);"));
                    out.line(&format!("let b_nan = {nan}(b);"));
                    format!(
                        "(a_nan && !b_nan) || (!a_nan && !b_nan && {less}) || \
                         (((a_nan && b_nan) || {equal}) && b_row < a_row)"
                    )
                } else {
                    format!("{less} || ({equal} && b_row < a_row)")
                };
                out.open(&format!("if ({replaces}) {{"));
                out.line("results[item] = b;");
                out.line("result_rows[item] = b_row;");
                out.close("}");
                return;
            }
        };
        out.line(&format!("results[item] = {};", combined.text));
    }
}

/// Ends what [`open_groups`](super::rows::open_groups) began; `combine` is what the groups' rows return, if anything.
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
