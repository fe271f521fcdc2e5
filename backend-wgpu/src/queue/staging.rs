//! Reads of device memory by the host.

use crate::device::{Answer, Context};
use imminent_core::Result;

/// Buffers that the host can read, which are reused.
#[derive(Debug, Default)]
pub(crate) struct Download {
    idle: Vec<wgpu::Buffer>,
}

/// Largest buffer that is kept after use, in bytes.
const LARGEST_KEPT: u64 = 8 << 20;
/// Most idle buffers that are kept.
const MAX_KEPT: usize = 4;
/// Bytes of the smallest buffer.
const SMALLEST: u64 = 4096;

impl Download {
    /// Returns a buffer of at least this size.
    pub(crate) fn take(&mut self, context: &Context, bytes: u64) -> Result<wgpu::Buffer> {
        if let Some(position) = self.idle.iter().position(|buffer| buffer.size() >= bytes) {
            return Ok(self.idle.swap_remove(position));
        }
        let size =
            if bytes <= LARGEST_KEPT { bytes.next_power_of_two().max(SMALLEST) } else { bytes.next_multiple_of(8) };
        let descriptor = wgpu::BufferDescriptor {
            label: Some("memory to read into"),
            size,
            usage: wgpu::BufferUsages::MAP_READ | wgpu::BufferUsages::COPY_DST,
            mapped_at_creation: false,
        };
        context.create_buffer(&descriptor)
    }

    /// Keeps an unmapped buffer for reuse.
    pub(crate) fn give_back(&mut self, buffer: wgpu::Buffer) {
        if buffer.size() <= LARGEST_KEPT && self.idle.len() < MAX_KEPT {
            self.idle.push(buffer);
        }
    }
}

/// Waits for a submission that filled a buffer and shows its first bytes to `f`.
pub(crate) fn mapped<T>(
    context: &Context,
    stage: &str,
    buffer: &wgpu::Buffer,
    bytes: u64,
    submission: &wgpu::SubmissionIndex,
    f: impl FnOnce(&[u8]) -> T,
) -> Result<T> {
    let slice = buffer.slice(..bytes.next_multiple_of(8).min(buffer.size()));
    let outcome = Answer::default();
    let answer = outcome.clone();
    context.noted(stage, || {
        slice.map_async(wgpu::MapMode::Read, move |result| answer.store(result));
    })?;
    context.wait(stage, submission)?;
    match outcome.take() {
        Some(Ok(())) => {}
        Some(Err(error)) => return Err(context.driver(stage, error.to_string())),
        None => {
            return Err(context.driver(stage, "the memory read back was not mapped when its work was done".to_owned()));
        }
    }
    let value = {
        let view = slice.get_mapped_range().map_err(|error| context.driver(stage, error.to_string()))?;
        let length = usize::try_from(bytes).unwrap_or(usize::MAX).min(view.len());
        f(&view[..length])
    };
    buffer.unmap();
    Ok(value)
}
