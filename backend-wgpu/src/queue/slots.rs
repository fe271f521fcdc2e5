//! Fault slots, where kernels write their faults.

use crate::device::Context;
use crate::module::Kernel;
use imminent_core::Result;
use imminent_device::fault_slots::{self, WordMemory};
use std::convert::Infallible;
use std::ops::{Deref, Range};

/// Fault slots of a queue or a program.
pub(crate) type FaultSlots = fault_slots::FaultSlots<StateBuffer, Kernel>;

/// Buffer of the head and the fault slots.
#[derive(Debug)]
pub(crate) struct StateBuffer(wgpu::Buffer);

impl Deref for StateBuffer {
    type Target = wgpu::Buffer;

    fn deref(&self) -> &wgpu::Buffer {
        &self.0
    }
}

impl WordMemory for StateBuffer {
    /// All queues submit to one of the device.
    type Queue = Context;
    /// wgpu reports failures to the error scope around the calls.
    type Error = Infallible;

    fn fill(&self, context: &Context, value: u32, words: Range<u64>) -> std::result::Result<(), Infallible> {
        let values = vec![value; (words.end - words.start) as usize];
        context.queue.write_buffer(&self.0, words.start * 4, bytemuck::cast_slice(&values));
        Ok(())
    }
}

/// Makes empty slots.
pub(crate) fn fault_slots(context: &Context, capacity: u32) -> Result<FaultSlots> {
    let state = context.create_buffer(&wgpu::BufferDescriptor {
        label: Some("fault slots"),
        size: FaultSlots::words(capacity) * 4,
        usage: wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_SRC | wgpu::BufferUsages::COPY_DST,
        mapped_at_creation: false,
    })?;
    let (state, faults) = (StateBuffer(state), context.lowering.faults);
    let Ok(slots) = context.noted("clearing fault slots", || FaultSlots::new(state, context, capacity, faults))?;
    Ok(slots)
}
