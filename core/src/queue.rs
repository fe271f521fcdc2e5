//! Queues: work in order.

use crate::backend::{Node, QueueHandle};
use crate::data::Row;
use crate::device::Device;
use crate::error::{Error, Result};
use crate::kernel::Kernel;
use crate::launch::{BoundLaunch, Visit};
use crate::program::{ProgramBuilder, collect, resolve_step};
use crate::scalar::{Output, Scalar};
use crate::selection::Selection;
use crate::table::{Memory, Table};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError, Weak};

/// What a device keeps of a queue: its handle, and which memory the unfinished work writes.
#[derive(Debug)]
pub(crate) struct QueueState {
    handle: QueueHandle,
    in_flight: Mutex<HashMap<usize, Weak<Memory>>>,
}

impl QueueState {
    pub(crate) fn new(handle: QueueHandle) -> Self {
        QueueState { handle, in_flight: Mutex::default() }
    }
}

/// A queue of a device: what is put on it is done in order. Cloning gives another handle to the same queue.
///
/// [`Queue::launch`] may return before the kernel has run. A fault, or any other error of the device, is returned by the next
/// call that waits ([`Queue::wait`], or reading anything), once; whatever the failed work may have written is then poisoned.
#[derive(Clone, Debug)]
pub struct Queue {
    device: Device,
    state: Arc<QueueState>,
}

impl Queue {
    pub(crate) fn new(device: Device, state: Arc<QueueState>) -> Self {
        Queue { device, state }
    }

    pub(crate) fn handle(&self) -> &QueueHandle {
        &self.state.handle
    }

    /// The device of the queue.
    #[must_use]
    pub fn device(&self) -> &Device {
        &self.device
    }

    /// Launches a kernel over all rows of its own-row tables.
    ///
    /// # Errors
    /// [`Error::Launch`] when the arguments do not fit together, [`Error::Poisoned`] when one is, [`Error::Compile`],
    /// [`Error::Unsupported`], errors of the driver.
    pub fn launch<K: Kernel>(&self, args: K::Args<'_>) -> Result<Scalar<K::Output>>
    where
        K::Output: Output,
    {
        self.start::<K>(args, Visit::All, None)
    }

    /// Launches a kernel and puts what it computes into the first column of a table of one row, so that later kernels can
    /// read it as `&Rows<T>`. The scalar returned names the same memory.
    ///
    /// # Errors
    /// As for [`Queue::launch`]; [`Error::Invalid`] when the table has another number of rows, or a first column of
    /// another type.
    pub fn launch_into<K: Kernel, R: Row>(&self, args: K::Args<'_>, into: &mut Table<R>) -> Result<Scalar<K::Output>>
    where
        K::Output: Output,
    {
        let result = Scalar::first_of(into)?;
        self.start::<K>(args, Visit::All, Some(result))
    }

    /// Launches a kernel over the rows `0..rows`: at most as many as its own-row tables have. A kernel that runs in groups has
    /// its last group cut there; one with tiles always runs the whole grid.
    ///
    /// # Errors
    /// As for [`Queue::launch`].
    pub fn launch_rows<K: Kernel>(&self, rows: usize, args: K::Args<'_>) -> Result<Scalar<K::Output>>
    where
        K::Output: Output,
    {
        self.start::<K>(args, Visit::First(rows), None)
    }

    /// Launches a kernel over the rows that a selection lists, and no others: `select`, then `launch_over`, asks the host for
    /// nothing. The value is reduced over the listed rows in the order of the list (an arg-min gives the lowest row), and a
    /// fault names the row of the table.
    ///
    /// # Errors
    /// As for [`Queue::launch`]; [`Error::Launch`] when an own-row table has fewer rows than the selection has room for, or the
    /// kernel runs in groups.
    pub fn launch_over<K: Kernel>(&self, rows: &Selection, args: K::Args<'_>) -> Result<Scalar<K::Output>>
    where
        K::Output: Output,
    {
        self.start::<K>(args, Visit::Over(rows), None)
    }

    fn start<K: Kernel>(
        &self,
        args: K::Args<'_>,
        visit: Visit<'_>,
        into: Option<Scalar<K::Output>>,
    ) -> Result<Scalar<K::Output>>
    where
        K::Output: Output,
    {
        let (bound, result) = BoundLaunch::new::<K>(&self.device, args, visit, into)?;
        let launch = bound.resolve(&self.device, |memory| memory.buffer())?;
        self.writes(bound.written());
        let launched = self.device.backend().launch(&self.state.handle, &launch);
        if launched.is_err() {
            self.settle(launched)?;
        }
        Ok(result)
    }

    /// Does what `record` records, now: how a primitive of several launches is put on the queue.
    pub(crate) fn record<T>(&self, record: impl FnOnce(&mut ProgramBuilder) -> Result<T>) -> Result<T> {
        let mut builder = ProgramBuilder::new(&self.device);
        let value = record(&mut builder)?;
        let (mut written, mut touched) = (Vec::new(), Vec::new());
        collect(&builder.steps, &mut written, &mut touched);
        self.writes(&written);
        let backend = self.device.backend();
        for step in &builder.steps {
            let done = match resolve_step(&self.device, step)? {
                Node::Launch(launch) => backend.launch(&self.state.handle, &launch),
                Node::Primitive(primitive) => backend.primitive(&self.state.handle, &primitive),
                Node::Copy { from, to } => backend.copy(&self.state.handle, &from, &to),
                Node::Clear(buffer) => backend.clear(&self.state.handle, &buffer),
                Node::Repeat { .. } | Node::LoopUntil(_) => {
                    Err(Error::invalid("primitive", "its portable form has a loop, which only a program can run"))
                }
            };
            if done.is_err() {
                self.settle(done)?;
            }
        }
        Ok(value)
    }

    /// Waits until everything put on the queue so far is done.
    ///
    /// # Errors
    /// The earliest error of that work, for instance [`Error::Fault`].
    pub fn wait(&self) -> Result<()> {
        self.settle(self.device.backend().finish(&self.state.handle))
    }

    /// Notes that unfinished work writes these.
    pub(crate) fn writes<'m>(&self, memories: impl IntoIterator<Item = &'m Arc<Memory>>) {
        let mut in_flight = self.state.in_flight.lock().unwrap_or_else(PoisonError::into_inner);
        for memory in memories {
            in_flight.entry(Arc::as_ptr(memory) as usize).or_insert_with(|| Arc::downgrade(memory));
        }
    }

    /// Takes note of the outcome of all work so far: a failure poisons what it may have written.
    pub(crate) fn settle<T>(&self, outcome: Result<T>) -> Result<T> {
        let written = std::mem::take(&mut *self.state.in_flight.lock().unwrap_or_else(PoisonError::into_inner));
        if let Err(error) = &outcome {
            let cause: Arc<Error> = Arc::new(error.clone());
            for memory in written.into_values().filter_map(|memory| memory.upgrade()) {
                memory.poison(&cause);
            }
        }
        outcome
    }
}
