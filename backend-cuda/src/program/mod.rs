//! Programs: recorded once, replayed as graphs of many steps, or of steps that the device repeats.

mod body;
mod control;
mod graph;
mod handed;
mod nodes;
mod run;

pub(crate) use control::control_text;
pub(crate) use handed::Handed;

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
use std::sync::{Arc, Mutex, PoisonError};

/// A program as this backend keeps it.
#[derive(Debug)]
pub(crate) struct CudaRecording {
    recorded: Recorded<Body>,
    /// Nodes that are handed over as one unit, if there is no loop.
    nodes: Option<Vec<Node>>,
    handed: Mutex<Option<Arc<Handed>>>,
}

impl CudaRecording {
    /// Compiles the kernels of the nodes and binds the operations of their loops.
    pub(crate) fn record(queue: &CudaQueue, nodes: Vec<Node>) -> Result<CudaRecording> {
        let loops = nodes.iter().any(|node| matches!(node, Node::Repeat { .. } | Node::LoopUntil(_)));
        let kept = (!loops).then(|| nodes.clone());
        let recorded = Recorded::new(&mut CudaPlayer { queue }, nodes)?;
        Ok(CudaRecording { recorded, nodes: kept, handed: Mutex::default() })
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

    /// Puts a program without loops on its queue, as one graph.
    pub(crate) fn hand_over(&self, queue: &CudaQueue) -> Result<()> {
        let nodes = self.nodes.as_ref().ok_or_else(replay::not_a_command)?;
        let mut state = queue.lock();
        let mut handed = self.handed.lock().unwrap_or_else(PoisonError::into_inner);
        let handed = match &mut *handed {
            Some(handed) => handed,
            none => none.insert(Handed::prepare(&mut state, nodes.clone())?),
        };
        state.hand_over(handed)
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
