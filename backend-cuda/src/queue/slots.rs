//! Fault slots, in which kernels record their faults.

use crate::device::Context;
use crate::driver::Stream;
use crate::memory::DeviceBuffer;
use crate::module::Kernel;
use imminent_core::{Error, Result};
use imminent_device::fault_slots::{self, WordMemory};
use std::ops::Range;
use std::sync::Arc;

/// Fault slots of a queue or a program.
pub(crate) type FaultSlots = fault_slots::FaultSlots<DeviceBuffer, Kernel>;

/// Creates empty slots.
pub(crate) fn fault_slots(context: &Context, stream: &Arc<Stream>, capacity: u32) -> Result<FaultSlots> {
    let state = DeviceBuffer::new(context, stream, "fault slots", FaultSlots::words(capacity) * 4)?;
    FaultSlots::new(state, stream, capacity, context.lowering.faults)
}

impl WordMemory for DeviceBuffer {
    type Queue = Stream;
    type Error = Error;

    fn fill(&self, stream: &Stream, value: u32, words: Range<u64>) -> Result<()> {
        DeviceBuffer::fill(self, stream, value, words, "clearing fault slots")
    }
}
