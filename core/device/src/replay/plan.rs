//! A loop as a list of operations.

use super::control::{Control, Level};
use super::head::{HALTED, MAX_INNER, has_loop};
use imminent_core::backend::{Buffer, LoopUntil, Node, Step};
use imminent_core::{Error, Limit, Result};

/// Largest number of operations of a step, with its repetitions written out.
pub const MAX_OPERATIONS: usize = 1 << 16;

/// A unit that a backend prepares once and puts on the device any number of times.
#[derive(Clone, Debug)]
pub struct Operation {
    /// Turn of the operation: it does nothing unless word 0 of the loop's state equals this.
    pub turn: u32,
    /// Task of the operation.
    pub task: Task,
}

/// Task of an operation.
#[derive(Clone, Debug)]
pub enum Task {
    /// Runs a node that is no loop.
    Command(Node),
    /// Passes the turn on.
    Control(Control),
}

/// A place in the order of operations.
#[derive(Clone, Debug)]
pub enum Piece {
    /// One of [`LoopPlan::operations`].
    Operation(usize),
    /// The steps of an inner loop. The preceding operation is the control operation that lets it begin.
    Inner {
        /// Number of the inner loop.
        slot: usize,
        /// Pieces of a step, which are repeated.
        pieces: Vec<Piece>,
        /// The loop's end, for a device whose groups of rows make the steps [by themselves](LoopUntil::in_groups).
        alone: Option<Alone>,
    },
}

/// End of an inner loop whose steps are executed as one operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Alone {
    /// Control operation that follows in place of the pieces of a step.
    pub leave: usize,
    /// Turn of the steps.
    pub turn: u32,
    /// Largest number of steps.
    pub max_steps: u64,
}

/// A loop, its inner loops included, ready to be prepared.
#[derive(Clone, Debug)]
pub struct LoopPlan {
    /// Operations; each is prepared once.
    pub operations: Vec<Operation>,
    pieces: Vec<Piece>,
    inner: usize,
    max_steps: u64,
    steps_of_a_pass: u64,
    repetition: bool,
}

impl LoopPlan {
    /// Plans a loop.
    ///
    /// # Errors
    /// [`Error::Limit`] for a step that is too long or has too many loops inside.
    pub(super) fn of_loop(one: &LoopUntil) -> Result<LoopPlan> {
        let mut planner = Planner::default();
        let pieces = planner.steps(&one.steps, Level::Outermost, one.max_steps, HALTED)?;
        Ok(planner.finish(pieces, one.steps.len(), one.max_steps, false))
    }

    /// Plans a repetition without loops inside.
    ///
    /// # Errors
    /// As for [`LoopPlan::of_loop`].
    pub(super) fn of_repetition(body: Vec<Node>, times: u32) -> Result<LoopPlan> {
        let mut planner = Planner::default();
        let step = Step { nodes: body, tests: Vec::new() };
        let pieces = planner.steps(&[step], Level::Outermost, u64::from(times), HALTED)?;
        Ok(planner.finish(pieces, 1, u64::from(times), true))
    }

    /// Plans nodes without loops that are put on the device as one unit, any number of times. Each pass is a step, and
    /// no step is the last. Only a fault halts it, until the head is set to zero.
    ///
    /// # Errors
    /// [`Error::Limit`] for too many nodes.
    pub fn of_passes(nodes: Vec<Node>) -> Result<LoopPlan> {
        LoopPlan::of_loop(&LoopUntil::new(nodes, Vec::new(), u64::MAX))
    }

    /// Returns the largest number of steps.
    #[must_use]
    pub fn max_steps(&self) -> u64 {
        self.max_steps
    }

    /// Returns `true` for a plain repetition, which an outcome does not report.
    #[must_use]
    pub fn is_repetition(&self) -> bool {
        self.repetition
    }

    /// Returns the memories that the operations touch, possibly with repetitions. The owner of the prepared loop must
    /// keep them, so that none is reused while the program may write it.
    #[must_use]
    pub fn buffers(&self) -> Vec<Buffer> {
        let of = |operation: &Operation| match &operation.task {
            Task::Command(Node::Launch(launch)) => launch.buffers().cloned().collect(),
            Task::Command(Node::Primitive(primitive)) => primitive.buffers().into_iter().map(|(b, _)| b).collect(),
            Task::Command(Node::Copy { from, to }) => vec![from.clone(), to.clone()],
            Task::Command(Node::Clear(buffer)) => vec![buffer.clone()],
            Task::Command(Node::Repeat { .. } | Node::LoopUntil(_)) => Vec::new(),
            Task::Control(control) => control.tests.iter().map(|test| test.buffer.clone()).collect(),
        };
        self.operations.iter().flat_map(of).collect()
    }

