//! One launch of one compiled kernel, and its call of the driver.

use crate::device::{Context, MAX_POINTERS};
use crate::driver::{Primary, Stream};
use crate::memory::{DeviceBuffer, LARGE, PinnedPool};
use crate::module::Pipeline;
use cudarc::driver::sys;
use imminent_core::Result;
use std::ffi::c_void;
use std::sync::Arc;

/// Parameters in the driver's form: the address of each value. They live as long as the values.
pub(crate) struct Parameters {
    addresses: [*mut c_void; MAX_POINTERS + 2],
}

impl Parameters {
    /// Assembles the state buffer, the launch block (or the [`address_words`] of one in memory), and the further
    /// addresses.
    #[inline]
    pub(crate) fn new(state: &u64, block: &[u32], pointers: &[u64]) -> Parameters {
        let mut addresses = [std::ptr::null_mut(); MAX_POINTERS + 2];
        addresses[0] = std::ptr::from_ref(state).cast_mut().cast();
        addresses[1] = block.as_ptr().cast_mut().cast();
        for (address, pointer) in addresses[2..].iter_mut().zip(pointers) {
            *address = std::ptr::from_ref(pointer).cast_mut().cast();
        }
        Parameters { addresses }
    }

    pub(crate) fn as_mut_ptr(&mut self) -> *mut *mut c_void {
        self.addresses.as_mut_ptr()
    }
}

/// Returns the words of an address, which replace a launch block in memory.
pub(crate) fn address_words(address: u64) -> [u32; 2] {
    [address as u32, (address >> 32) as u32]
}

/// Uploads a launch block to device memory of its own, in the order of a stream.
pub(crate) fn upload_block(
    context: &Context,
    stream: &Arc<Stream>,
    staging: &mut PinnedPool,
    block: &[u32],
) -> Result<DeviceBuffer> {
    let bytes: &[u8] = bytemuck::cast_slice(block);
    let buffer = DeviceBuffer::new(context, stream, "the parameter blocks of a launch", bytes.len() as u64)?;
    for (part, at) in bytes.chunks(LARGE).zip((0u64..).step_by(LARGE)) {
        let mut piece = staging.take(&context.primary, part.len())?;
        piece.bytes_mut()[..part.len()].copy_from_slice(part);
        // SAFETY: the stretch lies in the buffer, whose release comes later on the stream. The event is recorded at
        // once, and the pool hands out the piece again only when the event is done.
        let started = unsafe { piece.upload(0, part.len(), buffer.pointer() + at, stream) };
        let recorded = piece.record(stream);
        staging.give_back(piece);
        started.and(recorded)?;
    }
    Ok(buffer)
}

/// Puts a launch on a stream.
///
/// # Safety
/// The values are those of the kernel's parameters. Its launch block has no more words than `block`, or `block` is
/// the address of one that large (the kernel was lowered for the one or the other). `pointers` are as many as its
/// other pointers. They name device memory that lives until the launch is done and is as large as the block says.
#[inline]
pub(crate) unsafe fn start(
    primary: &Primary,
    pipeline: &Pipeline,
    blocks: u32,
    mut parameters: Parameters,
    stream: sys::CUstream,
) -> Result<()> {
    // SAFETY: the caller guarantees the parameters; the driver copies their values before it returns.
    let code = unsafe {
        sys::cuLaunchKernel(
            pipeline.function.raw(),
            blocks,
            1,
            1,
            pipeline.threads,
            1,
            1,
            0,
            stream,
            parameters.as_mut_ptr(),
            std::ptr::null_mut(),
        )
    };
    primary.check("launching a kernel", code)
}
