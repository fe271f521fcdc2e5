//! Kernel that passes the turn on: it counts, looks for faults, and evaluates the tests.

use crate::device::Context;
use crate::launch::Work;
use crate::memory::{WordBuffer, memory};
use crate::module::{Shared, launch, own_source, parameter, state};
use imminent_core::Result;
use imminent_core::backend::Span;
use imminent_core::replay::{BLOCK_HEAD, Control, HEAD_WORDS, TEST_WORDS};
use imminent_lowering::c::{CSource, ParameterRole};
use std::sync::Arc;

/// Returns a control operation, with the buffers that its tests read. A test's place is a buffer, and a word in it.
pub(super) fn work(context: &Context, slots: u32, turn: u32, control: &Control) -> Result<Work> {
    let mut values: Vec<Arc<WordBuffer>> = Vec::new();
    let block = control.block(slots, turn, |test| {
        let memory = memory(&test.buffer)?;
        let rows = test.row..test.row.saturating_add(1);
        let span = Span { lane: None, word: test.word, scalar: test.scalar, rows };
        let word = memory.bytes_of(&span)?.start as u64 / 4;
        let position = values.iter().position(|value| value.id == memory.buffer.id).unwrap_or_else(|| {
            values.push(memory.buffer.clone());
            values.len() - 1
        });
        Ok([u32::try_from(position).unwrap_or(u32::MAX), word as u32, (word >> 32) as u32])
    })?;
    let buffers = u32::try_from(values.len()).unwrap_or(u32::MAX);
    let tests = u32::try_from(control.tests.len()).unwrap_or(u32::MAX);
    let pipeline = Shared::Control { buffers, tests }.pipeline(context)?;
    Ok(Work { pipeline, buffers: values, block, groups: 1, faulting: None })
}

const TEXT: &str = include_str!("control.cl");

/// Returns the kernel for tests that read `buffers` buffers.
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
        for part in ["uint w[32]", "__global const uint *values1)", "case 1: values = values1;", "state[64 + slot]"] {
            assert!(code.contains(part), "{part}:\n{code}");
        }
        let (code, _) = text(0, 0);
        assert!(code.contains("imminent_launch launch)") && !code.contains("/*"), "{code}");
    }
}
