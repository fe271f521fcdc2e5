//! Rule files on a host: active cells only, in the order of time.
//!
//! Pending outputs lie in a calendar of time windows as long as the smallest delay of any rule, so most outputs go to a
//! later window. The current window is a heap. The rules are evaluated by the kernel's own interpreter, as rustc
//! compiled it.

use super::kernels::advance::MOST_ROUNDS;
use super::kernels::interpreter::{Next, Operation, evaluate};
use super::kernels::numbers::unchanged;
use super::kernels::space::{Cell, NEVER, Offset, Space};
use super::model::Model;
use super::outcome::Outcome;
use super::postfix::{Code, compile};
use super::run::RunError;
use super::tables::{offsets, space};
use crate::outcome::Spent;
use crate::sequential::{Delay, Output, RuleError, Source};
use imminent_core::random::Pcg32;
use imminent_core::{Progress, Rows, RowsBuf, fault};
use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap};
use std::ops::ControlFlow;
use std::time::Instant;

/// Most windows of a calendar.
const MOST_WINDOWS: u32 = 1 << 16;

/// Distinct times between two looks at the progress function.
const TIMES_PER_LOOK: u64 = 1 << 12;

/// Pending outputs by time: the time in the upper half of a number, the cell in the lower half.
struct Calendar {
    width: u32,
    /// Number of the current window.
    window: u32,
    current: BinaryHeap<Reverse<u64>>,
    later: Vec<Vec<u64>>,
}

impl Calendar {
    fn new(lookahead: Option<u32>, horizon: u32) -> Self {
        let width = lookahead.unwrap_or(1).clamp(1, horizon.max(1)).max(horizon / MOST_WINDOWS + 1);
        let windows = (horizon / width) as usize + 1;
        Calendar { width, window: 0, current: BinaryHeap::new(), later: vec![Vec::new(); windows] }
    }

    fn push(&mut self, due: u32, cell: u32) {
        let event = (u64::from(due) << 32) | u64::from(cell);
        if due / self.width <= self.window {
            self.current.push(Reverse(event));
        } else if let Some(bucket) = self.later.get_mut((due / self.width) as usize) {
            bucket.push(event);
        }
    }

    /// Returns the earliest event without removing it.
    fn first(&mut self) -> Option<(u32, u32)> {
        loop {
            if let Some(&Reverse(event)) = self.current.peek() {
                return Some(((event >> 32) as u32, event as u32));
            }
            self.window += 1;
            let bucket = self.later.get_mut(self.window as usize)?;
            self.current = std::mem::take(bucket).into_iter().map(Reverse).collect();
        }
    }

    fn pop(&mut self) {
        self.current.pop();
    }
}

/// Function that receives every output after the initial ones.
type Observe<'a> = &'a mut dyn FnMut(Output<f64>);

/// State of a run.
struct Run {
    operations: RowsBuf<Operation>,
    offsets: RowsBuf<Offset>,
    space: Space,
    /// The cells and the row of zeros after them.
    cells: Vec<Cell>,
    starts: Vec<u32>,
    /// First operation of each program.
    programs: Vec<u32>,
    /// External inputs of this time by cell: where the rules begin that are evaluated, and the value.
    inputs: HashMap<u32, (u32, f64)>,
    random: Vec<Pcg32>,
    /// Pending outputs of cells of the transport kind, the earliest first.
    queues: Vec<Vec<(u32, f64)>>,
    times: Vec<u32>,
    calendar: Calendar,
    /// Outputs that cells have computed in this round: cell, time and value.
    changes: Vec<(u32, u32, f64)>,
    /// Round in which a cell was reached last.
    reached: Vec<u32>,
    outputs: u64,
    horizon: u32,
}

impl Run {
    fn new(model: &Model, code: &Code, seed: u64, horizon: u32) -> Self {
        let number = model.space().cells();
        let cell = |&initial: &f64| Cell { value: initial, pending: initial, due: NEVER };
        let zero = Cell { value: 0.0, pending: 0.0, due: 0 };
        let cells: Vec<Cell> = model.initial().iter().map(cell).chain([zero]).collect();
        let start = |cell| code.starts.get(model.program_of(cell) as usize).copied().unwrap_or(0);
        let transport = model.delay() == Delay::Transport;
        Run {
            operations: code.operations.clone().into(),
            offsets: offsets(model).into(),
            space: space(model, horizon),
            cells,
            starts: (0..number as u32).map(start).collect(),
            programs: code.starts.clone(),
            inputs: HashMap::new(),
            random: (0..number as u64).map(|cell| Pcg32::new(seed, cell)).collect(),
            queues: if transport { vec![Vec::new(); number] } else { Vec::new() },
            times: vec![0; number],
            calendar: Calendar::new(model.lookahead(), horizon),
            changes: Vec::new(),
            reached: vec![0; number],
            outputs: 0,
            horizon,
        }
    }

