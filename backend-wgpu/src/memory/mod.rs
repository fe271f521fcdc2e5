//! Tables, tallies and results in device memory.

mod segments;

use crate::device::{Context, Part};
use imminent_core::Result;
use imminent_core::backend::{Buffer, DeviceMemory, Shape};
use imminent_device::pool::{Allocator, Loan, PoolLimits, Timeline};
use std::num::NonZeroU64;
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Contents of a [`Buffer`] of this backend: the words of a table, tally or result, in one or more wgpu buffers.
///
/// The words are numbered consecutively, as in the canonical layout; each segment holds a range of them. A segment is
/// bound as one storage buffer, so none exceeds the largest binding.
#[derive(Debug)]
pub(crate) struct Memory {
    pub(crate) shape: Shape,
    pub(crate) segments: Vec<Segment>,
    /// First word column of every segment, as the lowering needs it; empty if there is one segment.
    starts: Vec<u32>,
    /// Identifiers of the segments' buffers, where tables and tallies share buffers.
    buffers: Vec<u64>,
    /// Loans of the segments' buffers from the device's pool; empty for memory of another owner.
    loans: Vec<Loan<Context>>,
    /// `true` if the buffers still hold the data of their last owners.
    stale: AtomicBool,
}

/// A range of a memory's words, in one wgpu buffer: in all of it, or in a part of a shared one.
#[derive(Clone, Debug)]
pub(crate) struct Segment {
    /// Identifier of the part of the buffer, unique on the device.
    pub(crate) id: u64,
    pub(crate) buffer: wgpu::Buffer,
    /// The part's first byte in the buffer.
    pub(crate) offset: u64,
    /// Bytes of the part, at least those of the words.
    pub(crate) size: u64,
    pub(crate) words: Range<u64>,
    /// Dropped with the last owner; caches hold weak references to it and then drop their entries of the buffer.
    pub(crate) life: Arc<()>,
    /// The shared buffer, by its identifier and life.
    shared: Option<(u64, Arc<()>)>,
    /// `true` if the part may hold data although its place in the pool is new.
    used: bool,
}

/// Byte range of one memory segment of a table.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Piece<'m> {
    pub(crate) segment: &'m Segment,
    /// Offset in the segment's buffer, in bytes from its start.
    pub(crate) offset: u64,
    /// Length in bytes.
    pub(crate) bytes: u64,
    /// Offset of this range in the range that was asked for, in bytes.
    pub(crate) at: u64,
}

/// Usages of the buffers of tables.
pub(crate) const USAGE: wgpu::BufferUsages =
    wgpu::BufferUsages::STORAGE.union(wgpu::BufferUsages::COPY_SRC).union(wgpu::BufferUsages::COPY_DST);

/// Bytes of an empty segment, since wgpu binds no empty buffers.
const MIN_BYTES: u64 = 16;

impl Segment {
    /// Makes a zeroed buffer for these words, outside the pool.
    pub(crate) fn new(context: &Context, label: &str, words: Range<u64>) -> Result<Segment> {
        let buffer = create(context, label, (words.end - words.start) * 4)?;
        Ok(Segment { words, ..Segment::all_of(context, buffer) })
    }

    /// Makes a segment without words of a whole buffer.
    fn all_of(context: &Context, buffer: wgpu::Buffer) -> Segment {
        let (id, size) = (context.fresh_id(), buffer.size());
        Segment { id, buffer, offset: 0, size, words: 0..0, life: Arc::default(), shared: None, used: false }
    }

    /// Returns the whole buffer that kernels bind to reach the segment among others.
    pub(crate) fn whole(&self) -> Segment {
        match &self.shared {
            Some((id, life)) => Segment {
                id: *id,
                offset: 0,
                size: self.buffer.size(),
                words: 0..self.buffer.size() / 4,
                life: life.clone(),
                shared: None,
                ..self.clone()
            },
            None => self.clone(),
        }
    }

    /// Returns the binding of the segment.
    pub(crate) fn binding(&self) -> wgpu::BindingResource<'_> {
        let (offset, size) = (self.offset, NonZeroU64::new(self.size));
        wgpu::BindingResource::Buffer(wgpu::BufferBinding { buffer: &self.buffer, offset, size })
    }

    /// Returns `true` if the buffer is shared.
    pub(crate) fn is_shared(&self) -> bool {
        self.shared.is_some()
    }

    /// Identifier of the whole buffer.
    pub(crate) fn whole_id(&self) -> u64 {
        self.shared.as_ref().map_or(self.id, |(id, _)| *id)
    }

    /// Returns the length of the words in bytes; the buffer may be longer.
    pub(crate) fn bytes(&self) -> u64 {
        (self.words.end - self.words.start) * 4
    }
}

fn create(context: &Context, label: &str, bytes: u64) -> Result<wgpu::Buffer> {
    let size = bytes.max(MIN_BYTES);
    context.create_buffer(&wgpu::BufferDescriptor { label: Some(label), size, usage: USAGE, mapped_at_creation: false })
}

/// An allocation of the pools.
#[derive(Debug)]
pub(crate) enum Slab {
    /// A buffer.
    Own(wgpu::Buffer),
    /// A part of a shared buffer.
    Part(Part),
}

