//! Recording of programs.

use super::step::Step;
use crate::bind::{Binder, Kernel, Visit};
use crate::data::{Row, TallyScalar};
use crate::device::{Device, Queue};
use crate::error::{Error, Result};
use crate::tables::{Condition, Output, Scalar, Selection, Table, TallyTable};
use std::sync::Arc;

/// Records the nodes of a [`Program`](crate::Program), or of one of its loops.
#[derive(Debug)]
pub struct ProgramBuilder {
    pub(crate) device: Device,
    pub(crate) steps: Vec<Step>,
    /// Queue on which steps are put as soon as they are recorded, if they are not for a program.
    pub(crate) now: Option<Queue>,
}

impl ProgramBuilder {
    /// Starts recording for a device.
    #[must_use]
    pub fn new(device: &Device) -> Self {
        ProgramBuilder { device: device.clone(), steps: Vec::new(), now: None }
    }

    /// Records a launch over all rows of the kernel's own-row tables. The scalar is rewritten by every replay.
    ///
    /// # Errors
    /// As for [`Queue::launch`].
    pub fn launch<K: Kernel>(&mut self, args: K::Args<'_>) -> Result<Scalar<K::Output>>
    where
        K::Output: Output,
    {
        self.add_launch::<K>(args, Visit::All, None)
    }

    /// Records a launch whose result goes into the first column of a table of one row, so that later kernels can read
    /// it.
    ///
    /// # Errors
    /// As for [`Queue::launch_into`].
    pub fn launch_into<K: Kernel, R: Row>(
        &mut self,
        args: K::Args<'_>,
        into: &mut Table<R>,
    ) -> Result<Scalar<K::Output>>
    where
        K::Output: Output,
    {
        let result = Scalar::first_of(into)?;
        self.add_launch::<K>(args, Visit::All, Some(result))
    }

    /// Records a launch over the rows that a selection lists when the program reaches it.
    ///
    /// # Errors
    /// As for [`Queue::launch_over`].
    pub fn launch_over<K: Kernel>(&mut self, rows: &Selection, args: K::Args<'_>) -> Result<Scalar<K::Output>>
    where
        K::Output: Output,
    {
        self.add_launch::<K>(args, Visit::Over(rows), None)
    }

    fn add_launch<K: Kernel>(
        &mut self,
        args: K::Args<'_>,
        visit: Visit<'_>,
        into: Option<Scalar<K::Output>>,
    ) -> Result<Scalar<K::Output>>
    where
        K::Output: Output,
    {
        let mut binder = Binder::new(&self.device, &K::SOURCE);
        K::bind(args, &mut binder)?;
        let (bound, result) = binder.launch(&self.device.queue(), visit, into)?;
        self.steps.push(Step::Launch(bound));
        Ok(result)
    }

    /// Records a copy of all rows.
    ///
    /// # Errors
    /// As for [`Table::copy_from`].
    pub fn copy<R: Row>(&mut self, from: &Table<R>, to: &mut Table<R>) -> Result<()> {
        to.same_shape(from)?;
        self.steps.push(Step::Copy { from: Arc::clone(&from.memory), to: Arc::clone(&to.memory) });
        Ok(())
    }

    /// Records setting every row to zero.
    pub fn clear<R: Row>(&mut self, table: &mut Table<R>) {
        self.steps.push(Step::Clear(Arc::clone(&table.memory)));
    }

    /// Swaps two tables of one shape from here on, without a copy: each has the rows that the other had. In a loop they
    /// are swapped in every step. After the program, the tables look as if their rows had been exchanged.
    ///
    /// A swap may stand in a `repeat`, or in a `loop_until` that is the last node of the program and has no
    /// `loop_until` before it. After any other loop, the assignment of memory to tables would depend on the loop's
    /// number of steps.
    ///
    /// # Errors
    /// Errors of [`Table::copy_from`]. A swap at another place is an error of [`Program::run`](crate::Program::run).
    pub fn swap<R: Row>(&mut self, a: &mut Table<R>, b: &mut Table<R>) -> Result<()> {
        a.same_shape(b)?;
        self.steps.push(Step::Swap(Arc::clone(&a.memory), Arc::clone(&b.memory)));
        Ok(())
    }

    /// Records a [`swap`](Self::swap) of two tallies.
    ///
    /// # Errors
    /// [`Error::Invalid`] for tallies of different lengths. A swap at another place is an error of
    /// [`Program::run`](crate::Program::run).
    pub fn swap_tallies<T: TallyScalar + Output>(
        &mut self,
        a: &mut TallyTable<T>,
        b: &mut TallyTable<T>,
    ) -> Result<()> {
        if a.len() != b.len() {
            let reason =
                format!("it has {} slots, the other {}: only tallies of one length can be swapped", a.len(), b.len());
            return Err(Error::invalid(&a.memory.what, reason));
        }
        self.steps.push(Step::Swap(Arc::clone(&a.memory), Arc::clone(&b.memory)));
        Ok(())
    }

    fn nested<T>(&mut self, record: impl FnOnce(&mut ProgramBuilder) -> Result<T>) -> Result<(Vec<Step>, T)> {
        let mut inner = ProgramBuilder::new(&self.device);
        let value = record(&mut inner)?;
        Ok((inner.steps, value))
    }

    /// Records nodes that run `times` times.
    ///
    /// # Errors
    /// Errors of the recording function.
    pub fn repeat(&mut self, times: u32, record: impl FnOnce(&mut ProgramBuilder) -> Result<()>) -> Result<()> {
        let (body, ()) = self.nested(record)?;
        self.steps.push(Step::Repeat { times, body });
        Ok(())
    }

    /// Records a loop: the nodes that `record` records are one step. After each step the conditions that it returns are
    /// tested in order, on the device. The loop ends when one holds, or after `max_steps`. Loops may be nested: outcome
    /// and progress of a replay refer to the outermost one.
    ///
    /// # Errors
    /// Errors of the recording function; [`Error::Invalid`] without a condition, or for a condition on a kernel that
    /// returns nothing.
    pub fn loop_until(
        &mut self,
        max_steps: u64,
        record: impl FnOnce(&mut ProgramBuilder) -> Result<Vec<Condition>>,
    ) -> Result<()> {
        self.add_loop(max_steps, record, false)
    }

    /// Records a loop whose rows form groups of [`GROUP_ROWS`](crate::backend::GROUP_ROWS) that do not need one
    /// another: networks that a simulation never joins, each in groups of its own. A device may let every group make
    /// its steps by itself, as soon as it can, and end when a condition holds after one of them; CUDA does so within
    /// another loop, if all launches have the same whole groups and return nothing. Otherwise this is
    /// [`loop_until`](Self::loop_until).
    ///
    /// So a condition ends the loop for all groups, for one of them, or for some; whoever records it must be content
    /// with each. Values that a condition does not concern are the same in every case.
    ///
    /// # Safety
    /// In the loop, no row reads what a row of another group writes, but for tallies in conditions. A kernel that does
    /// would race with that group.
    ///
    /// # Errors
    /// As for [`loop_until`](Self::loop_until).
    pub unsafe fn loop_in_groups(
        &mut self,
        max_steps: u64,
        record: impl FnOnce(&mut ProgramBuilder) -> Result<Vec<Condition>>,
    ) -> Result<()> {
        self.add_loop(max_steps, record, true)
    }

    fn add_loop(
        &mut self,
        max_steps: u64,
        record: impl FnOnce(&mut ProgramBuilder) -> Result<Vec<Condition>>,
        in_groups: bool,
    ) -> Result<()> {
        let (body, conditions) = self.nested(record)?;
        if conditions.is_empty() || conditions.iter().any(|c| c.memory.is_none() || c.scalar.is_none()) {
            return Err(Error::invalid(
                "loop_until",
                "it needs at least one condition, each on a value that a launch returns",
            ));
        }
        self.steps.push(Step::LoopUntil { body, conditions, max_steps, in_groups });
        Ok(())
    }
}
