//! Programs, which are recorded once and replayed with many steps in each submission.

mod body;
mod control;
mod run;

pub(crate) use control::control_source;

use crate::backend::WgpuBackend;
use crate::queue::WgpuQueue;
use body::Body;
use imminent_core::backend::{Node, QueueHandle};
use imminent_core::replay::{self, Ended, LoopPlan, Player, Recorded};
use imminent_core::{Outcome, Progress, Result};
use run::Running;
use std::ops::ControlFlow;

/// A recorded program of this backend.
#[derive(Debug)]
pub(crate) struct WgpuRecording {
    recorded: Recorded<Body>,
}

impl WgpuRecording {
    /// Compiles the kernels of the nodes and binds the operations of their loops.
    pub(crate) fn record(queue: &WgpuQueue, nodes: Vec<Node>) -> Result<WgpuRecording> {
        Ok(WgpuRecording { recorded: Recorded::new(&mut WgpuPlayer { queue }, nodes)? })
    }

    /// Runs the program.
    pub(crate) fn replay(
        &self,
        backend: &WgpuBackend,
        (handle, queue): (&QueueHandle, &WgpuQueue),
        progress: &mut dyn FnMut(Progress) -> ControlFlow<()>,
    ) -> Result<Outcome> {
        self.recorded.replay((backend, handle), &mut WgpuPlayer { queue }, progress)
    }

    /// Puts a program without loops on its queue, without waiting.
    pub(crate) fn hand_over(&self, backend: &WgpuBackend, queue: &QueueHandle) -> Result<()> {
        self.recorded.hand_over((backend, queue))
    }
}

/// Runs the parts of a program on a queue.
struct WgpuPlayer<'q> {
    queue: &'q WgpuQueue,
}

impl Player for WgpuPlayer<'_> {
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
