//! The kernel that ends a step: it counts, looks for faults, evaluates the tests, and halts the program.

use crate::device::Context;
use crate::memory::{WordBuffer, memory};
use crate::module::{launch, own_source, parameter, state};
use crate::queue::HEAD_WORDS;
use imminent_core::Result;
use imminent_core::backend::{Comparison, Span, Test};
use imminent_core::c_dialect::{CSource, ParameterRole};
use imminent_ir::Scalar;
use std::sync::Arc;

/// Words of the head of a state buffer, as the kernel and the host know them. Word 0 is the halt flag of every kernel.
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
/// Words of a test: buffer, word in it (two words), scalar, comparison, constant (two words), 0.
const TEST_WORDS: u32 = 8;

/// The launch block of a control kernel, and the buffers that it reads.
#[derive(Debug)]
pub(super) struct Control {
    pub(super) block: Vec<u32>,
    pub(super) values: Vec<Arc<WordBuffer>>,
    pub(super) tests: u32,
}

fn halves(value: u64) -> [u32; 2] {
    [value as u32, (value >> 32) as u32]
}

impl Control {
    pub(super) fn new(slots: u32, tests: &[Test], max_steps: u64) -> Result<Control> {
        let mut values: Vec<Arc<WordBuffer>> = Vec::new();
        let count = u32::try_from(tests.len()).unwrap_or(u32::MAX);
        let [low, high] = halves(max_steps);
        let mut block = vec![slots, 0, low, high, count, 0, 0, 0];
        for test in tests {
            let memory = memory(&test.buffer)?;
            let rows = test.row..test.row.saturating_add(1);
            let span = Span { lane: None, word: test.word, scalar: test.scalar, rows };
            let word = memory.bytes_of(&span)?.start / 4;
            let position = values.iter().position(|value| value.id == memory.buffer.id).unwrap_or_else(|| {
                values.push(memory.buffer.clone());
                values.len() - 1
            });
            block.push(u32::try_from(position).unwrap_or(u32::MAX));
            block.extend(halves(word as u64));
            block.extend([scalar_code(test.scalar), comparison_code(test.comparison)]);
            block.extend(halves(test.constant));
            block.push(0);
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

const TEXT: &str = include_str!("control.cl");

/// The kernel for tests that look at so many buffers.
pub(crate) fn control_source(context: &Context, buffers: u32, tests: u32) -> CSource {
    let (code, words) = text(buffers, tests);
    let mut parameters = vec![state(), launch()];
    parameters.extend((0..buffers).map(|n| parameter(&format!("values{n}"), ParameterRole::Input, false)));
    own_source("control", code, parameters, words, context.lowering.workgroup_size)
}

fn text(buffers: u32, tests: u32) -> (String, u32) {
    let words = BLOCK_HEAD.saturating_add(TEST_WORDS.saturating_mul(tests));
    let parameters: String = (0..buffers).map(|n| format!(", __global const uint *values{n}")).collect();
    let cases: String = (0..buffers).map(|n| format!("case {n}: values = values{n}; break;\n            ")).collect();
    let code = TEXT
        .replace("/* parameters */", &parameters)
        .replace("/* cases */\n", &format!("{cases}default: break;\n"))
        .replace("LAUNCH_WORDS", &words.to_string())
        .replace("FIRST_SLOT", &HEAD_WORDS.to_string());
    (code, words)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_text_declares_and_selects_every_buffer() {
        let (code, words) = text(2, 3);
        assert_eq!(words, 32);
        for part in ["uint w[32]", "__global const uint *values1)", "case 1: values = values1;", "state[16 + slot]"] {
            assert!(code.contains(part), "{part}:\n{code}");
        }
        let (code, _) = text(0, 0);
        assert!(code.contains("imminent_launch launch)") && !code.contains("/*"), "{code}");
    }
}
