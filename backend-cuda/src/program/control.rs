//! Launch that passes the turn on: it counts, looks for faults, and evaluates the tests.

use crate::driver::Stream;
use crate::memory::memory;
use imminent_core::Result;
use imminent_core::backend::Span;
use imminent_core::replay::{Control, HEAD_WORDS, OWN};
use std::sync::Arc;

/// Returns the launch block of a control operation. A test's place is an address.
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

/// Word of the head with the number of bodies that the outermost node may still run.
pub(super) const BODIES_LEFT: u32 = OWN;

/// Effect of a control operation on a WHILE node.
#[derive(Clone, Copy, Debug)]
pub(super) enum Role {
    /// Starts the node, if it is the inner loop's turn.
    Before = 1,
    /// Ends the node, unless the loop continues.
    EndsStep = 2,
    /// Does so at the end of the outermost node's body, of which the host requested a limited number.
    EndsBody = 3,
}

/// Arguments of a control operation that is started by itself: it has no node.
pub(super) const NO_NODE: [u64; 2] = [0, 0];

const TEXT: &str = include_str!("control.cu");

/// Returns the kernel's text for `tests` tests; `in_nodes` is `true` if it controls WHILE nodes.
pub(crate) fn control_text(tests: u32, in_nodes: bool) -> String {
    let text = TEXT.replace("FIRST_SLOT", &format!("{HEAD_WORDS}u")).replace("TESTS", &tests.to_string());
    format!("#define IN_NODES {}\n{text}", u32::from(in_nodes))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_text_knows_where_the_host_writes() {
        assert!(TEXT.contains(&format!("state[{BODIES_LEFT}]")));
        assert_eq!([Role::Before as u64, Role::EndsStep as u64, Role::EndsBody as u64], [1, 2, 3]);
    }

    #[test]
    fn the_text_is_filled_in() {
        let text = control_text(3, false);
        assert!(text.contains("u32 w[8 + 8 * 3];") && text.contains("state[64u + slot]"), "{text}");
        assert!(!text.contains("TESTS") && text.contains("#define IN_NODES 0"));
        assert!(control_text(0, true).contains("#define IN_NODES 1"));
    }
}
