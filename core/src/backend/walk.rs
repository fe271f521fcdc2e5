//! The walk over the nodes of a recording, for backends that run commands one by one.

use super::{Buffer, Launch, LoopUntil, Node, Outcome, Primitive, Progress, Stop, Test};
use crate::error::{Error, Result};
use std::ops::ControlFlow;

/// The commands that nodes consist of. They are done when a method returns.
pub trait Commands {
    /// Launches a kernel.
    ///
    /// # Errors
    /// Faults, and errors of the device.
    fn launch(&mut self, launch: &Launch) -> Result<()>;

    /// Runs a primitive.
    ///
    /// # Errors
    /// Errors of the device.
    fn primitive(&mut self, primitive: &Primitive) -> Result<()>;

    /// Copies a buffer to another of the same shape.
    ///
    /// # Errors
    /// Errors of the device.
    fn copy(&mut self, from: &Buffer, to: &Buffer) -> Result<()>;

    /// Sets a buffer to zero.
    ///
    /// # Errors
    /// Errors of the device.
    fn clear(&mut self, buffer: &Buffer) -> Result<()>;

    /// Returns the bits of the scalar that a test compares.
    ///
    /// # Errors
    /// Errors of the device.
    fn tested(&mut self, test: &Test) -> Result<u64>;

    /// Returns `true` if it is time to report progress, after a step of the outermost loop.
    fn is_due(&mut self) -> bool {
        true
    }
}

/// Runs nodes. Progress and outcome are of the outermost loop.
///
/// # Errors
/// The first error of a command, [`Error::Invalid`] for a loop without steps.
pub fn walk(
    nodes: &[Node],
    commands: &mut impl Commands,
    progress: &mut dyn FnMut(Progress) -> ControlFlow<()>,
) -> Result<Outcome> {
    let mut walk = Walk { commands, progress, outcome: Outcome { steps: 0, stop: Stop::End }, depth: 0 };
    let _ = walk.nodes(nodes)?;
    Ok(walk.outcome)
}

struct Walk<'w, C> {
    commands: &'w mut C,
    progress: &'w mut dyn FnMut(Progress) -> ControlFlow<()>,
    outcome: Outcome,
    /// Number of loops around the present node.
    depth: u32,
}

impl<C: Commands> Walk<'_, C> {
    /// Runs nodes; breaks if the program was cancelled.
    fn nodes(&mut self, nodes: &[Node]) -> Result<ControlFlow<()>> {
        for node in nodes {
            match node {
                Node::Launch(launch) => self.commands.launch(launch)?,
                Node::Primitive(primitive) => self.commands.primitive(primitive)?,
                Node::Copy { from, to } => self.commands.copy(from, to)?,
                Node::Clear(buffer) => self.commands.clear(buffer)?,
                Node::Repeat { times, body } => {
                    for _ in 0..*times {
                        if self.nodes(body)?.is_break() {
                            return Ok(ControlFlow::Break(()));
                        }
                    }
                }
                Node::LoopUntil(one) => {
                    if self.loop_until(one)?.is_break() {
                        return Ok(ControlFlow::Break(()));
                    }
                }
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
            let turn = steps.checked_rem(one.steps.len() as u64).and_then(|turn| one.steps.get(turn as usize));
            let Some(step) = turn else { return Err(Error::invalid("loop_until", "it has no step")) };
            self.depth += 1;
            let flow = self.nodes(&step.nodes)?;
            self.depth -= 1;
            if flow.is_break() {
                return Ok(flow);
            }
            steps += 1;
            if let Some(number) = self.holding(&step.tests)? {
                break Stop::Condition(number);
            }
            if self.depth == 0 && self.commands.is_due() && (self.progress)(Progress { steps }).is_break() {
                self.outcome = Outcome { steps, stop: Stop::Cancelled };
                return Ok(ControlFlow::Break(()));
            }
        };
        if self.depth == 0 {
            self.outcome = Outcome { steps, stop };
        }
        Ok(ControlFlow::Continue(()))
    }

    /// Returns the number of the first test that holds.
    fn holding(&mut self, tests: &[Test]) -> Result<Option<usize>> {
        for (number, test) in tests.iter().enumerate() {
            if test.comparison.holds(test.scalar, self.commands.tested(test)?, test.constant) {
                return Ok(Some(number));
            }
        }
        Ok(None)
    }
}
