//! Execution of programs.

use super::launch;
use super::memory::Memory;
use imminent_core::backend::{DeviceMemory, LoopUntil, Node, Test, not_overridden};
use imminent_core::{Error, Outcome, Progress, Result, Stop};
use std::ops::ControlFlow;

/// A run of a program.
pub(super) struct Replay<'p> {
    progress: &'p mut dyn FnMut(Progress) -> ControlFlow<()>,
    /// Number of loops around the present node.
    depth: u32,
    outcome: Outcome,
}

/// Runs nodes, and waits for them.
pub(super) fn replay(nodes: &[Node], progress: &mut dyn FnMut(Progress) -> ControlFlow<()>) -> Result<Outcome> {
    let mut replay = Replay { progress, depth: 0, outcome: Outcome { steps: 0, stop: Stop::End } };
    let _ = replay.nodes(nodes)?;
    Ok(replay.outcome)
}

impl Replay<'_> {
    fn nodes(&mut self, nodes: &[Node]) -> Result<ControlFlow<()>> {
        for node in nodes {
            let flow = match node {
                Node::Launch(one) => launch::run(one).map(|()| ControlFlow::Continue(()))?,
                Node::Primitive(one) => return Err(not_overridden(one)),
                Node::Copy { from, to } => Memory::of(to)?.copy_from(Memory::of(from)?).map(ControlFlow::Continue)?,
                Node::Clear(buffer) => {
                    Memory::of(buffer)?.words().fill(0);
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
        let stop = loop {
            if steps == one.max_steps {
                break Stop::StepLimit;
            }
            let step = one.steps.get((steps % one.steps.len().max(1) as u64) as usize);
            let step = step.ok_or_else(|| Error::invalid("loop_until", "it has no step"))?;
            self.depth += 1;
            let flow = self.nodes(&step.nodes)?;
            self.depth -= 1;
            if flow.is_break() {
                return Ok(flow);
            }
            steps += 1;
            if let Some(number) = holding(&step.tests)? {
                break Stop::Condition(number);
            }
            if self.depth == 0 && (self.progress)(Progress { steps }).is_break() {
                self.outcome = Outcome { steps, stop: Stop::Cancelled };
                return Ok(ControlFlow::Break(()));
            }
        };
        if self.depth == 0 {
            self.outcome = Outcome { steps, stop };
        }
        Ok(ControlFlow::Continue(()))
    }
}

/// Returns the number of the first test that holds.
fn holding(tests: &[Test]) -> Result<Option<usize>> {
    for (number, test) in tests.iter().enumerate() {
        let value = Memory::of(&test.buffer)?.get(None, test.row, test.word, test.scalar)?;
        if test.comparison.holds(test.scalar, value, test.constant) {
            return Ok(Some(number));
        }
    }
    Ok(None)
}