    /// Returns the pieces of a pass in order, for a device that repeats passes and the steps of inner loops by itself.
    #[must_use]
    pub fn pieces(&self) -> &[Piece] {
        &self.pieces
    }

    /// Returns the inner loops whose groups may make their steps by themselves, with the operations of a step. The last
    /// of these is the control operation.
    #[must_use]
    pub fn in_groups(&self) -> Vec<(Alone, Vec<usize>)> {
        let mut loops = Vec::new();
        gather_in_groups(&self.pieces, &mut loops);
        loops
    }

    /// Returns the plan in which each of [these loops](Self::in_groups) is two operations: one that is not in the plan,
    /// whose number is that of the plan's operations plus that of the loop, and the one that passes the turn on.
    #[must_use]
    pub fn with_groups_alone(&self) -> LoopPlan {
        let mut plan = self.clone();
        let mut next = plan.operations.len();
        plan.inner -= replace_in_groups(&mut plan.pieces, &mut next);
        plan
    }

    /// Returns the largest number of steps of each inner loop that is [in groups](Self::in_groups).
    #[must_use]
    pub(super) fn most_steps_in_groups(&self) -> Vec<Option<u64>> {
        let mut most = vec![None; self.inner];
        note_most_steps(&self.pieces, &mut most);
        most
    }

    /// Returns the number of inner loops.
    #[must_use]
    pub fn inner_loops(&self) -> usize {
        self.inner
    }

    /// Returns the largest number of passes for `steps` steps; `None` if inner loops may stretch a step over any number
    /// of passes.
    pub(super) fn passes_for(&self, steps: u64) -> Option<u64> {
        (self.inner == 0).then(|| steps.div_ceil(self.steps_of_a_pass))
    }

    /// Returns the number of operations of a pass in which inner loop `i` is given `repeats[i]` steps.
    #[must_use]
    pub fn operations_of_a_pass(&self, repeats: &[u32]) -> u64 {
        count(&self.pieces, repeats)
    }

    /// Calls `start` with the operations of `passes` passes, in order. In each pass, inner loop `i` is given
    /// `repeats[i]` steps; if these are too few, it continues in the next pass.
    ///
    /// # Errors
    /// The first error of `start`.
    pub fn for_each(&self, passes: u64, repeats: &[u32], start: &mut dyn FnMut(usize) -> Result<()>) -> Result<()> {
        (0..passes).try_for_each(|_| walk(&self.pieces, repeats, start))
    }
}

/// Returns the error for a loop in place of a command: plans contain no such node.
#[must_use]
pub fn not_a_command() -> Error {
    Error::invalid("program", "a loop is no command")
}

fn walk(pieces: &[Piece], repeats: &[u32], start: &mut dyn FnMut(usize) -> Result<()>) -> Result<()> {
    for piece in pieces {
        match piece {
            Piece::Operation(operation) => start(*operation)?,
            Piece::Inner { slot, pieces, .. } => {
                for _ in 0..repeats.get(*slot).copied().unwrap_or(1).max(1) {
                    walk(pieces, repeats, start)?;
                }
            }
        }
    }
    Ok(())
}

fn count(pieces: &[Piece], repeats: &[u32]) -> u64 {
    let of = |piece: &Piece| match piece {
        Piece::Operation(_) => 1,
        Piece::Inner { slot, pieces, .. } => {
            count(pieces, repeats).saturating_mul(u64::from(repeats.get(*slot).copied().unwrap_or(1).max(1)))
        }
    };
    pieces.iter().map(of).fold(0, u64::saturating_add)
}

/// Returns the operations of a step that has no loop inside.
fn plain(pieces: &[Piece]) -> Option<Vec<usize>> {
    let of = |piece: &Piece| match piece {
        Piece::Operation(operation) => Some(*operation),
        Piece::Inner { .. } => None,
    };
    pieces.iter().map(of).collect()
}

fn gather_in_groups(pieces: &[Piece], loops: &mut Vec<(Alone, Vec<usize>)>) {
    for piece in pieces {
        if let Piece::Inner { pieces, alone, .. } = piece {
            match (alone, plain(pieces)) {
                (Some(alone), Some(operations)) => loops.push((*alone, operations)),
                _ => gather_in_groups(pieces, loops),
            }
        }
    }
}

fn note_most_steps(pieces: &[Piece], most: &mut [Option<u64>]) {
    for piece in pieces {
        if let Piece::Inner { slot, pieces, alone } = piece {
            if let (Some(most), Some(alone)) = (most.get_mut(*slot), alone) {
                *most = Some(alone.max_steps);
            }
            note_most_steps(pieces, most);
        }
    }
}

