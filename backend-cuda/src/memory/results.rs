//! Reusable memory of results: every launch of a kernel that returns a value needs one.

use super::buffer::DeviceBuffer;
use crate::device::Context;
use crate::driver::Stream;
use imminent_core::Result;
use imminent_core::ir::MAX_RESULTS;
use std::sync::{Arc, Mutex, PoisonError};

/// Idle results of one queue: pieces of slabs.
///
/// They stay with their queue, whose work is done in order: pending work of the former owner comes before the next
/// owner's work.
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

/// Bytes of every place: the largest result has as many 64-bit values as there may be.
const PLACE: u64 = 8 * MAX_RESULTS as u64;
/// Places in a slab.
const PLACES: u64 = 1024;

impl ResultPool {
    pub(crate) fn new(stream: &Arc<Stream>) -> Arc<ResultPool> {
        Arc::new(ResultPool { stream: stream.clone(), idle: Mutex::default() })
    }

    /// Returns an idle place, or one of a new slab. It keeps its last owner's contents.
    pub(super) fn take(&self, context: &Context) -> Result<ResultSlot> {
        let mut idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(slot) = idle.pop() {
            return Ok(slot);
        }
        let slab = Arc::new(DeviceBuffer::zeroed(context, &self.stream, "results", PLACE * PLACES)?);
        idle.extend((1..PLACES).rev().map(|place| ResultSlot { slab: slab.clone(), offset: place * PLACE }));
        Ok(ResultSlot { slab, offset: 0 })
    }

    /// Returns `true` if this is the pool of a stream's queue.
    #[inline]
    pub(super) fn is_of(&self, stream: &Stream) -> bool {
        self.stream.id == stream.id
    }

    pub(super) fn give_back(&self, slot: ResultSlot) {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner).push(slot);
    }
}
