//! The sequential simulator: an event list and one cell at a time, to the letter of Cell-DEVS.
//!
//! It judges the engines, so it is simple and shares nothing with them but the description of a model.
//!
//! At each time: every imminent cell emits; the outputs reach all cells that have it in their neighbourhood, itself
//! included where the neighbourhood says so; each of these evaluates its rules once. At time 0 every cell emits its
//! initial value.

use crate::space::CellSpace;
use std::cmp::Reverse;
use std::collections::{BTreeSet, BinaryHeap, VecDeque};
use thiserror::Error;

/// Meaning of a rule's delay.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Delay {
    /// A cell has one pending output. A new value that differs from the last computed one replaces it.
    Inertial,
    /// A cell has a queue of pending outputs. A new value that differs from the emitted one joins it.
    Transport,
}

/// Value that a cell takes on, and after how many milliseconds it emits it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Next<V> {
    /// New value.
    pub value: V,
    /// Milliseconds until the output.
    pub delay: u32,
}

/// External inputs of a cell at regular times.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Source {
    /// Cell that receives them.
    pub cell: u32,
    /// Number of the rules that the cell then evaluates instead of its own.
    pub rules: u32,
    /// Time of the first, in milliseconds.
    pub first: u32,
    /// Milliseconds from one to the next; 0 if there is one only.
    pub period: u32,
    /// Value of the first.
    pub value: f64,
    /// What is added to the value from one to the next.
    pub increment: f64,
}

impl Source {
    /// Value of the input that comes at this time.
    #[must_use]
    pub fn at(&self, now: u32) -> Option<f64> {
        let since = now.checked_sub(self.first)?;
        let number = since.checked_div(self.period).unwrap_or(0);
        let comes = if self.period == 0 { since == 0 } else { since.is_multiple_of(self.period) };
        comes.then(|| self.value + self.increment * f64::from(number))
    }

    /// Time of the next input after this time.
    #[must_use]
    pub fn after(&self, now: u32) -> Option<u32> {
        match now.checked_sub(self.first) {
            None => Some(self.first),
            Some(_) if self.period == 0 => None,
            Some(since) => self.first.checked_add((since / self.period).checked_add(1)?.checked_mul(self.period)?),
        }
    }
}

/// An external input that reaches a cell.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Input {
    /// Number of the rules that are evaluated.
    pub rules: u32,
    /// Value that came.
    pub value: f64,
}

/// Context of a rule when it is evaluated.
#[derive(Debug)]
pub struct Seen<'a, V> {
    /// Number of the cell.
    pub cell: u32,
    /// Time, in milliseconds.
    pub time: u32,
    /// Values that the neighbours emitted last, in the order of [`CellSpace::neighbours`]; `None` beyond an open
    /// border.
    pub neighbours: &'a [Option<V>],
    /// External input that reached the cell at this time; of several the first.
    pub input: Option<Input>,
}

/// A rule whose evaluation failed.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("cell {cell} at {time} ms: {reason}")]
pub struct RuleError {
    /// Number of the cell.
    pub cell: u32,
    /// Time, in milliseconds.
    pub time: u32,
    /// What went wrong.
    pub reason: String,
}

/// The local computing function of a model's cells.
pub trait LocalRule {
    /// Value of a cell.
    type Value: Copy;

    /// Whether two values are equal within the model's tolerance.
    fn same(&self, a: Self::Value, b: Self::Value) -> bool;

    /// Evaluates the rules of a cell; `None` where no rule applies and the cell does nothing.
    ///
    /// # Errors
    /// A text that says what went wrong.
    fn evaluate(&mut self, seen: &Seen<'_, Self::Value>) -> Result<Option<Next<Self::Value>>, String>;
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
const MOST_ROUNDS_AT_ONE_TIME: u32 = 10_000;

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

    /// The earliest time at which a cell is due.
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

    /// All cells that are due at this time, in their order.
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
        while let Some(&(due, emitted)) = pending.front() {
            if due > now {
                break;
            }
            *value = emitted;
            pending.pop_front();
        }
        // The next output of a queue has no event yet.
        if let Some(&(due, _)) = pending.front() {
            self.events.push(Reverse((due, cell)));
        }
    }

