//! Fault slots, in which kernels record their faults, and the reading of slots.

use crate::cl::{self, CommandQueue, Failure};
use crate::device::Context;
use crate::memory::WordBuffer;
use crate::module::Kernel;
use imminent_core::backend::{LaunchSlots, NO_FAULT, SlotWindow, slot_bytes};
use imminent_core::replay::HEAD_WORDS;
use imminent_core::{Fault, Result};
use std::ops::Range;
use std::sync::Arc;

/// Number of slots of a queue. When they are used up, the queue waits for its work and examines them.
const SLOTS: u32 = 1 << 16;

/// Fault slots of a queue: one for each site of each launch since they were last examined, in order of the launches.
#[derive(Debug)]
pub(crate) struct FaultSlots {
    state: Arc<WordBuffer>,
    launches: LaunchSlots<Kernel>,
}

impl FaultSlots {
    /// Creates the slots of a queue.
    pub(super) fn new(context: &Context, queue: &CommandQueue) -> Result<FaultSlots> {
        Self::with_capacity(context, queue, SLOTS)
    }

    /// Creates slots for a known set of launches: a state buffer whose head is zero and whose slots are empty.
    pub(crate) fn with_capacity(context: &Context, queue: &CommandQueue, capacity: u32) -> Result<FaultSlots> {
        let what = "fault slots";
        let state = WordBuffer::new(context, what, u64::from(HEAD_WORDS) + u64::from(capacity))?;
        cl::fill(queue, &state.mem, NO_FAULT, 0, state.bytes())
            .and_then(|()| clear_head(queue, &state))
            .map_err(|failure| context.allocation_failed(what, state.bytes() as u64, failure))?;
        Ok(FaultSlots { state: Arc::new(state), launches: LaunchSlots::new(capacity, context.lowering.faults) })
    }

    /// Returns the buffer whose word 0 holds the current turn.
    pub(crate) fn state(&self) -> &Arc<WordBuffer> {
        &self.state
    }

    /// Sets the head to zero again.
    pub(crate) fn clear_head(&self, queue: &CommandQueue) -> Result<(), Failure> {
        clear_head(queue, &self.state)
    }

    /// Returns `true` if a launch of the kernel finds free slots.
    pub(crate) fn has_room(&self, kernel: &Kernel) -> Result<bool> {
        self.launches.has_room(kernel)
    }

    /// Takes free slots for a launch of the kernel, an operation of the queue. Returns the word where they start. The
    /// caller has checked that there is room.
    pub(crate) fn claim(&mut self, kernel: &Arc<Kernel>, operation: Option<u64>) -> u32 {
        self.launches.claim(kernel, operation)
    }

    /// Returns offset and length in bytes of the slots in use, if there are any.
    pub(crate) fn used(&self) -> Option<(usize, usize)> {
        Some(self.launches.used()).filter(|used| !used.is_empty()).map(|used| offset_and_length(&used))
    }

    /// Returns the slots that were not yet examined, with their offset and length in bytes.
    pub(super) fn unseen(&self) -> Option<(SlotWindow, (usize, usize))> {
        self.launches.unseen().map(|window| (window.clone(), offset_and_length(&window.slots())))
    }

    /// Decodes the bytes of a window. Returns the fault of the earliest launch that raised one and was not examined
    /// before. When all slots were examined they are free again.
    pub(super) fn look(
        &mut self,
        queue: &CommandQueue,
        window: &SlotWindow,
        bytes: &[u8],
    ) -> Result<Option<Fault>, Failure> {
        let Some((fault, slots)) = self.launches.look(window, bytes) else { return Ok(None) };
        let (offset, bytes) = offset_and_length(&slots);
        cl::fill(queue, &self.state.mem, NO_FAULT, offset, bytes)?;
        Ok(Some(fault))
    }

    /// Returns the fault of the earliest launch that raised one, from the bytes of the slots in use.
    pub(crate) fn decode(&self, bytes: &[u8]) -> Option<Fault> {
        self.launches.decode(bytes)
    }

    /// Clears the slots in use, which stay in use.
    pub(crate) fn empty(&self, queue: &CommandQueue) -> Result<(), Failure> {
        match self.used() {
            Some((offset, bytes)) => cl::fill(queue, &self.state.mem, NO_FAULT, offset, bytes),
            None => Ok(()),
        }
    }
}

/// Returns offset and length of slots in the state buffer, in bytes.
fn offset_and_length(slots: &Range<u32>) -> (usize, usize) {
    let bytes = slot_bytes(slots);
    (bytes.start as usize, (bytes.end - bytes.start) as usize)
}

fn clear_head(queue: &CommandQueue, state: &WordBuffer) -> Result<(), Failure> {
    cl::fill(queue, &state.mem, 0, 0, HEAD_WORDS as usize * 4)
}
