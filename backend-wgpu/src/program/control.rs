//! The dispatch at the end of a step: it counts, checks for faults, evaluates the tests, and sets whose turn is next.

use crate::device::Context;
use crate::launch::Work;
use crate::memory::{Segment, memory};
use crate::module::{Shared, binding, own_source};
use imminent_core::backend::Span;
use imminent_core::replay::{BLOCK_HEAD, Control, HEAD_WORDS, TEST_WORDS};
use imminent_core::{Error, Result};
use imminent_lowering::wgsl::{BufferRole, WgslSource};

/// Makes a control operation with the buffers that its tests read. The position of a test is a buffer and a word in it.
pub(super) fn work(context: &Context, slots: u32, turn: u32, control: &Control) -> Result<Work> {
    let mut values: Vec<Segment> = Vec::new();
    let block = control.block(slots, turn, |test| {
        let memory = memory(&test.buffer)?;
        let span =
            Span { lane: None, word: test.word, scalar: test.scalar, rows: test.row..test.row.saturating_add(1) };
        let words = memory.shape.words_of(&span)?;
        let Some(piece) = memory.pieces(words).next() else {
            return Err(Error::invalid("loop_until", format!("the {} has no row {}", memory.shape.name(), test.row)));
        };
        let position = values.iter().position(|value| value.id == piece.segment.id).unwrap_or_else(|| {
            values.push(piece.segment.clone());
            values.len() - 1
        });
        // A segment is bound whole, and no binding has 2^32 words.
        let word = u32::try_from(piece.offset / 4).unwrap_or(u32::MAX);
        Ok([u32::try_from(position).unwrap_or(u32::MAX), word, 0])
    })?;
    let most = context.limits.storage_buffers.saturating_sub(2);
    let buffers = u32::try_from(values.len()).unwrap_or(u32::MAX);
    if buffers > most {
        return Err(Error::Limit {
            what: "tables and results that the conditions of one loop look at".to_owned(),
            requested: u64::from(buffers),
            limit: u64::from(most),
        });
    }
    let tests = u32::try_from(control.tests.len()).unwrap_or(u32::MAX);
    let pipeline = context.shared.get(context, Shared::Control { buffers, tests })?;
    Ok(Work { pipeline, buffers: values, block, groups: 1, faulting: None })
}

const TEXT: &str = include_str!("control.wgsl");

/// Returns the shader for a number of buffers and tests.
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
