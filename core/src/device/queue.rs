//! Queues: work in order.

use super::Device;
use crate::backend::QueueHandle;
use crate::error::Result;
use crate::memory::Numbered;
use crate::queue::QueueState;
use std::sync::Arc;

/// A queue of a device: its work is done in order. Cloning gives another handle to the same queue.
///
/// [`Queue::launch`] may return before the kernel has run. A fault, or any other error of the device, is returned once,
/// by the next call that waits ([`Queue::wait`], or any read). All memory that the failed work may have written is then
/// poisoned. A device has its own queue, [`Device::queue`], and any number of further ones made with
/// [`Device::new_queue`]. Uses of one memory by several queues take effect in the order in which they were put there:
/// where one writes what another uses, the later operation waits for the earlier one, on the device. [`Queue::signal`]
/// and [`Queue::wait_for`] impose further order; a mark right behind an operation also makes waiting for it precise. An
/// error of work for which another queue has waited is returned by the queue that is waited for first.
///
/// A call on a queue that runs a started [`Program`](crate::Program) blocks the host until the program has ended.
///
/// ```
/// #[imminent_core::kernels]
/// mod counting {
///     #[derive(Row)]
///     pub struct Counter { pub value: u32 }
///
///     #[kernel(reduce = sum)]
///     pub fn count(me: &mut Counter, id: u32) -> u32 {
///         me.value += id;
///         me.value
///     }
/// }
///
/// # use imminent_core::{Device, Result, Table};
/// # fn example(device: &Device) -> Result<()> {
/// let mut counters = Table::<counting::Counter>::zeroed(device, 4)?;
/// let queue = device.queue();
/// let sum = queue.launch::<counting::count>((&mut counters,))?; // does not wait
/// assert_eq!(sum.read()?, 0 + 1 + 2 + 3);
/// # Ok(()) }
/// ```
#[derive(Clone, Debug)]
pub struct Queue {
    device: Device,
    state: Arc<QueueState>,
}

impl Queue {
    fn new(device: Device, state: Arc<QueueState>) -> Self {
        Queue { device, state }
    }

    pub(crate) fn handle(&self) -> &QueueHandle {
        &self.state.handle
    }

    pub(crate) fn state(&self) -> &Arc<QueueState> {
        &self.state
    }

    /// Returns the device of the queue.
    #[must_use]
    pub fn device(&self) -> &Device {
        &self.device
    }

    /// Waits until everything put on the queue so far is done.
    ///
    /// # Errors
    /// The earliest error of that work, for instance [`Error::Fault`](crate::Error::Fault).
    pub fn wait(&self) -> Result<()> {
        self.state.finish()
    }
}

/// Queues of a device.
impl Device {
    /// Returns the device's own queue: it clears new tables, and reads and writes whole tables and scalars.
    #[must_use]
    pub fn queue(&self) -> Queue {
        Queue::new(self.clone(), self.own_queue().clone())
    }

    /// Creates another queue, whose work may run in parallel with that of the others. It begins after everything that
    /// is now on the device's own queue. Create it before you start a long program there.
    ///
    /// Work of several queues on the same table, tally or scalar is ordered automatically. An operation comes after
    /// those put earlier on other queues, if one of them writes memory that the other uses.
    ///
    /// # Errors
    /// Errors of the driver.
    pub fn new_queue(&self) -> Result<Queue> {
        self.further(QueueState::new(self.shared())?)
    }

    fn further(&self, queue: Arc<QueueState>) -> Result<Queue> {
        self.shared().has_another_queue();
        // Waits for work put on the device's queue before uses were recorded.
        let own = self.own_queue();
        queue.wait_for(&(own.clone() as Arc<dyn Numbered>), &*own.mark()?)?;
        Ok(Queue::new(self.clone(), queue))
    }

    /// Creates a queue around a handle that a backend made, for instance from another library's stream. Backends with
    /// such queues have an extension trait of `Device`, which calls this.
    ///
    /// # Errors
    /// Errors of the driver.
    pub fn adopt_queue(&self, handle: QueueHandle) -> Result<Queue> {
        self.further(QueueState::with(self.shared(), handle))
    }
}
