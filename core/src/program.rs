//! Programs: recorded once, replayed natively.

mod assignment;
mod hand_over;
mod resolve;
mod used;

pub(crate) use resolve::step as resolve_step;

use crate::backend::{Buffer, Comparison, Outcome, Progress, QueueHandle, Recording};
use crate::bind::Bound;
use crate::data::{Params, Row};
use crate::device::Device;
use crate::error::{Error, Result};
use crate::kernel::{Kernel, KernelSource};
use crate::launch::{BoundLaunch, Visit};
use crate::primitives::Request;
use crate::queue::{Planned, Queue};
use crate::scalar::{Output, Scalar};
use crate::selection::Selection;
use crate::submission::Submission;
use crate::table::{Memory, Table};
use assignment::Assignment;
use imminent_ir::Scalar as ScalarType;
use resolve::Resolved;
use std::ops::ControlFlow;
use std::sync::{Arc, Mutex, PoisonError};
use used::Used;

/// A test of a device scalar against a constant, made by methods such as [`Scalar::at_least`]. The device evaluates it.
#[derive(Clone, Debug)]
pub struct Condition {
    memory: Option<Arc<Memory>>,
    row: u32,
    scalar: Option<ScalarType>,
    comparison: Comparison,
    constant: u64,
}

impl Condition {
    pub(crate) fn new(
        memory: Option<Arc<Memory>>,
        row: u32,
        scalar: Option<ScalarType>,
        comparison: Comparison,
        constant: u64,
    ) -> Self {
        Condition { memory, row, scalar, comparison, constant }
    }
}

/// A node as the program keeps it: bound to tables rather than to their present memory.
#[derive(Clone, Debug)]
pub(crate) enum Step {
    Launch(BoundLaunch),
    Copy {
        from: Arc<Memory>,
        to: Arc<Memory>,
    },
    Clear(Arc<Memory>),
    /// Swaps two tables.
    Swap(Arc<Memory>, Arc<Memory>),
    Primitive(Request),
    Repeat {
        times: u32,
        body: Vec<Step>,
    },
    LoopUntil {
        body: Vec<Step>,
        conditions: Vec<Condition>,
        max_steps: u64,
    },
}

/// Records the nodes of a [`Program`], or of one of its loops.
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
        let (bound, result) = BoundLaunch::new::<K>(&self.device.queue(), args, visit, into)?;
        self.steps.push(Step::Launch(bound));
        Ok(result)
    }

    /// Records a copy of all rows.
    ///
    /// # Errors
    /// As for [`Table::copy_from`].
    pub fn copy<R: Row>(&mut self, from: &Table<R>, to: &mut Table<R>) -> Result<()> {
        to.same_shape(from)?;
        self.steps.push(Step::Copy { from: from.memory.clone(), to: to.memory.clone() });
        Ok(())
    }

    /// Records setting every row to zero.
    pub fn clear<R: Row>(&mut self, table: &mut Table<R>) {
        self.steps.push(Step::Clear(table.memory.clone()));
    }

    /// Swaps two tables of one shape from here on, without a copy: each has the rows that the other had. In a loop they
    /// are swapped in every step. After the program, the tables look as if their rows had been exchanged.
    ///
    /// A swap may stand in a `repeat`, or in a `loop_until` that is the last node of the program and has no
    /// `loop_until` before it. After any other loop, the assignment of memory to tables would depend on the loop's
    /// number of steps.
    ///
    /// # Errors
    /// Errors of [`Table::copy_from`]. A swap at another place is an error of [`Program::run`].
    pub fn swap<R: Row>(&mut self, a: &mut Table<R>, b: &mut Table<R>) -> Result<()> {
        a.same_shape(b)?;
        self.steps.push(Step::Swap(a.memory.clone(), b.memory.clone()));
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
        let (body, conditions) = self.nested(record)?;
        if conditions.is_empty() || conditions.iter().any(|c| c.memory.is_none() || c.scalar.is_none()) {
            return Err(Error::invalid(
                "loop_until",
                "it needs at least one condition, each on a value that a launch returns",
            ));
        }
        self.steps.push(Step::LoopUntil { body, conditions, max_steps });
        Ok(())
    }

    /// Ends the recording.
    #[must_use]
    pub fn finish(self) -> Program {
        let used = Arc::new(Used::by(&self.steps));
        Program { device: self.device, steps: Arc::new(self.steps), used, recorded: Arc::default() }
    }
}

