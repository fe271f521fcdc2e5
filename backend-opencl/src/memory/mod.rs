//! Tables, tallies and results in device memory.

mod buffer;
mod limit;

pub(crate) use buffer::WordBuffer;

use crate::device::Context;
use imminent_core::Result;
use imminent_core::backend::{Buffer, DeviceMemory, Shape, Span};
use imminent_device::pool::{Loan, Timeline};
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Memory behind a [`Buffer`] of this backend: the words of a table, tally or result.
#[derive(Debug)]
pub(crate) struct Memory {
    pub(crate) shape: Shape,
    /// Buffer with room for the shape's words, and perhaps for more.
    pub(crate) buffer: Arc<WordBuffer>,
    /// The buffer's place in the device's pool; `None` for memory of another owner.
    loan: Option<Loan<Context>>,
    /// `true` while the memory holds its last owner's contents.
    stale: AtomicBool,
}

impl Memory {
    /// Allocates memory of a shape, with any contents, for work of a queue.
    pub(crate) fn new(context: &Context, queue: &Arc<Timeline>, shape: Shape) -> Result<Memory> {
        limit::check(&shape, context.table_bytes)?;
        let loan = match shape {
            // Every launch that returns a value asks for one: a name is not formatted for an error that rarely occurs.
            Shape::Result { .. } => context.pool.take(context, queue, "a result", shape.bytes())?,
            _ => context.pool.take(context, queue, &shape.name(), shape.bytes())?,
        };
        Ok(Memory { shape, buffer: loan.place().clone(), loan: Some(loan), stale: AtomicBool::new(true) })
    }

    /// Wraps a table in memory of another owner.
    pub(crate) fn adopt(context: &Context, shape: Shape, buffer: WordBuffer) -> Result<Memory> {
        limit::check(&shape, context.table_bytes)?;
        Ok(Memory { shape, buffer: Arc::new(buffer), loan: None, stale: AtomicBool::new(false) })
    }

    /// Returns `true`, once, if the contents must be cleared before any command except one that overwrites them all.
    pub(crate) fn take_stale(&self) -> bool {
        self.stale.load(Ordering::Relaxed) && self.stale.swap(false, Ordering::Relaxed)
    }

    /// Records that work of a queue uses the memory.
    pub(crate) fn used_by(&self, queue: &Arc<Timeline>) {
        if let Some(loan) = &self.loan {
            loan.used_by(queue);
        }
    }

    /// Returns the number of bytes of the shape.
    pub(crate) fn bytes(&self) -> usize {
        // The number fitted into a `usize` when the memory was created.
        usize::try_from(self.shape.bytes()).unwrap_or(usize::MAX)
    }

    /// Returns the bytes that a span covers.
    pub(crate) fn bytes_of(&self, span: &Span) -> Result<Range<usize>> {
        let byte = |word: u64| usize::try_from(word * 4).unwrap_or(usize::MAX);
        self.shape.words_of(span).map(|words| byte(words.start)..byte(words.end))
    }
}

impl DeviceMemory for Memory {
    const BACKEND: &'static str = "opencl";

    fn shape(&self) -> &Shape {
        &self.shape
    }
}

/// Returns the memory behind a handle.
pub(crate) fn memory(buffer: &Buffer) -> Result<&Memory> {
    Memory::of(buffer)
}
