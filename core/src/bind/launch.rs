//! Launches of kernels on a queue.

use super::binder::Binder;
use super::kernel::Kernel;
use super::visit::Visit;
use crate::backend::Launch;
use crate::data::Row;
use crate::device::Queue;
use crate::error::Result;
use crate::launch::Kept;
use crate::tables::{Output, Scalar, Selection, Table};

/// Launches.
impl Queue {
    /// Launches a kernel over all rows of its own-row tables.
    ///
    /// Values written and returned are [`Exact`](crate::Determinism::Exact) where the kernel computes in integers.
    /// Floats are [`Reproducible`](crate::Determinism::Reproducible), on devices for which
    /// [`Device::require`](crate::Device::require) grants that.
    ///
    /// # Errors
    /// [`Error::Launch`](crate::Error::Launch) if the arguments do not fit together,
    /// [`Error::Poisoned`](crate::Error::Poisoned) if one is, [`Error::Compile`](crate::Error::Compile),
    /// [`Error::Unsupported`](crate::Error::Unsupported), errors of the driver.
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
    /// Errors of [`Queue::launch`]; [`Error::Invalid`](crate::Error::Invalid) if the table has another number of rows,
    /// or a first column of another type.
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
    /// Errors of [`Queue::launch`]; [`Error::Launch`](crate::Error::Launch) if an own-row table has fewer rows than the
    /// selection has room for, or the kernel runs in groups.
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
        let memory = into.as_ref().and_then(|into| into.memory.as_deref());
        let key = visit.key(&K::SOURCE, memory, K::Output::SCALAR.is_some());
        let (device, state) = (self.device(), self.state());
        let mut binder = Binder::perhaps_again(device, &K::SOURCE, key.and_then(|key| state.take_recent(key)));
        K::bind(args, &mut binder)?;
        match binder.kept() {
            Some((kept, true)) => {
                let number = state.launch_again(kept)?;
                let result = into.map_or_else(|| Scalar::new(self, K::SOURCE.name), Ok)?;
                return Ok(result.of_launch(self, number, K::SOURCE.name));
            }
            Some((kept, false)) => state.put_back_other(kept),
            None => {}
        }
        let kept_for = memory.cloned();
        let (bound, result) = binder.launch(self, visit, into)?;
        let turn = state.begin(bound.used())?;
        let moved = device.shared().moved();
        let module = device.module(bound.module())?;
        let launch = Launch { operation: Some(turn.number()), ..bound.resolve(module, |memory| memory.buffer()) };
        let launched = device.backend().launch(self.handle(), &launch);
        if launched.is_err() {
            state.settle(turn.number(), launched)?;
        } else if let Some(key) = visit.key(&K::SOURCE, kept_for.as_ref(), K::Output::SCALAR.is_some()) {
            state.keep(Box::new(Kept::new(key, &bound, launch, moved)));
        }
        Ok(result.of_launch(self, turn.number(), K::SOURCE.name))
    }
}
