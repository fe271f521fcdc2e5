//! Shaders of primitives and their text.

mod form;

pub(crate) use form::Form;

use super::source::{HEAD, binding, own_source};
use form::{canonical, keys};
use imminent_core::ir::Scalar;
use imminent_lowering::wgsl::{BufferRole, WgslSource};

/// Words of the launch block of every shader.
pub(crate) const BLOCK_WORDS: usize = 32;

/// A shader of a primitive.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum PrimitiveShader {
    /// Writes a partial result for the rows of every workgroup.
    Fold(Form, Scalar),
    /// Combines the partial results.
    Finish(Form, Scalar),
    /// A level of the fixed tree over `f32`.
    Tree,
    /// Writes a partial result for every chunk of rows.
    Totals(Form, Scalar),
    /// Scans chunks.
    Scan(Form, Scalar),
    /// Lists the rows of chunks that pass a test.
    Select(Scalar),
    /// Counts a digit of the keys of every chunk.
    SortCount(Scalar),
    /// Sums the counts of digits.
    SortOffsets,
    /// Moves the keys of every chunk, and their payloads.
    SortPlace(Scalar),
    /// Sorts few rows at once.
    SortSmall(Scalar),
    /// Moves words.
    Move,
    /// Reduces segments.
    Segments(Form, Scalar),
    /// Counts values by slot.
    Histogram(Scalar),
}

const VECTOR_NARROW: &str = include_str!("text/vector_narrow.wgsl");
const VECTOR_WIDE: &str = include_str!("text/vector_wide.wgsl");
const TAKE: &str = include_str!("text/take.wgsl");
const TAKE_FLOAT: &str = include_str!("text/take_float.wgsl");
const TAKE_ROW_NARROW: &str = include_str!("text/take_row_narrow.wgsl");
const TAKE_ROW_WIDE: &str = include_str!("text/take_row_wide.wgsl");
const GROUP: &str = include_str!("text/group.wgsl");
const FOLD: &str = include_str!("text/fold.wgsl");
const FINISH: &str = include_str!("text/finish.wgsl");
const CHUNK: &str = include_str!("text/chunk.wgsl");
const TOTALS: &str = include_str!("text/totals.wgsl");
const BEFORE: &str = include_str!("text/before.wgsl");
const TURN: &str = include_str!("text/turn.wgsl");
const WITHIN: &str = include_str!("text/within.wgsl");
const COUNTS: &str = include_str!("text/counts.wgsl");
const DIGITS: &str = include_str!("text/digits.wgsl");
const SORT_COUNT: &str = include_str!("text/sort_count.wgsl");
const SORT_OFFSETS: &str = include_str!("text/sort_offsets.wgsl");
const SORT_PLACE: &str = include_str!("text/sort_place.wgsl");
const SORT_SMALL: &str = include_str!("text/sort_small.wgsl");
const MOVE: &str = include_str!("text/move.wgsl");
const SEGMENTS: &str = include_str!("text/segments.wgsl");
const HISTOGRAM: &str = include_str!("text/histogram.wgsl");
const SCAN: &str = include_str!("text/scan.wgsl");
const SELECT: &str = include_str!("text/select.wgsl");
const TREE: &str = include_str!("text/tree.wgsl");

/// Declaration of a storage buffer beside the state and the launch block.
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
const STARTS: Declared = Declared { name: "starts", element: "u32", role: BufferRole::Input };
const LIST: Declared = Declared { name: "list", element: "u32", role: BufferRole::Input };
const PAYLOADS: Declared = Declared { name: "payloads", element: "u32", role: BufferRole::Input };
const MATRIX: Declared = Declared { name: "matrix", element: "u32", role: BufferRole::Input };
const COUNTED: Declared = Declared { name: "matrix", element: "u32", role: BufferRole::Output };
const KEYS_TO: Declared = Declared { name: "keys_to", element: "u32", role: BufferRole::Output };
const PAYLOADS_TO: Declared = Declared { name: "payloads_to", element: "u32", role: BufferRole::Output };
const TALLY: Declared = Declared { name: "tally", element: "atomic<u32>", role: BufferRole::Output };
const OUTPUT: Declared = Declared { name: "output", element: "u32", role: BufferRole::Output };

impl PrimitiveShader {
    /// Returns the shader of the first dispatch; scalars with the same text share one shader.
    pub(crate) fn fold(form: Form, scalar: Scalar) -> PrimitiveShader {
        PrimitiveShader::Fold(form, canonical(form, scalar))
    }

