//! Marks on queues, for other queues and for the host.

use super::Queue;
use crate::error::{Error, Result};
use crate::memory::{Mark, Numbered};
use std::sync::Arc;

/// The end of what was on a queue when [`Queue::signal`] was called. Cloning gives another handle to the same mark.
///
/// An event means that work is done, not that it succeeded: errors stay with the queue, and with any call that waits
/// for it.
#[derive(Clone, Debug)]
pub struct Event {
    queue: Queue,
    mark: Arc<Mark>,
}

impl Event {
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
}

/// Events.
impl Queue {
    /// Marks the end of the work now on the queue, for another queue to wait for.
    ///
    /// # Errors
    /// Errors of the driver.
    pub fn signal(&self) -> Result<Event> {
        Ok(Event { queue: self.clone(), mark: self.state().mark()? })
    }

    /// Makes later work on this queue wait, on the device, for the work before an event.
    ///
    /// # Errors
    /// [`Error::Invalid`] for an event of another device, errors of the driver.
    pub fn wait_for(&self, event: &Event) -> Result<()> {
        if !event.queue.device().same(self.device()) {
            return Err(Error::invalid("event", "it is of a queue of another device: wait for it on the host"));
        }
        if Arc::ptr_eq(event.queue.state(), self.state()) {
            return Ok(());
        }
        let _turn = self.state().begin(std::iter::empty())?;
        self.state().wait_for(&(event.queue.state().clone() as Arc<dyn Numbered>), &event.mark)
    }
}
