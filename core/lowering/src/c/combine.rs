//! Reductions: how two results combine, and the tree within a group.

use super::options::Dialect;
use super::rows::open_items;
use super::state::Lowering;
use crate::reduction::Reduction;
use crate::walk::{Code, Memory, Operations, Writer};
use imminent_ir::launch::{ROWS_PER_GROUP, identity_words};
use imminent_ir::{BinaryOp, Builtin, Reduce};

/// Threads of a warp of CUDA.
const WARP: u32 = 32;

/// The combining of results in this language.
#[derive(Clone, Copy, Debug)]
pub(super) struct Combine(pub(super) Reduction);

impl Combine {
    /// Declares what the tree works on, at the start of the kernel.
    pub(super) fn declare(&self, low: &Lowering<'_>, out: &mut Writer) {
        let shared = low.options.dialect.shared();
        out.line(&format!("{shared} {} results[{ROWS_PER_GROUP}];", self.0.scalar));
        if self.0.with_row() {
            out.line(&format!("{shared} u32 result_rows[{ROWS_PER_GROUP}];"));
        }
    }

    /// Puts the identity in the place of an element.
    pub(super) fn nothing(&self, low: &mut Lowering<'_>, out: &mut Writer) {
        let words: Vec<String> =
            identity_words(self.0.reduce, self.0.scalar).iter().map(|word| format!("{word}u")).collect();
        out.line(&format!("results[item] = {};", low.unpack(self.0.scalar, &words)));
        if self.0.with_row()
            && let Some(row) = words.last()
        {
            out.line(&format!("result_rows[item] = {row};"));
        }
    }

    /// The value `value` as words at a group's place of `target`, an arg-min with its row.
    pub(super) fn write_value(&self, low: &mut Lowering<'_>, out: &mut Writer, target: &str) {
        let words = self.0.layout().words;
        let mut values = low.pack(self.0.scalar, "value");
        if self.0.with_row() {
            values.push("result_rows[0]".to_owned());
        }
        for (at, value) in values.iter().enumerate() {
            out.line(&format!("{target}[(u64)group * {words}u + {at}u] = {value};"));
        }
    }

    /// Combines `results` in the fixed tree and writes the group's result. Its barriers lie in control flow that
    /// depends on constants alone.
    pub(super) fn tree(&self, low: &mut Lowering<'_>, out: &mut Writer, target: &str) {
        let dialect = low.options.dialect;
        let in_warp = dialect == Dialect::Cuda && low.options.workgroup_size >= WARP;
        out.line(dialect.barrier());
        let least = if in_warp { WARP } else { 1 };
        out.open(&format!("for (u32 stride = {}u; stride >= {least}u; stride >>= 1u) {{", ROWS_PER_GROUP / 2));
        open_items(out, low.options.workgroup_size, "item < stride && item + stride < present");
        self.step(low, out);
        out.close("}");
        out.line(dialect.barrier());
        out.close("}");
        if in_warp {
            // What is left lies in one warp, whose threads wait for each other at less cost than the block's.
            out.open(&format!("if (invocation < {WARP}u) {{"));
            out.open(&format!("for (u32 stride = {}u; stride >= 1u; stride >>= 1u) {{", WARP / 2));
            out.line("const u32 item = invocation;");
            out.open("if (item < stride && item + stride < present) {");
            self.step(low, out);
            out.close("}");
            out.line("__syncwarp();");
            out.close("}");
            out.close("}");
        }
        out.open("if (invocation == 0u && present > 0u) {");
        out.line(&format!("const {} value = results[0];", self.0.scalar));
        self.write_value(low, out, target);
        out.close("}");
    }

    /// Over a subset only the device knows that there is no element: then this is the result, and every level hands it
    /// on.
    pub(super) fn of_no_rows(&self, low: &Lowering<'_>, out: &mut Writer, target: &str) {
        let (turn, group) = (low.in_turn(), low.options.dialect.group());
        out.open(&format!("if (invocation == 0u && {group} == 0u && rows == 0u && {turn}) {{"));
        for (at, word) in identity_words(self.0.reduce, self.0.scalar).iter().enumerate() {
            out.line(&format!("{target}[{at}] = {word}u;"));
        }
        out.close("}");
    }

    fn step(&self, low: &mut Lowering<'_>, out: &mut Writer) {
        out.line(&format!("const {} a = results[item];", self.0.scalar));
        out.line(&format!("const {} b = results[item + stride];", self.0.scalar));
        let (a, b) = (Code::atom("a"), Code::atom("b"));
        let combined = match self.0.reduce {
            Reduce::Min => low.builtin(Builtin::Min, self.0.scalar, vec![a, b]),
            Reduce::Max => low.builtin(Builtin::Max, self.0.scalar, vec![a, b]),
            Reduce::Sum | Reduce::Count => low.binary(BinaryOp::Add, self.0.scalar, a, b),
            Reduce::Any => low.binary(BinaryOp::BitOr, self.0.scalar, a, b),
            Reduce::ArgMin => return self.arg_step(low, out),
        };
        out.line(&format!("results[item] = {};", combined.text));
    }

    /// The lesser value wins, of equal ones the lower row; a NaN loses to everything else.
    fn arg_step(&self, low: &mut Lowering<'_>, out: &mut Writer) {
        out.line("const u32 a_row = result_rows[item];");
        out.line("const u32 b_row = result_rows[item + stride];");
        let replaces = if self.0.scalar.is_float() {
            let nan = low.helper(&format!("is_nan_{}", self.0.scalar.name()));
            out.line(&format!("const bool a_nan = {nan}(a);"));
            out.line(&format!("const bool b_nan = {nan}(b);"));
            "(a_nan && !b_nan) || (!b_nan && b < a) || ((a_nan == b_nan) && (a_nan || b == a) && b_row < a_row)"
        } else {
            "b < a || (b == a && b_row < a_row)"
        };
        out.open(&format!("if ({replaces}) {{"));
        out.line("results[item] = b;");
        out.line("result_rows[item] = b_row;");
        out.close("}");
    }
}

/// Ends what [`open_groups`](super::rows::open_groups) began; `combine` is what the groups' rows return, if anything.
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