/// Returns the number of replaced loops.
fn replace_in_groups(pieces: &mut Vec<Piece>, next: &mut usize) -> usize {
    let (mut replaced, mut new) = (0, Vec::with_capacity(pieces.len()));
    for mut piece in std::mem::take(pieces) {
        if let Piece::Inner { pieces, alone, .. } = &mut piece {
            if let (Some(alone), Some(_)) = (&alone, plain(pieces)) {
                new.extend([Piece::Operation(*next), Piece::Operation(alone.leave)]);
                *next += 1;
                replaced += 1;
                continue;
            }
            replaced += replace_in_groups(pieces, next);
        }
        new.push(piece);
    }
    *pieces = new;
    replaced
}

#[derive(Debug, Default)]
struct Planner {
    operations: Vec<Operation>,
    turn: u32,
    turns: u32,
    inner: u32,
}

impl Planner {
    fn finish(self, pieces: Vec<Piece>, bodies: usize, max_steps: u64, repetition: bool) -> LoopPlan {
        let steps_of_a_pass = bodies.max(1) as u64;
        LoopPlan {
            operations: self.operations,
            pieces,
            inner: self.inner as usize,
            max_steps,
            steps_of_a_pass,
            repetition,
        }
    }

    fn new_turn(&mut self) -> u32 {
        self.turns += 1;
        self.turns
    }

    fn push(&mut self, task: Task) -> Result<Piece> {
        if self.operations.len() >= MAX_OPERATIONS {
            let requested = self.operations.len() as u64 + 1;
            return Err(Error::limit(Limit::StepOperations, requested, MAX_OPERATIONS as u64));
        }
        self.operations.push(Operation { turn: self.turn, task });
        Ok(Piece::Operation(self.operations.len() - 1))
    }

    /// Plans the steps of a loop, from the present turn on; after the last the first follows again.
    fn steps(&mut self, steps: &[Step], level: Level, max_steps: u64, done: u32) -> Result<Vec<Piece>> {
        let first = self.turn;
        let mut pieces = Vec::new();
        for (position, step) in steps.iter().enumerate() {
            pieces.extend(self.nodes(&step.nodes)?);
            let again = if position + 1 == steps.len() { first } else { self.new_turn() };
            let control = Control { level, tests: step.tests.clone(), max_steps, again, done };
            pieces.push(self.push(Task::Control(control))?);
            self.turn = again;
        }
        Ok(pieces)
    }

    fn nodes(&mut self, nodes: &[Node]) -> Result<Vec<Piece>> {
        let mut pieces = Vec::new();
        for node in nodes {
            match node {
                Node::Repeat { times, body } if has_loop(body) => {
                    let step = Step { nodes: body.clone(), tests: Vec::new() };
                    pieces.extend(self.inner(&LoopUntil {
                        steps: vec![step],
                        max_steps: (*times).into(),
                        in_groups: false,
                    })?);
                }
                Node::Repeat { times, body } => {
                    for _ in 0..*times {
                        let before = pieces.len();
                        pieces.extend(self.nodes(body)?);
                        if pieces.len() == before {
                            // A body without operations has no effect, however often it is repeated.
                            break;
                        }
                    }
                }
                Node::LoopUntil(one) => pieces.extend(self.inner(one)?),
                command => pieces.push(self.push(Task::Command(command.clone()))?),
            }
        }
        Ok(pieces)
    }

    /// Plans an inner loop. The operations after it have another turn.
    fn inner(&mut self, one: &LoopUntil) -> Result<Vec<Piece>> {
        let max_steps = one.max_steps;
        if max_steps == 0 {
            return Ok(Vec::new());
        }
        if self.inner == MAX_INNER {
            return Err(Error::limit(Limit::InnerLoops, self.inner + 1, MAX_INNER));
        }
        let slot = self.inner;
        self.inner += 1;
        let (first, after) = (self.new_turn(), self.new_turn());
        let enter = Control { level: Level::Before, tests: Vec::new(), max_steps: 0, again: first, done: first };
        let enter = self.push(Task::Control(enter))?;
        self.turn = first;
        let pieces = self.steps(&one.steps, Level::Inner(slot), max_steps, after)?;
        let alone = match one.in_groups && one.steps.len() == 1 {
            true => Some(Alone { leave: self.leave(first, after)?, turn: first, max_steps }),
            false => None,
        };
        self.turn = after;
        Ok(vec![enter, Piece::Inner { slot: slot as usize, pieces, alone }])
    }

    /// Plans the operation that passes the turn of an inner loop on.
    fn leave(&mut self, turn: u32, after: u32) -> Result<usize> {
        self.turn = turn;
        let leave = Control { level: Level::Before, tests: Vec::new(), max_steps: 0, again: after, done: after };
        self.push(Task::Control(leave))?;
        Ok(self.operations.len() - 1)
    }
}

#[cfg(test)]
mod tests;
