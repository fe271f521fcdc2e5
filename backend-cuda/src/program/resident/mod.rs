//! Loops of one block in one launch: the block stays on the device, and its threads meet where one operation ends and
//! the next begins.
//!
//! A launch of a graph takes some microseconds, however little it does; a barrier of a block takes nearly nothing. A
//! resident loop has the turns of the operations, and calls those of the present turn. Loops of several blocks are left
//! to graphs, since a barrier of blocks takes as long as a launch: but for [inner loops](InGroups) whose blocks do not
//! need one another.

mod groups;
mod text;

pub(super) use groups::InGroups;

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

/// Threads of a control operation.
const WARP: u32 = 32;
/// Largest number of calls: all of them are compiled as one kernel.
const MOST_CALLS: usize = 48;
/// Least time for which a loop runs as graphs before it is compiled as one kernel.
const PATIENCE: Duration = Duration::from_secs(1);
/// Bytes of a text that takes about a second to compile. The time grows with the square of the length: 106 kB took
/// 0.75 s, 332 kB 6.2 s.
const BYTES_OF_A_SECOND: f64 = 120e3;

/// A loop that can be one launch.
#[derive(Debug)]
pub(super) struct Resident {
    code: String,
    arguments: Vec<u32>,
    pipeline: Option<Arc<Pipeline>>,
    /// Start of the present run.
    since: Instant,
    /// `true` if the compiler refused the loop, or there is none.
    is_refused: bool,
}

/// A compiled loop, with the arguments of its launch.
pub(super) struct Compiled<'r> {
    pipeline: &'r Arc<Pipeline>,
    arguments: &'r [u32],
}

/// Kernels and arguments of a loop.
#[derive(Default)]
struct Loop {
    parts: Vec<Arc<Pipeline>>,
    calls_of: Vec<usize>,
    arguments: Vec<u32>,
}

impl Resident {
    /// Returns a loop whose operations have these launches, as one launch; `None` if it cannot or shall not be one. It
    /// is compiled if the options ask for it; otherwise taken if it was compiled before.
    pub(super) fn new(context: &Context, plan: &LoopPlan, launches: &[Vec<Prepared>]) -> Result<Option<Resident>> {
        if matches!(context.loops, Loops::Graph | Loops::Conditional) {
            return Ok(None);
        }
        let Some((of, turns)) = gather(plan, launches) else { return Ok(None) };
        Resident::of(context, of, |parts, words| text::text(parts, &turns, words))
    }

    /// Returns the loop of some kernels whose text `code` writes, from them and from the number of words of arguments.
    fn of(
        context: &Context,
        Loop { parts, calls_of, arguments }: Loop,
        code: impl FnOnce(&[Part<'_>], usize) -> String,
    ) -> Result<Option<Resident>> {
        let bytes = u32::try_from(arguments.len() * 4 + 16).unwrap_or(u32::MAX);
        if bytes > context.sizes.parameters {
            return Ok(None);
        }
        let parts = parts
            .iter()
            .zip(calls_of)
            .map(|(one, calls)| one.text.as_ref().map(|text| Part { text: &text.code, entry: &text.entry, calls }));
        let Some(parts) = parts.collect::<Option<Vec<Part<'_>>>>() else { return Ok(None) };
        let code = code(&parts, arguments.len());
        let since = Instant::now();
        let mut resident = Resident { code, arguments, pipeline: None, since, is_refused: false };
        if context.loops == Loops::Resident || context.record.is_some() {
            resident.compile(context)?;
        } else if let Some(function) = Function::kept(context, resident.text())? {
            resident.take(context, function)?;
        }
        Ok(Some(resident))
    }

    fn text(&self) -> Text<'_> {
        Text { kernel: text::ENTRY, location: "a loop of a program", code: &self.code, entry: text::ENTRY }
    }

    fn compile(&mut self, context: &Context) -> Result<()> {
        let function = Function::new(context, self.text())?;
        self.take(context, function)
    }

    fn take(&mut self, context: &Context, function: Function) -> Result<()> {
        self.pipeline = Some(Arc::new(Pipeline::new(context, function, THREADS, false)?));
        Ok(())
    }

    /// Returns the time for which the loop runs as graphs: as long as compiling it takes.
    fn patience(&self) -> Duration {
        PATIENCE.max(Duration::from_secs_f64((self.code.len() as f64 / BYTES_OF_A_SECOND).powi(2)))
    }

    /// Notes that the loop begins to run.
    pub(super) fn begin(&mut self) {
        self.since = Instant::now();
    }

    /// Returns the loop as one launch, if it goes on so. One that has run for long is compiled; graphs do as well where
    /// that fails.
    pub(super) fn compiled(&mut self, context: &Context) -> Option<Compiled<'_>> {
        if self.pipeline.is_none() && !self.is_refused && self.since.elapsed() > self.patience() {
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
fn gather(plan: &LoopPlan, launches: &[Vec<Prepared>]) -> Option<(Loop, Vec<Turn>)> {
    let (mut of, mut turns) = (Loop::default(), Vec::<Turn>::new());
    let Some(Piece::Operation(last)) = plan.pieces().last() else { return None };
    for (number, (operation, launches)) in plan.operations.iter().zip(launches).enumerate() {
        let controls = matches!(operation.task, Task::Control(_));
        for launch in launches.iter() {
            let call = of.add(launch, controls).filter(|_| launch.groups <= 1)?;
            match turns.iter_mut().find(|turn| turn.number == operation.turn) {
                Some(turn) => turn.calls.push(call),
                None => turns.push(Turn { number: operation.turn, calls: vec![call], ends_pass: false }),
            }
        }
        if number == *last
            && let Some(turn) = turns.iter_mut().find(|turn| turn.number == operation.turn)
        {
            turn.ends_pass = true;
        }
    }
    of.is_short().then_some((of, turns))
}

impl Loop {
    /// Adds a call; `None` if its kernel cannot be one of several: control operations are for a warp, others for blocks
    /// of [`THREADS`].
    fn add(&mut self, launch: &Prepared, controls: bool) -> Option<Call> {
        let code = &launch.code;
        code.text.as_ref().filter(|_| controls == (code.threads == WARP))?;
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
        let block = self.put(words);
        if !controls && let Some(turn) = self.arguments.get_mut(block + TURN_WORD as usize) {
            // The kernel need not look: it is called at its turn.
            *turn = EVERY_TURN;
        }
        let first = self.arguments.len();
        self.arguments.extend(places.iter().flat_map(|place| launch::address_words(*place)));
        Some(Call { part, block, places: (first, places.len()), controls })
    }

    /// Adds words, and returns the place of the first one. Addresses may follow them.
    fn put(&mut self, words: &[u32]) -> usize {
        let first = self.arguments.len();
        self.arguments.extend(words);
        self.arguments.resize(self.arguments.len().next_multiple_of(2), 0);
        first
    }

    fn is_short(&self) -> bool {
        self.calls_of.iter().sum::<usize>() <= MOST_CALLS
    }
}
