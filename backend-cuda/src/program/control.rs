//! The launch that ends a step: it counts, looks for faults, evaluates the tests, and halts the program.

use crate::driver::Stream;
use crate::memory::memory;
use crate::queue::HEAD_WORDS;
use imminent_core::backend::{Comparison, Span, Test};
use imminent_core::{Error, Result};
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

/// Words of the launch block before the tests.
const BLOCK_HEAD: usize = 8;
/// Tests of one loop: their words must fit into the parameters of a launch.
const MOST_TESTS: usize = 64;

/// The launch block of the control kernel.
pub(super) fn block(stream: &Arc<Stream>, slots: u32, tests: &[Test], max_steps: u64) -> Result<Vec<u32>> {
    if tests.len() > MOST_TESTS {
        let what = "conditions of one loop".to_owned();
        return Err(Error::Limit { what, requested: tests.len() as u64, limit: MOST_TESTS as u64 });
    }
    let count = u32::try_from(tests.len()).unwrap_or(0);
    let mut block = vec![slots, count, max_steps as u32, (max_steps >> 32) as u32, 0, 0, 0, 0];
    debug_assert_eq!(block.len(), BLOCK_HEAD);
    for test in tests {
        let memory = memory(&test.buffer)?;
        memory.used_by(stream, false)?;
        let rows = test.row..test.row.saturating_add(1);
        let bytes = memory.bytes_of(&Span { lane: None, word: test.word, scalar: test.scalar, rows })?;
        let address = memory.pointer() + bytes.start;
        block.extend([
            address as u32,
            (address >> 32) as u32,
            scalar_code(test.scalar),
            comparison_code(test.comparison),
            test.constant as u32,
            (test.constant >> 32) as u32,
            0,
            0,
        ]);
    }
    Ok(block)
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
        assert!(text.contains("u32 w[8 + 8 * 3];") && text.contains("state[16u + slot]"), "{text}");
        assert!(!text.contains("TESTS"));
    }
}
