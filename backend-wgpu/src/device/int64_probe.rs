//! Whether a driver's 64-bit integers can be trusted.
//!
//! NVIDIA's driver 580 offers them and compiles some sums wrongly (the high word of a sum that is compared with one of
//! its operands is not the sum's). What a driver offers is therefore tried before `int64=auto` relies on it.

use std::sync::mpsc;
use std::time::Duration;
use wgpu::util::DeviceExt;

/// Rows of one run; the shader's workgroup.
const ROWS: u64 = 64;

/// Second operands: one run each.
const SECOND: [u64; 4] = [11, 5_366_306, 1 << 40, 0x0000_0100_0000_000f];

/// How long a run may take before the device is not trusted.
const PATIENCE: Duration = Duration::from_secs(20);

/// Runs the idioms; `false` where a result is wrong or does not come.
pub(super) fn native_int64_is_right(device: &wgpu::Device, queue: &wgpu::Queue) -> bool {
    let scope = device.push_error_scope(wgpu::ErrorFilter::Validation);
    let shader = device.create_shader_module(wgpu::include_wgsl!("int64_probe.wgsl"));
    let pipeline = device.create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
        label: Some("int64 probe"),
        layout: None,
        module: &shader,
        entry_point: Some("main"),
        compilation_options: wgpu::PipelineCompilationOptions::default(),
        cache: None,
    });
    if pollster::block_on(scope.pop()).is_some() {
        return false;
    }
    SECOND.into_iter().all(|b| run(device, queue, &pipeline, b) == Some(expected(b)))
}

fn first(row: u64) -> u64 {
    row.wrapping_mul(12_345_678_901).wrapping_add(7)
}

fn next_multiple(a: u64, b: u64) -> u64 {
    if b <= 1 || a.is_multiple_of(b) { a } else { (a / b * b).saturating_add(b) }
}

fn expected(b: u64) -> Vec<u64> {
    let of_row = |row| {
        let a = first(row);
        [a.saturating_add(b), (a / b * b).saturating_add(b), next_multiple(a, b), next_multiple(b, a)]
    };
    (0..ROWS).flat_map(of_row).collect()
}

fn run(device: &wgpu::Device, queue: &wgpu::Queue, pipeline: &wgpu::ComputePipeline, b: u64) -> Option<Vec<u64>> {
    let operands: Vec<u8> = std::iter::once(b).chain((0..ROWS).map(first)).flat_map(u64::to_le_bytes).collect();
    let input = device.create_buffer_init(&wgpu::util::BufferInitDescriptor {
        label: Some("int64 probe operands"),
        contents: &operands,
        usage: wgpu::BufferUsages::STORAGE,
    });
    let size = ROWS * 32;
    let buffer = |usage| wgpu::BufferDescriptor { label: Some("int64 probe"), size, usage, mapped_at_creation: false };
    let output = device.create_buffer(&buffer(wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_SRC));
    let staging = device.create_buffer(&buffer(wgpu::BufferUsages::MAP_READ | wgpu::BufferUsages::COPY_DST));
    let group = device.create_bind_group(&wgpu::BindGroupDescriptor {
        label: Some("int64 probe"),
        layout: &pipeline.get_bind_group_layout(0),
        entries: &[
            wgpu::BindGroupEntry { binding: 0, resource: input.as_entire_binding() },
            wgpu::BindGroupEntry { binding: 1, resource: output.as_entire_binding() },
        ],
    });
    let mut encoder = device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
    {
        let mut pass = encoder.begin_compute_pass(&wgpu::ComputePassDescriptor::default());
        pass.set_pipeline(pipeline);
        pass.set_bind_group(0, &group, &[]);
        pass.dispatch_workgroups(1, 1, 1);
    }
    encoder.copy_buffer_to_buffer(&output, 0, &staging, 0, size);
    let submission = queue.submit([encoder.finish()]);
    let (done, mapped) = mpsc::channel();
    staging.map_async(wgpu::MapMode::Read, .., move |result| {
        let _ = done.send(result.is_ok());
    });
    let wait = wgpu::PollType::Wait { submission_index: Some(submission), timeout: Some(PATIENCE) };
    if device.poll(wait).is_err() || mapped.recv_timeout(PATIENCE) != Ok(true) {
        return None;
    }
    let bytes = staging.get_mapped_range(..).ok()?;
    Some(bytes.chunks_exact(8).filter_map(|word| word.try_into().ok().map(u64::from_le_bytes)).collect())
}
