//! Scratch memory for data that dispatches pass to later dispatches.

use crate::device::Context;
use crate::memory::Segment;
use imminent_core::{Error, Limit, Result};

/// Scratch buffers for data that dispatches pass to later dispatches. The levels of a reduction alternate between the
/// first two; a sort uses all. Consecutive launches share them.
#[derive(Debug, Default)]
pub(crate) struct Scratch {
    buffers: [Option<Segment>; BUFFERS],
}

const BUFFERS: usize = 5;

/// Words of the smallest scratch buffer.
const MIN_WORDS: u64 = 4096;

impl Scratch {
    /// Returns one of the buffers, with room for a number of words.
    pub(crate) fn take(&mut self, context: &Context, which: usize, needed: u64) -> Result<Segment> {
        let slot = &mut self.buffers[which % BUFFERS];
        match slot {
            Some(segment) if segment.words.end >= needed => Ok(segment.clone()),
            _ => {
                let words = needed.next_power_of_two().max(MIN_WORDS).min(context.limits.binding_bytes / 4);
                if needed * 4 > context.limits.binding_bytes {
                    return Err(Error::limit(Limit::PartialBytes, needed * 4, context.limits.binding_bytes));
                }
                let segment = Segment::new(context, "the partial results of a primitive", 0..words)?;
                *slot = Some(segment.clone());
                Ok(segment)
            }
        }
    }
}
