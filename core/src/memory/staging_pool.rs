//! Pool of a device's host memory.

use crate::backend::{Backend, HostMemory};
use crate::error::Result;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Pool of host memory that is not in use.
#[derive(Debug, Default)]
pub(crate) struct StagingPool {
    idle: Mutex<Vec<HostMemory>>,
}

/// Bytes of the smallest piece.
const SMALLEST: usize = 64 << 10;
/// Size from which on pieces are multiples of it; smaller ones are powers of two.
const STEP: usize = 1 << 20;
/// Largest number of bytes of idle memory to keep. A program whose transfers have one size then allocates no more.
const MAX_IDLE: usize = 512 << 20;

impl StagingPool {
    fn idle(&self) -> MutexGuard<'_, Vec<HostMemory>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns memory of at least `bytes` bytes, with any contents.
    pub(crate) fn take(&self, backend: &dyn Backend, bytes: usize) -> Result<HostMemory> {
        let size = if bytes <= STEP { bytes.next_power_of_two().max(SMALLEST) } else { bytes.next_multiple_of(STEP) };
        let mut idle = self.idle();
        // A piece of more than twice the size is better kept for a larger transfer.
        let fits = |memory: &HostMemory| (size..=size.saturating_mul(2)).contains(&memory.bytes().len());
        let best = (0..idle.len()).filter(|at| fits(&idle[*at])).min_by_key(|at| idle[*at].bytes().len());
        if let Some(at) = best {
            return Ok(idle.swap_remove(at));
        }
        drop(idle);
        backend.host_memory(size).or_else(|_| {
            self.idle().clear();
            backend.host_memory(size)
        })
    }

    pub(crate) fn give_back(&self, memory: HostMemory) {
        let mut idle = self.idle();
        let kept: usize = idle.iter().map(|memory| memory.bytes().len()).sum();
        if kept + memory.bytes().len() <= MAX_IDLE {
            idle.push(memory);
        }
    }
}
