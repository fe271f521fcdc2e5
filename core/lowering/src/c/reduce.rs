//! Reductions: how two results combine, the tree within a group, and the kernel of the higher levels.

use super::entry;
use super::expr::Code;
use super::lowering::Lowering;
use super::options::Dialect;
use super::source::{CSource, Parameter, ParameterRole};
use super::writer::Writer;
use super::{CError, COptions, LAUNCH_WORDS, ROWS_PER_GROUP, ReduceLayout, identity_words};
use imminent_ir::flatten::{Facts, FlatKernel, Spot};
use imminent_ir::{BinaryOp, Builtin, Reduce, Scalar};

/// Threads of a warp of CUDA.
const WARP: u32 = 32;

/// How results combine.
#[derive(Clone, Copy, Debug)]
pub(super) struct Combine {
    pub(super) reduce: Reduce,
    /// Type of the combined value.
    scalar: Scalar,
}

impl Combine {
    /// The reduction of values of this type.
    pub(super) fn new(reduce: Reduce, scalar: Scalar) -> Result<Combine, CError> {
        let counts = matches!(reduce, Reduce::Count | Reduce::Any);
        if counts != (scalar == Scalar::Bool) {
            return Err(CError::Reduction { reduce: format!("{reduce:?}").to_lowercase(), scalar });
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

    /// Declares what the tree works on, at the start of the kernel.
    pub(super) fn declare(&self, low: &Lowering<'_>, out: &mut Writer) {
        let shared = low.options.dialect.shared();
        out.line(&format!("{shared} {} results[{ROWS_PER_GROUP}];", self.scalar));
        if self.with_row() {
            out.line(&format!("{shared} u32 result_rows[{ROWS_PER_GROUP}];"));
        }
    }

    /// Puts the identity in the place of an element.
    pub(super) fn nothing(&self, low: &mut Lowering<'_>, out: &mut Writer) {
        let words: Vec<String> = self.identity().iter().map(|word| format!("{word}u")).collect();
        out.line(&format!("results[item] = {};", low.unpack(self.scalar, &words)));
        if self.with_row()
            && let Some(row) = words.last()
        {
            out.line(&format!("result_rows[item] = {row};"));
        }
    }

    fn identity(&self) -> Vec<u32> {
        identity_words(self.reduce, self.scalar)
    }

    /// The value `value` as words at a group's place of `target`, an arg-min with its row.
    pub(super) fn write_value(&self, low: &mut Lowering<'_>, out: &mut Writer, target: &str) {
        let words = self.layout().words;
        let mut values = low.pack(self.scalar, "value");
        if self.with_row() {
            values.push("result_rows[0]".to_owned());
        }
        for (at, value) in values.iter().enumerate() {
            out.line(&format!("{target}[(u64)group * {words}u + {at}u] = {value};"));
        }
    }

    /// Combines `results` in the fixed tree and writes the group's result. Its barriers lie in control flow that depends
    /// on constants alone.
    pub(super) fn tree(&self, low: &mut Lowering<'_>, out: &mut Writer, target: &str) {
        let dialect = low.options.dialect;
        let in_warp = dialect == Dialect::Cuda && low.options.workgroup_size >= WARP;
        out.line(dialect.barrier());
        let least = if in_warp { WARP } else { 1 };
        out.open(&format!("for (u32 stride = {}u; stride >= {least}u; stride >>= 1u) {{", ROWS_PER_GROUP / 2));
        entry::open_items(out, low.options.workgroup_size, "item < stride && item + stride < present");
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
        out.line(&format!("const {} value = results[0];", self.scalar));
        self.write_value(low, out, target);
        out.close("}");
    }

    /// Over a subset only the device knows that there is no element: then this is the result, and every level hands it on.
    pub(super) fn of_no_rows(&self, low: &Lowering<'_>, out: &mut Writer, target: &str) {
        let (turn, group) = (low.in_turn(), low.options.dialect.group());
        out.open(&format!("if (invocation == 0u && {group} == 0u && rows == 0u && {turn}) {{"));
        for (at, word) in self.identity().iter().enumerate() {
            out.line(&format!("{target}[{at}] = {word}u;"));
        }
        out.close("}");
    }

    fn step(&self, low: &mut Lowering<'_>, out: &mut Writer) {
        out.line(&format!("const {} a = results[item];", self.scalar));
        out.line(&format!("const {} b = results[item + stride];", self.scalar));
        let (a, b) = (Code::atom("a"), Code::atom("b"));
        let combined = match self.reduce {
            Reduce::Min => low.builtin(Builtin::Min, self.scalar, &[a, b]),
            Reduce::Max => low.builtin(Builtin::Max, self.scalar, &[a, b]),
            Reduce::Sum | Reduce::Count => low.binary(BinaryOp::Add, self.scalar, a, b),
            Reduce::Any => low.binary(BinaryOp::BitOr, self.scalar, a, b),
            Reduce::ArgMin => return self.arg_step(low, out),
        };
        out.line(&format!("results[item] = {};", combined.text));
    }

    /// The lesser value wins, of equal ones the lower row; a NaN loses to everything else.
    fn arg_step(&self, low: &mut Lowering<'_>, out: &mut Writer) {
        out.line("const u32 a_row = result_rows[item];");
        out.line("const u32 b_row = result_rows[item + stride];");
        let replaces = if self.scalar.is_float() {
            let nan = low.helper(&format!("is_nan_{}", self.scalar.name()));
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

/// The kernel of a reduction's second and higher levels: it reduces word 0 of the launch block results in `input` to one
/// per group of [`ROWS_PER_GROUP`] in `output`, by the same tree.
///
/// Its parameters are `state`, `launch`, `input` and `output`, over a subset also the subset's count, from which it finds how
/// many results the levels below left (word 0 is then the most rows of the launch); results are as [`ReduceLayout`] says. `scalar` is the type
/// of the kernel's returned value, or [`ReduceLayout::scalar`]. An empty launch has no group: the host writes
/// [`identity_words`] then.
///
/// # Errors
/// [`CError::Reduction`] for a type that cannot be reduced so, [`CError::Unsupported`] for `f64` without the option for
/// it, [`CError::Options`] for a bad workgroup size.
pub fn lower_reduce(reduce: Reduce, scalar: Scalar, options: &COptions) -> Result<CSource, CError> {
    let counts = matches!(reduce, Reduce::Count | Reduce::Any);
    let combine = Combine::new(reduce, if counts && scalar == Scalar::U32 { Scalar::Bool } else { scalar })?;
    let name = format!("reduce_{}_{}", format!("{reduce:?}").to_lowercase(), scalar.name());
    let flat = empty_kernel(name.clone(), scalar);
    let mut low = Lowering::checked(&flat, options)?;
    low.launch.words = LAUNCH_WORDS;
    let layout = combine.layout();
    let parameter = |name: &str, role, writable| Parameter { name: name.to_owned(), role, writable };
    let mut parameters = vec![
        parameter("state", ParameterRole::State, true),
        parameter("launch", ParameterRole::Launch, false),
        parameter("input", ParameterRole::Input, false),
        parameter("output", ParameterRole::Output, true),
    ];
    if options.subset {
        parameters.push(parameter("subset_count", ParameterRole::SubsetCount, false));
    }

    let mut main = Writer::default();
    entry::header(&low, &mut main, &parameters);
    combine.declare(&low, &mut main);
    entry::open_groups(&low, &mut main, entry::Elements::Results);
    main.open("{");
    entry::open_items(&mut main, options.workgroup_size, "item < present");
    main.line(&format!("const u64 word = (u64)(first + item) * {}u;", layout.words));
    let words: Vec<String> = (0..layout.words).map(|at| format!("input[word + {at}u]")).collect();
    let value = low.unpack(combine.scalar, &words);
    main.line(&format!("results[item] = {value};"));
    if combine.with_row()
        && let Some(row) = words.last()
    {
        main.line(&format!("result_rows[item] = {row};"));
    }
    main.close("}");
    main.close("}");
    combine.tree(&mut low, &mut main, "output");
    entry::close_groups(&mut low, &mut main, Some(&combine), "output");
    main.close("}");

    let mut body = Writer::default();
    for text in low.helper_texts() {
        body.lines(text);
        body.line("");
    }
    body.append(main);
    Ok(low.finish(&format!("// A higher level of the reduction `{name}`."), body, parameters, Some(layout)))
}

/// A kernel that binds nothing: it lends its lowering to a generated one.
fn empty_kernel(name: String, scalar: Scalar) -> FlatKernel {
    let spot = Spot { file: "a reduction".to_owned(), line: 1 };
    FlatKernel {
        facts: Facts { float64: (scalar == Scalar::F64).then_some(spot), ..Facts::default() },
        ..FlatKernel::empty(name)
    }
}
