//! Tables, tallies and results in device memory, in the canonical layout of word columns.

mod buffer;
mod pinned;
mod results;

pub(crate) use buffer::DeviceBuffer;
pub(crate) use pinned::{LARGE, Pinned, PinnedPool};
pub(crate) use results::ResultPool;

use crate::device::Context;
use crate::driver::Stream;
use imminent_core::backend::{Allocation, Buffer, DeviceMemory, Shape, Span};
use imminent_core::{Error, Limit, Result};
use results::ResultSlot;
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Memory behind a [`Buffer`] of this backend.
#[derive(Debug)]
pub(crate) struct Memory {
    pub(crate) shape: Shape,
    place: Backing,
    /// Set while a pooled result holds its last owner's value.
    stale: AtomicBool,
    /// Set when a pooled result was used on another stream than its pool's: its place is not reused.
    foreign: AtomicBool,
}

#[derive(Debug)]
enum Backing {
    /// Separately allocated memory.
    Own(DeviceBuffer),
    /// A place of a queue's pool, to which it returns.
    Pooled(ResultSlot, Arc<ResultPool>),
}

impl Memory {
    /// Allocates zeroed memory.
    pub(crate) fn allocate(
        context: &Context,
        stream: &Arc<Stream>,
        results: &Arc<ResultPool>,
        allocation: &Allocation,
    ) -> Result<Memory> {
        let shape = Shape::of(allocation);
        if matches!(shape, Shape::Result { .. }) {
            let place = Backing::Pooled(results.take(context)?, results.clone());
            return Ok(Memory { shape, place, stale: AtomicBool::new(true), foreign: AtomicBool::new(false) });
        }
        Self::new(context, stream, shape)
    }

    /// Allocates zeroed memory of a shape.
    pub(crate) fn new(context: &Context, stream: &Arc<Stream>, shape: Shape) -> Result<Memory> {
        let most = crate::device::MAX_ROWS;
        if shape.rows() > most {
            return Err(Error::limit(Limit::Rows { of: format!("a {}", shape.name()) }, shape.rows(), most));
        }
        let place = Backing::Own(DeviceBuffer::zeroed(context, stream, &shape.name(), shape.bytes())?);
        Ok(Memory { shape, place, stale: AtomicBool::new(false), foreign: AtomicBool::new(false) })
    }

    /// Wraps a table in memory of another library.
    ///
    /// # Safety
    /// The bytes of the shape from `pointer` on are memory of this device that lives longer than this value and the
    /// work that uses it.
    pub(crate) unsafe fn adopt(context: &Context, shape: Shape, pointer: u64) -> Result<Memory> {
        let stream = Arc::new(Stream::new(&context.primary)?);
        // SAFETY: the caller's promise.
        let buffer = unsafe { DeviceBuffer::adopt(context, &stream, pointer, shape.bytes()) };
        Ok(Memory {
            shape,
            place: Backing::Own(buffer),
            stale: AtomicBool::new(false),
            foreign: AtomicBool::new(false),
        })
    }

    fn buffer(&self) -> &DeviceBuffer {
        match &self.place {
            Backing::Own(buffer) => buffer,
            Backing::Pooled(slot, _) => &slot.slab,
        }
    }

    fn offset(&self) -> u64 {
        match &self.place {
            Backing::Own(_) => 0,
            Backing::Pooled(slot, _) => slot.offset,
        }
    }

    /// Returns the device's address of the first word.
    #[inline]
    pub(crate) fn pointer(&self) -> u64 {
        self.buffer().pointer() + self.offset()
    }

    /// Records that work of a stream uses the memory. A pooled place that still holds its last owner's value is cleared
    /// first, unless the work `overwrites` it.
    #[inline]
    pub(crate) fn used_by(&self, stream: &Arc<Stream>, overwrites: bool) -> Result<()> {
        self.buffer().used_by(stream)?;
        if let Backing::Pooled(_, pool) = &self.place
            && !pool.is_of(stream)
        {
            self.foreign.store(true, Ordering::Relaxed);
        }
        if self.stale.load(Ordering::Relaxed) && self.stale.swap(false, Ordering::Relaxed) && !overwrites {
            return self.clear(stream);
        }
        Ok(())
    }

    /// Sets every word to zero.
    pub(crate) fn clear(&self, stream: &Stream) -> Result<()> {
        let first = self.offset() / 4;
        self.buffer().fill(stream, 0, first..first + self.shape.words(), "clearing memory")
    }

    /// Copies all words to the start of another memory, which has room for them.
    pub(crate) fn copy_to(&self, to: &Memory, stream: &Stream) -> Result<()> {
        if self.pointer() == to.pointer() {
            return Ok(());
        }
        if self.offset() > 0 || self.shape.words() > to.shape.words() {
            // Results are never copied as a whole; a larger memory was refused earlier.
            return Err(Error::invalid(to.shape.name(), format!("a {} cannot be copied to it", self.shape.name())));
        }
        self.buffer().copy_to(to.buffer(), to.offset(), self.shape.bytes(), stream)
    }

    /// Returns the bytes that a span covers, from the first word on.
    pub(crate) fn bytes_of(&self, span: &Span) -> Result<Range<u64>> {
        self.shape.words_of(span).map(|words| words.start * 4..words.end * 4)
    }
}

impl Drop for Memory {
    fn drop(&mut self) {
        if let Backing::Pooled(slot, pool) = &self.place
            && !*self.foreign.get_mut()
        {
            pool.give_back(slot.clone());
        }
    }
}

impl DeviceMemory for Memory {
    const BACKEND: &'static str = "cuda";

    fn shape(&self) -> &Shape {
        &self.shape
    }
}

/// Returns the memory behind a handle.
pub(crate) fn memory(buffer: &Buffer) -> Result<&Memory> {
    Memory::of(buffer)
}
