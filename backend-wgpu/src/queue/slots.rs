//! Fault slots, where kernels write their faults, and their decoding.

use crate::device::Context;
use crate::module::Kernel;
use imminent_core::backend::{LaunchSlots, NO_FAULT, SlotWindow, slot_bytes};
use imminent_core::replay::HEAD_WORDS;
use imminent_core::{Fault, Result};
use std::ops::Range;
use std::sync::Arc;

/// Slots of a queue. When they are used up, the queue waits for its work and reads them.
const SLOTS: u32 = 1 << 16;

/// The fault slots of a queue: one for each site of each launch since the last read, in order of the launches.
#[derive(Debug)]
pub(crate) struct FaultSlots {
    state: wgpu::Buffer,
    launches: LaunchSlots<Kernel>,
}

/// Makes a state buffer with a zero header and empty slots.
fn state_buffer(context: &Context, slots: u32) -> Result<wgpu::Buffer> {
    let head = HEAD_WORDS as usize;
    let mut words = vec![NO_FAULT; head + slots as usize];
    words[..head].fill(0);
    let descriptor = wgpu::BufferDescriptor {
        label: Some("fault slots"),
        size: words.len() as u64 * 4,
        usage: wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_SRC | wgpu::BufferUsages::COPY_DST,
        mapped_at_creation: false,
    };
    let state = context.create_buffer(&descriptor)?;
    context.scoped("clearing fault slots", || context.queue.write_buffer(&state, 0, bytemuck::cast_slice(&words)))?;
    Ok(state)
}

impl FaultSlots {
    pub(super) fn new(context: &Context) -> Result<FaultSlots> {
        Self::with_capacity(context, SLOTS)
    }

    /// Makes slots for a known set of launches.
    pub(crate) fn with_capacity(context: &Context, capacity: u32) -> Result<FaultSlots> {
        Ok(FaultSlots {
            state: state_buffer(context, capacity)?,
            launches: LaunchSlots::new(capacity, context.lowering.faults),
        })
    }

    /// Returns the buffer whose word 0 names the step whose turn it is.
    pub(crate) fn state(&self) -> &wgpu::Buffer {
        &self.state
    }

    /// Returns `true` if there are slots for a launch of the kernel.
    pub(crate) fn has_room(&self, kernel: &Kernel) -> Result<bool> {
        self.launches.has_room(kernel)
    }

    /// Takes slots, which must be available, for a launch of the kernel, an operation of the queue. Returns the word
    /// where they start.
    pub(crate) fn claim(&mut self, kernel: &Arc<Kernel>, operation: Option<u64>) -> u32 {
        self.launches.claim(kernel, operation)
    }

    /// Returns the offset and length in bytes of the slots in use, if there are any.
    pub(crate) fn used(&self) -> Option<(u64, u64)> {
        Some(self.launches.used()).filter(|used| !used.is_empty()).map(|used| offset_and_length(&used))
    }

    /// Returns the slots that were not read yet, with their offset and length in bytes.
    pub(super) fn unseen(&self) -> Option<(SlotWindow, (u64, u64))> {
        self.launches.unseen().map(|window| (window.clone(), offset_and_length(&window.slots())))
    }

    /// Decodes the bytes of a window and returns the fault of the earliest launch that raised one and was not read
    /// before. When all slots have been read, they are free again.
    pub(super) fn look(&mut self, context: &Context, window: &SlotWindow, bytes: &[u8]) -> Option<Fault> {
        let (fault, slots) = self.launches.look(window, bytes)?;
        self.empty_slots(context, &slots);
        Some(fault)
    }

    /// Decodes the bytes of the slots in use and returns the fault of the earliest launch that raised one.
    pub(crate) fn decode(&self, bytes: &[u8]) -> Option<Fault> {
        self.launches.decode(bytes)
    }

    /// Clears the slots in use, which stay in use.
    pub(crate) fn empty(&self, context: &Context) {
        self.empty_slots(context, &self.launches.used());
    }

    fn empty_slots(&self, context: &Context, slots: &Range<u32>) {
        let empty = vec![NO_FAULT; slots.len()];
        context.queue.write_buffer(&self.state, slot_bytes(slots).start, bytemuck::cast_slice(&empty));
    }
}

/// Returns the range of slots in the state buffer, in bytes.
fn offset_and_length(slots: &Range<u32>) -> (u64, u64) {
    let bytes = slot_bytes(slots);
    (bytes.start, bytes.end - bytes.start)
}
