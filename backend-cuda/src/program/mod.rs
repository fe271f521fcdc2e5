//! Programs: recorded once, replayed as graphs of many steps, or of steps that the device repeats.

mod body;
mod control;
mod graph;
mod handed;
mod nodes;
mod prepared;
mod resident;
mod run;

use crate::queue::CudaQueue;
use body::Body;
use handed::Handed;
use imminent_core::Result;
use imminent_core::backend::Node;
use imminent_device::dispatch;
use imminent_device::replay::{self, LoopPlan, Player, Recorded};
use run::Running;
use std::sync::{Arc, Mutex, PoisonError};

/// A recorded program of this backend.
#[derive(Debug)]
pub(crate) struct Program {
    pub(crate) recorded: Recorded<Body>,
    /// Nodes that are handed over as one unit, if there is no loop.
    nodes: Option<Vec<Node>>,
    handed: Mutex<Option<Arc<Handed>>>,
}

impl Program {
    /// Compiles the kernels of the nodes and binds the operations of their loops.
    pub(crate) fn new(mut queue: &CudaQueue, nodes: Vec<Node>) -> Result<Program> {
        let loops = nodes.iter().any(|node| matches!(node, Node::Repeat { .. } | Node::LoopUntil(_)));
        let runtime = queue.lock().runtime.clone();
        dispatch::compile_ahead(&*runtime, &nodes);
        let kept = (!loops).then(|| nodes.clone());
        Ok(Program { recorded: Recorded::new(&mut queue, nodes)?, nodes: kept, handed: Mutex::default() })
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
        handed.start(&state.runtime.context, &state.stream)?;
        state.was_handed(handed.clone());
        Ok(())
    }
}

impl Player for &CudaQueue {
    type Loop = Body;
    type Steps<'p>
        = Running<'p>
    where
        Self: 'p;

    fn check(&mut self, command: &Node) -> Result<()> {
        match command {
            Node::Launch(launch) => self.lock().check(launch),
            Node::Primitive(primitive) => self.lock().check_primitive(primitive),
            _ => Ok(()),
        }
    }

    fn prepare(&mut self, plan: &LoopPlan) -> Result<Body> {
        Body::prepare(&mut self.lock(), plan)
    }

    fn begin<'p>(&'p mut self, body: &'p mut Body) -> Result<Running<'p>> {
        Running::new(self, body)
    }
}
