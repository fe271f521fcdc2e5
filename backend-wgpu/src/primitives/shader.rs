//! The shaders and their texts.

use crate::module::{binding, own_source};
use crate::wgsl::{BufferRole, WgslSource};
use imminent_core::ir::Scalar;

/// Words of the launch block of every shader.
pub(super) const BLOCK_WORDS: usize = 32;

/// What rows are folded to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Form {
    /// The least value.
    Least,
    /// The greatest value.
    Greatest,
    /// The least value and its row.
    LeastRow,
    /// The greatest value and its row.
    GreatestRow,
    /// The sum of integers.
    Sum,
    /// The sum of `f32` in any order.
    SumFloat,
    /// How many pass a test.
    Count,
}

/// A shader.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum PrimitiveShader {
    /// Leaves what every workgroup's rows give.
    Fold(Form, Scalar),
    /// Joins that.
    Finish(Form, Scalar),
    /// A level of the fixed tree over `f32`.
    Tree,
    /// Leaves what every chunk of rows gives.
    Totals(Form, Scalar),
    /// Scans chunks.
    Scan(Form, Scalar),
    /// Lists the rows of chunks that pass a test.
    Select(Scalar),
}

const HEAD: &str = "\
@group(0) @binding(0) var<storage, read_write> state: array<atomic<u32>>;
@group(0) @binding(1) var<storage, read> launch: array<u32>;
";
const NARROW: &str = include_str!("text/narrow.wgsl");
const WIDE: &str = include_str!("text/wide.wgsl");
const KEYS: &str = include_str!("text/keys.wgsl");
const LEAST: &str = include_str!("text/least.wgsl");
const LEAST_ROW: &str = include_str!("text/least_row.wgsl");
const SUM: &str = include_str!("text/sum.wgsl");
const SUM_FLOAT: &str = include_str!("text/sum_float.wgsl");
const COUNT: &str = include_str!("text/count.wgsl");
const VECTOR_NARROW: &str = include_str!("text/vector_narrow.wgsl");
const VECTOR_WIDE: &str = include_str!("text/vector_wide.wgsl");
const GROUP: &str = include_str!("text/group.wgsl");
const FOLD: &str = include_str!("text/fold.wgsl");
const FINISH: &str = include_str!("text/finish.wgsl");
const CHUNK: &str = include_str!("text/chunk.wgsl");
const TOTALS: &str = include_str!("text/totals.wgsl");
const BEFORE: &str = include_str!("text/before.wgsl");
const SCAN: &str = include_str!("text/scan.wgsl");
const SELECT: &str = include_str!("text/select.wgsl");
const TREE: &str = include_str!("text/tree.wgsl");

/// How a storage buffer beside the state and the launch block is declared.
struct Declared {
    name: &'static str,
    element: &'static str,
    role: BufferRole,
}

const COLUMN: Declared = Declared { name: "column", element: "vec4<u32>", role: BufferRole::Input };
const WORDS: Declared = Declared { name: "column", element: "u32", role: BufferRole::Input };
const PARTIALS: Declared = Declared { name: "partials", element: "u32", role: BufferRole::Input };
const NUMBER: Declared = Declared { name: "count", element: "u32", role: BufferRole::Output };
const INPUT: Declared = Declared { name: "input", element: "u32", role: BufferRole::Input };
const OPERAND: Declared = Declared { name: "operand", element: "u32", role: BufferRole::Input };
const OUTPUT: Declared = Declared { name: "output", element: "u32", role: BufferRole::Output };

impl PrimitiveShader {
    /// The first dispatch; scalars with one text have one shader.
    pub(super) fn fold(form: Form, scalar: Scalar) -> PrimitiveShader {
        PrimitiveShader::Fold(form, canonical(form, scalar))
    }

    /// The second dispatch.
    pub(super) fn finish(form: Form, scalar: Scalar) -> PrimitiveShader {
        PrimitiveShader::Finish(form, canonical(form, scalar))
    }

    /// The first dispatch of a scan or selection.
    pub(super) fn totals(form: Form, scalar: Scalar) -> PrimitiveShader {
        PrimitiveShader::Totals(form, canonical(form, scalar))
    }

    /// The second dispatch of a scan.
    pub(super) fn scan(form: Form, scalar: Scalar) -> PrimitiveShader {
        PrimitiveShader::Scan(form, canonical(form, scalar))
    }

    /// The second dispatch of a selection.
    pub(super) fn select(scalar: Scalar) -> PrimitiveShader {
        PrimitiveShader::Select(canonical(Form::Count, scalar))
    }

