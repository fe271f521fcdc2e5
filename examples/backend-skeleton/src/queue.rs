//! Queues: work in order, and the first error of it.

use imminent_core::backend::QueueHandle;
use imminent_core::{Error, Result};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// A queue whose work is done at once. It keeps the first error until somebody waits.
#[derive(Default)]
pub(crate) struct Queue(Mutex<Option<Error>>);

impl Queue {
    pub(crate) fn of(queue: &QueueHandle) -> Result<&Queue> {
        queue.get().ok_or_else(|| Error::invalid("queue", "it is one of another backend"))
    }

    fn failed(&self) -> MutexGuard<'_, Option<Error>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Does work, unless earlier work has failed.
    pub(crate) fn run(&self, work: impl FnOnce() -> Result<()>) {
        let mut failed = self.failed();
        if failed.is_none() {
            *failed = work().err();
        }
    }

    /// Reports the error. The queue works again after that.
    pub(crate) fn finish(&self) -> Result<()> {
        self.failed().take().map_or(Ok(()), Err)
    }
}
