//! Commands that have been encoded but not submitted.

use crate::device::Context;
use crate::module::Pipeline;

/// The encoder under way, if there is one. Its compute pass stays open from dispatch to dispatch: wgpu puts barriers
/// between dispatches that touch the same memory.
#[derive(Debug, Default)]
pub(super) struct Pending {
    // Dropped before the encoder: dropping a pass ends it.
    pass: Option<wgpu::ComputePass<'static>>,
    encoder: Option<wgpu::CommandEncoder>,
    /// Pipeline set in the pass, by its number.
    pipeline: u64,
    /// The numbered bind group set in the pass, and its offset.
    bound: (u64, u32),
    /// How many dispatches there are.
    pub(super) dispatches: u32,
    /// Bytes of host memory that the commands keep.
    pub(super) bytes: u64,
}

/// The number of bind groups that have none.
pub(super) const UNNUMBERED: u64 = 0;

impl Pending {
    /// The encoder, for commands outside a pass.
    pub(super) fn encoder(&mut self, context: &Context) -> &mut wgpu::CommandEncoder {
        self.pass = None;
        self.encoder
            .get_or_insert_with(|| context.device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default()))
    }

    /// Encodes a dispatch whose launch block lies at `offset`. A bind group with a number is set once where it comes several times: wgpu looks
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
            // The pass and its encoder live side by side here; `encoder` ends the pass before it hands out the encoder.
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

    /// Ends what is under way.
    pub(super) fn take(&mut self) -> Option<wgpu::CommandEncoder> {
        self.pass = None;
        self.dispatches = 0;
        self.bytes = 0;
        self.encoder.take()
    }
}
