//! Marks on queues, for other queues and for the host.

use super::Queue;
use super::order::Mark;
use std::sync::Arc;

/// The end of what was on a queue when [`Queue::signal`] was called. Cloning gives another handle to the same mark.
///
/// An event tells that work is done, not that it succeeded: errors stay with the queue, and with any call that waits
/// for it.
#[derive(Clone, Debug)]
pub struct Event {
    queue: Queue,
    mark: Arc<Mark>,
}

impl Event {
    pub(super) fn new(queue: Queue, mark: Arc<Mark>) -> Event {
        Event { queue, mark }
    }

    /// Returns the queue that the event marks.
    #[must_use]
    pub fn queue(&self) -> &Queue {
        &self.queue
    }

    /// Returns `true` if the device has reached the mark. Does not wait.
    #[must_use]
    pub fn is_done(&self) -> bool {
        self.mark.pending.is_done()
    }

    /// Blocks the host until the device has reached the mark.
    pub fn wait(&self) {
        self.mark.pending.wait();
    }

    pub(super) fn mark(&self) -> &Mark {
        &self.mark
    }
}
