//! Sources of memory.

use super::PoolLimits;
use imminent_core::Result;
use std::fmt::Debug;

/// Source of a pool's memory.
pub trait Allocator {
    /// An allocation of the driver. Dropping it gives it back when earlier work on queues is done.
    type Slab: Debug + Send + Sync;
    /// Handle to part of an allocation, or to all of it, which an owner is given.
    type Block: Clone + Debug + Send + Sync;

    /// Allocates `bytes` bytes, with any contents, for a pool with the given limits. `what` is for error texts.
    ///
    /// # Errors
    /// [`Error::OutOfMemory`](imminent_core::Error::OutOfMemory) if the device has too little memory; other errors of
    /// the driver.
    fn allocate(&self, what: &str, bytes: u64, limits: &PoolLimits) -> Result<Self::Slab>;

    /// Returns the part of an allocation from byte `offset` on. Called once for each place, before its first use; parts
    /// do not overlap.
    ///
    /// # Errors
    /// Errors of the driver.
    fn place(&self, slab: &Self::Slab, offset: u64, bytes: u64) -> Result<Self::Block>;
}
