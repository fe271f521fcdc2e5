//! Room for the partial results of reductions.

use crate::device::Context;
use crate::memory::WordBuffer;
use imminent_core::Result;
use imminent_core::c_dialect::ReduceLayout;
use std::sync::Arc;

/// Two buffers between which the levels of a reduction alternate. Launches that follow one another share them.
#[derive(Debug, Default)]
pub(crate) struct Scratch {
    buffers: [Option<Arc<WordBuffer>>; 2],
}

/// Words of the smallest scratch buffer.
const LEAST_WORDS: u64 = 4096;

impl Scratch {
    /// Buffer 0 or 1, with room for so many results.
    pub(super) fn take(
        &mut self,
        context: &Context,
        which: usize,
        results: u32,
        layout: ReduceLayout,
    ) -> Result<Arc<WordBuffer>> {
        let needed = u64::from(results) * u64::from(layout.words);
        let slot = &mut self.buffers[which % 2];
        match slot {
            Some(buffer) if buffer.words >= needed => Ok(buffer.clone()),
            _ => {
                let words = needed.next_power_of_two().max(LEAST_WORDS);
                let buffer = Arc::new(WordBuffer::new(context, "the partial results of a reduction", words)?);
                *slot = Some(buffer.clone());
                Ok(buffer)
            }
        }
    }
}
