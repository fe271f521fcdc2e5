//! Tables, tallies and results in device memory.

mod limit;
mod pool;

pub(crate) use pool::ResultPool;

use crate::cl::{self, Mem};
use crate::device::Context;
use imminent_core::Result;
use imminent_core::backend::{Buffer, DeviceMemory, Shape, Span};
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// What a [`Buffer`] of this backend holds: the words of a table, tally or result.
#[derive(Debug)]
pub(crate) struct Memory {
    pub(crate) shape: Shape,
    pub(crate) buffer: Arc<WordBuffer>,
    /// Whether the memory still holds what its last owner left there.
    stale: AtomicBool,
    home: Option<Arc<ResultPool>>,
    allocated: Arc<AtomicU64>,
}

/// Device memory for a number of words.
#[derive(Debug)]
pub(crate) struct WordBuffer {
    /// Number of the buffer, unique on the device.
    pub(crate) id: u64,
    pub(crate) mem: Mem,
    pub(crate) words: u64,
}

/// OpenCL has no empty buffers: an empty one takes this many words all the same.
const LEAST_WORDS: u64 = 4;

impl WordBuffer {
    /// Memory with any contents. `what` is for messages.
    pub(crate) fn new(context: &Context, what: &str, words: u64) -> Result<WordBuffer> {
        let words = words.max(LEAST_WORDS);
        let requested = words.saturating_mul(4);
        let Ok(bytes) = usize::try_from(requested) else { return Err(context.out_of_memory(what, requested)) };
        // Some drivers promise more than there is, and fail at the first use.
        let taken = context.allocated.load(Ordering::Relaxed);
        if taken.saturating_add(requested) > context.facts.memory_bytes {
            return Err(context.out_of_memory(what, requested));
        }
        let mem = cl::create_buffer(&context.cl, bytes)
            .map_err(|failure| context.allocation_failed(what, requested, failure))?;
        Ok(WordBuffer { id: context.fresh_id(), mem, words })
    }

    /// Memory of another owner's.
    ///
    /// # Safety
    /// It is a valid `cl_mem` of the context with room for the words.
    pub(crate) unsafe fn share(context: &Context, raw: *mut std::ffi::c_void, words: u64) -> Result<WordBuffer> {
        // SAFETY: the caller's promise.
        let mem = unsafe { Mem::share(raw) }.map_err(|failure| context.failed("adopting memory", failure))?;
        Ok(WordBuffer { id: context.fresh_id(), mem, words })
    }

    /// Length in bytes.
    pub(crate) fn bytes(&self) -> usize {
        // It was one when the buffer was made.
        usize::try_from(self.words * 4).unwrap_or(usize::MAX)
    }
}

impl Memory {
    /// Memory of a shape, with any contents.
    pub(crate) fn new(context: &Context, shape: Shape) -> Result<Memory> {
        limit::check(&shape, context.table_bytes)?;
        let buffer = WordBuffer::new(context, &shape.name(), shape.words())?;
        Ok(Self::assemble(shape, Arc::new(buffer), true, None, context))
    }

    /// A table in memory of another owner's.
    pub(crate) fn adopt(context: &Context, shape: Shape, buffer: WordBuffer) -> Result<Memory> {
        limit::check(&shape, context.table_bytes)?;
        Ok(Self::assemble(shape, Arc::new(buffer), false, None, context))
    }

    /// The result of a launch, of a pool's memory.
    pub(crate) fn result(context: &Context, shape: Shape, results: &Arc<ResultPool>) -> Result<Memory> {
        results.take(context, shape)
    }

    fn assemble(
        shape: Shape,
        buffer: Arc<WordBuffer>,
        stale: bool,
        home: Option<Arc<ResultPool>>,
        context: &Context,
    ) -> Memory {
        let allocated = context.allocated.clone();
        allocated.fetch_add(buffer.words * 4, Ordering::Relaxed);
        Memory { shape, buffer, stale: AtomicBool::new(stale), home, allocated }
    }

    /// Whether the contents must be cleared before anything but a command that overwrites them all. Says so once.
    pub(crate) fn take_stale(&self) -> bool {
        self.stale.load(Ordering::Relaxed) && self.stale.swap(false, Ordering::Relaxed)
    }

    /// Notes that queue `queue` uses the memory: a result that two queues used is not pooled, since work of one could still
    /// touch it when the other has it anew.
    pub(crate) fn used_by(&self, queue: u64) {
        if let Some(home) = &self.home {
            home.used_by(queue, self);
        }
    }

    /// The bytes that a span covers.
    pub(crate) fn bytes_of(&self, span: &Span) -> Result<Range<usize>> {
        // The memory's bytes were counted in a `usize` when it was made.
        let byte = |word: u64| usize::try_from(word * 4).unwrap_or(usize::MAX);
        self.shape.words_of(span).map(|words| byte(words.start)..byte(words.end))
    }
}

impl Drop for Memory {
    fn drop(&mut self) {
        self.allocated.fetch_sub(self.buffer.words * 4, Ordering::Relaxed);
        if let Some(home) = self.home.take() {
            home.give_back(self.buffer.clone());
        }
    }
}

impl DeviceMemory for Memory {
    const BACKEND: &'static str = "opencl";

    fn shape(&self) -> &Shape {
        &self.shape
    }
}

/// The memory behind a handle.
pub(crate) fn memory(buffer: &Buffer) -> Result<&Memory> {
    Memory::of(buffer)
}
