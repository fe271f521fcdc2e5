//! Commands that have been encoded but not submitted.

use crate::device::Context;
use crate::module::Pipeline;

/// The current encoder, if there is one. Its compute pass stays open from dispatch to dispatch: wgpu puts barriers
/// between dispatches that touch the same memory.
#[derive(Debug, Default)]
pub(super) struct Pending {
    // Dropped before the encoder: dropping a pass ends it.
    pass: Option<wgpu::ComputePass<'static>>,
    encoder: Option<wgpu::CommandEncoder>,
    /// Identifier of the pipeline set in the pass.
    pipeline: u64,
    /// Identifier and offset of the bind group set in the pass.
    bound: (u64, u32),
    /// Number of dispatches.
    pub(super) dispatches: u32,
    /// Bytes of host memory that the commands keep.
    pub(super) bytes: u64,
}

/// Identifier of bind groups that are not cached.
pub(super) const UNNUMBERED: u64 = 0;

impl Pending {
    /// Returns the encoder, for commands outside a pass.
    pub(super) fn encoder(&mut self, context: &Context) -> &mut wgpu::CommandEncoder {
        self.pass = None;
        self.encoder
            .get_or_insert_with(|| context.device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default()))
    }

    /// Encodes a dispatch whose launch block is at `offset`. A bind group with an identifier is set once if it repeats,
    /// since wgpu checks all bindings for each dispatch.
    /// at what is bound for each dispatch.
    pub(super) fn dispatch(
        &mut self,
        context: &Context,
        pipeline: &Pipeline,
        (group, number): (&wgpu::BindGroup, u64),
        offset: u32,
        (x, y): (u32, u32),
    ) {
        if self.pass.is_none() {
            let pass = self.encoder(context).begin_compute_pass(&wgpu::ComputePassDescriptor::default());
            // The pass and its encoder are stored side by side; `encoder` ends the pass before it returns the encoder.
            self.pass = Some(pass.forget_lifetime());
            self.pipeline = 0;
            self.bound = (UNNUMBERED, 0);
        }
        if let Some(pass) = &mut self.pass {
            if self.pipeline != pipeline.id {
                pass.set_pipeline(&pipeline.compute);
                self.pipeline = pipeline.id;
            }
            if number == UNNUMBERED || self.bound != (number, offset) {
                pass.set_bind_group(0, group, &[offset]);
                self.bound = (number, offset);
            }
            pass.dispatch_workgroups(x, y, 1);
            self.dispatches += 1;
        }
    }

    /// Ends the current pass and takes the encoder.
    pub(super) fn take(&mut self) -> Option<wgpu::CommandEncoder> {
        self.pass = None;
        self.dispatches = 0;
        self.bytes = 0;
        self.encoder.take()
    }
}
