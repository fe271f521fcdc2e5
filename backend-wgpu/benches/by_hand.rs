//! Compares a launch through Imminent with the same launch written by hand with `wgpu`: one process, one device,
//! alternating.
//!
//! `cargo bench -p imminent-wgpu --bench by_hand [-- --json] [--device K]`. The kernel and its table are small, so the
//! measured time is overhead around the kernel. Both variants encode a dispatch with its bind group, submit 128
//! dispatches at a time, and wait after a number of launches. The variant by hand checks nothing and can raise no
//! fault.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use imminent_core::{Device, Table};
use imminent_testkit::device::machines::machines::{self, Number};
use imminent_testkit::pairs;
use imminent_wgpu::{Options, WgpuBackend};

const ROWS: u32 = 256;
/// Dispatches of one submission.
const BATCH: usize = 128;

/// The kernel as a WGSL programmer writes it.
const SOURCE: &str = "
@group(0) @binding(0) var<storage, read_write> value: array<u32>;
@group(0) @binding(1) var<storage, read> rows: array<u32>;

@compute @workgroup_size(256)
fn twice(@builtin(global_invocation_id) id: vec3<u32>) {
    if (id.x < rows[0]) {
        value[id.x] = 2u * value[id.x] + id.x;
    }
}
";

struct ByHand {
    device: wgpu::Device,
    queue: wgpu::Queue,
    pipeline: wgpu::ComputePipeline,
    group: wgpu::BindGroup,
}

impl ByHand {
    /// Opens the adapter with this name.
    fn new(name: &str) -> ByHand {
        let instance = wgpu::Instance::new(wgpu::InstanceDescriptor {
            backends: wgpu::Backends::VULKAN,
            flags: wgpu::InstanceFlags::empty(),
            ..wgpu::InstanceDescriptor::new_without_display_handle()
        });
        let adapters = pollster::block_on(instance.enumerate_adapters(wgpu::Backends::VULKAN));
        let adapter = adapters.into_iter().find(|adapter| adapter.get_info().name == name).expect("the same adapter");
        let descriptor = wgpu::DeviceDescriptor { required_limits: adapter.limits(), ..Default::default() };
        let (device, queue) = pollster::block_on(adapter.request_device(&descriptor)).unwrap();
        let module = device.create_shader_module(wgpu::ShaderModuleDescriptor {
            label: None,
            source: wgpu::ShaderSource::Wgsl(SOURCE.into()),
        });
        let pipeline = device.create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
            label: None,
            layout: None,
            module: &module,
            entry_point: Some("twice"),
            compilation_options: wgpu::PipelineCompilationOptions::default(),
            cache: None,
        });
        let buffer = |bytes| {
            device.create_buffer(&wgpu::BufferDescriptor {
                label: None,
                size: bytes,
                usage: wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_DST,
                mapped_at_creation: false,
            })
        };
        let (value, rows) = (buffer(u64::from(ROWS) * 4), buffer(4));
        queue.write_buffer(&rows, 0, &ROWS.to_le_bytes());
        let entries = [
            wgpu::BindGroupEntry { binding: 0, resource: value.as_entire_binding() },
            wgpu::BindGroupEntry { binding: 1, resource: rows.as_entire_binding() },
        ];
        let layout = &pipeline.get_bind_group_layout(0);
        let group = device.create_bind_group(&wgpu::BindGroupDescriptor { label: None, layout, entries: &entries });
        ByHand { device, queue, pipeline, group }
    }

    /// Launches the kernel `count` times and waits.
    fn launch(&self, count: usize) {
        let mut left = count;
        while left > 0 {
            let now = left.min(BATCH);
            let mut encoder = self.device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
            {
                let mut pass = encoder.begin_compute_pass(&wgpu::ComputePassDescriptor::default());
                pass.set_pipeline(&self.pipeline);
                for _ in 0..now {
                    pass.set_bind_group(0, &self.group, &[]);
                    pass.dispatch_workgroups(ROWS.div_ceil(256), 1, 1);
                }
            }
            self.queue.submit([encoder.finish()]);
            left -= now;
        }
        self.device.poll(wgpu::PollType::wait_indefinitely()).unwrap();
    }
}

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    let index = arguments.iter().position(|argument| argument == "--device");
    let index = index.and_then(|at| arguments.get(at + 1)).map_or(0, |index| index.parse().expect("a device's number"));
    let device = Device::open(WgpuBackend::open(index, &Options::default()).unwrap()).unwrap();
    let mut table = Table::from_rows(&device, &vec![Number { value: 1 }; ROWS as usize]).unwrap();
    let queue = device.queue();
    let hand = ByHand::new(&device.info().name);
    for count in [1, 1000] {
        let what = format!("wgpu, {}, {count} launches and a wait", device.info().name);
        let ours = || {
            for _ in 0..count {
                queue.launch::<machines::double>((&mut table,)).unwrap();
            }
            queue.wait().unwrap();
        };
        pairs::measure(&what, if count == 1 { 1001 } else { 61 }, count, ours, || hand.launch(count)).print();
    }
}
