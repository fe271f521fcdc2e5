//! The sequential simulator: an event list and one cell at a time, to the letter of Cell-DEVS.
//!
//! It judges the engines, so it is simple and shares nothing with them but the description of a model.
//!
//! At each time: every imminent cell emits; the outputs reach all cells that have it in their neighbourhood, itself
//! included where the neighbourhood says so; each of these evaluates its rules once. At time 0 every cell emits its
//! initial value.

mod error;
mod inputs;

pub use error::{Reason, RuleError};
pub use inputs::{Input, InputSource};

use crate::space::CellSpace;
use inputs::Inputs;
use std::cmp::Reverse;
use std::collections::{BTreeSet, BinaryHeap, VecDeque};
use std::ops::ControlFlow;

/// Meaning of a rule's delay.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Delay {
    /// A cell has one pending output. A new value that differs from the last computed one replaces it.
    Inertial,
    /// A cell has a queue of pending outputs, at most [`MAX_PENDING`]. A new value that differs from the emitted one
    /// joins it. Of several outputs at one time the last counts.
    Transport,
    /// A cell has a queue of pending outputs, as with [`Transport`](Self::Transport), and all those of one time leave.
    ///
    /// They leave in the order in which they were computed, one in each round. This is the transport delay of CD++.
    /// While a further output of this time is to follow, a new value joins the queue unless it equals the first output
    /// that is queued for its own time.
    TransportAll,
}

/// Value that a cell takes on, and after how many milliseconds it emits it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Next<V> {
    /// New value.
    pub value: V,
    /// Milliseconds until the output.
    pub delay: u32,
}

/// Context of a rule when it is evaluated.
#[derive(Debug)]
pub struct Seen<'a, V, I> {
    /// Number of the cell.
    pub cell: u32,
    /// Time, in milliseconds.
    pub time: u32,
    /// Value that the cell itself emitted last.
    pub own: V,
    /// Values that the neighbours emitted last, in the order of [`CellSpace::neighbours`]; `None` beyond an open
    /// border.
    pub neighbours: &'a [Option<V>],
    /// External input that reached the cell at this time; of several the first.
    pub input: Option<Input<I>>,
}

/// An output of a cell after its initial one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Output<V> {
    /// Time, in milliseconds.
    pub time: u32,
    /// Number of the cell.
    pub cell: u32,
    /// Value that the cell emits.
    pub value: V,
}

/// The local computing function of a model's cells.
pub trait LocalRule {
    /// Value of a cell.
    type Value: Copy;
    /// External input of a cell; `()` for a model without inputs.
    type Input: Copy;

    /// Returns `true` if two values are equal within the model's tolerance.
    fn same(&self, a: Self::Value, b: Self::Value) -> bool;

    /// Evaluates the rules of a cell; `None` where no rule applies and the cell does nothing.
    ///
    /// # Errors
    /// A text that says what went wrong.
    fn evaluate(&mut self, seen: &Seen<'_, Self::Value, Self::Input>) -> Result<Option<Next<Self::Value>>, String>;
}

/// Result of a sequential run.
#[derive(Clone, Debug, PartialEq)]
pub struct History<V> {
    /// Value that each cell emitted last.
    pub values: Vec<V>,
    /// Time of each cell's last output, in milliseconds.
    pub times: Vec<u32>,
    /// Number of distinct times after 0 at which cells emitted or had external inputs.
    pub distinct_times: u64,
    /// Outputs after the initial ones.
    pub outputs: u64,
    /// Largest number of cells that emitted at once, the initial outputs not counted.
    pub most_simultaneous: u32,
    /// Number of outputs at each of the first distinct times after 0: up to [`EARLY_TIMES`] of them.
    pub early: Vec<(u32, u32)>,
}

/// Number of distinct times whose outputs [`History::early`] counts.
pub const EARLY_TIMES: usize = 16;

/// Rounds of outputs at one time after which a model is said not to advance.
const MAX_ROUNDS_AT_ONE_TIME: u32 = 10_000;

/// Most pending outputs of a cell, those after the end of the run not counted.
///
/// Where all outputs of one time leave, each may lead to further ones, so queues can grow exponentially. Models that do
/// not grow have some tens: a delay holds as many outputs as come within it. The work at a time grows with the square
/// of the queues, so the bound ends a run after seconds.
pub const MAX_PENDING: usize = 4096;

/// Pending outputs of a cell, the earliest first.
type Pending<V> = VecDeque<(u32, V)>;

struct Run<'a, R: LocalRule> {
    space: &'a CellSpace,
    delay: Delay,
    rule: &'a mut R,
    /// Values emitted last.
    values: Vec<R::Value>,
    pending: Vec<Pending<R::Value>>,
    events: BinaryHeap<Reverse<(u32, u32)>>,
    horizon: u32,
}

