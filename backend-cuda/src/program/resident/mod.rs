//! Loops of one block in one launch: the block stays on the device, and its threads meet where one operation ends and
//! the next begins.
//!
//! A launch of a graph takes some microseconds, however little it does; a barrier of a block takes nearly nothing. A
//! resident loop has the turns of the operations, and calls those of the present turn. Loops of several blocks are left
//! to graphs: a barrier of blocks takes as long as a launch.

mod text;

use super::prepared::Prepared;
use crate::device::Context;
use crate::driver::Stream;
use crate::launch::{self, Parameters};
use crate::module::{Function, Pipeline, Text};
use crate::options::Loops;
use imminent_core::Result;
use imminent_core::clock::Instant;
use imminent_device::replay::{LoopPlan, Piece, Task};
use imminent_ir::launch::{EVERY_TURN, TURN_WORD};
use std::sync::Arc;
use std::time::Duration;
use text::{Call, Part, THREADS, Turn};

/// Largest number of calls: all of them are compiled as one kernel.
const MOST_CALLS: usize = 48;
/// Time for which a loop runs as graphs before it is compiled as one kernel: as long as that takes.
const PATIENCE: Duration = Duration::from_secs(1);

/// A loop that can be one launch.
#[derive(Debug)]
pub(super) struct Resident {
    code: String,
    arguments: Vec<u32>,
    pipeline: Option<Pipeline>,
    /// Start of the present run.
    since: Instant,
    /// `true` if the compiler refused the loop, or there is none.
    is_refused: bool,
}

/// A compiled loop, with the arguments of its launch.
pub(super) struct Compiled<'r> {
    pipeline: &'r Pipeline,
    arguments: &'r [u32],
}

/// Kernels, turns and arguments of a loop.
#[derive(Default)]
struct Loop {
    parts: Vec<Arc<Pipeline>>,
    calls_of: Vec<usize>,
    turns: Vec<Turn>,
    arguments: Vec<u32>,
}

impl Resident {
    /// Returns a loop whose operations have these launches, as one launch; `None` if it cannot or shall not be one. It
    /// is compiled if the options ask for it; otherwise taken if it was compiled before.
    pub(super) fn new(context: &Context, plan: &LoopPlan, launches: &[Vec<Prepared>]) -> Result<Option<Resident>> {
        if matches!(context.loops, Loops::Graph | Loops::Conditional) {
            return Ok(None);
        }
        let Some(Loop { parts, calls_of, turns, arguments }) = gather(plan, launches) else { return Ok(None) };
        let bytes = u32::try_from(arguments.len() * 4 + 16).unwrap_or(u32::MAX);
        if bytes > context.sizes.parameters {
            return Ok(None);
        }
        let parts = parts
            .iter()
            .zip(calls_of)
            .map(|(one, calls)| one.text.as_ref().map(|text| Part { text: &text.code, entry: &text.entry, calls }));
        let Some(parts) = parts.collect::<Option<Vec<Part<'_>>>>() else { return Ok(None) };
        let code = text::text(&parts, &turns, arguments.len());
        let since = Instant::now();
        let mut resident = Resident { code, arguments, pipeline: None, since, is_refused: false };
        if context.loops == Loops::Resident || context.record.is_some() {
            resident.compile(context)?;
        } else if let Some(function) = Function::kept(context, resident.text())? {
            resident.pipeline = Some(Pipeline::new(context, function, THREADS, false)?);
        }
        Ok(Some(resident))
    }

    fn text(&self) -> Text<'_> {
        Text { kernel: text::ENTRY, location: "a loop of a program", code: &self.code, entry: text::ENTRY }
    }

    fn compile(&mut self, context: &Context) -> Result<()> {
        let function = Function::new(context, self.text())?;
        self.pipeline = Some(Pipeline::new(context, function, THREADS, false)?);
        Ok(())
    }

    /// Notes that the loop begins to run.
    pub(super) fn begin(&mut self) {
        self.since = Instant::now();
    }

    /// Returns the loop as one launch, if it goes on so. One that has run for long is compiled; graphs do as well where
    /// that fails.
    pub(super) fn compiled(&mut self, context: &Context) -> Option<Compiled<'_>> {
        if self.pipeline.is_none() && !self.is_refused && self.since.elapsed() > PATIENCE {
            self.is_refused = self.compile(context).is_err();
        }
        self.pipeline.as_ref().map(|pipeline| Compiled { pipeline, arguments: &self.arguments })
    }
}

impl Compiled<'_> {
    /// Puts `passes` passes on a stream. `state` is the address of the loop's state.
    ///
    /// # Safety
    /// As for [`launch::start`], of the launches that the loop was made from.
    pub(super) unsafe fn start(&self, context: &Context, stream: &Stream, state: u64, passes: u64) -> Result<()> {
        let Compiled { pipeline, arguments } = self;
        let passes = [passes];
        let parameters = Parameters::new(&state, arguments, &passes);
        // SAFETY: the parameters are those of the text: state, arguments, passes. The caller vouches for the addresses
        // among the arguments.
        unsafe { launch::start(&context.primary, pipeline, 1, parameters, stream.raw()) }
    }
}

/// Gathers the calls of a loop by their turns; `None` if it is too long, or if a launch has several blocks or blocks of
/// another size.
fn gather(plan: &LoopPlan, launches: &[Vec<Prepared>]) -> Option<Loop> {
    let mut of = Loop::default();
    let Some(Piece::Operation(last)) = plan.pieces().last() else { return None };
    for (number, (operation, launches)) in plan.operations.iter().zip(launches).enumerate() {
        let controls = matches!(operation.task, Task::Control(_));
        for launch in launches {
            let call = of.add(launch, controls)?;
            match of.turns.iter_mut().find(|turn| turn.number == operation.turn) {
                Some(turn) => turn.calls.push(call),
                None => of.turns.push(Turn { number: operation.turn, calls: vec![call], ends_pass: false }),
            }
        }
        if number == *last
            && let Some(turn) = of.turns.iter_mut().find(|turn| turn.number == operation.turn)
        {
            turn.ends_pass = true;
        }
    }
    (of.calls_of.iter().sum::<usize>() <= MOST_CALLS).then_some(of)
}

impl Loop {
    fn add(&mut self, launch: &Prepared, controls: bool) -> Option<Call> {
        let code = &launch.code;
        if launch.groups > 1 || code.text.is_none() {
            return None;
        }
        let part = match self.parts.iter().position(|part| Arc::ptr_eq(part, code)) {
            Some(part) => part,
            None => {
                self.parts.push(code.clone());
                self.calls_of.push(0);
                self.parts.len() - 1
            }
        };
        self.calls_of[part] += 1;
        let (words, places) = launch.arguments()?;
        let block = self.arguments.len();
        self.arguments.extend(words);
        if !controls && let Some(turn) = self.arguments.get_mut(block + TURN_WORD as usize) {
            // The kernel need not look: it is called at its turn.
            *turn = EVERY_TURN;
        }
        self.arguments.resize(self.arguments.len().next_multiple_of(2), 0);
        let first = self.arguments.len();
        self.arguments.extend(places.iter().flat_map(|place| launch::address_words(*place)));
        Some(Call { part, block, places: (first, places.len()), controls })
    }
}