/// A recorded list of launches, copies and loops, which a device replays without the host between the steps.
///
/// A replay leaves the same bits as the individual launches, after the same number of steps. The number of calls of a
/// progress function depends on time.
#[derive(Debug)]
pub struct Program {
    device: Device,
    steps: Arc<Vec<Step>>,
    /// Memories that the steps use, whatever their parameters are.
    used: Arc<Used>,
    recorded: Arc<Mutex<Vec<Recorded>>>,
}

/// A recording for the present memory of the program's tables.
#[derive(Debug)]
struct Recorded {
    recording: Recording,
    /// Queue for which it was made.
    queue: QueueHandle,
    /// The tables' memory when it was made. A table has another after growing or swapping.
    buffers: Vec<Buffer>,
    ends: Vec<Assignment>,
}

/// Largest number of recordings kept: swapped tables return to memory that they had.
const MOST_RECORDINGS: usize = 4;

impl Program {
    /// Records a program in one call.
    ///
    /// # Errors
    /// Errors of the recording function.
    pub fn record(device: &Device, record: impl FnOnce(&mut ProgramBuilder) -> Result<()>) -> Result<Program> {
        let mut builder = ProgramBuilder::new(device);
        record(&mut builder)?;
        Ok(builder.finish())
    }

    /// Compiles the program and prepares it for the device, which otherwise happens in the first run. The first run
    /// then costs no more than later ones.
    ///
    /// # Errors
    /// [`Error::Poisoned`], and errors of the compilation.
    pub fn compile(&self) -> Result<()> {
        self.used.check()?;
        recording(&self.device.queue(), &self.steps, &self.recorded, &self.used.touched)?;
        Ok(())
    }

    /// Runs the program on the device's queue and waits for it.
    ///
    /// # Errors
    /// [`Error::Fault`], [`Error::Poisoned`], errors of earlier work on the queue and of the driver.
    pub fn run(&mut self) -> Result<Outcome> {
        self.run_with(|_| ControlFlow::Continue(()))
    }

    /// Runs the program; `progress` is called from time to time, without stopping the device, and may end the loop
    /// after a step by breaking. All tables are then as that step left them.
    ///
    /// # Errors
    /// As for [`Program::run`].
    pub fn run_with(&mut self, progress: impl FnMut(Progress) -> ControlFlow<()>) -> Result<Outcome> {
        self.prepare(&self.device.queue())?.run(progress)
    }

    /// Starts the program on the device's queue and returns at once: a thread of the queue runs it. Until it has ended,
    /// the host blocks on later work of the queue, on work of other queues that uses the program's tables, and on reads
    /// of these tables.
    ///
    /// Dropping the submission does not stop the program. An error that was not retrieved is returned by the next call
    /// that waits for the queue.
    ///
    /// # Errors
    /// [`Error::Poisoned`], and errors of the recording. Errors of the run are reported by the submission.
    pub fn start(&mut self) -> Result<Submission<Outcome>> {
        self.start_on(&self.device.queue())
    }

    /// Starts the program on a queue of its device, as [`Program::start`] does on the device's own.
    ///
    /// # Errors
    /// As for [`Program::start`]; [`Error::Invalid`] for a queue of another device.
    pub fn start_on(&mut self, queue: &Queue) -> Result<Submission<Outcome>> {
        self.start_with(queue, |_| ControlFlow::Continue(()))
    }

    /// Starts the program on a queue of its device. `progress` is called by the thread that runs it, as
    /// [`Program::run_with`] does.
    ///
    /// # Errors
    /// As for [`Program::start_on`].
    pub fn start_with(
        &mut self,
        queue: &Queue,
        progress: impl FnMut(Progress) -> ControlFlow<()> + Send + 'static,
    ) -> Result<Submission<Outcome>> {
        let ready = self.prepare(queue)?;
        Submission::of_program(queue.clone(), move || ready.run(progress))
    }

    /// Checks the memories that the program uses and gives it its place on a queue.
    fn prepare(&mut self, queue: &Queue) -> Result<Ready> {
        if !queue.device().same(&self.device) {
            return Err(Error::invalid("program", "it was recorded for another device than the queue's"));
        }
        self.used.check()?;
        let planned = queue.state().plan(self.used.each());
        let (steps, used, recorded) = (self.steps.clone(), self.used.clone(), self.recorded.clone());
        Ok(Ready { queue: queue.clone(), steps, used, recorded, planned })
    }

