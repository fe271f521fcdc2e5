//! A running loop: chunks of passes, and the header of its state after each.

use super::body::Body;
use crate::device::Context;
use crate::queue::{Download, QueueState, WgpuQueue, mapped};
use imminent_core::{Error, Result};
use imminent_device::replay::{Head, LoopPlan, STOP, Steps};
use std::sync::Arc;

const STAGE: &str = "running a program";

/// A running loop on a queue.
#[derive(Debug)]
pub(crate) struct Running<'r> {
    queue: &'r WgpuQueue,
    context: Arc<Context>,
    body: &'r mut Body,
    download: Download,
}

/// Position where the header of the state buffer can be read once a submission is done.
#[derive(Debug)]
pub(crate) struct Pending {
    head: wgpu::Buffer,
    submission: wgpu::SubmissionIndex,
}

impl<'r> Running<'r> {
    pub(super) fn new(queue: &'r WgpuQueue, body: &'r mut Body) -> Result<Running<'r>> {
        let mut state = queue.lock();
        body.used_by(state.timeline())?;
        // Work that was gathered so far must precede the loop and the reset of its state.
        state.flush()?;
        let context = state.runtime.context.clone();
        context.queue.write_buffer(body.slots.state(), 0, &[0; Head::BYTES]);
        Ok(Running { queue, context, body, download: Download::default() })
    }
}

impl Steps for Running<'_> {
    type Pending = Pending;

    fn start(&mut self, plan: &LoopPlan, passes: u64, repeats: &[u32]) -> Result<Pending> {
        let mut guard = self.queue.lock();
        let queue: &mut QueueState = &mut guard;
        let head = self.download.take(&self.context, Head::BYTES as u64)?;
        let mut encoder = self.context.device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        let mut pass = encoder.begin_compute_pass(&wgpu::ComputePassDescriptor::default());
        let mut pipeline = 0;
        plan.for_each(passes, repeats, &mut |operation| {
            self.body.encode(&mut pass, operation, &mut pipeline);
            Ok(())
        })?;
        drop(pass);
        encoder.copy_buffer_to_buffer(self.body.slots.state(), 0, &head, 0, Head::BYTES as u64);
        let submission = queue.submit(encoder)?;
        Ok(Pending { head, submission })
    }

    fn wait(&mut self, pending: Pending) -> Result<Head> {
        let Pending { head, submission } = pending;
        let read = mapped(&self.context, STAGE, &head, Head::BYTES as u64, &submission, Head::read)?;
        self.download.give_back(head);
        Ok(read)
    }

    fn stop(&mut self) -> Result<()> {
        self.context.queue.write_buffer(self.body.slots.state(), u64::from(STOP) * 4, &1u32.to_le_bytes());
        Ok(())
    }

    fn fault(&mut self) -> Result<Error> {
        let used = self.body.slots.used();
        if used.is_empty() {
            return Ok(self.broken("it halted for a fault, and no kernel of it can raise one".to_owned()));
        }
        let (offset, bytes) = (used.start, used.end - used.start);
        let staging = Download::default().take(&self.context, bytes)?;
        let mut encoder = self.context.device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        encoder.copy_buffer_to_buffer(self.body.slots.state(), offset, &staging, 0, bytes);
        let submission = self.queue.lock().submit(encoder)?;
        let decode = |bytes: &[u8]| self.body.slots.decode(bytes);
        let fault = mapped(&self.context, "reading a fault", &staging, bytes, &submission, decode)?;
        let Ok(()) = self.body.slots.empty(&self.context);
        Ok(fault.map_or_else(|| self.broken("it halted for a fault that no slot records".to_owned()), Error::Fault))
    }

    fn broken(&self, message: String) -> Error {
        self.context.driver(STAGE, message)
    }
}
