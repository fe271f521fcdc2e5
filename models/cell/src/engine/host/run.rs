//! Cells, queues and events of a run on a host.

use super::calendar::Calendar;
use super::reach::Reach;
use crate::engine::kernels::here::Here;
use crate::engine::kernels::space::{NEVER, Offset, Space, due_after, place_of};
use crate::engine::{Answer, CellKernels, End, Failure, Task, View, offsets, shape};
use crate::sequential::{Delay, Input, InputSource, MAX_PENDING, Output, Reason, RuleError};
use imminent_core::random::Pcg32;
use imminent_core::{Rows, RowsBuf, fault};
use std::collections::HashMap;

/// Function that receives every output after the initial ones.
pub(crate) type Observe<'a, V> = &'a mut dyn FnMut(Output<V>);

/// State of a run.
pub(super) struct Run<'a, M: CellKernels> {
    task: &'a Task<'a, M>,
    offsets: RowsBuf<Offset>,
    facts: RowsBuf<M::Facts>,
    space: Space,
    reach: Reach<'a>,
    /// The cells and the row of zeros after them.
    cells: Vec<M::Cell>,
    random: Vec<Pcg32>,
    /// Values that cells keep for themselves; of no cell where none keeps any.
    kept: Vec<M::Kept>,
    /// Stands for the values of a cell that keeps none.
    none_kept: M::Kept,
    /// Pending outputs of cells of the transport kind, the earliest first; those of one time in their order.
    queues: Vec<Vec<(u32, M::Value)>>,
    times: Vec<u32>,
    calendar: Calendar,
    /// External inputs of this time by cell.
    inputs: HashMap<u32, Input<M::Input>>,
    /// Cells that emit in this round, and cells that evaluate their rule, each once.
    imminents: Vec<u32>,
    receivers: Vec<u32>,
    /// Outputs that cells have computed in this round: cell, time and value.
    changes: Vec<(u32, u32, M::Value)>,
    /// Round in which a cell was reached last.
    reached: Vec<u32>,
    round: u32,
    outputs: u64,
}

impl<'a, M: CellKernels> Run<'a, M> {
    pub(super) fn new(task: &'a Task<'a, M>) -> Self {
        let setting = &task.setting;
        let number = setting.space.cells();
        let zero = M::cell(M::UNDEFINED, M::UNDEFINED, 0);
        let transport = setting.delay != Delay::Inertial;
        Run {
            offsets: offsets(setting.space).into(),
            facts: task.facts.to_vec().into(),
            space: shape(setting.space, setting.delay, setting.horizon, setting.kept),
            reach: Reach::new(setting.space),
            cells: task.initial.iter().map(|&initial| M::cell(initial, initial, NEVER)).chain([zero]).collect(),
            random: (0..number as u32).map(|cell| setting.random(cell)).collect(),
            kept: if setting.kept > 0 { task.kepts().collect() } else { Vec::new() },
            none_kept: M::kept(Vec::new()),
            queues: if transport { vec![Vec::new(); number] } else { Vec::new() },
            times: vec![0; number],
            calendar: Calendar::new(setting.lookahead, setting.horizon),
            inputs: HashMap::new(),
            imminents: Vec::new(),
            receivers: Vec::new(),
            changes: Vec::new(),
            reached: vec![0; number],
            round: 0,
            outputs: 0,
            task,
        }
    }

    fn cell_count(&self) -> u32 {
        self.times.len() as u32
    }

    /// Evaluates all cells at time 0, and schedules the external inputs. Their numbers follow those of the cells.
    pub(super) fn begin(&mut self) -> Result<(), Failure> {
        let task = self.task;
        let early = |(_, source): &(usize, &InputSource<M::Input>)| !source.late;
        task.sources.iter().enumerate().filter(early).for_each(|(source, _)| self.take_in(source, 0));
        self.receivers = (0..self.cell_count()).collect();
        self.evaluate(0)?;
        for (number, source) in (self.cell_count()..).zip(task.sources) {
            let next = if source.late { Some(source.first) } else { source.after(0) };
            next.into_iter().for_each(|time| self.schedule(time, number));
        }
        Ok(())
    }

    /// Returns the time of the earliest event.
    pub(super) fn next(&mut self) -> Option<u32> {
        self.calendar.first().map(|(now, _)| now)
    }

