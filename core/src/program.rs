//! Programs: recorded once, replayed natively.

use crate::backend::{Comparison, Launch, LoopUntil, Node, Recording, Test};
use crate::bind::{Binder, Bound};
use crate::data::Row;
use crate::device::Device;
use crate::error::{Error, Result};
use crate::kernel::{Kernel, ModuleSource};
use crate::primitives::Request;
use crate::queue::Queue;
use crate::scalar::{Output, Scalar};
use crate::table::{Memory, Table};
use imminent_ir::Scalar as ScalarType;
use std::ops::ControlFlow;
use std::sync::Arc;

/// A test of a device scalar against a constant, made by [`Scalar::at_least`] and its kin. Evaluated on the device.
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

/// How far a replay has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// Steps of the current loop that are done.
    pub steps: u64,
}

/// Why the last loop of a replay ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    /// The program has no loop, or its nodes came to their end.
    End,
    /// The condition of this number held.
    Condition(usize),
    /// The step limit was reached.
    StepLimit,
    /// The progress function asked to stop.
    Cancelled,
}

/// What a replay did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// Steps of the last loop.
    pub steps: u64,
    /// Why it ended.
    pub stop: Stop,
}

/// A node as the program keeps it: bound to tables rather than to their present memory.
#[derive(Clone, Debug)]
pub(crate) enum Step {
    Launch {
        source: &'static ModuleSource,
        kernel: u32,
        name: &'static str,
        rows: u32,
        bound: Vec<Bound>,
        result: Option<Arc<Memory>>,
    },
    Copy {
        from: Arc<Memory>,
        to: Arc<Memory>,
    },
    Clear(Arc<Memory>),
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
}

impl ProgramBuilder {
    /// Starts recording for a device.
    #[must_use]
    pub fn new(device: &Device) -> Self {
        ProgramBuilder { device: device.clone(), steps: Vec::new() }
    }

    /// Records a launch over all rows of the kernel's own-row tables. The scalar is rewritten by every replay.
    ///
    /// # Errors
    /// As for [`Queue::launch`].
    pub fn launch<K: Kernel>(&mut self, args: K::Args<'_>) -> Result<Scalar<K::Output>>
    where
        K::Output: Output,
    {
        let result = Scalar::new(&self.device, K::SOURCE.name)?;
        self.add_launch::<K>(args, result)
    }

    /// Records a launch whose result goes into the first column of a table of one row, so that later kernels can read it.
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
        self.add_launch::<K>(args, result)
    }

    fn add_launch<K: Kernel>(&mut self, args: K::Args<'_>, result: Scalar<K::Output>) -> Result<Scalar<K::Output>>
    where
        K::Output: Output,
    {
        let mut binder = Binder::new(&self.device, K::SOURCE.name);
        K::bind(args, &mut binder)?;
        binder.result(&result)?;
        let (bound, rows) = binder.finish(None)?;
        self.steps.push(Step::Launch {
            source: K::SOURCE.module,
            kernel: K::SOURCE.index,
            name: K::SOURCE.name,
            rows,
            bound,
            result: result.memory.clone(),
        });
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

    fn nested<T>(&mut self, record: impl FnOnce(&mut ProgramBuilder) -> Result<T>) -> Result<(Vec<Step>, T)> {
        let mut inner = ProgramBuilder::new(&self.device);
        let value = record(&mut inner)?;
        Ok((inner.steps, value))
    }

    /// Records nodes that run `times` times.
    ///
    /// # Errors
    /// Those of the recording function.
    pub fn repeat(&mut self, times: u32, record: impl FnOnce(&mut ProgramBuilder) -> Result<()>) -> Result<()> {
        let (body, ()) = self.nested(record)?;
        self.steps.push(Step::Repeat { times, body });
        Ok(())
    }

    /// Records a loop: the nodes that `record` records are one step; after each step the conditions that it returns are
    /// tested in order, on the device, and the loop ends when one holds, or after `max_steps`. Loops may be nested: the outcome
    /// and the progress of a replay tell of the outermost one.
    ///
    /// # Errors
    /// Those of the recording function; [`Error::Invalid`] without a condition, for a condition on a kernel that returns
    /// nothing.
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
        Program { device: self.device, steps: self.steps, recorded: None }
    }
}

/// A recorded list of launches, copies and loops, which a device replays without the host between the steps.
#[derive(Debug)]
pub struct Program {
    device: Device,
    steps: Vec<Step>,
    recorded: Option<Recorded>,
}

#[derive(Debug)]
struct Recorded {
    recording: Recording,
    /// Lane capacities when it was made: a table that has grown since has other memory.
    capacities: Vec<u32>,
}

impl Program {
    /// Records a program in one go.
    ///
    /// # Errors
    /// Those of the recording function.
    pub fn record(device: &Device, record: impl FnOnce(&mut ProgramBuilder) -> Result<()>) -> Result<Program> {
        let mut builder = ProgramBuilder::new(device);
        record(&mut builder)?;
        Ok(builder.finish())
    }

