//! The dispatch that ends a step: it counts, looks for faults, evaluates the tests, and halts the program.

use crate::memory::{Segment, memory};
use crate::module::{binding, own_source};
use crate::queue::HEAD_WORDS;
use crate::wgsl::{BufferRole, WgslSource};
use imminent_core::backend::{Comparison, Span, Test};
use imminent_core::{Error, Result};
use imminent_ir::Scalar;

/// Words of the head of a state buffer, as the shader and the host know them. Word 0 is the halt flag of every shader.
pub(super) mod head {
    /// Why the program halted: 0 while it runs, else one of the reasons.
    pub(crate) const REASON: usize = 1;
    /// Number of the test that holds.
    pub(crate) const TEST: usize = 2;
    /// Steps done, low word.
    pub(crate) const STEPS_LOW: usize = 3;
    /// Steps done, high word.
    pub(crate) const STEPS_HIGH: usize = 4;
    /// Reason: a test holds.
    pub(crate) const TEST_HOLDS: u32 = 1;
    /// Reason: the step limit is reached.
    pub(crate) const LIMIT: u32 = 2;
    /// Reason: a kernel raised a fault.
    pub(crate) const FAULT: u32 = 3;
}

/// Words of the launch block before the tests: number of slots, 0, step limit (two words), number of tests, 0, 0, 0.
const BLOCK_HEAD: u32 = 8;
/// Words of a test: buffer, word in it, scalar, comparison, constant (two words), 0, 0.
const TEST_WORDS: u32 = 8;

/// The launch block of a control dispatch, and the buffers that it reads.
#[derive(Debug)]
pub(super) struct Control {
    pub(super) block: Vec<u32>,
    pub(super) values: Vec<Segment>,
    pub(super) tests: u32,
}

impl Control {
    pub(super) fn new(slots: u32, tests: &[Test], max_steps: u64) -> Result<Control> {
        let mut values: Vec<Segment> = Vec::new();
        let count = u32::try_from(tests.len()).unwrap_or(u32::MAX);
        let mut block = vec![slots, 0, max_steps as u32, (max_steps >> 32) as u32, count, 0, 0, 0];
        for test in tests {
            let memory = memory(&test.buffer)?;
            let span =
                Span { lane: None, word: test.word, scalar: test.scalar, rows: test.row..test.row.saturating_add(1) };
            let words = memory.words_of(&span)?;
            let Some(piece) = memory.pieces(words).next() else {
                return Err(Error::invalid(
                    "loop_until",
                    format!("the {} has no row {}", memory.shape.name(), test.row),
                ));
            };
            let position = values.iter().position(|value| value.id == piece.segment.id).unwrap_or_else(|| {
                values.push(piece.segment.clone());
                values.len() - 1
            });
            block.extend([
                u32::try_from(position).unwrap_or(u32::MAX),
                // A piece is bound whole, and no binding has 2^32 words.
                u32::try_from(piece.offset / 4).unwrap_or(u32::MAX),
                scalar_code(test.scalar),
                comparison_code(test.comparison),
                test.constant as u32,
                (test.constant >> 32) as u32,
                0,
                0,
            ]);
        }
        Ok(Control { block, values, tests: count })
    }
}

fn scalar_code(scalar: Scalar) -> u32 {
    match scalar {
        Scalar::Bool | Scalar::U32 => 0,
        Scalar::I32 => 1,
        Scalar::U64 => 2,
        Scalar::I64 => 3,
        Scalar::F32 => 4,
        Scalar::F64 => 5,
    }
}

fn comparison_code(comparison: Comparison) -> u32 {
    match comparison {
        Comparison::Equal => 0,
        Comparison::NotEqual => 1,
        Comparison::Less => 2,
        Comparison::LessOrEqual => 3,
        Comparison::Greater => 4,
        Comparison::GreaterOrEqual => 5,
    }
}

const TEXT: &str = include_str!("control.wgsl");

/// The shader for tests that look at so many buffers.
pub(crate) fn control_source(buffers: u32, tests: u32) -> WgslSource {
    let mut declarations = String::new();
    let mut cases = String::new();
    let mut bindings =
        vec![binding(0, "state", BufferRole::State, true), binding(1, "launch", BufferRole::Launch, false)];
    for number in 0..buffers {
        let (at, name) = (number + 2, format!("values{number}"));
        declarations.push_str(&format!("@group(0) @binding({at}) var<storage, read> {name}: array<u32>;\n"));
        cases.push_str(&format!("        case {number}u: {{ return {name}[at]; }}\n"));
        bindings.push(binding(at, &name, BufferRole::Input, false));
    }
    let code = TEXT
        .replace("/* declarations */\n", &declarations)
        .replace("        /* cases */\n", &cases)
        .replace("FIRST_SLOT", &format!("{HEAD_WORDS}u"));
    own_source(code, bindings, BLOCK_HEAD + TEST_WORDS * tests)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use naga::valid::{Capabilities, ValidationFlags, Validator};

    #[test]
    fn the_shader_is_valid_for_any_number_of_buffers() {
        for buffers in [0, 1, 7] {
            let source = control_source(buffers, 2);
            let module = naga::front::wgsl::parse_str(&source.code).unwrap();
            Validator::new(ValidationFlags::all(), Capabilities::default()).validate(&module).unwrap();
            assert_eq!(source.bindings.len() as u32, buffers + 2);
        }
    }
}
