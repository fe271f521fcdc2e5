//! Buffers of results, used again: every launch of a kernel that returns a value asks for one.

use super::{Memory, Segment};
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
    idle: Vec<Segment>,
    /// Buffers that another queue used as well.
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
        let (segment, stale) = match self.with(|state| state.idle.pop()) {
            Some(segment) => (segment, true),
            None => (Segment::new(context, "result", 0..WORDS)?, false),
        };
        Ok(Memory::assemble(shape, vec![segment], Vec::new(), stale, Some(self.clone()), context))
    }

    pub(super) fn used_by(&self, queue: u64, memory: &Memory) {
        if queue != self.queue {
            self.with(|state| state.foreign.extend(memory.segments.iter().map(|segment| segment.id)));
        }
    }

    pub(super) fn give_back(&self, segment: Segment) {
        self.with(|state| {
            if !state.foreign.remove(&segment.id) && state.idle.len() < MOST_IDLE {
                state.idle.push(segment);
            }
        });
    }
}
