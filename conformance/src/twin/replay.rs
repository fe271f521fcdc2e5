//! Replay of programs node by node: work that a device does at once is done in single launches.

use super::{Both, Twin};
use imminent_core::backend::{LoopUntil, Node, QueueHandle, Span};
use imminent_core::{Error, Outcome, Progress, Result, Stop};
use std::ops::ControlFlow;

/// A replay in progress.
pub(super) struct Replay<'r> {
    pub(super) twin: &'r Twin,
    pub(super) queue: &'r QueueHandle,
    pub(super) progress: &'r mut dyn FnMut(Progress) -> ControlFlow<()>,
    pub(super) outcome: Outcome,
    pub(super) depth: u32,
}

impl Replay<'_> {
    pub(super) fn nodes(&mut self, nodes: &[Node]) -> Result<ControlFlow<()>> {
        use imminent_core::Backend as _;
        for node in nodes {
            match node {
                Node::Launch(launch) => self.twin.launch(self.queue, launch)?,
                Node::Primitive(primitive) => self.twin.primitive(self.queue, primitive)?,
                Node::Copy { from, to } => self.twin.copy(self.queue, from, to)?,
                Node::Clear(buffer) => self.twin.clear(self.queue, buffer)?,
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
            let mut held = None;
            for (number, test) in step.tests.iter().enumerate() {
                let both = self.twin.both(&test.buffer)?;
                let span = Span::column(None, test.word, test.scalar, test.row..test.row + 1);
                let value = self.twin.scalar(&self.twin.queues(self.queue)?.0, both, span)?;
                if test.comparison.holds(test.scalar, value, test.constant) {
                    held = Some(Stop::Condition(number));
                    break;
                }
            }
            if let Some(stop) = held {
                break stop;
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

impl Twin {
    pub(super) fn both<'b>(&self, buffer: &'b imminent_core::backend::Buffer) -> Result<&'b Both> {
        buffer.get::<Both>().ok_or_else(foreign)
    }

    pub(super) fn queues<'q>(&self, queue: &'q QueueHandle) -> Result<&'q (QueueHandle, QueueHandle)> {
        queue.get::<(QueueHandle, QueueHandle)>().ok_or_else(foreign)
    }
}

pub(super) fn foreign() -> Error {
    Error::invalid("two devices beside each other", "a handle is that of another device")
}
