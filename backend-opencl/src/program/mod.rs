//! Programs: recorded once, replayed with many steps enqueued at a time.

mod body;
mod control;
mod run;

pub(crate) use control::control_source;

use crate::backend::OpenClBackend;
use crate::queue::OpenClQueue;
use body::Body;
use imminent_core::backend::{Node, QueueHandle};
use imminent_core::replay::{self, Ended, LoopPlan, Player, Recorded};
use imminent_core::{Outcome, Progress, Result};
use run::Running;
use std::ops::ControlFlow;

/// A program as this backend keeps it.
#[derive(Debug)]
pub(crate) struct OpenClRecording {
    recorded: Recorded<Body>,
}

impl OpenClRecording {
    /// Compiles the kernels of the nodes and binds the operations of their loops.
    pub(crate) fn record(queue: &OpenClQueue, nodes: Vec<Node>) -> Result<OpenClRecording> {
        Ok(OpenClRecording { recorded: Recorded::new(&mut OpenClPlayer { queue }, nodes)? })
    }

    /// Runs the program.
    pub(crate) fn replay(
        &self,
        backend: &OpenClBackend,
        (handle, queue): (&QueueHandle, &OpenClQueue),
        progress: &mut dyn FnMut(Progress) -> ControlFlow<()>,
    ) -> Result<Outcome> {
        self.recorded.replay((backend, handle), &mut OpenClPlayer { queue }, progress)
    }

    /// Puts a program without loops on its queue.
    pub(crate) fn hand_over(&self, backend: &OpenClBackend, queue: &QueueHandle) -> Result<()> {
        self.recorded.hand_over((backend, queue))
    }
}

/// Runs the parts of a program on a queue.
struct OpenClPlayer<'q> {
    queue: &'q OpenClQueue,
}

impl Player for OpenClPlayer<'_> {
    type Loop = Body;

    fn check(&mut self, command: &Node) -> Result<()> {
        match command {
            Node::Launch(launch) => self.queue.lock().prepare(launch),
            Node::Primitive(primitive) => self.queue.lock().prepare_primitive(primitive),
            _ => Ok(()),
        }
    }

    fn prepare(&mut self, plan: &LoopPlan) -> Result<Body> {
        let mut queue = self.queue.lock();
        let context = queue.context.clone();
        Body::prepare(&context, &mut queue, plan)
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
