//! Programs: recorded once, replayed natively.

use super::assignment::Assignment;
use super::builder::ProgramBuilder;
use super::resolve::{self, Resolved};
use super::step::{Step, replace};
use super::used::Used;
use crate::backend::{Buffer, Outcome, Progress, QueueHandle, Recording};
use crate::bind::Kernel;
use crate::data::Params;
use crate::device::{Device, Queue, Submission};
use crate::error::{Error, Result};
use crate::launch::Bound;
use crate::memory::Memory;
use crate::queue::Planned;
use std::ops::ControlFlow;
use std::sync::{Arc, Mutex, PoisonError};

/// A recorded list of launches, copies and loops, which a device replays without the host between the steps.
///
/// A replay leaves the same bits as the individual launches, after the same number of steps. The number of calls of a
/// progress function depends on time.
///
/// ```
/// #[imminent_core::kernels]
/// mod counting {
///     #[derive(Row)]
///     pub struct Counter { pub value: u32 }
///
///     /// Counts on, and returns the greatest value.
///     #[kernel(reduce = max)]
///     pub fn count(me: &mut Counter) -> u32 {
///         me.value += 1;
///         me.value
///     }
/// }
///
/// # use imminent_core::{Device, Program, Result, Table};
/// # fn example(device: &Device) -> Result<()> {
/// let mut counters = Table::<counting::Counter>::zeroed(device, 1_000)?;
/// let mut program = Program::record(device, |program| {
///     // The device repeats the step until the condition holds, at most a million times.
///     program.loop_until(1_000_000, |step| {
///         let greatest = step.launch::<counting::count>((&mut counters,))?;
///         Ok(vec![greatest.at_least(10)])
///     })
/// })?;
/// assert_eq!(program.run()?.steps, 10);
/// # Ok(()) }
/// ```
#[derive(Debug)]
pub struct Program {
    device: Device,
    pub(super) steps: Arc<Vec<Step>>,
    /// Memories that the steps use, whatever their parameters are.
    used: Arc<Used>,
    recorded: Arc<Mutex<Vec<Recorded>>>,
}

/// A recording for the present memory of the program's tables.
#[derive(Debug)]
pub(super) struct Recorded {
    recording: Recording,
    /// Queue for which it was made.
    queue: QueueHandle,
    /// The tables' memory when it was made. A table has another after growing or swapping.
    buffers: Vec<Buffer>,
    ends: Vec<Assignment>,
}

/// Largest number of recordings kept: swapped tables return to memory that they had.
const MAX_RECORDINGS: usize = 4;

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
    pub(super) fn prepare(&mut self, queue: &Queue) -> Result<Ready> {
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
pub(super) struct Ready {
    pub(super) queue: Queue,
    pub(super) steps: Arc<Vec<Step>>,
    pub(super) used: Arc<Used>,
    pub(super) recorded: Arc<Mutex<Vec<Recorded>>>,
    pub(super) planned: Planned,
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
        queue.state().settle_waited(turn.number(), outcome)
    }
}

/// Returns the recording for a queue and the tables' present memory, and the tables' memory after each step.
pub(super) fn recording(
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
    if recorded.len() == MAX_RECORDINGS {
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

impl ProgramBuilder {
    /// Ends the recording.
    #[must_use]
    pub fn finish(self) -> Program {
        let used = Arc::new(Used::by(&self.steps));
        Program { device: self.device, steps: Arc::new(self.steps), used, recorded: Arc::default() }
    }
}
