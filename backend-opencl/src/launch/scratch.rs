//! Memory for the partial results of reductions.

use crate::cl::{self, CommandQueue};
use crate::device::Context;
use crate::memory::WordBuffer;
use imminent_core::Result;
use std::sync::Arc;

/// Two buffers between which the levels of a reduction alternate. Successive launches share them.
#[derive(Debug, Default)]
pub(crate) struct Scratch {
    buffers: [Option<Arc<WordBuffer>>; 2],
    /// Counters of primitives: 0 at first; every launch resets them for the next.
    counters: Option<Arc<WordBuffer>>,
}

/// Words of the smallest scratch buffer.
const MIN_WORDS: u64 = 4096;

impl Scratch {
    /// Returns buffer 0 or 1, with room for `needed` words.
    pub(crate) fn take(&mut self, context: &Context, which: usize, needed: u64) -> Result<Arc<WordBuffer>> {
        let slot = &mut self.buffers[which % 2];
        match slot {
            Some(buffer) if buffer.words >= needed => Ok(buffer.clone()),
            _ => {
                let words = needed.next_power_of_two().max(MIN_WORDS);
                let buffer = Arc::new(WordBuffer::new(context, "the partial results of a reduction", words)?);
                *slot = Some(buffer.clone());
                Ok(buffer)
            }
        }
    }

    /// Returns `needed` counters. New ones are cleared in the order of the queue.
    pub(crate) fn counters(&mut self, context: &Context, queue: &CommandQueue, needed: u64) -> Result<Arc<WordBuffer>> {
        match &self.counters {
            Some(buffer) if buffer.words >= needed => Ok(buffer.clone()),
            _ => {
                let what = "the counters of a primitive";
                let words = needed.next_power_of_two().max(MIN_WORDS);
                let buffer = Arc::new(WordBuffer::new(context, what, words)?);
                cl::fill(queue, &buffer.mem, 0, 0, buffer.bytes())
                    .map_err(|failure| context.allocation_failed(what, buffer.bytes() as u64, failure))?;
                self.counters = Some(buffer.clone());
                Ok(buffer)
            }
        }
    }
}
