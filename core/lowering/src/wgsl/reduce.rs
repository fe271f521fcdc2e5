//! Reductions: how two results combine, the tree within a group, and the kernel of the higher levels.

use super::entry;
use super::lowering::Lowering;
use super::source::{BufferBinding, BufferRole, Requires, WgslSource};
use super::writer::Writer;
use super::{Int64, LAUNCH_WORDS, LaunchLayout, ROWS_PER_GROUP, ReduceLayout, WgslError, WgslOptions, identity_words};
use imminent_ir::flatten::{Facts, FlatKernel, Spot};
use imminent_ir::{BinaryOp, Builtin, Reduce, Scalar};

/// How results combine.
#[derive(Clone, Copy, Debug)]
pub(super) struct Combine {
    pub(super) reduce: Reduce,
    /// Type of the combined value.
    scalar: Scalar,
}

impl Combine {
    /// The reduction of values of this type.
    pub(super) fn new(reduce: Reduce, scalar: Scalar) -> Result<Combine, WgslError> {
        let counts = matches!(reduce, Reduce::Count | Reduce::Any);
        if counts != (scalar == Scalar::Bool) {
            return Err(WgslError::Reduction { reduce: format!("{reduce:?}").to_lowercase(), scalar });
        }
        Ok(Combine { reduce, scalar: if counts { Scalar::U32 } else { scalar } })
    }

    pub(super) fn with_row(&self) -> bool {
        self.reduce == Reduce::ArgMin
    }

    pub(super) fn layout(&self) -> ReduceLayout {
        ReduceLayout {
            reduce: self.reduce,
            scalar: self.scalar,
            words: self.scalar.words() + u32::from(self.with_row()),
        }
    }
}

impl Combine {
    /// Declares what the tree works on.
    fn declare(&self, low: &mut Lowering<'_>) {
        let ty = low.scalar_type(self.scalar);
        low.workgroup_vars.push(format!("var<workgroup> results: array<{ty}, {ROWS_PER_GROUP}>;"));
        if self.with_row() {
            low.workgroup_vars.push(format!("var<workgroup> result_rows: array<u32, {ROWS_PER_GROUP}>;"));
        }
    }

    /// Combines `results` in the fixed tree and writes the group's result. Its barriers lie in control flow that depends
    /// on constants alone.
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

    /// Over a subset only the device knows that there is no element: then this is the result, and every level hands it on.
    pub(super) fn of_no_rows(&self, out: &mut Writer, target: &str) {
        out.open("if (invocation == 0u && own_group == 0u && rows == 0u) {");
        for (at, word) in identity_words(self.reduce, self.scalar).iter().enumerate() {
            out.line(&format!("{target}[{at}] = {word}u;"));
        }
        out.close("}");
    }