    fn schedule(&mut self, due: u32, cell: u32) {
        if due <= self.horizon {
            self.calendar.push(due, cell);
        }
    }

    /// Makes a cell show the output that comes next: of several at one time the last.
    fn show(&mut self, cell: u32) {
        let queue = self.queues.get(cell as usize).map_or(&[][..], Vec::as_slice);
        let next = queue.first().and_then(|&(due, _)| queue.iter().take_while(|&&(at, _)| at == due).last()).copied();
        let Some(shown) = self.cells.get_mut(cell as usize) else { return };
        let before = shown.due;
        match next {
            Some((due, value)) => (shown.due, shown.pending) = (due, value),
            None => shown.due = NEVER,
        }
        let due = shown.due;
        if due != before && due != NEVER {
            self.schedule(due, cell);
        }
    }

    /// Lists a cell that is to be evaluated in this round, once.
    fn reach(&mut self, cell: u32, round: u32, receivers: &mut Vec<u32>) {
        if let Some(reached) = self.reached.get_mut(cell as usize).filter(|reached| **reached != round) {
            *reached = round;
            receivers.push(cell);
        }
    }

    fn emit(&mut self, cell: u32, now: u32, observe: Observe<'_>) {
        if let (Some(shown), Some(time)) = (self.cells.get_mut(cell as usize), self.times.get_mut(cell as usize)) {
            (shown.value, shown.due, *time) = (shown.pending, NEVER, now);
            observe(Output { time: now, cell, value: shown.value });
        }
        self.outputs += 1;
        if let Some(queue) = self.queues.get_mut(cell as usize) {
            queue.retain(|&(due, _)| due > now);
            self.show(cell);
        }
    }

    /// Notes the input of a source at a time, unless an earlier source has one for the same cell.
    fn take_in(&mut self, source: &Source, now: u32) {
        let start = self.programs.get(source.rules as usize).copied();
        if let (Some(start), Some(value)) = (start, source.at(now)) {
            self.inputs.entry(source.cell).or_insert((start, value));
        }
    }

    fn next(&mut self, cell: u32, now: u32, input: Option<(u32, f64)>) -> Result<Next, RuleError> {
        let unknown = || RuleError { cell, time: now, reason: "there is no such cell".to_owned() };
        let own = self.starts.get(cell as usize).copied().ok_or_else(unknown)?;
        let (start, input) = input.unwrap_or((own, f64::NAN));
        let random = self.random.get_mut(cell as usize).ok_or_else(unknown)?;
        let rows = Rows::from_slice_with_zero(&self.cells).ok_or_else(unknown)?;
        let drawn = *random;
        let next = evaluate(&self.operations, &self.offsets, rows, &self.space, random, start, input, cell, now);
        if !next.found {
            // Either no rule is true and one undefined, or the evaluation failed: only a second one tells.
            let mut random = drawn;
            let again =
                || evaluate(&self.operations, &self.offsets, rows, &self.space, &mut random, start, input, cell, now);
            if let (_, Some(fault)) = fault::catch(again) {
                return Err(RuleError { cell, time: now, reason: format!("{}: {}", fault.kind, fault.at.text) });
            }
        }
        Ok(next)
    }

    /// Evaluates cells with the inputs of this time. What they compute is pending only after all have been evaluated:
    /// with a delay of 0 it is due now, and would be taken for an output of this round.
    fn evaluate(&mut self, receivers: impl IntoIterator<Item = u32>, now: u32) -> Result<(), RuleError> {
        let mut changes = std::mem::take(&mut self.changes);
        for cell in receivers {
            let next = self.next(cell, now, self.inputs.get(&cell).copied())?;
            if next.found && self.differs(cell, next.value) {
                changes.push((cell, now.saturating_add(next.delay), next.value));
            }
        }
        for (cell, due, value) in changes.drain(..) {
            self.make_pending(cell, due, value);
        }
        self.changes = changes;
        Ok(())
    }