impl<R: LocalRule> Run<'_, R> {
    fn due(&self, cell: u32) -> Option<u32> {
        self.pending.get(cell as usize)?.front().map(|&(due, _)| due)
    }

    /// Returns the earliest time at which a cell is due.
    fn next_due(&mut self) -> Option<u32> {
        while let Some(&Reverse((time, cell))) = self.events.peek() {
            if self.due(cell) == Some(time) {
                return Some(time);
            }
            // A pre-empted output leaves its event behind.
            self.events.pop();
        }
        None
    }

    /// Returns all cells that are due at this time, in their order.
    fn imminents(&mut self, now: u32) -> Vec<u32> {
        let mut found = Vec::new();
        while self.next_due() == Some(now) {
            // Two outputs of a cell at one time leave two events.
            if let Some(Reverse((_, cell))) = self.events.pop().filter(|Reverse((_, cell))| found.last() != Some(cell))
            {
                found.push(cell);
            }
        }
        found
    }

    fn emit(&mut self, cell: u32, now: u32) {
        let (Some(pending), Some(value)) = (self.pending.get_mut(cell as usize), self.values.get_mut(cell as usize))
        else {
            return;
        };
        let due = pending.partition_point(|&(due, _)| due <= now);
        let leaving = if self.delay == Delay::TransportAll { due.min(1) } else { due };
        if let Some((_, emitted)) = pending.drain(..leaving).next_back() {
            *value = emitted;
        }
        // The next output of a queue has no event yet. If it is due now, the next round emits it.
        if let Some(&(due, _)) = pending.front() {
            self.events.push(Reverse((due, cell)));
        }
    }

    fn evaluate(&mut self, cell: u32, now: u32, input: Option<Input<R::Input>>) -> Result<(), RuleError> {
        let value_at = |offset| Some(*self.values.get(self.space.at(cell, offset)? as usize)?);
        let neighbours: Vec<Option<R::Value>> = self.space.neighbours().iter().map(value_at).collect();
        let Some(&own) = self.values.get(cell as usize) else { return Ok(()) };
        let seen = Seen { cell, time: now, own, neighbours: &neighbours, input };
        let next = self.rule.evaluate(&seen).map_err(|reason| RuleError {
            cell,
            time: now.into(),
            reason: Reason::Rule(reason),
        })?;
        let Some(next) = next else { return Ok(()) };
        let due = now.saturating_add(next.delay);
        let Some(pending) = self.pending.get_mut(cell as usize) else { return Ok(()) };
        match self.delay {
            Delay::Inertial => {
                let last_computed = pending.front().map_or(own, |&(_, value)| value);
                if self.rule.same(next.value, last_computed) {
                    return Ok(());
                }
                pending.clear();
                pending.push_back((due, next.value));
            }
            Delay::Transport | Delay::TransportAll => {
                let further = pending.front().is_some_and(|&(first, _)| first <= now) && due > now;
                let at_due = || pending.iter().find(|&&(at, _)| at == due).map(|&(_, value)| value);
                let known = if further { at_due() } else { Some(own) };
                if due > self.horizon || known.is_some_and(|known| self.rule.same(next.value, known)) {
                    return Ok(());
                }
                if self.delay == Delay::Transport {
                    pending.retain(|&(at, _)| at != due);
                }
                if pending.len() >= MAX_PENDING {
                    let reason = Reason::QueueTooLong { pending: MAX_PENDING + 1, most: MAX_PENDING };
                    return Err(RuleError { cell, time: now.into(), reason });
                }
                let place = pending.partition_point(|&(earlier, _)| earlier <= due);
                pending.insert(place, (due, next.value));
            }
        }
        if due <= self.horizon {
            self.events.push(Reverse((due, cell)));
        }
        Ok(())
    }
}

/// Simulates a model without external inputs until `horizon` milliseconds, outputs at that time included.
///
/// # Errors
/// [`RuleError`]: a rule that failed, or a model whose time stands still.
pub fn simulate<R: LocalRule>(
    space: &CellSpace,
    delay: Delay,
    rule: &mut R,
    initial: &[R::Value],
    horizon: u32,
) -> Result<History<R::Value>, RuleError> {
    simulate_with(space, delay, rule, initial, &[], horizon)
}

/// Simulates a model with external inputs, as [`simulate`] does without.
///
/// # Errors
/// As for [`simulate`].
pub fn simulate_with<R: LocalRule>(
    space: &CellSpace,
    delay: Delay,
    rule: &mut R,
    initial: &[R::Value],
    sources: &[InputSource<R::Input>],
    horizon: u32,
) -> Result<History<R::Value>, RuleError> {
    simulate_observed(space, delay, rule, initial, sources, horizon, &mut |_| ())
}