    /// Collects the imminent cells of a time and the external inputs. Returns `false` if there are none.
    pub(super) fn collect(&mut self, now: u32) -> bool {
        self.imminents.clear();
        self.receivers.clear();
        self.inputs.clear();
        self.round = self.round.wrapping_add(1);
        let mut late = Vec::new();
        while let Some((_, number)) = self.calendar.first().filter(|&(due, _)| due == now) {
            self.calendar.pop();
            // As no source has two inputs at one time, all but late ones come in the first round of outputs at theirs.
            if let Some(source) = number.checked_sub(self.cell_count()) {
                if self.task.sources.get(source as usize).is_some_and(|source| source.late) {
                    late.push(number);
                } else {
                    self.feed(source as usize, number, now);
                }
            } else if self.parts(number).is_some_and(|(_, _, due)| due == now) && self.imminents.last() != Some(&number)
            {
                // A pre-empted output leaves its event behind; an output that comes twice is emitted once.
                self.imminents.push(number);
            }
        }
        // Late inputs come when no output of their time is left.
        let left = !self.imminents.is_empty() || !self.receivers.is_empty();
        for number in late {
            if left {
                self.schedule(now, number);
            } else {
                self.feed((number - self.cell_count()) as usize, number, now);
            }
        }
        !self.imminents.is_empty() || !self.receivers.is_empty()
    }

    /// Takes in the input of a source at a time, and schedules the next one.
    fn feed(&mut self, source: usize, number: u32, now: u32) {
        self.take_in(source, now);
        if let Some(source) = self.task.sources.get(source) {
            self.reach(source.cell);
            source.after(now).into_iter().for_each(|time| self.schedule(time, number));
        }
    }

    /// Returns the number of cells that are to be evaluated in this round.
    pub(super) fn receivers(&self) -> usize {
        self.receivers.len()
    }

    /// Returns the first cell that emits in this round.
    pub(super) fn first_imminent(&self) -> u32 {
        self.imminents.first().copied().unwrap_or(0)
    }

    /// Emits the values of the imminent cells. All cells that see them are to be evaluated.
    pub(super) fn emit(&mut self, now: u32, observe: Observe<'_, M::Value>) {
        let imminents = std::mem::take(&mut self.imminents);
        for &cell in &imminents {
            let Some((_, value, _)) = self.parts(cell) else { continue };
            self.put(cell, M::cell(value, value, NEVER));
            self.times.get_mut(cell as usize).into_iter().for_each(|time| *time = now);
            observe(Output { time: now, cell, value });
            self.outputs += 1;
            if let Some(queue) = self.queues.get_mut(cell as usize).filter(|queue| !queue.is_empty()) {
                queue.remove(0);
            }
        }
        let Run { reach, reached, receivers, round, .. } = self;
        for &cell in &imminents {
            reach.of(cell, |cell| note(reached, receivers, *round, cell));
        }
        self.imminents = imminents;
    }

    /// Evaluates the receivers with the inputs of this time. What they compute is pending only after all have been
    /// evaluated: with a delay of 0 it is due now, and would be taken for an output of this round.
    pub(super) fn evaluate(&mut self, now: u32) -> Result<(), Failure> {
        let mut changes = std::mem::take(&mut self.changes);
        let receivers = std::mem::take(&mut self.receivers);
        let mut failed: Option<RuleError> = None;
        for &cell in &receivers {
            match self.change(cell, now) {
                Ok(change) => changes.extend(change),
                // Of several the first cell is told, in whatever order they are evaluated.
                Err(reason) if failed.as_ref().is_none_or(|failed| cell < failed.cell) => {
                    failed = Some(RuleError { cell, time: now.into(), reason });
                }
                Err(_) => {}
            }
        }
        if let Some(error) = failed {
            return Err(Failure::Rule(error));
        }
        for (cell, due, value) in changes.drain(..) {
            self.make_pending(cell, due, value);
        }
        // Queues show their next outputs only now too, since an output that is due at once is one of the next round.
        let imminents = std::mem::take(&mut self.imminents);
        imminents.iter().for_each(|&cell| self.show(cell));
        (self.changes, self.receivers, self.imminents) = (changes, receivers, imminents);
        Ok(())
    }

    /// Returns the end of the run.
    pub(super) fn end(mut self, distinct_times: u64) -> End<M::Value> {
        self.cells.pop();
        let values = self.cells.iter().map(|cell| M::parts(cell).0).collect();
        End { values, times: self.times, distinct_times, outputs: self.outputs }
    }

    /// Evaluates the rule of a cell. Returns the output that it computes, with its time, unless it changes nothing.
    fn change(&mut self, cell: u32, now: u32) -> Result<Option<(u32, u32, M::Value)>, Reason> {
        let next = self.answer(cell, now)?;
        let due = due_after(now, next.delay);
        if next.state != Answer::<M::Value>::FOUND || !self.differs(cell, next.value, due, now) {
            return Ok(None);
        }
        if let Some(queue) = self.queues.get(cell as usize) {
            if due > self.task.setting.horizon {
                return Ok(None);
            }
            let replaces = || self.task.setting.delay == Delay::Transport && queue.iter().any(|&(at, _)| at == due);
            if queue.len() >= MAX_PENDING && !replaces() {
                return Err(Reason::QueueTooLong { pending: MAX_PENDING + 1, most: MAX_PENDING });
            }
        }
        Ok(Some((cell, due, next.value)))
    }

