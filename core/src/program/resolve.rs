//! Translation of steps over tables to nodes over buffers.

use super::assignment::Assignment;
use super::step::Step;
use crate::backend::{self, LoopUntil, Node, Test};
use crate::device::Device;
use crate::error::{Error, Result};
use crate::limit::Limit;
use crate::memory::Room;
use crate::tables::Condition;

/// Largest number of steps after which swapped tables must have their own memory again.
const LONGEST_ROTATION: usize = 16;

/// A program over buffers.
#[derive(Debug)]
pub(super) struct Resolved {
    pub(super) nodes: Vec<Node>,
    /// Memory of the tables when the program ends. For a program whose last node is a loop: one assignment for each
    /// number of its steps, modulo the length. Otherwise a single assignment.
    pub(super) ends: Vec<Assignment>,
}

/// Resolves a whole program.
pub(super) fn program(device: &Device, steps: &[Step]) -> Result<Resolved> {
    let mut resolver = Resolver { device, here: Assignment::default() };
    let (last, before) = match steps.split_last() {
        Some((Step::LoopUntil { body, conditions, max_steps, .. }, before)) => {
            (Some((body, conditions, *max_steps)), before)
        }
        _ => (None, steps),
    };
    let mut nodes = resolver.nodes(before)?;
    // A cancelled program ends in one of these loops.
    let loops_before = before.iter().any(has_loop);
    if loops_before && before.iter().any(has_swap) {
        return Err(misplaced());
    }
    let Some((body, conditions, max_steps)) = last else { return Ok(Resolved { nodes, ends: vec![resolver.here] }) };
    let (one, ends) = resolver.rotation(body, conditions, max_steps)?;
    if ends.len() > 1 && loops_before {
        return Err(misplaced());
    }
    nodes.push(Node::LoopUntil(one));
    Ok(Resolved { nodes, ends })
}

/// Resolves one step whose tables have their own memory.
pub(super) fn step(device: &Device, step: &Step) -> Result<Node> {
    let mut resolver = Resolver { device, here: Assignment::default() };
    match resolver.nodes(std::slice::from_ref(step))?.pop() {
        Some(node) => Ok(node),
        None => Err(Error::invalid("program", "a step of a program by itself does something")),
    }
}

fn has_loop(step: &Step) -> bool {
    match step {
        Step::LoopUntil { .. } => true,
        Step::Repeat { body, .. } => body.iter().any(has_loop),
        _ => false,
    }
}

fn has_swap(step: &Step) -> bool {
    match step {
        Step::Swap(..) => true,
        Step::Repeat { body, .. } => body.iter().any(has_swap),
        _ => false,
    }
}

/// Returns the error for a misplaced swap: the memory of a table must be known wherever it is used, and when a program
/// ends.
fn misplaced() -> Error {
    Error::invalid(
        "swap",
        "tables may change places in `repeat`, and in one `loop_until` that is the program's last node and the only loop of its kind \
         that is not inside it: after any other loop it would depend on its number of steps which table has which memory",
    )
}

struct Resolver<'d> {
    device: &'d Device,
    here: Assignment,
}

impl Resolver<'_> {
    fn nodes(&mut self, steps: &[Step]) -> Result<Vec<Node>> {
        let mut nodes = Vec::with_capacity(steps.len());
        for step in steps {
            match step {
                Step::Swap(a, b) => {
                    a.same_room(b)?;
                    self.here.swap(a, b);
                }
                Step::Repeat { times, body } => nodes.extend(self.repeat(*times, body)?),
                Step::LoopUntil { body, conditions, max_steps, in_groups } => {
                    let (one, ends) = self.rotation(body, conditions, *max_steps)?;
                    if ends.len() > 1 {
                        return Err(misplaced());
                    }
                    nodes.push(Node::LoopUntil(LoopUntil { in_groups: *in_groups, ..one }));
                }
                other => nodes.extend(self.command(other)?),
            }
        }
        Ok(nodes)
    }

    fn command(&self, step: &Step) -> Result<Option<Node>> {
        Ok(Some(match step {
            Step::Launch(launch) => {
                let module = self.device.module(launch.module())?;
                Node::Launch(launch.resolve(module, |memory| self.here.buffer(memory)))
            }
            Step::Copy { from, to } => {
                to.same_room(from)?;
                Node::Copy { from: self.here.buffer(from), to: self.here.buffer(to) }
            }
            Step::Clear(memory) => {
                if matches!(memory.room(), Room::Ragged(_)) {
                    let reason = "a program cannot clear a ragged table: clear its rows in a kernel, or the table before the program runs";
                    return Err(Error::invalid(&memory.what, reason));
                }
                Node::Clear(self.here.buffer(memory))
            }
            Step::Primitive(request) => Node::Primitive(request.resolve(|memory| self.here.buffer(memory))),
            Step::Swap(..) | Step::Repeat { .. } | Step::LoopUntil { .. } => return Ok(None),
        }))
    }

    /// Resolves a repetition. If it swaps tables, its rounds are written out, until every table has its own memory
    /// again.
    fn repeat(&mut self, times: u32, body: &[Step]) -> Result<Vec<Node>> {
        let start = self.here.clone();
        let mut turns: Vec<Vec<Node>> = Vec::new();
        while (turns.len() as u64) < u64::from(times) {
            turns.push(self.nodes(body)?);
            if self.here.is(&start) {
                break;
            }
            if turns.len() == LONGEST_ROTATION {
                return Err(too_long());
            }
        }
        let length = u32::try_from(turns.len()).unwrap_or(u32::MAX).max(1);
        let (rounds, rest) = (times / length, (times % length) as usize);
        let last: Vec<Node> = turns.iter().take(rest).flatten().cloned().collect();
        if rest > 0 {
            for _ in 0..rest {
                self.nodes(body)?;
            }
        }
        let mut nodes = vec![Node::Repeat { times: rounds, body: turns.into_iter().flatten().collect() }];
        nodes.extend(last);
        Ok(nodes)
    }

    /// Resolves a loop. Its steps are written out until every table has its own memory again. Also returns the
    /// assignment after each number of steps, modulo the number written out.
    fn rotation(
        &mut self,
        body: &[Step],
        conditions: &[Condition],
        max_steps: u64,
    ) -> Result<(LoopUntil, Vec<Assignment>)> {
        let start = self.here.clone();
        let (mut steps, mut ends) = (Vec::new(), Vec::new());
        loop {
            ends.push(self.here.clone());
            let nodes = self.nodes(body)?;
            let tests = conditions.iter().filter_map(|condition| self.test(condition)).collect();
            steps.push(backend::Step { nodes, tests });
            if self.here.is(&start) {
                return Ok((LoopUntil { steps, max_steps, in_groups: false }, ends));
            }
            if steps.len() == LONGEST_ROTATION {
                return Err(too_long());
            }
        }
    }

    fn test(&self, condition: &Condition) -> Option<Test> {
        Some(Test {
            buffer: self.here.buffer(condition.memory.as_ref()?),
            row: condition.row,
            word: condition.word,
            scalar: condition.scalar?,
            comparison: condition.comparison,
            constant: condition.constant,
        })
    }
}

fn too_long() -> Error {
    Error::limit(Limit::SwapSteps, LONGEST_ROTATION as u64 + 1, LONGEST_ROTATION as u64)
}
