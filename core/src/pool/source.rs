//! Sources of memory.

use crate::error::Result;
use std::fmt::Debug;

/// Where a pool has its memory from.
pub trait Source {
    /// An allocation of the driver's. Dropping it gives it back when work that was put on queues before is done.
    type Slab: Debug + Send + Sync;
    /// What an owner is given: a handle to part of an allocation, or to all of it.
    type Place: Clone + Debug + Send + Sync;

    /// An allocation of so many bytes, with any contents. `what` is for messages.
    ///
    /// # Errors
    /// [`Error::OutOfMemory`] where the device has no room; others of the driver.
    fn allocate(&self, what: &str, bytes: u64) -> Result<Self::Slab>;

    /// The part of an allocation from byte `offset` on. Called once for each place, before its first use; parts do not overlap.
    ///
    /// # Errors
    /// Those of the driver.
    fn place(&self, slab: &Self::Slab, offset: u64, bytes: u64) -> Result<Self::Place>;
}
