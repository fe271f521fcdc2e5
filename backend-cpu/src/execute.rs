//! Running launches and programs.

use crate::backend::CpuModule;
use crate::memory::{Contents, cpu_buffer, wrong_kind};
use crate::primitives::{self, Workers};
use imminent_core::backend::{Argument, Launch, LoopUntil, Node, Test};
use imminent_core::fault::{self, NativeFault};
use imminent_core::ir::{Reduce, Scalar, Type};
use imminent_core::native::{Call, Entry, ErasedTable, NativeError, Slot};
use imminent_core::reduce::{BLOCK, ResultBits, combine};
use imminent_core::{Error, Fault, Outcome, Progress, Result, Stop};
use rayon::ThreadPool;
use rayon::iter::{IntoParallelIterator, ParallelIterator};
use std::ops::{ControlFlow, Range};
use std::sync::{RwLockReadGuard, RwLockWriteGuard};
use std::time::{Duration, Instant};

/// Fewest rows that are worth a task of their own: a task costs about a microsecond.
const LEAST_ROWS: u32 = 4 * BLOCK as u32;

/// How often the host hears of a running program.
const PROGRESS_EVERY: Duration = Duration::from_millis(20);

/// A table locked for a launch.
enum Guard<'b> {
    Shared(RwLockReadGuard<'b, Box<dyn ErasedTable>>),
    Exclusive(RwLockWriteGuard<'b, Box<dyn ErasedTable>>),
    None,
}

/// What one range of rows gave.
struct Part {
    partials: Vec<ResultBits>,
    fault: Option<NativeFault>,
}

pub(crate) fn launch(pool: &ThreadPool, launch: &Launch) -> Result<()> {
    let module: &CpuModule = launch.module.get().ok_or_else(|| wrong_kind("a module of the cpu backend"))?;
    let entry = module.entry(launch)?;
    let mut guards = launch
        .args
        .iter()
        .map(|arg| match arg {
            Argument::Table { buffer, mutable: true } => cpu_buffer(buffer)?.table_mut().map(Guard::Exclusive),
            Argument::Table { buffer, mutable: false } => cpu_buffer(buffer)?.table().map(Guard::Shared),
            Argument::Tally { .. } | Argument::Params { .. } => Ok(Guard::None),
        })
        .collect::<Result<Vec<_>>>()?;
    let slots = launch
        .args
        .iter()
        .zip(&mut guards)
        .map(|(arg, guard)| match (guard, arg) {
            (Guard::Exclusive(table), _) => Ok(Slot::exclusive(table.as_mut())),
            (Guard::Shared(table), _) => Ok(Slot::shared(table.as_ref())),
            (Guard::None, Argument::Tally { buffer }) => match &cpu_buffer(buffer)?.contents {
                Contents::Tally(tally) => Ok(Slot::value(tally.as_any())),
                _ => Err(wrong_kind("a tally")),
            },
            (Guard::None, Argument::Params { native, .. }) => Ok(Slot::value(native.as_ref())),
            (Guard::None, Argument::Table { .. }) => Err(wrong_kind("a table")),
        })
        .collect::<Result<Vec<_>>>()?;

    let parts = run(pool, entry, &slots, launch.rows)
        .map_err(|e| Error::Launch { kernel: launch.name.clone(), reason: e.to_string() })?;
    if let Some(fault) = parts.iter().find_map(|part| part.fault) {
        return Err(Error::Fault(Fault {
            kernel: launch.name.clone(),
            row: fault.row,
            kind: fault.kind,
            file: fault.at.file.to_owned(),
            line: fault.at.line,
            column: fault.at.column,
        }));
    }
    if let Some(result) = &launch.result {
        let (reduce, scalar) = module.reduction(launch)?;
        let partials: Vec<ResultBits> = parts.into_iter().flat_map(|part| part.partials).collect();
        cpu_buffer(result)?.set_result(combine(reduce, scalar, &partials))?;
    }
    Ok(())
}

/// Runs an entry over all rows, in ranges of whole blocks; the parts come in row order.
fn run(pool: &ThreadPool, entry: Entry, slots: &[Slot<'_>], rows: u32) -> Result<Vec<Part>, NativeError> {
    let part = |range: Range<u32>| {
        // SAFETY: the ranges of one launch are disjoint, and the call ends before this function returns.
        let mut call = unsafe { Call::new(slots, range) };
        let (done, fault) = fault::catch(|| entry(&mut call));
        done.map(|()| Part { partials: call.into_partials(), fault })
    };
    let tasks = pool.current_num_threads() as u32 * 4;
    let length = (rows / tasks).max(LEAST_ROWS).next_multiple_of(BLOCK as u32);
    if rows <= length || tasks == 4 {
        return Ok(vec![part(0..rows)?]);
    }
    let count = rows.div_ceil(length);
    pool.install(|| {
        (0..count).into_par_iter().map(|i| part(i * length..(i + 1).saturating_mul(length).min(rows))).collect()
    })
}

/// Type of the values that a kernel's reduction combines.
pub(crate) fn reduced_scalar(result: &Type, reduce: Reduce) -> Scalar {
    match reduce {
        Reduce::Count => Scalar::U32,
        Reduce::Any => Scalar::Bool,
        _ => result.scalar().unwrap_or(Scalar::U32),
    }
}

/// A program being replayed.
pub(crate) struct Replay<'p> {
    pool: &'p ThreadPool,
    progress: &'p mut dyn FnMut(Progress) -> ControlFlow<()>,
    heard: Instant,
    outcome: Outcome,
    /// Loops around the present node. Progress and outcome tell of the outermost one.
    depth: u32,
}

impl<'p> Replay<'p> {
    pub(crate) fn new(pool: &'p ThreadPool, progress: &'p mut dyn FnMut(Progress) -> ControlFlow<()>) -> Self {
        Replay { pool, progress, heard: Instant::now(), outcome: Outcome { steps: 0, stop: Stop::End }, depth: 0 }
    }

    pub(crate) fn run(mut self, nodes: &[Node]) -> Result<Outcome> {
        let _ = self.nodes(nodes)?;
        Ok(self.outcome)
    }

    /// Runs nodes; breaks when the program was cancelled.
    fn nodes(&mut self, nodes: &[Node]) -> Result<ControlFlow<()>> {
        for node in nodes {
            let flow = match node {
                Node::Launch(one) => launch(self.pool, one).map(|()| ControlFlow::Continue(()))?,
                Node::Primitive(one) => {
                    primitives::run(Workers::new(self.pool), one)?;
                    ControlFlow::Continue(())
                }
                Node::Copy { from, to } => {
                    copy(from, to)?;
                    ControlFlow::Continue(())
                }
                Node::Clear(buffer) => {
                    cpu_buffer(buffer)?.clear();
                    ControlFlow::Continue(())
                }
                Node::Repeat { times, body } => self.repeat(*times, body)?,
                Node::LoopUntil(one) => self.loop_until(one)?,
            };
            if flow.is_break() {
                return Ok(flow);
            }
        }
        Ok(ControlFlow::Continue(()))
    }

    fn repeat(&mut self, times: u32, body: &[Node]) -> Result<ControlFlow<()>> {
        for _ in 0..times {
            if self.nodes(body)?.is_break() {
                return Ok(ControlFlow::Break(()));
            }
        }
        Ok(ControlFlow::Continue(()))
    }

    fn loop_until(&mut self, one: &LoopUntil) -> Result<ControlFlow<()>> {
        let mut steps = 0;
        loop {
            let stop = if steps == one.max_steps {
                Some(Stop::StepLimit)
            } else {
                let turn = steps.checked_rem(one.steps.len() as u64).and_then(|turn| one.steps.get(turn as usize));
                let Some(step) = turn else { return Err(Error::invalid("loop_until", "it has no step")) };
                self.depth += 1;
                let flow = self.nodes(&step.nodes)?;
                self.depth -= 1;
                if flow.is_break() {
                    return Ok(flow);
                }
                steps += 1;
                holding(&step.tests)?.map(Stop::Condition)
            };
            let outermost = self.depth == 0;
            if let Some(stop) = stop {
                if outermost {
                    self.outcome = Outcome { steps, stop };
                }
                return Ok(ControlFlow::Continue(()));
            }
            if outermost && self.heard.elapsed() >= PROGRESS_EVERY {
                self.heard = Instant::now();
                if (self.progress)(Progress { steps }).is_break() {
                    self.outcome = Outcome { steps, stop: Stop::Cancelled };
                    return Ok(ControlFlow::Break(()));
                }
            }
        }
    }
}

/// The first test that holds.
fn holding(tests: &[Test]) -> Result<Option<usize>> {
    for (number, test) in tests.iter().enumerate() {
        let value = cpu_buffer(&test.buffer)?.leaf(test.row, None, test.word);
        if test.comparison.holds(test.scalar, value, test.constant) {
            return Ok(Some(number));
        }
    }
    Ok(None)
}

pub(crate) fn copy(from: &imminent_core::backend::Buffer, to: &imminent_core::backend::Buffer) -> Result<()> {
    if from.is(to) {
        return Ok(());
    }
    let (from, to) = (cpu_buffer(from)?, cpu_buffer(to)?);
    if to.table_mut()?.copy_from(from.table()?.as_ref()) {
        Ok(())
    } else {
        Err(Error::invalid("copy", "the two tables have different rows or lengths"))
    }
}