    fn evaluate(&mut self, cell: u32, now: u32, input: Option<Input>) -> Result<(), RuleError> {
        let value_at = |offset| Some(*self.values.get(self.space.at(cell, offset)? as usize)?);
        let neighbours: Vec<Option<R::Value>> = self.space.neighbours().iter().map(value_at).collect();
        let seen = Seen { cell, time: now, neighbours: &neighbours, input };
        let next = self.rule.evaluate(&seen).map_err(|reason| RuleError { cell, time: now, reason })?;
        let (Some(next), Some(&own)) = (next, self.values.get(cell as usize)) else { return Ok(()) };
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
            Delay::Transport => {
                if self.rule.same(next.value, own) {
                    return Ok(());
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
    sources: &[Source],
    horizon: u32,
) -> Result<History<R::Value>, RuleError> {
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
    // The input that a cell has at a time: that of the first source.
    let input = |cell: u32, now: u32| {
        let of = |source: &Source| Some(Input { rules: source.rules, value: source.at(now)? });
        sources.iter().filter(|source| source.cell == cell).find_map(of)
    };
    for cell in 0..cells as u32 {
        run.evaluate(cell, 0, input(cell, 0))?;
    }
    let (mut before, mut rounds) = (0, 0);
    loop {
        let next_input = sources.iter().filter_map(|source| source.after(before)).min();
        let Some(now) = run.next_due().into_iter().chain(next_input).min().filter(|&now| now <= horizon) else { break };
        let imminents = run.imminents(now);
        rounds = if now == before { rounds + 1 } else { 0 };
        if rounds > MOST_ROUNDS_AT_ONE_TIME {
            let reason = format!("{rounds} rounds of outputs without delay: give the rules a delay above 0");
            return Err(RuleError { cell: imminents.first().copied().unwrap_or(0), time: now, reason });
        }
        history.distinct_times += u64::from(now != before);
        let mut receivers = BTreeSet::new();
        if now != before {
            receivers.extend(sources.iter().filter(|source| source.at(now).is_some()).map(|source| source.cell));
        }
        history.outputs += imminents.len() as u64;
        history.most_simultaneous = history.most_simultaneous.max(imminents.len() as u32);
        count_early(&mut history.early, now, imminents.len() as u32);
        for &cell in &imminents {
            run.emit(cell, now);
            if let Some(time) = history.times.get_mut(cell as usize) {
                *time = now;
            }
            receivers.extend(space.neighbours().iter().filter_map(|offset| space.seen_from(cell, offset)));
        }
        for cell in receivers {
            // Inputs come once, in the first round of outputs at their time.
            run.evaluate(cell, now, if now == before { None } else { input(cell, now) })?;
        }
        before = now;
    }
    history.values = run.values;
    Ok(history)
}

fn count_early(early: &mut Vec<(u32, u32)>, now: u32, outputs: u32) {
    if let Some((_, count)) = early.last_mut().filter(|(time, _)| *time == now) {
        *count += outputs;
    } else if early.len() < EARLY_TIMES && now > 0 {
        early.push((now, outputs));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::space::Border;

    /// Takes over the greatest neighbour after a delay for each position in the neighbourhood.
    struct Spread(Vec<u32>);

    impl LocalRule for Spread {
        type Value = i64;

        fn same(&self, a: i64, b: i64) -> bool {
            a == b
        }

        fn evaluate(&mut self, seen: &Seen<'_, i64>) -> Result<Option<Next<i64>>, String> {
            let defined = |(at, value): (usize, &Option<i64>)| value.map(|value| (value, at));
            let greatest = seen.neighbours.iter().enumerate().filter_map(defined).max_by_key(|&(value, _)| value);
            let next = |(value, at): (i64, usize)| Some(Next { value, delay: *self.0.get(at)? });
            Ok(greatest.and_then(next))
        }
    }

    fn line(cells: u32) -> CellSpace {
        CellSpace::new(&[cells], Border::Open, &[vec![0], vec![-1], vec![1]]).unwrap()
    }

    #[test]
    fn an_inertial_output_is_pre_empted_even_by_a_later_one() {
        // Cell 1 is to take over 1 from cell 0 at 10. At 5 cell 2 becomes 7, so cell 1 becomes 7 at 25, and never 1.
        struct Two;
        impl LocalRule for Two {
            type Value = i64;
            fn same(&self, a: i64, b: i64) -> bool {
                a == b
            }
            fn evaluate(&mut self, seen: &Seen<'_, i64>) -> Result<Option<Next<i64>>, String> {
                let [own, left, right] = seen.neighbours else { return Err("three neighbours".into()) };
                Ok(match (seen.cell, own, left, right) {
                    (2, Some(0), _, _) => Some(Next { value: 7, delay: 5 }),
                    (1, Some(0), _, Some(7)) => Some(Next { value: 7, delay: 20 }),
                    (1, Some(0), Some(1), _) => Some(Next { value: 1, delay: 10 }),
                    _ => None,
                })
            }
        }
        let run = |delay| simulate(&line(3), delay, &mut Two, &[1, 0, 0], 100).unwrap();
        let inertial = run(Delay::Inertial);
        assert_eq!((inertial.values, inertial.times), (vec![1, 7, 7], vec![0, 25, 5]));
        assert_eq!((inertial.distinct_times, inertial.outputs), (2, 2));
        // A transport delay cancels nothing: 1 comes at 10, and 7 at 25 since it was evaluated at 5.
        let transport = run(Delay::Transport);
        assert_eq!((transport.values, transport.times), (vec![1, 7, 7], vec![0, 25, 5]));
        assert_eq!((transport.distinct_times, transport.outputs), (3, 3));
    }

    #[test]
    fn simultaneous_inputs_are_evaluated_once() {
        struct Count(Vec<u32>);
        impl LocalRule for Count {
            type Value = i64;
            fn same(&self, a: i64, b: i64) -> bool {
                a == b
            }
            fn evaluate(&mut self, seen: &Seen<'_, i64>) -> Result<Option<Next<i64>>, String> {
                if seen.cell == 1 {
                    self.0.push(seen.time);
                    return Ok(None);
                }
                Ok(Some(Next { value: 1, delay: 4 }))
            }
        }
        let mut rule = Count(Vec::new());
        let history = simulate(&line(3), Delay::Inertial, &mut rule, &[0, 0, 0], 100).unwrap();
        assert_eq!((rule.0, history.most_simultaneous), (vec![0, 4], 2));
        assert_eq!(history.early, [(4, 2)]);
    }

    #[test]
    fn the_horizon_is_included() {
        let values = |horizon| {
            simulate(&line(4), Delay::Inertial, &mut Spread(vec![0, 10, 10]), &[5, 0, 0, 0], horizon).unwrap().values
        };
        assert_eq!(values(20), [5, 5, 5, 0]);
        assert_eq!(values(19), [5, 5, 0, 0]);
    }

    #[test]
    fn a_model_that_stands_still_is_an_error() {
        struct Flip;
        impl LocalRule for Flip {
            type Value = bool;
            fn same(&self, a: bool, b: bool) -> bool {
                a == b
            }
            fn evaluate(&mut self, seen: &Seen<'_, bool>) -> Result<Option<Next<bool>>, String> {
                Ok(seen.neighbours.first().copied().flatten().map(|own| Next { value: !own, delay: 0 }))
            }
        }
        let error = simulate(&line(1), Delay::Inertial, &mut Flip, &[false], 10).unwrap_err();
        assert!(error.to_string().contains("without delay"), "{error}");
    }
}
