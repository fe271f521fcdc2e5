//! A loop on a queue: chunks of passes, and the head of its state after each.

use super::body::Body;
use crate::cl::Failure;
use crate::device::Context;
use crate::queue::{OpenClQueue, QueueState, Transfer};
use imminent_core::{Error, Result};
use imminent_device::replay::{Head, LoopPlan, STOP, Steps};
use std::sync::Arc;

const STAGE: &str = "running a program";

/// A loop that runs on a queue.
#[derive(Debug)]
pub(crate) struct Running<'r> {
    queue: &'r OpenClQueue,
    context: Arc<Context>,
    body: &'r mut Body,
}

impl<'r> Running<'r> {
    pub(super) fn new(queue: &'r OpenClQueue, body: &'r mut Body) -> Result<Running<'r>> {
        let state = queue.lock();
        body.used_by(state.timeline())?;
        body.slots.clear_head(&state.queue).map_err(|failure| state.context().failed(STAGE, failure))?;
        let context = state.runtime.context.clone();
        Ok(Running { queue, context, body })
    }
}

impl Steps for Running<'_> {
    type Pending = Transfer;

    fn start(&mut self, plan: &LoopPlan, passes: u64, repeats: &[u32]) -> Result<Transfer> {
        let mut guard = self.queue.lock();
        let queue: &mut QueueState = &mut guard;
        let block = queue.staging.take(&self.context, &queue.queue, Head::BYTES)?;
        plan.for_each(passes, repeats, &mut |operation| self.body.enqueue(queue, operation))?;
        let mut head = Transfer::new(block);
        head.download(0, Head::BYTES, &self.body.slots.state().mem, 0)
            .and_then(|()| queue.queue.flush())
            .map_err(|failure| self.context.failed(STAGE, failure))?;
        Ok(head)
    }

    fn wait(&mut self, pending: Transfer) -> Result<Head> {
        let mut block = pending.wait().map_err(|failure| self.context.failed(STAGE, failure))?;
        let head = Head::read(block.bytes());
        self.queue.lock().staging.give_back(block);
        Ok(head)
    }

    fn stop(&mut self) -> Result<()> {
        let queue = self.queue.lock();
        let set = crate::cl::fill(&queue.queue, &self.body.slots.state().mem, 1, STOP as usize * 4, 4);
        set.map_err(|failure| self.context.failed(STAGE, failure))
    }

    fn fault(&mut self) -> Result<Error> {
        let failed = |failure: Failure| self.context.failed("reading a fault", failure);
        let used = self.body.slots.used();
        if used.is_empty() {
            return Ok(self.broken("it halted for a fault, and no kernel of it can raise one".to_owned()));
        }
        let (offset, bytes) = (used.start as usize, (used.end - used.start) as usize);
        let mut guard = self.queue.lock();
        let queue: &mut QueueState = &mut guard;
        let mut slots = Transfer::new(queue.staging.take(&self.context, &queue.queue, bytes)?);
        slots.download(0, bytes, &self.body.slots.state().mem, offset).map_err(failed)?;
        let mut block = slots.wait().map_err(failed)?;
        let fault = block.bytes().get(..bytes).and_then(|bytes| self.body.slots.decode(bytes));
        queue.staging.give_back(block);
        self.body.slots.empty(&queue.queue).map_err(failed)?;
        Ok(fault.map_or_else(|| self.broken("it halted for a fault that no slot records".to_owned()), Error::Fault))
    }

    fn broken(&self, message: String) -> Error {
        self.context.driver(STAGE, message)
    }
}
