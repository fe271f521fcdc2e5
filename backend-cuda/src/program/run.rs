//! A loop on a stream: chunks of passes, and the head of its state after each.

use super::body::Body;
use crate::memory::Pinned;
use crate::queue::CudaQueue;
use imminent_core::{Error, Result};
use imminent_device::replay::{Head, LoopPlan, STOP, Steps};

const STAGE: &str = "running a program";

/// A loop that runs on a queue.
#[derive(Debug)]
pub(crate) struct Running<'r> {
    queue: &'r CudaQueue,
    body: &'r mut Body,
    /// `true` if WHILE nodes repeat the steps.
    by_itself: bool,
}

impl<'r> Running<'r> {
    pub(super) fn new(queue: &'r CudaQueue, body: &'r mut Body) -> Result<Running<'r>> {
        body.used_by(&queue.stream)?;
        body.slots.clear_head(&queue.stream)?;
        let by_itself = queue.lock().runtime.context.loops_in_nodes;
        Ok(Running { queue, body, by_itself })
    }
}

impl Steps for Running<'_> {
    type Pending = Pinned;

    fn repeats_by_itself(&self) -> bool {
        self.by_itself
    }

    fn start(&mut self, plan: &LoopPlan, passes: u64, repeats: &[u32]) -> Result<Pinned> {
        let mut queue = self.queue.lock();
        let (context, stream) = (queue.runtime.context.clone(), queue.stream.clone());
        // The progress function may have used another device on this thread.
        context.primary.enter()?;
        let mut head = queue.staging.take(&context.primary, Head::BYTES)?;
        self.body.start(&context, plan, passes, repeats)?;
        // SAFETY: the head lies in the state buffer, which the body keeps. The event is recorded at once and waited for
        // before the bytes are read.
        unsafe { head.download(0, Head::BYTES, self.body.slots.state().pointer(), &stream) }?;
        head.record(&stream)?;
        Ok(head)
    }

    fn wait(&mut self, pending: Pinned) -> Result<Head> {
        pending.wait(STAGE)?;
        let head = Head::read(pending.bytes());
        self.queue.lock().staging.give_back(pending);
        Ok(head)
    }

    fn stop(&mut self) -> Result<()> {
        self.queue.stream.primary.enter()?;
        let word = u64::from(STOP);
        self.body.slots.state().fill(&self.queue.stream, 1, word..word + 1, STAGE)
    }

    fn fault(&mut self) -> Result<Error> {
        let stream = &self.queue.stream;
        stream.primary.enter()?;
        let fault = self.body.take_fault(stream)?;
        Ok(fault.map_or_else(|| self.broken("it halted for a fault that no slot records".to_owned()), Error::Fault))
    }

    fn broken(&self, message: String) -> Error {
        self.queue.stream.primary.driver(STAGE, message)
    }
}
