//! Head of a loop's state, as the control kernels write it and the host reads it.

use crate::fault_slots::HEAD_WORDS;
use imminent_core::backend::Node;

/// Word with the current turn.
const TURN: usize = 0;
/// Word with the reason why the loop halted: 0 while it runs.
const REASON: usize = 1;
/// Word with the number of the test that holds.
const TEST: usize = 2;
/// Word that the host sets to 1 to stop the outermost loop at the end of its step.
pub const STOP: u32 = 5;
/// First of ten words that the backend may use itself.
pub const OWN: u32 = 6;
/// First of the two words that count the steps of the outermost loop.
pub const FIRST_COUNTER: u32 = 3;
/// First word of the counters of inner loops. Each has four words: steps since it was entered (two words), total of its
/// steps modulo 2^32, 0.
pub const INNER_COUNTERS: u32 = 16;
/// Largest number of loops inside one loop.
pub const MAX_INNER: u32 = (HEAD_WORDS - INNER_COUNTERS) / 4;
/// Turn that no operation has: the loop has halted.
pub const HALTED: u32 = u32::MAX;

/// Reason why a loop halted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Reason {
    /// The loop has not halted.
    #[default]
    Running,
    /// A test holds: word 1 is 1.
    Test(usize),
    /// The step limit is reached: word 1 is 2.
    Limit,
    /// A kernel raised a fault: word 1 is 3.
    Fault,
    /// The host asked it to stop: word 1 is 4.
    Stopped,
    /// Word 1 has another value.
    Unknown(u32),
}

/// Contents of the head.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Head {
    /// Reason why the loop halted.
    pub reason: Reason,
    /// Number of steps done.
    pub steps: u64,
    /// Total number of steps of each inner loop, modulo 2^32.
    pub inner: Vec<u32>,
}

impl Head {
    /// Length in bytes.
    pub const BYTES: usize = HEAD_WORDS as usize * 4;

    /// Reads the head from its bytes; missing bytes count as 0.
    #[must_use]
    pub fn read(bytes: &[u8]) -> Head {
        let word = |at: usize| match bytes.get(at * 4..at * 4 + 4) {
            Some(&[a, b, c, d]) => u32::from_le_bytes([a, b, c, d]),
            _ => 0,
        };
        let counter = FIRST_COUNTER as usize;
        let reason = match word(REASON) {
            0 if word(TURN) != HALTED => Reason::Running,
            1 => Reason::Test(word(TEST) as usize),
            2 => Reason::Limit,
            3 => Reason::Fault,
            4 => Reason::Stopped,
            other => Reason::Unknown(other),
        };
        let inner = (0..MAX_INNER).map(|slot| word((INNER_COUNTERS + 4 * slot + 2) as usize)).collect();
        Head { reason, steps: u64::from(word(counter)) | u64::from(word(counter + 1)) << 32, inner }
    }
}

/// Returns `true` if nodes contain a loop whose end the device finds.
pub(super) fn has_loop(nodes: &[Node]) -> bool {
    nodes.iter().any(|node| match node {
        Node::LoopUntil(_) => true,
        Node::Repeat { body, .. } => has_loop(body),
        _ => false,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bytes(words: &[u32]) -> Vec<u8> {
        words.iter().flat_map(|word| word.to_le_bytes()).collect()
    }

    #[test]
    fn the_head_is_read_as_the_kernels_write_it() {
        let mut words = [0; HEAD_WORDS as usize];
        words[..5].copy_from_slice(&[HALTED, 1, 3, 5, 1]);
        words[16 + 4 + 2] = 77;
        let head = Head::read(&bytes(&words));
        assert_eq!((head.reason, head.steps, head.inner[0], head.inner[1]), (Reason::Test(3), 5 + (1 << 32), 0, 77));
    }

    #[test]
    fn a_loop_that_halts_without_a_reason_is_not_taken_for_running() {
        assert_eq!(Head::read(&[]).reason, Reason::Running);
        assert_eq!(Head::read(&bytes(&[4, 0])).reason, Reason::Running);
        assert_eq!(Head::read(&bytes(&[HALTED, 0])).reason, Reason::Unknown(0));
        assert_eq!(Head::read(&bytes(&[HALTED, 9])).reason, Reason::Unknown(9));
        assert_eq!(Head::read(&bytes(&[HALTED, 2])).reason, Reason::Limit);
        assert_eq!(Head::read(&bytes(&[HALTED, 3])).reason, Reason::Fault);
    }
}