    /// The text and its bindings.
    pub(crate) fn source(self) -> WgslSource {
        match self {
            PrimitiveShader::Fold(form, scalar) => {
                let vector = if scalar.words() == 2 { VECTOR_WIDE } else { VECTOR_NARROW };
                let prepare = if form == Form::Count { "set_test();" } else { "" };
                let text = form.text(scalar) + vector + GROUP + &FOLD.replace("PREPARE", prepare);
                let buffers = [COLUMN, OUTPUT, OPERAND];
                assemble(&text, if form == Form::Count { &buffers } else { &buffers[..2] })
            }
            PrimitiveShader::Finish(form, scalar) => {
                let text = form.text(scalar) + GROUP + &FINISH.replace("RESULT", &form.result(scalar));
                // The test's value is not looked at again.
                let buffers = [INPUT, OUTPUT, OPERAND];
                let text = if form == Form::Count { text.replace("operand[", "input[") } else { text };
                assemble(&text, &buffers[..2])
            }
            PrimitiveShader::Totals(form, scalar) => {
                let prepare = if form == Form::Count { "set_test();" } else { "" };
                let text = form.text(scalar) + GROUP + CHUNK + &TOTALS.replace("PREPARE", prepare);
                let buffers = [WORDS, OUTPUT, OPERAND];
                assemble(&text, if form == Form::Count { &buffers } else { &buffers[..2] })
            }
            PrimitiveShader::Scan(form, scalar) => {
                let value = form.value("shown");
                let text = form.text(scalar) + GROUP + CHUNK + BEFORE + &SCAN.replace("VALUE", &value);
                assemble(&text, &[WORDS, PARTIALS, OUTPUT])
            }
            PrimitiveShader::Select(scalar) => {
                let text = Form::Count.text(scalar) + GROUP + CHUNK + BEFORE + SELECT;
                assemble(&text, &[WORDS, PARTIALS, OUTPUT, NUMBER, OPERAND])
            }
            PrimitiveShader::Tree => assemble(TREE, &[INPUT, OUTPUT]),
        }
    }
}

fn canonical(form: Form, scalar: Scalar) -> Scalar {
    match (form, scalar) {
        (Form::Sum, Scalar::I32) | (_, Scalar::Bool) => Scalar::U32,
        (Form::Sum, Scalar::I64) => Scalar::U64,
        (_, scalar) => scalar,
    }
}

impl Form {
    /// What the texts of both dispatches begin with.
    fn text(self, scalar: Scalar) -> String {
        let kind = match scalar {
            Scalar::Bool | Scalar::U32 | Scalar::U64 => 0,
            Scalar::I32 | Scalar::I64 => 1,
            Scalar::F32 | Scalar::F64 => 2,
        };
        let flip = u32::from(matches!(self, Form::Greatest | Form::GreatestRow));
        let width = if scalar.words() == 2 { WIDE } else { NARROW };
        let form = match self {
            Form::Least | Form::Greatest => LEAST,
            Form::LeastRow | Form::GreatestRow => LEAST_ROW,
            Form::Sum => SUM,
            Form::SumFloat => SUM_FLOAT,
            Form::Count => COUNT,
        };
        format!("const KIND = {kind}u;\nconst FLIP = {flip}u;\n{width}{KEYS}{form}")
    }

    /// The bits of what was folded.
    fn value(self, acc: &str) -> String {
        match self {
            Form::Least | Form::Greatest => format!("bits_of({acc})"),
            Form::LeastRow | Form::GreatestRow => format!("bits_of({acc}.key)"),
            Form::Sum | Form::Count => acc.to_owned(),
            Form::SumFloat => format!("bitcast<u32>({acc})"),
        }
    }

    /// The statements that write the result.
    fn result(self, scalar: Scalar) -> String {
        if self == Form::Count {
            return "let answers = array<u32, 3>(acc, min(acc, 1u), select(0u, 1u, acc == rows));
        output[launch[8]] = answers[min(launch[20], 2u)];"
                .to_owned();
        }
        let value = self.value("acc");
        let mut text = format!(
            "var bits = of_words(launch[20], launch[21]);
        if (rows > 0u) {{ bits = {value}; }}
        output[launch[8]] = low_word(bits);"
        );
        if scalar.words() == 2 {
            text.push_str("\n        output[launch[8] + 1u] = high_word(bits);");
        }
        if matches!(self, Form::LeastRow | Form::GreatestRow) {
            // If the least key is the greatest there is, all rows have it.
            text.push_str(
                "
        var row = acc.row;
        if (row == 0xffffffffu && rows > 0u) { row = 0u; }
        output[launch[10]] = row;",
            );
        }
        text
    }
}

fn assemble(text: &str, buffers: &[Declared]) -> WgslSource {
    let mut code = HEAD.to_owned();
    let mut bindings =
        vec![binding(0, "state", BufferRole::State, true), binding(1, "launch", BufferRole::Launch, false)];
    for (Declared { name, element, role }, number) in buffers.iter().zip(2u32..) {
        let writable = *role == BufferRole::Output;
        let access = if writable { "read_write" } else { "read" };
        code.push_str(&format!("@group(0) @binding({number}) var<storage, {access}> {name}: array<{element}>;\n"));
        bindings.push(binding(number, name, *role, writable));
    }
    code.push_str(text);
    own_source(code, bindings, BLOCK_WORDS as u32)
}
