//! Programs: recorded once, replayed as graphs of many steps, or of steps that the device repeats.

mod body;
mod control;
mod graph;
mod nodes;
mod run;

pub(crate) use control::control_text;

use crate::backend::CudaBackend;
use crate::launch;
use crate::primitives;
use crate::queue::CudaQueue;
use body::Body;
use imminent_core::backend::{Node, QueueHandle};
use imminent_core::replay::{self, Ended, LoopPlan, Player, Recorded};
use imminent_core::{Outcome, Progress, Result};
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
        backend: &CudaBackend,
        (handle, queue): (&QueueHandle, &CudaQueue),
        progress: &mut dyn FnMut(Progress) -> ControlFlow<()>,
    ) -> Result<Outcome> {
        self.recorded.replay((backend, handle), &mut CudaPlayer { queue }, progress)
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

    fn play(
        &mut self,
        plan: &LoopPlan,
        body: &mut Body,
        progress: &mut dyn FnMut(Progress) -> ControlFlow<()>,
    ) -> Result<Ended> {
        replay::run(&mut Running::new(self.queue, body)?, plan, progress)
    }
}
