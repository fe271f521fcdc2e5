//! Nodes that are put on a queue individually.

use super::plan::not_a_command;
use imminent_core::Result;
use imminent_core::backend::{Backend, Launch, Node, Prepared, QueueHandle};

/// A node that is no loop.
#[derive(Debug)]
pub(super) struct Command {
    /// Stands before `node`, so that it is dropped before the node's buffers.
    form: Form,
    node: Node,
}

/// Preparation of a launch by the backend.
#[derive(Debug)]
enum Form {
    /// Not handed over yet.
    New,
    /// Handed over once, not prepared yet.
    Known,
    /// Not prepared, since nothing is gained.
    Plain,
    Prepared(Prepared),
}

/// Puts a node on a queue.
pub(super) fn put((backend, queue): (&dyn Backend, &QueueHandle), node: &Node) -> Result<()> {
    match node {
        Node::Launch(launch) => backend.launch(queue, launch),
        Node::Primitive(primitive) => backend.primitive(queue, primitive),
        Node::Copy { from, to } => backend.copy(queue, from, to),
        Node::Clear(buffer) => backend.clear(queue, buffer),
        Node::Repeat { .. } | Node::LoopUntil(_) => Err(not_a_command()),
    }
}

impl Command {
    pub(super) fn new(node: Node) -> Self {
        Command { form: Form::New, node }
    }

    pub(super) fn node(&self) -> &Node {
        &self.node
    }

    /// Puts the command on its queue again.
    pub(super) fn again(&mut self, on: (&dyn Backend, &QueueHandle)) -> Result<()> {
        match &self.node {
            Node::Launch(launch) => self.form.launch(on, launch),
            node => put(on, node),
        }
    }
}

impl Form {
    fn launch(&mut self, (backend, queue): (&dyn Backend, &QueueHandle), launch: &Launch) -> Result<()> {
        match self {
            Form::New => *self = Form::Known,
            Form::Known => *self = backend.prepare(queue, launch)?.map_or(Form::Plain, Form::Prepared),
            _ => {}
        }
        match self {
            Form::Prepared(prepared) => backend.launch_prepared(queue, prepared, None),
            _ => backend.launch(queue, launch),
        }
    }
}
