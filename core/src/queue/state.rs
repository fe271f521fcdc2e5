//! State of a queue, and its beginning and end.

use super::in_flight::InFlight;
use super::line::Line;
use super::worker::Workers;
use crate::backend::QueueHandle;
use crate::error::{Error, Result};
use crate::launch::Recent;
use crate::memory::{Clock, Mark, Shared};
use std::collections::VecDeque;
use std::sync::atomic::{AtomicU64, AtomicUsize};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

/// A queue: its handle, its line, and the known state of its work.
///
/// Operations of several queues that use the same memory are ordered here. Before an operation is put on its queue, the
/// queue is made to wait for marks of the queues that used its memory before. None of this happens while a device has
/// only one queue.
#[derive(Debug)]
pub(crate) struct QueueState {
    pub(super) id: u64,
    pub(crate) handle: QueueHandle,
    pub(crate) shared: Arc<Shared>,
    pub(super) line: Line,
    pub(super) clock: Mutex<Clock>,
    pub(super) marks: Mutex<VecDeque<Arc<Mark>>>,
    pub(super) in_flight: Mutex<InFlight>,
    /// Last operation whose outcome is known.
    pub(super) finished: AtomicU64,
    /// Number of calls that may hold an error and have not poisoned anything yet.
    pub(super) waiting: AtomicUsize,
    /// Transfers whose submissions were dropped.
    pub(super) abandoned: Mutex<Vec<Arc<Mark>>>,
    /// Earliest error that no call has returned yet: of work whose submission was dropped, or a fault that a call found
    /// which uses none of its memory.
    pub(super) deferred: Mutex<Option<Error>>,
    workers: Workers,
    pub(super) recent: Mutex<Recent>,
}

/// Locks a part of a queue's state, also after a panic of a thread that held the lock.
pub(super) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl QueueState {
    pub(crate) fn new(shared: &Arc<Shared>) -> Result<Arc<QueueState>> {
        Ok(Self::with(shared, shared.backend.queue()?))
    }

    pub(crate) fn with(shared: &Arc<Shared>, handle: QueueHandle) -> Arc<QueueState> {
        let queue = Arc::new(QueueState {
            id: shared.next_queue(),
            handle,
            shared: shared.clone(),
            line: Line::default(),
            clock: Mutex::default(),
            marks: Mutex::default(),
            in_flight: Mutex::default(),
            finished: AtomicU64::new(0),
            waiting: AtomicUsize::new(0),
            abandoned: Mutex::default(),
            deferred: Mutex::default(),
            workers: Workers::default(),
            recent: Mutex::default(),
        });
        // The device tells every queue when memory goes, since cached launches refer to it by address.
        let keeper: Weak<Self> = Arc::downgrade(&queue);
        shared.keeps(keeper);
        queue
    }

    pub(crate) fn workers(&self) -> &Workers {
        &self.workers
    }
}

impl Drop for QueueState {
    fn drop(&mut self) {
        // Unfinished work may use memory that is dropped next. If it fails, the memory that it was to write must become
        // invalid. Every operation with a place holds the queue, so none can come after this.
        let outcome = self.shared.backend.finish(&self.handle);
        let _ = self.settle(u64::MAX, outcome);
        self.reap();
    }
}
