//! Buffers of results, used again: every launch of a kernel that returns a value asks for one.

use super::{Memory, WordBuffer};
use crate::device::Context;
use imminent_core::Result;
use imminent_core::backend::Shape;
use std::collections::HashSet;
use std::sync::{Arc, Mutex, PoisonError};

/// The idle result buffers of one queue.
///
/// They stay with their queue, whose work is done in order: whatever the former owner still has under way comes before
/// the next owner's work.
#[derive(Debug)]
pub(crate) struct ResultPool {
    queue: u64,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    idle: Vec<Arc<WordBuffer>>,
    /// Buffers that another queue used as well, by number.
    foreign: HashSet<u64>,
}

/// Words of every pooled buffer: the largest result is a 64-bit value and a row.
const WORDS: u64 = 4;
/// More idle buffers than this are released.
const MOST_IDLE: usize = 256;

impl ResultPool {
    pub(crate) fn new(queue: u64) -> Arc<ResultPool> {
        Arc::new(ResultPool { queue, state: Mutex::default() })
    }

    fn with<T>(&self, f: impl FnOnce(&mut State) -> T) -> T {
        f(&mut self.state.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// A result, in an idle buffer if there is one.
    pub(super) fn take(self: &Arc<Self>, context: &Context, shape: Shape) -> Result<Memory> {
        // A new buffer holds anything, too.
        let buffer = match self.with(|state| state.idle.pop()) {
            Some(buffer) => buffer,
            None => Arc::new(WordBuffer::new(context, "a result", WORDS)?),
        };
        Ok(Memory::assemble(shape, buffer, true, Some(self.clone()), context))
    }

    pub(super) fn used_by(&self, queue: u64, memory: &Memory) {
        if queue != self.queue {
            self.with(|state| state.foreign.insert(memory.buffer.id));
        }
    }

    pub(super) fn give_back(&self, buffer: Arc<WordBuffer>) {
        self.with(|state| {
            if !state.foreign.remove(&buffer.id) && state.idle.len() < MOST_IDLE {
                state.idle.push(buffer);
            }
        });
    }
}
