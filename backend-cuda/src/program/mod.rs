//! Programs: recorded once, replayed as graphs of many steps.

mod body;
mod control;
mod graph;
mod pace;
mod run;

pub(crate) use control::control_text;

use crate::driver::Context;
use crate::launch;
use crate::memory::memory;
use crate::queue::{CudaQueue, QueueState};
use body::Body;
use imminent_core::backend::{Buffer, Launch, Node, not_overridden};
use imminent_core::{Error, Outcome, Progress, Result, Stop};
use run::Ended;
use std::ops::ControlFlow;
use std::sync::{Mutex, TryLockError};

/// A program as this backend keeps it.
#[derive(Debug)]
pub(crate) struct CudaRecording {
    /// Locked while the program runs: its loops' state buffers belong to one replay at a time.
    items: Mutex<Vec<Item>>,
}

/// A part of a program.
#[derive(Debug)]
enum Item {
    /// Launched like any other.
    Launch(Launch),
    Copy(Buffer, Buffer),
    Clear(Buffer),
    /// Driven by the host, because there is a loop inside.
    Repeat(u32, Vec<Item>),
    /// Steps that are planned in advance and counted on the device.
    Steps(Box<Steps>),
}

/// A loop whose steps follow one another without the host.
#[derive(Debug)]
struct Steps {
    body: Body,
    max_steps: u64,
    /// A plain repetition is not a loop that the outcome tells of.
    repetition: bool,
}

impl CudaRecording {
    /// Compiles what the nodes need and binds the bodies of their loops.
    pub(crate) fn record(context: &Context, queue: &mut QueueState, nodes: Vec<Node>) -> Result<CudaRecording> {
        Ok(CudaRecording { items: Mutex::new(items(context, queue, nodes)?) })
    }

    /// Runs the program.
    pub(crate) fn replay(
        &self,
        queue: &CudaQueue,
        progress: &mut dyn FnMut(Progress) -> ControlFlow<()>,
    ) -> Result<Outcome> {
        queue.lock().finish()?;
        let mut items = match self.items.try_lock() {
            Ok(items) => items,
            Err(TryLockError::Poisoned(items)) => items.into_inner(),
            Err(TryLockError::WouldBlock) => {
                let reason = "it is being replayed already: record it twice to run it twice at once";
                return Err(Error::invalid("program", reason));
            }
        };
        let mut outcome = Outcome { steps: 0, stop: Stop::End };
        let _ = run_items(queue, &mut items, progress, &mut outcome)?;
        queue.lock().finish()?;
        Ok(outcome)
    }
}

fn has_loop(nodes: &[Node]) -> bool {
    nodes.iter().any(|node| match node {
        Node::LoopUntil(_) => true,
        Node::Repeat { body, .. } => has_loop(body),
        Node::Launch(_) | Node::Primitive(_) | Node::Copy { .. } | Node::Clear(_) => false,
    })
}

fn items(context: &Context, queue: &mut QueueState, nodes: Vec<Node>) -> Result<Vec<Item>> {
    nodes.into_iter().map(|node| item(context, queue, node)).collect()
}

fn item(context: &Context, queue: &mut QueueState, node: Node) -> Result<Item> {
    Ok(match node {
        Node::Launch(launch) => {
            launch::prepare(context, &launch)?;
            Item::Launch(launch)
        }
        Node::Primitive(primitive) => return Err(not_overridden(&primitive)),
        Node::Copy { from, to } => Item::Copy(from, to),
        Node::Clear(buffer) => Item::Clear(buffer),
        Node::Repeat { times, body } if has_loop(&body) => Item::Repeat(times, items(context, queue, body)?),
        Node::Repeat { times, body } => {
            let body = Body::prepare(context, queue, &body, &[], u64::from(times))?;
            Item::Steps(Box::new(Steps { body, max_steps: u64::from(times), repetition: true }))
        }
        Node::LoopUntil(one) if has_loop(&one.body) => {
            return Err(Error::invalid(
                "loop_until",
                "it stands inside another loop_until: put one of the loops on the host",
            ));
        }
        Node::LoopUntil(one) => {
            let body = Body::prepare(context, queue, &one.body, &one.tests, one.max_steps)?;
            Item::Steps(Box::new(Steps { body, max_steps: one.max_steps, repetition: false }))
        }
    })
}

/// Runs items in order; breaks when the program was cancelled.
fn run_items(
    queue: &CudaQueue,
    items: &mut [Item],
    progress: &mut dyn FnMut(Progress) -> ControlFlow<()>,
    outcome: &mut Outcome,
) -> Result<ControlFlow<()>> {
    for item in items {
        match item {
            Item::Launch(launch) => queue.lock().launch(launch)?,
            Item::Copy(from, to) => queue.lock().copy(memory(from)?, memory(to)?)?,
            Item::Clear(buffer) => queue.lock().clear(memory(buffer)?)?,
            Item::Repeat(times, body) => {
                for _ in 0..*times {
                    if run_items(queue, body, progress, outcome)?.is_break() {
                        return Ok(ControlFlow::Break(()));
                    }
                }
            }
            Item::Steps(steps) => {
                let mut quiet = |_: Progress| ControlFlow::Continue(());
                let hear: &mut dyn FnMut(Progress) -> ControlFlow<()> =
                    if steps.repetition { &mut quiet } else { progress };
                let Ended { steps: done, stop } = run::run(queue, &mut steps.body, steps.max_steps, hear)?;
                if !steps.repetition {
                    *outcome = Outcome { steps: done, stop };
                }
                if stop == Stop::Cancelled {
                    return Ok(ControlFlow::Break(()));
                }
            }
        }
    }
    Ok(ControlFlow::Continue(()))
}
