//! Memory of results, used again: every launch of a kernel that returns a value asks for one.

use super::buffer::DeviceBuffer;
use crate::driver::{Context, Stream};
use imminent_core::Result;
use std::sync::{Arc, Mutex, PoisonError};

/// The idle results of one queue: pieces of slabs.
///
/// They stay with their queue, whose work is done in order: whatever the former owner still has under way comes before
/// the next owner's work.
#[derive(Debug)]
pub(crate) struct ResultPool {
    stream: Arc<Stream>,
    idle: Mutex<Vec<ResultSlot>>,
}

/// One place in a slab.
#[derive(Clone, Debug)]
pub(crate) struct ResultSlot {
    pub(super) slab: Arc<DeviceBuffer>,
    pub(super) offset: u64,
}

/// Bytes of every place: the largest result is a 64-bit value and a row.
const PLACE: u64 = 16;
/// Places in a slab.
const PLACES: u64 = 1024;

impl ResultPool {
    pub(crate) fn new(stream: &Arc<Stream>) -> Arc<ResultPool> {
        Arc::new(ResultPool { stream: stream.clone(), idle: Mutex::default() })
    }

    /// An idle place, or one of a new slab. It holds whatever its last owner left there.
    pub(super) fn take(&self, context: &Context) -> Result<ResultSlot> {
        let mut idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(slot) = idle.pop() {
            return Ok(slot);
        }
        let slab = Arc::new(DeviceBuffer::zeroed(context, &self.stream, "results", PLACE * PLACES)?);
        idle.extend((1..PLACES).rev().map(|place| ResultSlot { slab: slab.clone(), offset: place * PLACE }));
        Ok(ResultSlot { slab, offset: 0 })
    }

    /// Whether it is the pool of a stream's queue.
    #[inline]
    pub(super) fn is_of(&self, stream: &Stream) -> bool {
        self.stream.id == stream.id
    }

    pub(super) fn give_back(&self, slot: ResultSlot) {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner).push(slot);
    }
}