    /// Returns `true` if a value differs from the one that the cell emitted, or from the one computed last if its delay
    /// is inertial.
    fn differs(&self, cell: u32, value: f64) -> bool {
        let Some(shown) = self.cells.get(cell as usize) else { return false };
        let emitted = shown.due == NEVER || !self.queues.is_empty();
        !unchanged(self.space.quantum, value, if emitted { shown.value } else { shown.pending })
    }

    fn make_pending(&mut self, cell: u32, due: u32, value: f64) {
        if let Some(queue) = self.queues.get_mut(cell as usize) {
            let place = queue.partition_point(|&(earlier, _)| earlier <= due);
            queue.insert(place, (due, value));
            self.show(cell);
        } else if let Some(shown) = self.cells.get_mut(cell as usize) {
            (shown.pending, shown.due) = (value, due);
            self.schedule(due, cell);
        }
    }
}

/// Runs a model. Gives its outcome and the number of distinct times.
pub(super) fn by_windows(
    model: &Model,
    seed: u64,
    horizon: u32,
    progress: &mut dyn FnMut(Progress) -> ControlFlow<()>,
    observe: Observe<'_>,
    spent: &mut Spent,
) -> Result<(Outcome, u64), RunError> {
    // A fault of an evaluation is told as an error, and none may be left for the next launch of this thread.
    fault::catch(|| simulate(model, seed, horizon, progress, observe, spent)).0
}

fn simulate(
    model: &Model,
    seed: u64,
    horizon: u32,
    progress: &mut dyn FnMut(Progress) -> ControlFlow<()>,
    observe: Observe<'_>,
    spent: &mut Spent,
) -> Result<(Outcome, u64), RunError> {
    let began = Instant::now();
    let code = compile(model)?;
    let mut run = Run::new(model, &code, seed, horizon);
    spent.set_up = began.elapsed();
    let began = Instant::now();
    let cells = model.space().cells() as u32;
    model.sources().iter().for_each(|source| run.take_in(source, 0));
    run.evaluate(0..cells, 0)?;
    for (number, source) in (cells..).zip(model.sources()) {
        if let Some(time) = source.after(0) {
            run.schedule(time, number);
        }
    }
    let (mut distinct, mut before, mut rounds, mut round) = (0_u64, 0, 0, 0);
    let (mut imminents, mut receivers) = (Vec::new(), Vec::new());
    while let Some((now, _)) = run.calendar.first() {
        imminents.clear();
        receivers.clear();
        run.inputs.clear();
        round += 1;
        while let Some((_, cell)) = run.calendar.first().filter(|&(due, _)| due == now) {
            run.calendar.pop();
            // Numbers after those of the cells are those of sources, which come in their order. As none comes twice at
            // one time, all come in the first round of outputs at theirs.
            if let Some(source) = cell.checked_sub(cells).and_then(|at| model.sources().get(at as usize)) {
                run.reach(source.cell, round, &mut receivers);
                run.take_in(source, now);
                if let Some(time) = source.after(now) {
                    run.schedule(time, cell);
                }
            } else if run.cells.get(cell as usize).is_some_and(|shown| shown.due == now)
                && imminents.last() != Some(&cell)
            {
                // A pre-empted output leaves its event behind; an output that comes twice is emitted once.
                imminents.push(cell);
            }
        }
        if imminents.is_empty() && receivers.is_empty() {
            continue;
        }
        rounds = if now == before { rounds + 1 } else { 0 };
        if rounds > MOST_ROUNDS {
            return Err(RunError::StandsStill { time: now });
        }
        if now != before {
            distinct += 1;
            if distinct.is_multiple_of(TIMES_PER_LOOK) && progress(Progress { steps: distinct }).is_break() {
                return Err(RunError::Cancelled { steps: distinct });
            }
        }
        for &cell in &imminents {
            run.emit(cell, now, observe);
        }
        for &cell in &imminents {
            for offset in model.space().neighbours() {
                if let Some(receiver) = model.space().seen_from(cell, offset) {
                    run.reach(receiver, round, &mut receivers);
                }
            }
        }
        run.evaluate(receivers.iter().copied(), now)?;
        before = now;
    }
    spent.simulation = began.elapsed();
    let began = Instant::now();
    run.cells.pop();
    let values = run.cells.iter().map(|cell| cell.value).collect();
    let outcome = Outcome::new(model.space().clone(), horizon, values, run.times, distinct, run.outputs);
    spent.reading = began.elapsed();
    Ok((outcome, distinct))
}
