//! Tables, tallies and results in device memory.

mod pool;
mod segments;

pub(crate) use pool::ResultPool;

use crate::device::Context;
use imminent_core::Result;
use imminent_core::backend::{Allocation, Buffer, DeviceMemory, Shape};
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// What a [`Buffer`] of this backend holds: the words of a table, tally or result, in one or more wgpu buffers.
///
/// The words are numbered through, as in the canonical layout; each segment holds a range of them. A segment is bound as
/// one storage buffer, so none is larger than the device binds.
#[derive(Debug)]
pub(crate) struct Memory {
    pub(crate) shape: Shape,
    pub(crate) segments: Vec<Segment>,
    /// First word column of every segment: what the lowering is told. Empty where there is one segment.
    pub(crate) starts: Vec<u32>,
    /// Whether a pooled buffer still holds what its last owner left there.
    stale: AtomicBool,
    home: Option<Arc<ResultPool>>,
    allocated: Arc<AtomicU64>,
}

/// A range of a memory's words, in one wgpu buffer.
#[derive(Clone, Debug)]
pub(crate) struct Segment {
    /// Number of the buffer, unique on the device.
    pub(crate) id: u64,
    pub(crate) buffer: wgpu::Buffer,
    pub(crate) words: Range<u64>,
    /// Dies with the last owner: what a cache keeps of a buffer is then worthless.
    pub(crate) life: Arc<()>,
}

/// A stretch of one segment.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Piece<'m> {
    pub(crate) segment: &'m Segment,
    /// Offset in the segment's buffer, in bytes.
    pub(crate) offset: u64,
    /// Length in bytes.
    pub(crate) bytes: u64,
    /// Where the stretch begins in the range that was asked for, in bytes.
    pub(crate) at: u64,
}

const USAGE: wgpu::BufferUsages =
    wgpu::BufferUsages::STORAGE.union(wgpu::BufferUsages::COPY_SRC).union(wgpu::BufferUsages::COPY_DST);

/// wgpu binds no empty buffers: an empty segment takes this many bytes all the same.
const LEAST_BYTES: u64 = 16;

impl Segment {
    /// A zeroed buffer for these words.
    pub(crate) fn new(context: &Context, label: &str, words: Range<u64>) -> Result<Segment> {
        let size = ((words.end - words.start) * 4).max(LEAST_BYTES);
        let descriptor = wgpu::BufferDescriptor { label: Some(label), size, usage: USAGE, mapped_at_creation: false };
        let buffer = context.create_buffer(&descriptor)?;
        Ok(Segment { id: context.fresh_id(), buffer, words, life: Arc::default() })
    }
}

impl Memory {
    /// Allocates zeroed memory.
    pub(crate) fn allocate(context: &Context, allocation: &Allocation, results: &Arc<ResultPool>) -> Result<Memory> {
        let shape = Shape::of(allocation);
        if matches!(shape, Shape::Result { .. }) {
            return results.take(context, shape);
        }
        Self::new(context, shape)
    }

    /// Zeroed memory of a shape.
    pub(crate) fn new(context: &Context, shape: Shape) -> Result<Memory> {
        let columns = segments::columns(&shape, context.limits.segment_bytes)?;
        let label = shape.name();
        let (total, column_words) = (shape.words(), shape.column_words());
        let mut segments = Vec::with_capacity(columns.len());
        for range in &columns {
            let words = match columns.len() {
                1 => 0..total,
                _ => u64::from(range.start) * column_words..u64::from(range.end) * column_words,
            };
            segments.push(Segment::new(context, &label, words)?);
        }
        let starts = if columns.len() > 1 { columns.iter().map(|range| range.start).collect() } else { Vec::new() };
        Ok(Self::assemble(shape, segments, starts, false, None, context))
    }

    fn assemble(
        shape: Shape,
        segments: Vec<Segment>,
        starts: Vec<u32>,
        stale: bool,
        home: Option<Arc<ResultPool>>,
        context: &Context,
    ) -> Memory {
        let allocated = context.allocated.clone();
        let memory = Memory { shape, segments, starts, stale: AtomicBool::new(stale), home, allocated };
        memory.allocated.fetch_add(memory.bytes(), Ordering::Relaxed);
        memory
    }

    fn bytes(&self) -> u64 {
        self.segments.iter().map(|segment| segment.buffer.size()).sum()
    }

    /// Whether the contents must be cleared before anything but a launch that overwrites them all. Says so once.
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

    /// The stretches that a range of words covers, in order.
    pub(crate) fn pieces(&self, words: Range<u64>) -> impl Iterator<Item = Piece<'_>> {
        self.segments.iter().filter_map(move |segment| {
            let start = words.start.max(segment.words.start);
            let end = words.end.min(segment.words.end);
            (start < end).then(|| Piece {
                segment,
                offset: (start - segment.words.start) * 4,
                bytes: (end - start) * 4,
                at: (start - words.start) * 4,
            })
        })
    }
}

impl Drop for Memory {
    fn drop(&mut self) {
        self.allocated.fetch_sub(self.bytes(), Ordering::Relaxed);
        if let (Some(home), Some(segment)) = (self.home.take(), self.segments.pop()) {
            home.give_back(segment);
        }
    }
}

impl DeviceMemory for Memory {
    const BACKEND: &'static str = "wgpu";

    fn shape(&self) -> &Shape {
        &self.shape
    }
}

/// The memory behind a handle.
pub(crate) fn memory(buffer: &Buffer) -> Result<&Memory> {
    Memory::of(buffer)
}
