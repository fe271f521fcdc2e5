//! Execution of programs.

use crate::launch::launch;
use crate::memory::cpu_buffer;
use crate::primitives::{self, Workers};
use crate::team::Team;
use imminent_core::backend::{LoopUntil, Node, Test};
use imminent_core::{Error, Outcome, Progress, Result, Stop};
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

/// Default interval between progress reports of a running program.
pub(crate) const PROGRESS_EVERY: Duration = Duration::from_millis(20);

/// A program being replayed.
pub(crate) struct Replay<'p> {
    team: &'p Team,
    progress: &'p mut dyn FnMut(Progress) -> ControlFlow<()>,
    heard: Instant,
    /// Interval between progress reports.
    every: Duration,
    outcome: Outcome,
    /// Number of loops around the present node. Progress and outcome refer to the outermost one.
    depth: u32,
}

impl<'p> Replay<'p> {
    pub(crate) fn new(
        team: &'p Team,
        every: Duration,
        progress: &'p mut dyn FnMut(Progress) -> ControlFlow<()>,
    ) -> Self {
        let outcome = Outcome { steps: 0, stop: Stop::End };
        Replay { team, progress, heard: Instant::now(), every, outcome, depth: 0 }
    }

    pub(crate) fn run(mut self, nodes: &[Node]) -> Result<Outcome> {
        let _ = self.nodes(nodes)?;
        Ok(self.outcome)
    }

    /// Runs nodes; breaks if the program was cancelled.
    fn nodes(&mut self, nodes: &[Node]) -> Result<ControlFlow<()>> {
        for node in nodes {
            let flow = match node {
                Node::Launch(one) => launch(self.team, one).map(|()| ControlFlow::Continue(()))?,
                Node::Primitive(one) => {
                    primitives::run(Workers::new(self.team), one)?;
                    ControlFlow::Continue(())
                }
                Node::Copy { from, to } => {
                    copy(from, to)?;
                    ControlFlow::Continue(())
                }
                Node::Clear(buffer) => {
                    cpu_buffer(buffer)?.clear();
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
        loop {
            let stop = if steps == one.max_steps {
                Some(Stop::StepLimit)
            } else {
                let turn = steps.checked_rem(one.steps.len() as u64).and_then(|turn| one.steps.get(turn as usize));
                let Some(step) = turn else { return Err(Error::invalid("loop_until", "it has no step")) };
                self.depth += 1;
                let flow = self.nodes(&step.nodes)?;
                self.depth -= 1;
                if flow.is_break() {
                    return Ok(flow);
                }
                steps += 1;
                holding(&step.tests)?.map(Stop::Condition)
            };
            let outermost = self.depth == 0;
            if let Some(stop) = stop {
                if outermost {
                    self.outcome = Outcome { steps, stop };
                }
                return Ok(ControlFlow::Continue(()));
            }
            if outermost && self.heard.elapsed() >= self.every {
                self.heard = Instant::now();
                if (self.progress)(Progress { steps }).is_break() {
                    self.outcome = Outcome { steps, stop: Stop::Cancelled };
                    return Ok(ControlFlow::Break(()));
                }
            }
        }
    }
}

/// Returns the first test that holds.
fn holding(tests: &[Test]) -> Result<Option<usize>> {
    for (number, test) in tests.iter().enumerate() {
        let value = cpu_buffer(&test.buffer)?.leaf(test.row, None, test.word);
        if test.comparison.holds(test.scalar, value, test.constant) {
            return Ok(Some(number));
        }
    }
    Ok(None)
}

pub(crate) fn copy(from: &imminent_core::backend::Buffer, to: &imminent_core::backend::Buffer) -> Result<()> {
    if from.is(to) {
        return Ok(());
    }
    let (from, to) = (cpu_buffer(from)?, cpu_buffer(to)?);
    if to.table_mut()?.copy_from(from.table()?.as_ref()) {
        Ok(())
    } else {
        Err(Error::invalid("copy", "the two tables have different rows or lengths"))
    }
}
