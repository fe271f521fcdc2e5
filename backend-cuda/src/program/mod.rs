//! Programs: recorded once, replayed as graphs of many steps.

mod body;
mod control;
mod graph;
mod run;

pub(crate) use control::control_text;

use crate::launch;
use crate::memory::memory;
use crate::primitives;
use crate::queue::CudaQueue;
use body::Body;
use imminent_core::backend::Node;
use imminent_core::replay::{self, Ended, LoopPlan, Player, Recorded};
use imminent_core::{Error, Outcome, Progress, Result};
use run::Running;
use std::ops::ControlFlow;

/// A program as this backend keeps it.
#[derive(Debug)]
pub(crate) struct CudaRecording {
    recorded: Recorded<Body>,
}

impl CudaRecording {
    /// Compiles what the nodes need and binds the operations of their loops.
    pub(crate) fn record(queue: &CudaQueue, nodes: Vec<Node>) -> Result<CudaRecording> {
        Ok(CudaRecording { recorded: Recorded::new(&mut CudaPlayer { queue }, nodes)? })
    }

    /// Runs the program.
    pub(crate) fn replay(
        &self,
        queue: &CudaQueue,
        progress: &mut dyn FnMut(Progress) -> ControlFlow<()>,
    ) -> Result<Outcome> {
        queue.lock().finish()?;
        let outcome = self.recorded.replay(&mut CudaPlayer { queue }, progress)?;
        queue.lock().finish()?;
        Ok(outcome)
    }
}

/// Runs the parts of a program on a queue.
struct CudaPlayer<'q> {
    queue: &'q CudaQueue,
}

impl Player for CudaPlayer<'_> {
    type Loop = Body;

    fn check(&mut self, command: &Node) -> Result<()> {
        match command {
            Node::Launch(launch) => launch::prepare(&self.queue.lock().context, launch),
            Node::Primitive(primitive) => primitives::prepare(&self.queue.lock().context, primitive),
            _ => Ok(()),
        }
    }

    fn prepare(&mut self, plan: &LoopPlan) -> Result<Body> {
        let mut queue = self.queue.lock();
        let context = queue.context.clone();
        Body::prepare(&context, &mut queue, plan)
    }

    fn command(&mut self, command: &Node) -> Result<()> {
        let mut queue = self.queue.lock();
        match command {
            Node::Launch(launch) => queue.launch(launch),
            Node::Primitive(primitive) => queue.primitive(primitive),
            Node::Copy { from, to } => queue.copy(memory(from)?, memory(to)?),
            Node::Clear(buffer) => queue.clear(memory(buffer)?),
            Node::Repeat { .. } | Node::LoopUntil(_) => Err(Error::invalid("program", "a loop is no command")),
        }
    }

    fn play(
        &mut self,
        plan: &LoopPlan,
        body: &mut Body,
        progress: &mut dyn FnMut(Progress) -> ControlFlow<()>,
    ) -> Result<Ended> {
        replay::run(&mut Running::new(self.queue, body)?, plan, progress)
    }
}
