//! Probes of a driver: small shaders whose results are known.

mod int64;
mod loops;

pub(super) use int64::native_int64_is_right;
pub(super) use loops::loops_run_to_their_end;

use super::waiting::{Answer, block_on, until_done};
use wgpu::util::DeviceExt;

/// Number of waits, of two seconds each, after which the device is not trusted.
const POLLS: usize = 10;

/// A compiled shader that reads words at binding 0 and writes words at binding 1.
struct Probe<'d> {
    name: &'static str,
    device: &'d wgpu::Device,
    queue: &'d wgpu::Queue,
    pipeline: wgpu::ComputePipeline,
}

impl<'d> Probe<'d> {
    /// Compiles a shader; returns `None` if the driver rejects it.
    fn new(
        name: &'static str,
        device: &'d wgpu::Device,
        queue: &'d wgpu::Queue,
        shader: wgpu::ShaderModuleDescriptor<'_>,
    ) -> Option<Self> {
        let scope = device.push_error_scope(wgpu::ErrorFilter::Validation);
        let shader = device.create_shader_module(shader);
        let pipeline = device.create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
            label: Some(name),
            layout: None,
            module: &shader,
            entry_point: Some("main"),
            compilation_options: wgpu::PipelineCompilationOptions::default(),
            cache: None,
        });
        block_on(scope.pop()).is_none().then_some(Probe { name, device, queue, pipeline })
    }

    /// Runs one workgroup on the operands and returns `size` bytes of results; `None` if there are none.
    fn run(&self, operands: &[u8], size: u64) -> Option<Vec<u8>> {
        let label = Some(self.name);
        let input = self.device.create_buffer_init(&wgpu::util::BufferInitDescriptor {
            label,
            contents: operands,
            usage: wgpu::BufferUsages::STORAGE,
        });
        let buffer = |usage| wgpu::BufferDescriptor { label, size, usage, mapped_at_creation: false };
        let output = self.device.create_buffer(&buffer(wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_SRC));
        let staging = self.device.create_buffer(&buffer(wgpu::BufferUsages::MAP_READ | wgpu::BufferUsages::COPY_DST));
        let group = self.device.create_bind_group(&wgpu::BindGroupDescriptor {
            label,
            layout: &self.pipeline.get_bind_group_layout(0),
            entries: &[
                wgpu::BindGroupEntry { binding: 0, resource: input.as_entire_binding() },
                wgpu::BindGroupEntry { binding: 1, resource: output.as_entire_binding() },
            ],
        });
        let mut encoder = self.device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        {
            let mut pass = encoder.begin_compute_pass(&wgpu::ComputePassDescriptor::default());
            pass.set_pipeline(&self.pipeline);
            pass.set_bind_group(0, &group, &[]);
            pass.dispatch_workgroups(1, 1, 1);
        }
        encoder.copy_buffer_to_buffer(&output, 0, &staging, 0, size);
        let submission = self.queue.submit([encoder.finish()]);
        let mapped = Answer::default();
        let answer = mapped.clone();
        staging.map_async(wgpu::MapMode::Read, .., move |result| answer.store(result.is_ok()));
        let is_done = (0..POLLS).any(|_| until_done(self.device, self.queue, &submission).is_ok());
        if !is_done || mapped.take() != Some(true) {
            return None;
        }
        let bytes = staging.get_mapped_range(..).ok()?;
        Some(bytes.to_vec())
    }
}