    /// The value `value` as words at a group's place of `target`, an arg-min with its row.
    pub(super) fn write_value(&self, low: &mut Lowering<'_>, out: &mut Writer, target: &str) {
        let words = self.layout().words;
        let mut values = low.pack(self.scalar, "value");
        if self.with_row() {
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
            identity_words(self.reduce, self.scalar).iter().map(|word| format!("{opaque}({word}u)")).collect();
        out.line(&format!("results[item] = {};", low.unpack(self.scalar, &words)));
        if self.with_row()
            && let Some(row) = words.last()
        {
            out.line(&format!("result_rows[item] = {row};"));
        }
    }

    fn step(&self, low: &mut Lowering<'_>, out: &mut Writer) {
        use super::expr::Code;
        out.line("let a = results[item];");
        out.line("let b = results[item + stride];");
        let (a, b) = (Code::runtime("a".to_owned()), Code::runtime("b".to_owned()));
        let combined = match self.reduce {
            Reduce::Min => low.builtin(Builtin::Min, self.scalar, vec![a, b]),
            Reduce::Max => low.builtin(Builtin::Max, self.scalar, vec![a, b]),
            Reduce::Sum | Reduce::Count => low.binary(BinaryOp::Add, self.scalar, a, b),
            Reduce::Any => low.binary(BinaryOp::BitOr, self.scalar, a, b),
            Reduce::ArgMin => {
                let less = low.binary(BinaryOp::Lt, self.scalar, b.clone(), a.clone()).operand();
                let equal = low.binary(BinaryOp::Eq, self.scalar, b, a).operand();
                out.line("let a_row = result_rows[item];");
                out.line("let b_row = result_rows[item + stride];");
                let replaces = if self.scalar.is_float() {
                    let nan = low.helper(&format!("is_nan_{}", self.scalar.name()));
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

/// The kernel of a reduction's second and higher levels: it reduces `launch[0]` results in `input` to one per group of
/// [`ROWS_PER_GROUP`] in `output`, by the same tree.
///
/// Bindings: 0 `state`, 1 `launch`, 2 `input`, 3 `output`, and over a subset 4 its count, from which it finds how many results
/// the levels below left (`launch[0]` is then the most rows of the launch); results are as [`ReduceLayout`] says. `scalar` is the type of
/// the kernel's returned value, or [`ReduceLayout::scalar`]. An empty launch has no group: the host writes
/// [`identity_words`] then.
///
/// # Errors
/// [`WgslError::Reduction`] for a type that cannot be reduced so, [`WgslError::Unsupported`] for `f64` without the
/// options for it, [`WgslError::Options`] for a bad workgroup size.
pub fn lower_reduce(reduce: Reduce, scalar: Scalar, options: &WgslOptions) -> Result<WgslSource, WgslError> {
    let counts = matches!(reduce, Reduce::Count | Reduce::Any);
    let combine = Combine::new(reduce, if counts && scalar == Scalar::U32 { Scalar::Bool } else { scalar })?;
    let name = format!("reduce_{}_{}", format!("{reduce:?}").to_lowercase(), scalar.name());
    let flat = empty_kernel(name.clone(), scalar);
    let mut options = options.clone();
    options.segments.clear();
    let mut low = Lowering::checked(&flat, &options)?;
    let layout = combine.layout();

    let mut body = Writer::default();
    entry::open_groups(&mut low, &mut body, entry::Elements::Results);
    entry::open_items(&mut body, options.workgroup_size);
    body.line(&format!("let word = (first + item) * {}u;", layout.words));
    let words: Vec<String> = (0..layout.words).map(|at| format!("input[word + {at}u]")).collect();
    let value = low.unpack(combine.scalar, &words);
    body.line(&format!("results[item] = {value};"));
    if combine.with_row()
        && let Some(row) = words.last()
    {
        body.line(&format!("result_rows[item] = {row};"));
    }
    body.close("}");
    combine.tree(&mut low, &mut body, options.workgroup_size, "output");
    entry::close_groups(&low, &mut body, Some(&combine), "output");

    let mut out = Writer::default();
    out.line(&format!("// Second level of the reduction `{name}`. Generated by Imminent."));
    out.line("");
    let mut bindings = Vec::new();
    let count = options.subset.then_some(("subset_count", "u32", BufferRole::SubsetCount, false));
    let declared = [
        ("state", "atomic<u32>", BufferRole::State, true),
        ("launch", "u32", BufferRole::Launch, false),
        ("input", "u32", BufferRole::Input, false),
        ("output", "u32", BufferRole::Output, true),
    ];
    for (number, (name, element, role, writable)) in (0..).zip(declared.into_iter().chain(count)) {
        let access = if writable { "read_write" } else { "read" };
        out.line(&format!("@group(0) @binding({number}) var<storage, {access}> {name}: array<{element}>;"));
        bindings.push(BufferBinding { binding: number, name: name.to_owned(), role, writable });
    }
    out.line("");
    for var in &low.workgroup_vars {
        out.line(var);
    }
    for text in low.helper_texts() {
        out.line("");
        out.lines(text);
    }
    out.line("");
    entry::header(&mut out, options.workgroup_size);
    out.lines(&body.finish().0);
    out.close("}");
    let float64 = combine.scalar == Scalar::F64;
    let int64 = options.int64 == Int64::Native && combine.scalar.words() == 2;
    let (code, line_map) = out.finish();
    Ok(WgslSource {
        code,
        entry: "main",
        workgroup_size: options.workgroup_size,
        line_map,
        bindings,
        launch: LaunchLayout { words: LAUNCH_WORDS, ..LaunchLayout::default() },
        reduce: Some(layout),
        shared_bytes: layout.words * 4 * ROWS_PER_GROUP,
        requires: Requires { int64, float64, int64_atomics: false },
    })
}

/// A kernel that binds nothing: it lends its lowering to a generated one.
fn empty_kernel(name: String, scalar: Scalar) -> FlatKernel {
    let spot = Spot { file: "a reduction".to_owned(), line: 1 };
    FlatKernel {
        facts: Facts { float64: (scalar == Scalar::F64).then_some(spot), ..Facts::default() },
        ..FlatKernel::empty(name)
    }
}