    /// Evaluates the rule of a cell.
    fn answer(&mut self, cell: u32, now: u32) -> Result<Answer<M::Value>, Reason> {
        let unknown = || Reason::Rule("there is no such cell".to_owned());
        let rows = Rows::from_slice_with_zero(&self.cells).ok_or_else(unknown)?;
        let own = self.cells.get(cell as usize).map(|cell| M::parts(cell).0).ok_or_else(unknown)?;
        let random = self.random.get_mut(cell as usize).ok_or_else(unknown)?;
        let kept = self.kept.get_mut(cell as usize).unwrap_or(&mut self.none_kept);
        let space = &self.space;
        let mut here = Here::new(space, place_of(space, cell), cell, self.task.setting.zone(cell), now);
        // Most rounds have none, and a hash takes a tenth of an evaluation.
        let input = if self.inputs.is_empty() { None } else { self.inputs.get(&cell).copied() };
        (here.fed, here.sent) = (input.is_some(), input.map_or(0, |input| input.sent));
        let input = input.map_or(M::NO_INPUT, |input| input.input);
        let view = View { cells: rows, offsets: &self.offsets, facts: &self.facts, space };
        // A fault is told as an error, and none may be left for the next launch of this thread.
        match fault::catch(|| self.task.model.evaluate(here, own, input, &view, random, kept)) {
            (next, _) if next.state > Answer::<M::Value>::FOUND => Err(Reason::Rule(M::failure(next.state))),
            (next, None) => Ok(next),
            (_, Some(fault)) => Err(Reason::of_fault(&fault)),
        }
    }

    /// Returns `true` if a value that is due at a time differs from the one that it is compared with: the one computed
    /// last if the delay is inertial, otherwise the one that the cell emitted. While a further output of `now` is to
    /// follow, it is compared with the first output that is queued for its own time.
    fn differs(&self, cell: u32, value: M::Value, due: u32, now: u32) -> bool {
        let Some((emitted, pending, next)) = self.parts(cell) else { return false };
        let known = match self.queues.get(cell as usize) {
            None => Some(if next == NEVER { emitted } else { pending }),
            Some(queue) if due > now && queue.first().is_some_and(|&(first, _)| first == now) => {
                queue.iter().find(|&&(at, _)| at == due).map(|&(_, value)| value)
            }
            Some(_) => Some(emitted),
        };
        known.is_none_or(|known| !self.task.model.same(value, known))
    }

    fn make_pending(&mut self, cell: u32, due: u32, value: M::Value) {
        if let Some(queue) = self.queues.get_mut(cell as usize) {
            let place = queue.partition_point(|&(earlier, _)| earlier <= due);
            match place.checked_sub(1).and_then(|before| queue.get_mut(before)) {
                Some(last) if last.0 == due && self.task.setting.delay == Delay::Transport => last.1 = value,
                _ => queue.insert(place, (due, value)),
            }
            self.show(cell);
        } else if let Some((emitted, _, _)) = self.parts(cell) {
            self.put(cell, M::cell(emitted, value, due));
            self.schedule(due, cell);
        }
    }

    /// Makes a cell of the transport kind show the output that comes next: of several at one time the first.
    fn show(&mut self, cell: u32) {
        let Some(queue) = self.queues.get(cell as usize) else { return };
        let next = queue.first().copied();
        let Some((emitted, pending, before)) = self.parts(cell) else { return };
        let (due, pending) = next.unwrap_or((NEVER, pending));
        self.put(cell, M::cell(emitted, pending, due));
        if due != before && due != NEVER {
            self.schedule(due, cell);
        }
    }

    fn schedule(&mut self, due: u32, number: u32) {
        if due <= self.task.setting.horizon {
            self.calendar.push(due, number);
        }
    }

    /// Notes the input of a source at a time, unless an earlier source has one for the same cell.
    fn take_in(&mut self, source: usize, now: u32) {
        let Some(source) = self.task.sources.get(source) else { return };
        if let Some(input) = source.at(now) {
            self.inputs.entry(source.cell).or_insert(input);
        }
    }

    fn reach(&mut self, cell: u32) {
        note(&mut self.reached, &mut self.receivers, self.round, cell);
    }

    fn parts(&self, cell: u32) -> Option<(M::Value, M::Value, u32)> {
        self.cells.get(cell as usize).map(M::parts)
    }

    fn put(&mut self, cell: u32, row: M::Cell) {
        self.cells.get_mut(cell as usize).into_iter().for_each(|cell| *cell = row);
    }
}

/// Lists a cell that is to be evaluated in a round, once.
fn note(reached: &mut [u32], receivers: &mut Vec<u32>, round: u32, cell: u32) {
    if let Some(reached) = reached.get_mut(cell as usize).filter(|reached| **reached != round) {
        *reached = round;
        receivers.push(cell);
    }
}