/// Tables and tallies share no buffers where a device binds enough of them. WebGPU lets a dispatch use a buffer
/// read-only or for writing, as a whole: two tables in one buffer could not be bound if a kernel reads one and changes
/// the other. Nor can a buffer be copied to itself. wgpu keeps a buffer until the submissions that use it are done.
/// Other devices have pools of parts of [shared buffers](Part); their limits say so.
impl Allocator for Context {
    type Slab = Slab;
    /// A segment without words.
    type Block = Segment;

    fn allocate(&self, what: &str, bytes: u64, limits: &PoolLimits) -> Result<Slab> {
        if let Some(shared) = limits.store.and_then(|number| self.shared_buffers.get(number)) {
            let make = |bytes| create(self, what, bytes).map(|buffer| (self.fresh_id(), buffer));
            let limits = (self.limits.launch_alignment, self.limits.binding_bytes);
            let part = shared.take(bytes.max(MIN_BYTES), limits, make)?;
            return part.map(Slab::Part).ok_or_else(|| self.out_of_memory(what, bytes));
        }
        create(self, what, bytes).map(Slab::Own)
    }

    fn place(&self, slab: &Slab, _offset: u64, _bytes: u64) -> Result<Segment> {
        Ok(match slab {
            Slab::Own(buffer) => Segment::all_of(self, buffer.clone()),
            Slab::Part(Part { of, bytes, clean }) => Segment {
                offset: bytes.start,
                size: bytes.end - bytes.start,
                shared: Some((of.id, of.life.clone())),
                used: !clean,
                ..Segment::all_of(self, of.buffer.clone())
            },
        })
    }
}

impl Memory {
    /// Allocates memory of a shape, for work of a queue. New memory is zeroed.
    pub(crate) fn new(context: &Context, queue: &Arc<Timeline>, shape: Shape) -> Result<Memory> {
        let columns = segments::columns(&shape, context.limits.segment_bytes)?;
        let label = shape.name();
        let total = shape.words();
        let (pool, shared) = context.pool(&shape);
        let (mut segments, mut loans) = (Vec::with_capacity(columns.len()), Vec::with_capacity(columns.len()));
        for range in &columns {
            let words = match columns.len() {
                1 => 0..total,
                _ => first_word(&shape, range.start)..first_word(&shape, range.end),
            };
            let loan = pool.take(context, queue, &label, (words.end - words.start) * 4)?;
            segments.push(Segment { words, ..loan.place().clone() });
            loans.push(loan);
        }
        let starts = if columns.len() > 1 { columns.iter().map(|range| range.start).collect() } else { Vec::new() };
        // wgpu zeroes new buffers.
        let stale = AtomicBool::new(!loans.iter().all(|loan| loan.is_new() && !loan.place().used));
        let buffers = buffers(shared, &segments);
        Ok(Memory { shape, segments, starts, buffers, loans, stale })
    }

    /// Makes a table in a buffer of another owner.
    pub(crate) fn adopt(context: &Context, shape: Shape, buffer: wgpu::Buffer) -> Memory {
        let segments = vec![Segment { words: 0..shape.words(), ..Segment::all_of(context, buffer) }];
        let (stale, buffers) = (AtomicBool::new(false), buffers(context.pool(&shape).1, &segments));
        Memory { shape, segments, starts: Vec::new(), buffers, loans: Vec::new(), stale }
    }

    /// Returns `true`, once, if the contents must be cleared before any use except a launch that overwrites them all.
    pub(crate) fn take_stale(&self) -> bool {
        self.stale.load(Ordering::Relaxed) && self.stale.swap(false, Ordering::Relaxed)
    }

    /// Notes that work of a queue uses the memory.
    pub(crate) fn used_by(&self, queue: &Arc<Timeline>) {
        self.loans.iter().for_each(|loan| loan.used_by(queue));
    }

    /// Returns the pieces that a range of words covers, in order.
    pub(crate) fn pieces(&self, words: Range<u64>) -> impl Iterator<Item = Piece<'_>> {
        self.segments.iter().filter_map(move |segment| {
            let start = words.start.max(segment.words.start);
            let end = words.end.min(segment.words.end);
            (start < end).then(|| Piece {
                segment,
                offset: segment.offset + (start - segment.words.start) * 4,
                bytes: (end - start) * 4,
                at: (start - words.start) * 4,
            })
        })
    }
}

/// Returns the identifiers of the segments' buffers, if kernels bind the memory by shared buffers.
fn buffers(shared: bool, segments: &[Segment]) -> Vec<u64> {
    segments.iter().filter(|_| shared).map(Segment::whole_id).collect()
}

/// Returns the first word of a word column.
fn first_word(shape: &Shape, column: u32) -> u64 {
    let before = match shape {
        Shape::Ragged { layout, .. } => column.min(Shape::columns_before_pool(layout)),
        _ => column,
    };
    u64::from(before) * shape.column_words() + u64::from(column - before) * shape.pool_words()
}

impl DeviceMemory for Memory {
    const BACKEND: &'static str = "wgpu";

    fn shape(&self) -> &Shape {
        &self.shape
    }

    fn starts(&self) -> &[u32] {
        &self.starts
    }

    fn buffers(&self) -> &[u64] {
        &self.buffers
    }
}

/// Returns the memory behind a handle.
pub(crate) fn memory(buffer: &Buffer) -> Result<&Memory> {
    Memory::of(buffer)
}
