//! State of a device that its memory and its queues share.

use super::accounts::Accounts;
use super::staging_pool::StagingPool;
use crate::backend::Backend;
use std::fmt::Debug;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

/// Part of a device that its queues, its memory and its host memory need. It outlives them.
#[derive(Debug)]
pub(crate) struct Shared {
    // Host memory is dropped before the backend that it belongs to.
    pub(crate) staging: StagingPool,
    pub(crate) accounts: Accounts,
    pub(crate) backend: Arc<dyn Backend>,
    queues: AtomicU64,
    /// `true` once there has been more than one queue.
    several: AtomicBool,
    ledger: Mutex<()>,
    /// Number of times that a memory received another buffer.
    moves: AtomicU64,
    keepers: Mutex<Vec<Weak<dyn Keeper>>>,
}

/// A cache that refers to memory without owning it.
pub(crate) trait Keeper: Debug + Send + Sync {
    /// Drops everything that refers to the memory at an address.
    fn forget(&self, address: usize);
}

impl Shared {
    pub(crate) fn new(backend: Arc<dyn Backend>) -> Self {
        let accounts = Accounts::default();
        accounts.set_limit(backend.memory_limit());
        Shared {
            staging: StagingPool::default(),
            accounts,
            backend,
            queues: AtomicU64::new(1),
            several: AtomicBool::new(false),
            ledger: Mutex::default(),
            moves: AtomicU64::new(0),
            keepers: Mutex::default(),
        }
    }

    /// Returns a number for a new queue.
    pub(crate) fn next_queue(&self) -> u64 {
        self.queues.fetch_add(1, Ordering::Relaxed)
    }

    /// Records that the device has more than one queue.
    pub(crate) fn has_another_queue(&self) {
        self.several.store(true, Ordering::Release);
    }

    /// Returns `true` once there has been more than one queue.
    pub(crate) fn has_several_queues(&self) -> bool {
        self.several.load(Ordering::Acquire)
    }

    /// Returns the number of times that a memory received another buffer. A memory moves at the turn of an operation
    /// that writes it.
    pub(crate) fn moved(&self) -> u64 {
        self.moves.load(Ordering::Acquire)
    }

    /// Records that a memory has received another buffer.
    pub(super) fn moves(&self) {
        self.moves.fetch_add(1, Ordering::AcqRel);
    }

    fn keepers(&self) -> MutexGuard<'_, Vec<Weak<dyn Keeper>>> {
        self.keepers.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Registers a cache that must drop what refers to dropped memory.
    pub(crate) fn keeps(&self, keeper: Weak<dyn Keeper>) {
        let mut keepers = self.keepers();
        keepers.retain(|keeper| keeper.strong_count() > 0);
        keepers.push(keeper);
    }

    /// Makes all caches drop what refers to the memory at an address.
    pub(super) fn forget(&self, address: usize) {
        // A queue whose last reference is held here must be dropped outside the lock.
        let keepers: Vec<Arc<dyn Keeper>> = self.keepers().iter().filter_map(Weak::upgrade).collect();
        keepers.iter().for_each(|keeper| keeper.forget(address));
    }

    /// Locks the record of memory uses by operations of all queues; `None` while there is only one queue.
    pub(crate) fn ledger(&self) -> Option<MutexGuard<'_, ()>> {
        self.has_several_queues().then(|| self.ledger.lock().unwrap_or_else(PoisonError::into_inner))
    }
}
