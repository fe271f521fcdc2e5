//! Fault slots: where kernels leave their faults, and how those are read.

use crate::cl::{self, CommandQueue, Failure};
use crate::device::Context;
use crate::memory::WordBuffer;
use crate::module::Kernel;
use imminent_core::backend::{LaunchSlots, NO_FAULT, SlotWindow, slot_bytes};
use imminent_core::replay::HEAD_WORDS;
use imminent_core::{Fault, Result};
use std::ops::Range;
use std::sync::Arc;

/// Slots of a queue. When they are used up, the queue waits for its work and looks at them.
const SLOTS: u32 = 1 << 16;

/// The fault slots of a queue: one for each site of each launch since they were last looked at, in order of the launches.
#[derive(Debug)]
pub(crate) struct FaultSlots {
    state: Arc<WordBuffer>,
    launches: LaunchSlots<Kernel>,
}

impl FaultSlots {
    /// The slots of a queue.
    pub(super) fn new(context: &Context, queue: &CommandQueue) -> Result<FaultSlots> {
        Self::with_capacity(context, queue, SLOTS)
    }

    /// Slots for a known set of launches: a state buffer whose head is zero and whose slots are empty.
    pub(crate) fn with_capacity(context: &Context, queue: &CommandQueue, capacity: u32) -> Result<FaultSlots> {
        let what = "fault slots";
        let state = WordBuffer::new(context, what, u64::from(HEAD_WORDS) + u64::from(capacity))?;
        cl::fill(queue, &state.mem, NO_FAULT, 0, state.bytes())
            .and_then(|()| clear_head(queue, &state))
            .map_err(|failure| context.allocation_failed(what, state.bytes() as u64, failure))?;
        Ok(FaultSlots { state: Arc::new(state), launches: LaunchSlots::new(capacity, context.lowering.faults) })
    }

    /// The buffer whose word 0 says whose turn it is.
    pub(crate) fn state(&self) -> &Arc<WordBuffer> {
        &self.state
    }

    /// Makes the head zero again.
    pub(crate) fn clear_head(&self, queue: &CommandQueue) -> Result<(), Failure> {
        clear_head(queue, &self.state)
    }

    /// Whether a launch of the kernel finds slots.
    pub(crate) fn has_room(&self, kernel: &Kernel) -> Result<bool> {
        self.launches.has_room(kernel)
    }

    /// Takes slots, which there are, for a launch of the kernel: the word where they start.
    pub(crate) fn claim(&mut self, kernel: &Arc<Kernel>) -> u32 {
        self.launches.claim(kernel)
    }

    /// Offset and length in bytes of the slots in use, if there are any.
    pub(crate) fn used(&self) -> Option<(usize, usize)> {
        Some(self.launches.used()).filter(|used| !used.is_empty()).map(|used| offset_and_length(&used))
    }

    /// The slots that nobody has looked at, with their offset and length in bytes.
    pub(super) fn unseen(&self) -> Option<(SlotWindow, (usize, usize))> {
        self.launches.unseen().map(|window| (window.clone(), offset_and_length(&window.slots())))
    }

    /// Looks at the bytes of a window: the fault of the earliest launch that raised one and was not looked at before. When all
    /// have been looked at they are free again.
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

    /// The fault of the earliest launch that raised one, from the bytes of the slots in use.
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

/// Where slots lie in the state buffer, in bytes.
fn offset_and_length(slots: &Range<u32>) -> (usize, usize) {
    let bytes = slot_bytes(slots);
    (bytes.start as usize, (bytes.end - bytes.start) as usize)
}

fn clear_head(queue: &CommandQueue, state: &WordBuffer) -> Result<(), Failure> {
    cl::fill(queue, &state.mem, 0, 0, HEAD_WORDS as usize * 4)
}
