//! The launch that passes the turn on: it counts, looks for faults, and evaluates the tests.

use crate::driver::Stream;
use crate::memory::memory;
use imminent_core::Result;
use imminent_core::backend::Span;
use imminent_core::replay::{Control, HEAD_WORDS};
use std::sync::Arc;

/// The launch block of a control operation. A test's place is an address.
pub(super) fn block(stream: &Arc<Stream>, slots: u32, turn: u32, control: &Control) -> Result<Vec<u32>> {
    control.block(slots, turn, |test| {
        let memory = memory(&test.buffer)?;
        memory.used_by(stream, false)?;
        let rows = test.row..test.row.saturating_add(1);
        let bytes = memory.bytes_of(&Span { lane: None, word: test.word, scalar: test.scalar, rows })?;
        let address = memory.pointer() + bytes.start;
        Ok([address as u32, (address >> 32) as u32, 0])
    })
}

const TEXT: &str = include_str!("control.cu");

/// The kernel's text for so many tests.
pub(crate) fn control_text(tests: u32) -> String {
    TEXT.replace("FIRST_SLOT", &format!("{HEAD_WORDS}u")).replace("TESTS", &tests.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_text_is_filled_in() {
        let text = control_text(3);
        assert!(text.contains("u32 w[8 + 8 * 3];") && text.contains("state[64u + slot]"), "{text}");
        assert!(!text.contains("TESTS"));
    }
}