    /// Runs the program on the device's queue and waits for it.
    ///
    /// # Errors
    /// [`Error::Fault`], [`Error::Poisoned`], errors of earlier work on the queue and of the driver.
    pub fn run(&mut self) -> Result<Outcome> {
        self.run_with(|_| ControlFlow::Continue(()))
    }

    /// Runs the program; `progress` is called from time to time, without stopping the device, and may end the loop after a
    /// step by breaking. All tables are then as that step left them.
    ///
    /// # Errors
    /// As for [`Program::run`].
    pub fn run_with(&mut self, mut progress: impl FnMut(Progress) -> ControlFlow<()>) -> Result<Outcome> {
        let (mut written, mut touched) = (Vec::new(), Vec::new());
        collect(&self.steps, &mut written, &mut touched);
        for memory in &touched {
            memory.check()?;
        }
        let queue = self.device.queue();
        let recording = self.recording(&queue, &touched)?;
        queue.writes(&written);
        queue.settle(self.device.backend().replay(queue.handle(), &recording, &mut progress))
    }

    fn recording(&mut self, queue: &Queue, touched: &[Arc<Memory>]) -> Result<Recording> {
        let capacities: Vec<u32> = touched.iter().map(|memory| memory.capacity()).collect();
        if let Some(recorded) = &self.recorded
            && recorded.capacities == capacities
        {
            return Ok(recorded.recording.clone());
        }
        let recording = self.device.backend().record(queue.handle(), resolve(&self.device, &self.steps)?)?;
        self.recorded = Some(Recorded { recording: recording.clone(), capacities });
        Ok(recording)
    }
}

pub(crate) fn collect(steps: &[Step], written: &mut Vec<Arc<Memory>>, touched: &mut Vec<Arc<Memory>>) {
    for step in steps {
        match step {
            Step::Launch { bound, result, .. } => {
                written.extend(bound.iter().filter_map(Bound::written).chain(result).cloned());
                touched.extend(bound.iter().filter_map(Bound::memory).cloned());
            }
            Step::Copy { from, to } => {
                written.push(to.clone());
                touched.extend([from.clone(), to.clone()]);
            }
            Step::Clear(memory) => written.push(memory.clone()),
            Step::Primitive(request) => {
                written.extend(request.written().cloned());
                touched.extend(request.touched().cloned());
            }
            Step::Repeat { body, .. } | Step::LoopUntil { body, .. } => collect(body, written, touched),
        }
    }
}

fn resolve(device: &Device, steps: &[Step]) -> Result<Vec<Node>> {
    steps.iter().map(|step| resolve_step(device, step)).collect()
}

pub(crate) fn resolve_step(device: &Device, step: &Step) -> Result<Node> {
    Ok(match step {
        Step::Launch { source, kernel, name, rows, bound, result } => Node::Launch(Launch {
            module: device.module(source)?,
            kernel: *kernel,
            name: (*name).to_owned(),
            rows: *rows,
            width: 0,
            subset: None,
            args: bound.iter().map(Bound::argument).collect(),
            result: result.as_ref().map(|memory| memory.buffer()),
        }),
        Step::Copy { from, to } => Node::Copy { from: from.buffer(), to: to.buffer() },
        Step::Clear(memory) => Node::Clear(memory.buffer()),
        Step::Primitive(request) => Node::Primitive(request.resolve()),
        Step::Repeat { times, body } => Node::Repeat { times: *times, body: resolve(device, body)? },
        Step::LoopUntil { body, conditions, max_steps } => {
            let tests = conditions.iter().filter_map(test).collect();
            Node::LoopUntil(LoopUntil::new(resolve(device, body)?, tests, *max_steps))
        }
    })
}

fn test(condition: &Condition) -> Option<Test> {
    Some(Test {
        buffer: condition.memory.as_ref()?.buffer(),
        row: condition.row,
        word: 0,
        scalar: condition.scalar?,
        comparison: condition.comparison,
        constant: condition.constant,
    })
}
