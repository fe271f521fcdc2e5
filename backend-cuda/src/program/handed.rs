//! Programs in progress: graphs for which the host does not wait.

use super::body::Body;
use crate::device::Context;
use crate::driver::Stream;
use crate::memory::Pinned;
use crate::queue::{HandedOver, QueueState};
use imminent_core::backend::Node;
use imminent_core::{Fault, Result};
use imminent_device::replay::{Head, LoopPlan, Reason};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

const STAGE: &str = "running a program that was handed over";

/// Nodes that are put on a stream as one graph, any number of times. After a fault they have no effect until it has
/// been reported.
#[derive(Debug)]
pub(crate) struct Handed {
    plan: LoopPlan,
    body: Mutex<Body>,
    /// Host memory for a head that is read synchronously.
    host: Mutex<Option<Pinned>>,
}

impl Handed {
    /// Binds the nodes, none of which is a loop, for a queue.
    pub(super) fn prepare(queue: &mut QueueState, nodes: Vec<Node>) -> Result<Arc<Handed>> {
        let plan = LoopPlan::of_passes(nodes)?;
        let body = Mutex::new(Body::prepare(queue, &plan)?);
        Ok(Arc::new(Handed { plan, body, host: Mutex::default() }))
    }

    fn body(&self) -> MutexGuard<'_, Body> {
        self.body.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Puts the graph on its queue's stream.
    pub(super) fn start(&self, context: &Context, stream: &Arc<Stream>) -> Result<()> {
        let mut body = self.body();
        body.used_by(stream)?;
        body.start_graph(context, &self.plan, (1, &[]))
    }
}

impl HandedOver for Handed {
    fn fetch(&self, mut head: Pinned, stream: &Stream) -> Result<Pinned> {
        // SAFETY: the head lies in the state buffer, which the body keeps until the stream has ended. The event is
        // recorded at once, and every reader has waited for it or for a later one.
        unsafe { head.download(0, Head::BYTES, self.body().slots.state().pointer(), stream) }?;
        head.record(stream)?;
        Ok(head)
    }

    fn judge(&self, head: &[u8], stream: &Stream) -> Result<Option<Fault>> {
        match Head::read(head).reason {
            Reason::Running => Ok(None),
            Reason::Fault => {
                let body = self.body();
                // Graphs handed over behind it had no effect; later ones have.
                let fault = body.take_fault(stream)?;
                body.slots.clear_head(stream)?;
                Ok(fault)
            }
            other => Err(stream.primary.driver(STAGE, format!("it ended without a reason ({other:?})"))),
        }
    }

    fn look(&self, stream: &Stream) -> Result<Option<Fault>> {
        let mut host = self.host.lock().unwrap_or_else(PoisonError::into_inner);
        let head = match host.take() {
            Some(head) => head,
            None => Pinned::new(&stream.primary, Head::BYTES)?,
        };
        let head = host.insert(self.fetch(head, stream)?);
        head.wait(STAGE)?;
        self.judge(head.bytes(), stream)
    }
}