    /// Replaces the parameter block of type `P` in every launch of kernel `K`, from the next replay on.
    ///
    /// # Errors
    /// [`Error::Invalid`] when no launch of `K` in the program takes a block of this type.
    pub fn set_params<K: Kernel, P: Params>(&mut self, params: &P) -> Result<()> {
        let new = Bound::params(params);
        let steps: &mut Vec<Step> = Arc::make_mut(&mut self.steps);
        if replace(steps, &K::SOURCE, &new) == 0 {
            let reason = format!(
                "no launch of kernel `{}` takes parameters of type `{}`",
                K::SOURCE.name,
                std::any::type_name::<P>()
            );
            return Err(Error::invalid("program", reason));
        }
        // A replay in progress keeps its parameters.
        self.recorded = Arc::default();
        Ok(())
    }
}

/// A program that has its place on a queue.
struct Ready {
    queue: Queue,
    steps: Arc<Vec<Step>>,
    used: Arc<Used>,
    recorded: Arc<Mutex<Vec<Recorded>>>,
    planned: Planned,
}

impl Ready {
    fn run(self, mut progress: impl FnMut(Progress) -> ControlFlow<()>) -> Result<Outcome> {
        let Ready { queue, steps, used, recorded, planned } = self;
        let turn = queue.state().enter(planned)?;
        turn.run_here();
        // Earlier work may have grown or swapped tables, or failed.
        used.check()?;
        let (recording, ends) = recording(&queue, &steps, &recorded, &used.touched)?;
        let outcome = queue.device().backend().replay(queue.handle(), &recording, &mut progress);
        if let Ok(outcome) = &outcome {
            let end = outcome.steps.checked_rem(ends.len() as u64).and_then(|step| ends.get(step as usize));
            end.into_iter().for_each(Assignment::settle);
        }
        queue.state().settle_waited(turn, outcome)
    }
}

/// Returns the recording for a queue and the tables' present memory, and the tables' memory after each step.
fn recording(
    queue: &Queue,
    steps: &[Step],
    recorded: &Mutex<Vec<Recorded>>,
    touched: &[Arc<Memory>],
) -> Result<(Recording, Vec<Assignment>)> {
    let mut recorded = recorded.lock().unwrap_or_else(PoisonError::into_inner);
    let same = |one: &&Recorded| {
        one.queue.is(queue.handle()) && one.buffers.iter().zip(touched).all(|(then, memory)| memory.is_in(then))
    };
    if let Some(one) = recorded.iter().find(same) {
        return Ok((one.recording.clone(), one.ends.clone()));
    }
    let buffers = touched.iter().map(|memory| memory.buffer()).collect();
    let Resolved { nodes, ends } = resolve::program(queue.device(), steps)?;
    let recording = queue.device().backend().record(queue.handle(), nodes)?;
    if recorded.len() == MOST_RECORDINGS {
        recorded.remove(0);
    }
    recorded.push(Recorded {
        recording: recording.clone(),
        queue: queue.handle().clone(),
        buffers,
        ends: ends.clone(),
    });
    Ok((recording, ends))
}

/// Replaces the parameter blocks of a kernel's launches that have the type of `new`. Returns their number.
fn replace(steps: &mut [Step], of: &KernelSource, new: &Bound) -> usize {
    let replaced = |step: &mut Step| match step {
        Step::Launch(launch) => launch.replace_params(of, new),
        Step::Repeat { body, .. } | Step::LoopUntil { body, .. } => replace(body, of, new),
        _ => 0,
    };
    steps.iter_mut().map(replaced).sum()
}

pub(crate) fn collect(steps: &[Step], written: &mut Vec<Arc<Memory>>, touched: &mut Vec<Arc<Memory>>) {
    for step in steps {
        match step {
            Step::Launch(launch) => {
                written.extend(launch.written().cloned());
                touched.extend(launch.touched().cloned());
            }
            Step::Copy { from, to } => {
                written.push(to.clone());
                touched.extend([from.clone(), to.clone()]);
            }
            Step::Clear(memory) => written.push(memory.clone()),
            Step::Swap(a, b) => {
                written.extend([a.clone(), b.clone()]);
                touched.extend([a.clone(), b.clone()]);
            }
            Step::Primitive(request) => {
                written.extend(request.written().cloned());
                touched.extend(request.touched().cloned());
            }
            Step::Repeat { body, .. } | Step::LoopUntil { body, .. } => collect(body, written, touched),
        }
    }
}
