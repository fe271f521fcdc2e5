//! Buffers of words, and the pool's source of them.

use crate::cl::{self, Mem};
use crate::device::Context;
use imminent_core::{Error, Result};
use imminent_device::pool::{Allocator, PoolLimits};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// Device memory for a number of words.
#[derive(Debug)]
pub(crate) struct WordBuffer {
    /// Number of the buffer, unique on the device.
    pub(crate) id: u64,
    pub(crate) mem: Mem,
    pub(crate) words: u64,
    _held: Option<Held>,
}

/// Bytes that the driver keeps for the device as long as this value lives.
#[derive(Debug)]
struct Held {
    bytes: u64,
    all: Arc<AtomicU64>,
}

impl Drop for Held {
    fn drop(&mut self) {
        self.all.fetch_sub(self.bytes, Ordering::Relaxed);
    }
}

/// Least number of words of a buffer: OpenCL has no empty buffers.
const MIN_WORDS: u64 = 4;

impl WordBuffer {
    /// Allocates memory with any contents, outside the pool. `what` is for error texts.
    pub(crate) fn new(context: &Context, what: &str, words: u64) -> Result<WordBuffer> {
        let words = words.max(MIN_WORDS);
        let made = match create(context, what, words.saturating_mul(4)) {
            Err(Error::OutOfMemory { .. }) => {
                context.pool.trim();
                create(context, what, words.saturating_mul(4))
            }
            other => other,
        };
        let Slab { mem, held } = made?;
        Ok(WordBuffer { id: context.fresh_id(), mem, words, _held: Some(held) })
    }

    /// Wraps memory of another owner.
    ///
    /// # Safety
    /// `raw` is a valid `cl_mem` of the context with room for the words.
    pub(crate) unsafe fn share(context: &Context, raw: *mut std::ffi::c_void, words: u64) -> Result<WordBuffer> {
        // SAFETY: the caller's promise.
        let mem = unsafe { Mem::share(raw) }.map_err(|failure| context.failed("adopting memory", failure))?;
        Ok(WordBuffer { id: context.fresh_id(), mem, words, _held: None })
    }

    /// Returns the length in bytes.
    pub(crate) fn bytes(&self) -> usize {
        // The product fitted when the buffer was created.
        usize::try_from(self.words * 4).unwrap_or(usize::MAX)
    }
}

/// A buffer that tables share, or that belongs to one of them.
#[derive(Debug)]
pub(crate) struct Slab {
    mem: Mem,
    held: Held,
}

fn create(context: &Context, what: &str, requested: u64) -> Result<Slab> {
    let Ok(bytes) = usize::try_from(requested) else { return Err(context.out_of_memory(what, requested)) };
    // Some drivers promise more than there is, and fail at the first use.
    if context.held.load(Ordering::Relaxed).saturating_add(requested) > context.facts.memory_bytes {
        return Err(context.out_of_memory(what, requested));
    }
    let mem =
        cl::create_buffer(&context.cl, bytes).map_err(|failure| context.allocation_failed(what, requested, failure))?;
    context.held.fetch_add(requested, Ordering::Relaxed);
    Ok(Slab { mem, held: Held { bytes: requested, all: context.held.clone() } })
}

/// OpenCL keeps a released buffer until the commands that use it are done, and one that has parts until these are
/// released. Commands on different parts of a buffer may run at the same time, since parts do not overlap and no
/// command uses the buffer itself.
impl Allocator for Context {
    type Slab = Slab;
    type Block = Arc<WordBuffer>;

    fn allocate(&self, what: &str, bytes: u64, _: &PoolLimits) -> Result<Slab> {
        create(self, what, bytes)
    }

    fn place(&self, slab: &Slab, offset: u64, bytes: u64) -> Result<Arc<WordBuffer>> {
        let whole = offset == 0 && bytes == slab.held.bytes;
        let mem = match (usize::try_from(offset), usize::try_from(bytes)) {
            // SAFETY: the buffer is valid, and of this context.
            _ if whole => unsafe { Mem::share(slab.mem.raw().cast()) },
            (Ok(origin), Ok(size)) => cl::create_sub_buffer(&slab.mem, origin, size),
            _ => return Err(self.out_of_memory("part of a buffer", bytes)),
        };
        let mem = mem.map_err(|failure| self.allocation_failed("part of a buffer", bytes, failure))?;
        Ok(Arc::new(WordBuffer { id: self.fresh_id(), mem, words: bytes / 4, _held: None }))
    }
}
