//! Arguments of the launch that passes the turn on.

use crate::driver::Stream;
use crate::launch::Work;
use crate::memory::memory;
use crate::runtime::Runtime;
use imminent_core::Result;
use imminent_core::backend::Span;
use imminent_device::replay::Control;
use std::sync::Arc;

/// Returns a control operation. A test's place is an address.
pub(super) fn work(
    runtime: &Runtime,
    stream: &Arc<Stream>,
    (slots, turn): (u32, u32),
    control: &Control,
) -> Result<Work> {
    let block = control.block(slots, turn, |test| {
        let memory = memory(&test.buffer)?;
        memory.used_by(stream, false)?;
        let rows = test.row..test.row.saturating_add(1);
        let bytes = memory.bytes_of(&Span::column(None, test.word, test.scalar, rows))?;
        let address = memory.pointer() + bytes.start;
        Ok([address as u32, (address >> 32) as u32, 0])
    })?;
    let code = runtime.control(control.tests.len())?;
    let places = if runtime.context.loops_in_nodes { NO_NODE.to_vec() } else { Vec::new() };
    Ok(Work { code, places, block, groups: 1, faulting: None })
}

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
const NO_NODE: [u64; 2] = [0, 0];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn roles_are_numbered_as_in_the_kernel() {
        assert_eq!([Role::Before as u64, Role::EndsStep as u64, Role::EndsBody as u64], [1, 2, 3]);
    }
}
