//! Marks on queues, for other queues and for the host.

use super::Queue;
use super::order::Mark;
use std::sync::Arc;

/// The end of what was on a queue when [`Queue::signal`] was called. Cloning gives another handle to the same mark.
///
/// An event tells that work is done, not that it went well: errors stay with the queue, and with whatever waits for it.
#[derive(Clone, Debug)]
pub struct Event {
    queue: Queue,
    mark: Arc<Mark>,
}

impl Event {
    pub(super) fn new(queue: Queue, mark: Arc<Mark>) -> Event {
        Event { queue, mark }
    }

    /// The queue that it marks.
    #[must_use]
    pub fn queue(&self) -> &Queue {
        &self.queue
    }

    /// Whether the device has come so far. Does not wait.
    #[must_use]
    pub fn is_done(&self) -> bool {
        self.mark.pending.is_done()
    }

    /// Waits on the host until the device has come so far.
    pub fn wait(&self) {
        self.mark.pending.wait();
    }

    pub(super) fn mark(&self) -> &Mark {
        &self.mark
    }
}