/// Simulates a model with external inputs, and calls `observe` for every output after the initial ones.
///
/// Outputs come in the order of time. At one time those of a round of outputs come before those of the next round, and
/// those of a round in the order of cells.
///
/// # Errors
/// As for [`simulate`].
pub fn simulate_observed<R: LocalRule>(
    space: &CellSpace,
    delay: Delay,
    rule: &mut R,
    initial: &[R::Value],
    sources: &[InputSource<R::Input>],
    horizon: u32,
    observe: &mut dyn FnMut(Output<R::Value>),
) -> Result<History<R::Value>, RuleError> {
    let go_on = &mut |_| ControlFlow::Continue(());
    Ok(simulate_watched(space, delay, rule, initial, sources, horizon, observe, go_on)?.0)
}

/// Evaluations between two questions whether a run goes on: some hundredths of a second.
const EVALUATIONS_PER_LOOK: usize = 1 << 14;

/// Simulates a model like [`simulate_observed`], and asks `go_on` from time to time, with the number of distinct times
/// so far. Returns the history up to where `go_on` broke off, and whether it did.
///
/// # Errors
/// As for [`simulate`].
#[allow(clippy::too_many_arguments)] // Those of `simulate_observed` and one more.
pub fn simulate_watched<R: LocalRule>(
    space: &CellSpace,
    delay: Delay,
    rule: &mut R,
    initial: &[R::Value],
    sources: &[InputSource<R::Input>],
    horizon: u32,
    observe: &mut dyn FnMut(Output<R::Value>),
    go_on: &mut dyn FnMut(u64) -> ControlFlow<()>,
) -> Result<(History<R::Value>, ControlFlow<()>), RuleError> {
    let cells = space.cells().min(initial.len());
    let mut run = Run {
        space,
        delay,
        rule,
        values: initial.to_vec(),
        pending: vec![VecDeque::new(); cells],
        events: BinaryHeap::new(),
        horizon,
    };
    let mut history = History {
        values: Vec::new(),
        times: vec![0; cells],
        distinct_times: 0,
        outputs: 0,
        most_simultaneous: 0,
        early: Vec::new(),
    };
    let (mut inputs, mut late_inputs) = (Inputs::new(sources, false), Inputs::new(sources, true));
    let mut fed = inputs.take(0);
    for cell in 0..cells as u32 {
        run.evaluate(cell, 0, fed.remove(&cell))?;
    }
    let (mut before, mut rounds, mut evaluations) = (0, 0, 0);
    let mut flow = ControlFlow::Continue(());
    while flow.is_continue() {
        let next = run.next_due().into_iter().chain(inputs.time()).min();
        let late = late_inputs.time().filter(|&late| next.is_none_or(|next| late < next));
        let Some(now) = late.or(next).filter(|&now| now <= horizon) else { break };
        let imminents = run.imminents(now);
        rounds = if now == before { rounds + 1 } else { 0 };
        if rounds > MAX_ROUNDS_AT_ONE_TIME {
            let reason = Reason::StandsStill { rounds };
            return Err(RuleError { cell: imminents.first().copied().unwrap_or(0), time: now.into(), reason });
        }
        history.distinct_times += u64::from(now != before);
        // Inputs come once, in the first round of outputs at their time, or when no output of it is left.
        let mut fed = if late.is_some() { late_inputs.take(now) } else { inputs.take(now) };
        let mut receivers: BTreeSet<u32> = fed.keys().copied().collect();
        history.outputs += imminents.len() as u64;
        history.most_simultaneous = history.most_simultaneous.max(imminents.len() as u32);
        count_early(&mut history.early, now, imminents.len() as u32);
        for &cell in &imminents {
            run.emit(cell, now);
            if let Some(time) = history.times.get_mut(cell as usize) {
                *time = now;
            }
            if let Some(&value) = run.values.get(cell as usize) {
                observe(Output { time: now, cell, value });
            }
            receivers.extend(space.neighbours().iter().filter_map(|offset| space.seen_from(cell, offset)));
        }
        evaluations += receivers.len() + 1;
        for cell in receivers {
            run.evaluate(cell, now, fed.remove(&cell))?;
        }
        before = now;
        if evaluations >= EVALUATIONS_PER_LOOK {
            evaluations = 0;
            flow = go_on(history.distinct_times);
        }
    }
    history.values = run.values;
    Ok((history, flow))
}

fn count_early(early: &mut Vec<(u32, u32)>, now: u32, outputs: u32) {
    if let Some((_, count)) = early.last_mut().filter(|(time, _)| *time == now) {
        *count += outputs;
    } else if early.len() < EARLY_TIMES && now > 0 {
        early.push((now, outputs));
    }
}

#[cfg(test)]
mod tests;