    /// Returns the shader of the second dispatch.
    pub(crate) fn finish(form: Form, scalar: Scalar) -> PrimitiveShader {
        PrimitiveShader::Finish(form, canonical(form, scalar))
    }

    /// Returns the shader of the first dispatch of a scan or selection.
    pub(crate) fn totals(form: Form, scalar: Scalar) -> PrimitiveShader {
        PrimitiveShader::Totals(form, canonical(form, scalar))
    }

    /// Returns the shader of the second dispatch of a scan.
    pub(crate) fn scan(form: Form, scalar: Scalar) -> PrimitiveShader {
        PrimitiveShader::Scan(form, canonical(form, scalar))
    }

    /// Returns the shader of the second dispatch of a selection.
    pub(crate) fn select(scalar: Scalar) -> PrimitiveShader {
        PrimitiveShader::Select(canonical(Form::Count, scalar))
    }

    /// Returns the shader of a reduction of segments.
    pub(crate) fn segments(form: Form, scalar: Scalar) -> PrimitiveShader {
        PrimitiveShader::Segments(form, canonical(form, scalar))
    }

    /// Returns the text and its bindings.
    pub(crate) fn source(self) -> WgslSource {
        match self {
            PrimitiveShader::Fold(form, scalar) => {
                let vector = if scalar.words() == 2 { VECTOR_WIDE } else { VECTOR_NARROW };
                let prepare = if form == Form::Count { "set_test();" } else { "" };
                let take = match (form, scalar.words()) {
                    (Form::LeastRow | Form::GreatestRow, 2) => TAKE_ROW_WIDE,
                    (Form::LeastRow | Form::GreatestRow, _) => TAKE_ROW_NARROW,
                    (Form::SumFloat, _) => TAKE_FLOAT,
                    _ => TAKE,
                };
                let text = form.text(scalar) + vector + take + GROUP + &FOLD.replace("PREPARE", prepare);
                let buffers = [COLUMN, OUTPUT, OPERAND];
                assemble(&text, if form == Form::Count { &buffers } else { &buffers[..2] })
            }
            PrimitiveShader::Finish(form, scalar) => {
                let text = form.text(scalar) + GROUP + &FINISH.replace("RESULT", &form.result(scalar));
                // The value of the test is not read again.
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
                let text = form.text(scalar) + GROUP + CHUNK + WITHIN + BEFORE + &SCAN.replace("VALUE", &value);
                assemble(&text, &[WORDS, PARTIALS, OUTPUT])
            }
            PrimitiveShader::Select(scalar) => {
                let text = Form::Count.text(scalar) + GROUP + CHUNK + WITHIN + BEFORE + SELECT;
                assemble(&text, &[WORDS, PARTIALS, OUTPUT, NUMBER, OPERAND])
            }
            PrimitiveShader::Tree => assemble(TREE, &[INPUT, OUTPUT]),
            PrimitiveShader::SortCount(scalar) => {
                assemble(&(keys(scalar) + CHUNK + DIGITS + SORT_COUNT), &[WORDS, COUNTED])
            }
            PrimitiveShader::SortOffsets => assemble(&(COUNTS.to_owned() + WITHIN + SORT_OFFSETS), &[COUNTED]),
            PrimitiveShader::SortPlace(scalar) => {
                let text = keys(scalar) + COUNTS + WITHIN + CHUNK + DIGITS + SORT_PLACE;
                assemble(&text, &[WORDS, PAYLOADS, MATRIX, KEYS_TO, PAYLOADS_TO])
            }
            PrimitiveShader::SortSmall(scalar) => {
                let text = keys(scalar) + CHUNK + SORT_SMALL;
                assemble(&text, &[WORDS, PAYLOADS, KEYS_TO, PAYLOADS_TO])
            }
            PrimitiveShader::Move => assemble(MOVE, &[INPUT, LIST, OUTPUT]),
            PrimitiveShader::Segments(form, scalar) => {
                let text = form.text(scalar) + GROUP + CHUNK + &SEGMENTS.replace("VALUE", &form.value("acc"));
                assemble(&text, &[WORDS, STARTS, OUTPUT])
            }
            PrimitiveShader::Histogram(scalar) => assemble(&(keys(scalar) + CHUNK + HISTOGRAM), &[WORDS, TALLY]),
        }
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
    code.push_str(TURN);
    code.push_str(text);
    own_source(code, bindings, BLOCK_WORDS as u32)
}

#[cfg(test)]
mod tests;
