//! Fault slots, in which kernels record their faults, and the reading of slots.

use crate::device::Context;
use crate::driver::Stream;
use crate::memory::DeviceBuffer;
use crate::module::Kernel;
use imminent_core::backend::{LaunchSlots, NO_FAULT, SlotWindow, slot_bytes};
use imminent_core::replay::HEAD_WORDS;
use imminent_core::{Fault, Result};
use std::ops::Range;
use std::sync::Arc;

/// Number of slots of a queue. When they are used up, the queue waits for its work and examines them.
pub(super) const SLOTS: u32 = 1 << 16;

/// Fault slots of a queue or a program: one for each site of each launch since they were last examined, in order of the
/// launches.
#[derive(Debug)]
pub(crate) struct FaultSlots {
    state: DeviceBuffer,
    launches: LaunchSlots<Kernel>,
}

impl FaultSlots {
    /// Creates empty slots, behind a head of zeros.
    pub(crate) fn new(context: &Context, stream: &Arc<Stream>, capacity: u32) -> Result<FaultSlots> {
        let words = u64::from(HEAD_WORDS) + u64::from(capacity);
        let state = DeviceBuffer::new(context, stream, "fault slots", words * 4)?;
        let slots = FaultSlots { state, launches: LaunchSlots::new(capacity, context.lowering.faults) };
        slots.clear_head(stream)?;
        slots.state.fill(stream, NO_FAULT, u64::from(HEAD_WORDS)..words, "clearing fault slots")?;
        Ok(slots)
    }

    /// Returns the state buffer, whose word 0 holds the current turn.
    #[inline]
    pub(crate) fn state(&self) -> &DeviceBuffer {
        &self.state
    }

    /// Sets the head to zero: the first turn.
    pub(crate) fn clear_head(&self, stream: &Stream) -> Result<()> {
        self.state.fill(stream, 0, 0..u64::from(HEAD_WORDS), "clearing the state of a program")
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

    /// Returns the bytes of the slots in use in the state buffer; empty if there are none.
    pub(crate) fn used(&self) -> Range<u64> {
        slot_bytes(&self.launches.used())
    }

    /// Returns the slots that were not yet examined, with their bytes in the state buffer.
    pub(super) fn unseen(&self) -> Option<(SlotWindow, Range<u64>)> {
        self.launches.unseen().map(|window| (window.clone(), slot_bytes(&window.slots())))
    }

    /// Decodes the bytes of a window. Returns the fault of the earliest launch that raised one and was not examined
    /// before. When all slots were examined they are free again.
    pub(super) fn look(&mut self, stream: &Stream, window: &SlotWindow, bytes: &[u8]) -> Result<Option<Fault>> {
        let Some((fault, slots)) = self.launches.look(window, bytes) else { return Ok(None) };
        self.clear(stream, &slots)?;
        Ok(Some(fault))
    }

    /// Returns the fault of the earliest launch that raised one, from the bytes of the slots in use.
    pub(crate) fn decode(&self, bytes: &[u8]) -> Option<Fault> {
        self.launches.decode(bytes)
    }

    /// Empties the slots in use, which stay in use, in the order of a stream.
    pub(crate) fn empty(&self, stream: &Stream) -> Result<()> {
        self.clear(stream, &self.launches.used())
    }

    fn clear(&self, stream: &Stream, slots: &Range<u32>) -> Result<()> {
        let bytes = slot_bytes(slots);
        self.state.fill(stream, NO_FAULT, bytes.start / 4..bytes.end / 4, "clearing fault slots")
    }
}
