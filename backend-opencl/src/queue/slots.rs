//! Fault slots, in which kernels record their faults.

use crate::cl::{self, CommandQueue, Failure};
use crate::device::Context;
use crate::memory::WordBuffer;
use crate::module::Kernel;
use imminent_core::Result;
use imminent_device::fault_slots::{self, WordMemory};
use std::ops::Range;
use std::sync::Arc;

/// Fault slots of a queue or a program.
pub(crate) type FaultSlots = fault_slots::FaultSlots<Arc<WordBuffer>, Kernel>;

/// Creates empty slots.
pub(crate) fn fault_slots(context: &Context, queue: &CommandQueue, capacity: u32) -> Result<FaultSlots> {
    let what = "fault slots";
    let state = Arc::new(WordBuffer::new(context, what, FaultSlots::words(capacity))?);
    let bytes = state.bytes() as u64;
    // A driver may not have looked for the memory before now.
    FaultSlots::new(state, queue, capacity, context.lowering.faults)
        .map_err(|failure| context.allocation_failed(what, bytes, failure))
}

impl WordMemory for WordBuffer {
    type Queue = CommandQueue;
    type Error = Failure;

    fn fill(&self, queue: &CommandQueue, value: u32, words: Range<u64>) -> std::result::Result<(), Failure> {
        let [start, end] = [words.start, words.end].map(|word| word as usize * 4);
        if start == end { Ok(()) } else { cl::fill(queue, &self.mem, value, start, end - start) }
    }
}
