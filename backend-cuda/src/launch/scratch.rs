//! Memory for the partial results of reductions.

use crate::device::Context;
use crate::driver::Stream;
use crate::memory::DeviceBuffer;
use imminent_core::Result;
use std::sync::Arc;

/// Two buffers between which the levels of a reduction alternate. Successive launches share them.
#[derive(Debug)]
pub(crate) struct Scratch {
    stream: Arc<Stream>,
    buffers: [Option<DeviceBuffer>; 2],
    /// Counters of primitives: 0 at first; every launch resets them for the next.
    counters: Option<DeviceBuffer>,
    /// Outgrown buffers that a program still names.
    retired: Option<Vec<DeviceBuffer>>,
}

/// Bytes of the smallest scratch buffer.
const MIN_BYTES: u64 = 64 << 10;

impl Scratch {
    /// Creates scratch for launches that are put on a stream at once.
    pub(crate) fn passing(stream: &Arc<Stream>) -> Scratch {
        Scratch { stream: stream.clone(), buffers: [None, None], counters: None, retired: None }
    }

    /// Creates scratch for launches that are recorded: every address that was handed out stays valid.
    pub(crate) fn lasting(stream: &Arc<Stream>) -> Scratch {
        Scratch { retired: Some(Vec::new()), ..Self::passing(stream) }
    }

    /// Returns the address of buffer 0 or 1, with room for `bytes` bytes.
    pub(crate) fn take(&mut self, context: &Context, which: usize, bytes: u64) -> Result<u64> {
        let slot = &mut self.buffers[which % 2];
        if let Some(buffer) = slot
            && buffer.bytes() >= bytes
        {
            return Ok(buffer.pointer());
        }
        let size = bytes.next_power_of_two().max(MIN_BYTES);
        let buffer = DeviceBuffer::new(context, &self.stream, "the partial results of a reduction", size)?;
        let pointer = buffer.pointer();
        if let (Some(old), Some(retired)) = (slot.replace(buffer), &mut self.retired) {
            retired.push(old);
        }
        Ok(pointer)
    }

    /// Returns the address of at least `words` counters, and their number.
    pub(crate) fn counters(&mut self, context: &Context, words: u64) -> Result<(u64, u64)> {
        if let Some(buffer) = &self.counters
            && buffer.bytes() >= words * 4
        {
            return Ok((buffer.pointer(), buffer.bytes() / 4));
        }
        let size = (words * 4).next_power_of_two().max(MIN_BYTES);
        let buffer = DeviceBuffer::zeroed(context, &self.stream, "the counters of a primitive", size)?;
        let pointer = buffer.pointer();
        if let (Some(old), Some(retired)) = (self.counters.replace(buffer), &mut self.retired) {
            retired.push(old);
        }
        Ok((pointer, size / 4))
    }

    /// Makes a stream wait for all work on the buffers so far.
    pub(crate) fn used_by(&self, stream: &Arc<Stream>) -> Result<()> {
        let retired = self.retired.iter().flatten();
        let mut buffers = self.buffers.iter().flatten().chain(&self.counters).chain(retired);
        buffers.try_for_each(|buffer| buffer.used_by(stream))
    }
}
