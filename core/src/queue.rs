//! Queues: work in order.

mod event;
mod line;
mod order;
mod recent;
mod state;
mod worker;

pub use event::Event;
pub(crate) use order::{Mark, Uses};
pub(crate) use state::{Planned, QueueState};

use crate::backend::{Node, QueueHandle};
use crate::bind::Binder;
use crate::data::Row;
use crate::device::Device;
use crate::error::{Error, Result};
use crate::kernel::Kernel;
use crate::launch::{BoundLaunch, Kept, Key, Visit};
use crate::primitives::Request;
use crate::program::{ProgramBuilder, collect, resolve_step};
use crate::scalar::{Output, Scalar};
use crate::selection::Selection;
use crate::submission::Submission;
use crate::table::Table;
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

    pub(crate) fn state(&self) -> &Arc<QueueState> {
        &self.state
    }

    /// Returns the device of the queue.
    #[must_use]
    pub fn device(&self) -> &Device {
        &self.device
    }

    /// Launches a kernel over all rows of its own-row tables.
    ///
    /// Values written and returned are [`Exact`](crate::Determinism::Exact) where the kernel computes in integers.
    /// Floats are [`Reproducible`](crate::Determinism::Reproducible), on devices for which [`Device::require`] grants
    /// that.
    ///
    /// # Errors
    /// [`Error::Launch`] if the arguments do not fit together, [`Error::Poisoned`] if one is, [`Error::Compile`],
    /// [`Error::Unsupported`], errors of the driver.
    pub fn launch<K: Kernel>(&self, args: K::Args<'_>) -> Result<Scalar<K::Output>>
    where
        K::Output: Output,
    {
        self.start::<K>(args, Visit::All, None)
    }

    /// Launches a kernel and stores its result in the first column of a table of one row, so that later kernels can
    /// read it as `&Rows<T>`. The scalar returned names the same memory.
    ///
    /// # Errors
    /// Errors of [`Queue::launch`]; [`Error::Invalid`] if the table has another number of rows, or a first column of
    /// another type.
    pub fn launch_into<K: Kernel, R: Row>(&self, args: K::Args<'_>, into: &mut Table<R>) -> Result<Scalar<K::Output>>
    where
        K::Output: Output,
    {
        let result = Scalar::first_of(into)?;
        self.start::<K>(args, Visit::All, Some(result))
    }

    /// Launches a kernel over the rows `0..rows`: at most as many as its own-row tables have. A kernel that runs in
    /// groups has its last group cut there; one with tiles always runs the whole grid.
    ///
    /// # Errors
    /// As for [`Queue::launch`].
    pub fn launch_rows<K: Kernel>(&self, rows: usize, args: K::Args<'_>) -> Result<Scalar<K::Output>>
    where
        K::Output: Output,
    {
        self.start::<K>(args, Visit::First(rows), None)
    }

    /// Launches a kernel over exactly the rows that a selection lists. `select`, then `launch_over`, needs no answer
    /// from the host. The value is reduced over the listed rows in the order of the list (an arg-min gives the lowest
    /// row), and a fault names the row of the table.
    ///
    /// # Errors
    /// Errors of [`Queue::launch`]; [`Error::Launch`] if an own-row table has fewer rows than the selection has room
    /// for, or the kernel runs in groups.
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
        let memory = into.as_ref().and_then(|into| into.memory.as_ref());
        let key = Key::of(&K::SOURCE, visit, memory, K::Output::SCALAR.is_some());
        let mut binder =
            Binder::perhaps_again(&self.device, &K::SOURCE, key.and_then(|key| self.state.take_recent(key)));
        K::bind(args, &mut binder)?;
        match binder.kept() {
            Some((kept, true)) => {
                self.state.launch_again(kept)?;
                return into.map_or_else(|| Scalar::new(self, K::SOURCE.name), Ok);
            }
            Some((kept, false)) => self.state.put_back_other(kept),
            None => {}
        }
        let kept_for = memory.cloned();
        let (bound, result) = BoundLaunch::bound(self, binder, visit, into)?;
        let turn = self.state.begin(bound.used())?;
        let moved = self.device.shared().moved();
        let launch = bound.resolve(&self.device, |memory| memory.buffer())?;
        let launched = self.device.backend().launch(&self.state.handle, &launch);
        if launched.is_err() {
            self.state.settle(turn.number(), launched)?;
        } else if let Some(key) = Key::of(&K::SOURCE, visit, kept_for.as_ref(), K::Output::SCALAR.is_some()) {
            self.state.keep(Box::new(Kept::new(key, &bound, launch, moved)));
        }
        Ok(result)
    }

    /// Executes immediately whatever `record` records: a primitive of several launches is put on the queue this way.
    pub(crate) fn record<T>(&self, record: impl FnOnce(&mut ProgramBuilder) -> Result<T>) -> Result<T> {
        let mut builder = ProgramBuilder { device: self.device.clone(), steps: Vec::new(), now: Some(self.clone()) };
        let value = record(&mut builder)?;
        if builder.steps.is_empty() {
            return Ok(value);
        }
        let (mut written, mut touched) = (Vec::new(), Vec::new());
        collect(&builder.steps, &mut written, &mut touched);
        let read = touched.iter().map(|memory| (memory, false));
        let turn = self.state.begin(read.chain(written.iter().map(|memory| (memory, true))))?;
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
                self.state.settle(turn.number(), done)?;
            }
        }
        Ok(value)
    }

    /// Executes immediately a primitive that the backend overrides.
    pub(crate) fn perform(&self, request: Request) -> Result<()> {
        let turn = self.state.begin(request.uses())?;
        // A program that ran before may have swapped tables.
        let primitive = request.into_present();
        let done = self.device.backend().primitive(&self.state.handle, &primitive);
        if done.is_err() {
            self.state.settle(turn.number(), done)?;
        }
        Ok(())
    }

    /// Waits until everything put on the queue so far is done.
    ///
    /// # Errors
    /// The earliest error of that work, for instance [`Error::Fault`].
    pub fn wait(&self) -> Result<()> {
        self.state.finish()
    }

    /// Makes the device begin with the work on the queue. Returns a submission that can be waited for or awaited.
    ///
    /// # Errors
    /// Errors of the driver.
    pub fn flush(&self) -> Result<Submission<()>> {
        Ok(Submission::of_queue(self.clone(), self.state.mark()?))
    }

    /// Marks the end of the work now on the queue, for another queue to wait for.
    ///
    /// # Errors
    /// Errors of the driver.
    pub fn signal(&self) -> Result<Event> {
        Ok(Event::new(self.clone(), self.state.mark()?))
    }

    /// Makes later work on this queue wait, on the device, for the work before an event.
    ///
    /// # Errors
    /// [`Error::Invalid`] for an event of another device, errors of the driver.
    pub fn wait_for(&self, event: &Event) -> Result<()> {
        if !event.queue().device.same(&self.device) {
            return Err(Error::invalid("event", "it is of a queue of another device: wait for it on the host"));
        }
        if Arc::ptr_eq(event.queue().state(), &self.state) {
            return Ok(());
        }
        let _turn = self.state.begin(std::iter::empty())?;
        self.state.wait_for(event.queue().state(), event.mark())
    }
}
