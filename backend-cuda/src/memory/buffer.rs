//! A piece of device memory, allocated and freed in stream order.

use crate::device::Context;
use crate::driver::Stream;
use cudarc::driver::sys::{self, CUresult};
use imminent_core::{Error, Result};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// Device memory. Dropping it puts its release at the end of the stream that used it last, after the work on all other
/// streams that used it. Core orders uses on several streams.
#[derive(Debug)]
pub(crate) struct DeviceBuffer {
    pointer: u64,
    bytes: u64,
    /// Number of the last of `users`, for comparison without a lock.
    last_id: AtomicU64,
    /// Streams that used it, in order of their last use. Never empty.
    users: Mutex<Vec<Arc<Stream>>>,
    allocated: Arc<AtomicU64>,
    /// `true` if another library owns the memory and releases it.
    adopted: bool,
}

/// Least number of bytes of an allocation: the driver refuses length 0.
const MIN_BYTES: u64 = 16;

impl DeviceBuffer {
    /// Allocates memory with undefined contents.
    pub(crate) fn new(context: &Context, stream: &Arc<Stream>, what: &str, bytes: u64) -> Result<DeviceBuffer> {
        let bytes = bytes.max(MIN_BYTES);
        if bytes > context.sizes.memory {
            return Err(context.primary.out_of_memory(what, bytes, context.primary.free_bytes()));
        }
        let mut code = allocate(stream, bytes);
        if let Err(CUresult::CUDA_ERROR_OUT_OF_MEMORY) = code {
            // Memory whose release is still pending on other streams comes back only after waiting for them.
            context.make_room()?;
            code = allocate(stream, bytes);
        }
        let pointer = code.map_err(|code| match code {
            CUresult::CUDA_ERROR_OUT_OF_MEMORY => {
                context.primary.out_of_memory(what, bytes, context.primary.free_bytes())
            }
            code => match context.primary.check("allocating memory", code) {
                Err(error) => error,
                Ok(()) => context.driver("allocating memory", "no memory and no error"),
            },
        })?;
        context.allocated.fetch_add(bytes, Ordering::Relaxed);
        Ok(DeviceBuffer {
            pointer,
            bytes,
            last_id: AtomicU64::new(stream.id),
            users: Mutex::new(vec![stream.clone()]),
            allocated: context.allocated.clone(),
            adopted: false,
        })
    }

    /// Allocates zeroed memory.
    pub(crate) fn zeroed(context: &Context, stream: &Arc<Stream>, what: &str, bytes: u64) -> Result<DeviceBuffer> {
        let buffer = Self::new(context, stream, what, bytes)?;
        buffer.fill(stream, 0, 0..buffer.bytes / 4, "clearing memory")?;
        Ok(buffer)
    }

    /// Returns the address on the device.
    pub(crate) fn pointer(&self) -> u64 {
        self.pointer
    }

    /// Returns the length in bytes.
    pub(crate) fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Wraps memory of another library.
    ///
    /// # Safety
    /// `bytes` bytes from `pointer` on are memory of this device that lives longer than this value and the work that
    /// uses it.
    pub(crate) unsafe fn adopt(context: &Context, stream: &Arc<Stream>, pointer: u64, bytes: u64) -> DeviceBuffer {
        DeviceBuffer {
            pointer,
            bytes,
            last_id: AtomicU64::new(stream.id),
            users: Mutex::new(vec![stream.clone()]),
            allocated: context.allocated.clone(),
            adopted: true,
        }
    }

    /// Records that work on a stream uses the memory from now on.
    #[inline]
    pub(crate) fn used_by(&self, stream: &Arc<Stream>) -> Result<()> {
        if self.last_id.load(Ordering::Acquire) == stream.id { Ok(()) } else { self.change_stream(stream) }
    }

    #[cold]
    fn change_stream(&self, stream: &Arc<Stream>) -> Result<()> {
        let mut users = self.users.lock().unwrap_or_else(PoisonError::into_inner);
        if users.iter().any(|user| !Arc::ptr_eq(&user.primary, &stream.primary)) {
            return Err(Error::invalid("table", "it belongs to another device than the queue"));
        }
        users.retain(|user| user.id != stream.id);
        users.push(stream.clone());
        self.last_id.store(stream.id, Ordering::Release);
        Ok(())
    }

    /// Sets words to a value, in the order of a stream.
    pub(crate) fn fill(&self, stream: &Stream, value: u32, words: std::ops::Range<u64>, stage: &str) -> Result<()> {
        let end = words.end.min(self.bytes / 4);
        if words.start >= end {
            return Ok(());
        }
        let length = usize::try_from(end - words.start).unwrap_or(usize::MAX);
        // SAFETY: the words lie in the memory. It is not freed before earlier work on the stream is done: its release
        // goes to the end of the last stream.
        let code = unsafe { sys::cuMemsetD32Async(self.pointer + words.start * 4, value, length, stream.raw()) };
        stream.primary.check(stage, code)
    }

    /// Copies the first bytes to another memory, in the order of a stream.
    pub(crate) fn copy_to(&self, to: &DeviceBuffer, to_offset: u64, bytes: u64, stream: &Stream) -> Result<()> {
        let bytes = bytes.min(self.bytes).min(to.bytes.saturating_sub(to_offset));
        let length = usize::try_from(bytes).unwrap_or(0);
        if length == 0 {
            return Ok(());
        }
        // SAFETY: both stretches lie in their memories, which live as `fill` argues.
        let code = unsafe { sys::cuMemcpyDtoDAsync_v2(to.pointer + to_offset, self.pointer, length, stream.raw()) };
        stream.primary.check("copying memory", code)
    }
}

fn allocate(stream: &Stream, bytes: u64) -> Result<u64, CUresult> {
    let mut pointer = 0;
    let length = usize::try_from(bytes).map_err(|_| CUresult::CUDA_ERROR_OUT_OF_MEMORY)?;
    // SAFETY: one address is written; the stream lives and its context is current.
    match unsafe { sys::cuMemAllocAsync(&mut pointer, length, stream.raw()) } {
        CUresult::CUDA_SUCCESS => Ok(pointer),
        code => Err(code),
    }
}

impl Drop for DeviceBuffer {
    fn drop(&mut self) {
        if self.adopted {
            return;
        }
        self.allocated.fetch_sub(self.bytes, Ordering::Relaxed);
        let users = self.users.get_mut().unwrap_or_else(PoisonError::into_inner);
        let Some(last) = users.pop() else { return };
        if last.primary.enter().is_ok() {
            let ordered = users.iter().try_for_each(|user| last.after(user));
            if ordered.is_err() {
                // A lost device does no more work; otherwise it is waited for.
                users.iter().for_each(|user| drop(user.wait("releasing memory")));
            }
            // SAFETY: allocated once, freed once. All work on the memory was put on `last` before, or on streams for
            // which `last` waits.
            let _ = unsafe { sys::cuMemFreeAsync(self.pointer, last.raw()) };
        }
    }
}
