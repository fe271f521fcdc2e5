//! Runs a generated shader on the first adapter, with plain wgpu.

use imminent_ir::Scalar;
use imminent_ir::flatten::{BindingKind, FlatKernel};
use imminent_testkit::lowering::{Data, Machine, Outcome, Rounding, Run, layout};
use imminent_wgpu::wgsl::{
    BufferRole, EXTENT_WORD, Int64, ROWS_PER_GROUP, WgslError, WgslOptions, WgslSource, identity_words, lower,
    lower_reduce, plan_segments,
};
use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use wgpu::util::DeviceExt;

pub struct Gpu {
    device: wgpu::Device,
    queue: wgpu::Queue,
    pub int64: bool,
    pub float64: bool,
    pub int64_atomics: bool,
    /// Pipelines by their text.
    compiled: Mutex<HashMap<String, wgpu::ComputePipeline>>,
}

impl Gpu {
    /// The first adapter. Its absence is a failure: the tests that run kernels need one.
    pub fn open() -> Gpu {
        let instance = wgpu::Instance::new(wgpu::InstanceDescriptor {
            backends: wgpu::Backends::VULKAN,
            flags: wgpu::InstanceFlags::empty(),
            ..wgpu::InstanceDescriptor::new_without_display_handle()
        });
        let adapter = pollster::block_on(instance.request_adapter(&wgpu::RequestAdapterOptions::default()))
            .expect("a Vulkan driver, for example Mesa's lavapipe");
        let offered = adapter.features();
        let wanted =
            wgpu::Features::SHADER_INT64 | wgpu::Features::SHADER_F64 | wgpu::Features::SHADER_INT64_ATOMIC_MIN_MAX;
        let (device, queue) = pollster::block_on(adapter.request_device(&wgpu::DeviceDescriptor {
            label: None,
            required_features: offered & wanted,
            required_limits: adapter.limits(),
            ..Default::default()
        }))
        .expect("a device");
        Gpu {
            device,
            queue,
            int64: offered.contains(wgpu::Features::SHADER_INT64),
            float64: offered.contains(wgpu::Features::SHADER_F64),
            int64_atomics: offered.contains(wgpu::Features::SHADER_INT64_ATOMIC_MIN_MAX),
            compiled: Mutex::default(),
        }
    }

    /// Options for a mode, with everything else that the device offers.
    pub fn options(&self, int64: Int64) -> WgslOptions {
        let native = int64 == Int64::Native;
        WgslOptions {
            int64,
            float64: native && self.float64,
            int64_atomics: native && self.int64_atomics,
            ..WgslOptions::default()
        }
    }

    /// The modes to test on this device.
    pub fn modes(&self) -> Vec<Int64> {
        if self.int64 { vec![Int64::Emulated, Int64::Native] } else { vec![Int64::Emulated] }
    }

    /// Lowers and launches a kernel, for the groups from `first_group` on.
    pub fn launch_from(
        &self,
        flat: &FlatKernel,
        options: &WgslOptions,
        run: &Run<'_>,
        data: &[Data],
        first_group: u32,
    ) -> Outcome {
        let options = &WgslOptions { subset: run.subset.is_some(), ..options.clone() };
        let Run { rows: n, halt, .. } = *run;
        let source = lower(flat, options).unwrap_or_else(|e| panic!("{e}"));
        super::validate::validate(&source);
        let groups = if flat.shape.is_grouped() { flat.shape.groups(n, run.width) } else { n.div_ceil(ROWS_PER_GROUP) };
        let sites = flat.sites.len();
        let mut launch = vec![0; source.launch.words as usize];
        launch[..3].copy_from_slice(&[n, 1, first_group]);
        launch[EXTENT_WORD as usize] = if run.subset.is_some() { data[0].rows } else { run.width };
        for (header, data) in source.launch.headers.iter().zip(data) {
            launch[*header as usize..][..3].copy_from_slice(&[data.rows, data.stride, data.capacity]);
        }
        for block in &source.launch.params {
            let words = &data[block.binding as usize].words;
            launch[block.offset as usize..][..words.len()].copy_from_slice(words);
        }
        let mut state = vec![u32::MAX; sites + 1];
        state[0] = halt;
        let result_words = source.reduce.map_or(0, |r| r.words);
        let pieces: Vec<Vec<Vec<u32>>> = data.iter().zip(0..).map(|(d, b)| cut(d, options.segments.get(b))).collect();
        let buffers: Vec<wgpu::Buffer> = source
            .bindings
            .iter()
            .map(|binding| match binding.role {
                BufferRole::State => self.buffer(&state),
                BufferRole::Launch => self.buffer(&launch),
                BufferRole::Partials => self.buffer(&vec![0xdead_beef; (groups * result_words) as usize]),
                BufferRole::Table { binding, segment } => self.buffer(&pieces[binding as usize][segment as usize]),
                BufferRole::Tally { binding } => self.buffer(&data[binding as usize].words),
                BufferRole::SubsetRows => self.buffer(run.subset.unwrap_or_default()),
                BufferRole::SubsetCount => self.buffer(&[run.subset.map_or(0, <[u32]>::len) as u32]),
                BufferRole::Input | BufferRole::Output => unreachable!(),
            })
            .collect();
        // An odd width, so that groups are spread over two dimensions with some to spare.
        let width = if groups > 3 { 3 } else { groups.max(1) };
        self.dispatch(&source, &buffers, [width, groups.div_ceil(width).max(1)]);
        let mut out: Vec<Vec<u32>> = data.iter().map(|d| d.words.clone()).collect();
        for (binding, buffer) in source.bindings.iter().zip(&buffers) {
            match binding.role {
                BufferRole::Table { binding, segment } => {
                    if segment == 0 {
                        out[binding as usize].clear();
                    }
                    out[binding as usize].extend(self.read(buffer));
                }
                BufferRole::Tally { binding } => out[binding as usize] = self.read(buffer),
                _ => {}
            }
        }
        let faults = self.read(&buffers[0])[1..].to_vec();
        let result = source.reduce.map(|layout| {
            if n == 0 {
                return identity_words(layout.reduce, layout.scalar);
            }
            let second = lower_reduce(layout.reduce, layout.scalar, options).unwrap();
            super::validate::validate(&second);
            let mut count = groups;
            let mut words = self.read(&buffers[2]);
            let mut level = 0;
            while count > 1 {
                let next = count.div_ceil(ROWS_PER_GROUP);
                level += 1;
                let mut launch = [count, 0, 0, 0, 0, 0, 0, 0];
                if run.subset.is_some() {
                    (launch[0], launch[EXTENT_WORD as usize]) = (n, level);
                }
                let mut buffers = vec![
                    self.buffer(&[0]),
                    self.buffer(&launch),
                    self.buffer(&words),
                    self.buffer(&vec![0; (next * layout.words) as usize]),
                ];
                buffers.extend(run.subset.map(|list| self.buffer(&[list.len() as u32])));
                self.dispatch(&second, &buffers, [next, 1]);
                words = self.read(&buffers[3]);
                count = next;
            }
            words
        });
        Outcome { data: out, faults, result }
    }

    fn buffer(&self, words: &[u32]) -> wgpu::Buffer {
        let padded: Vec<u32> = if words.is_empty() { vec![0] } else { words.to_vec() };
        self.device.create_buffer_init(&wgpu::util::BufferInitDescriptor {
            label: None,
            contents: bytemuck::cast_slice(&padded),
            usage: wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_SRC | wgpu::BufferUsages::COPY_DST,
        })
    }

    fn read(&self, buffer: &wgpu::Buffer) -> Vec<u32> {
        let staging = self.device.create_buffer(&wgpu::BufferDescriptor {
            label: None,
            size: buffer.size(),
            usage: wgpu::BufferUsages::MAP_READ | wgpu::BufferUsages::COPY_DST,
            mapped_at_creation: false,
        });
        let mut encoder = self.device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        encoder.copy_buffer_to_buffer(buffer, 0, &staging, 0, buffer.size());
        self.queue.submit([encoder.finish()]);
        staging.slice(..).map_async(wgpu::MapMode::Read, |result| result.expect("mapped"));
        self.device.poll(wgpu::PollType::wait_indefinitely()).expect("the device answers");
        let view = staging.slice(..).get_mapped_range().expect("mapped");
        bytemuck::cast_slice(&view).to_vec()
    }

    fn pipeline(&self, source: &WgslSource) -> wgpu::ComputePipeline {
        let mut compiled = self.compiled.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(pipeline) = compiled.get(&source.code) {
            return pipeline.clone();
        }
        let module = self.device.create_shader_module(wgpu::ShaderModuleDescriptor {
            label: None,
            source: wgpu::ShaderSource::Wgsl(source.code.as_str().into()),
        });
        let entries: Vec<wgpu::BindGroupLayoutEntry> = source
            .bindings
            .iter()
            .map(|binding| wgpu::BindGroupLayoutEntry {
                binding: binding.binding,
                visibility: wgpu::ShaderStages::COMPUTE,
                ty: wgpu::BindingType::Buffer {
                    ty: wgpu::BufferBindingType::Storage { read_only: !binding.writable },
                    has_dynamic_offset: false,
                    min_binding_size: None,
                },
                count: None,
            })
            .collect();
        let layout =
            self.device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor { label: None, entries: &entries });
        let pipeline_layout = self.device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
            label: None,
            bind_group_layouts: &[Some(&layout)],
            immediate_size: 0,
        });
        let pipeline = self.device.create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
            label: None,
            layout: Some(&pipeline_layout),
            module: &module,
            entry_point: Some(source.entry),
            compilation_options: wgpu::PipelineCompilationOptions::default(),
            cache: None,
        });
        compiled.insert(source.code.clone(), pipeline.clone());
        pipeline
    }

    fn dispatch(&self, source: &WgslSource, buffers: &[wgpu::Buffer], groups: [u32; 2]) {
        let pipeline = self.pipeline(source);
        let layout = pipeline.get_bind_group_layout(0);
        let bound: Vec<wgpu::BindGroupEntry<'_>> = source
            .bindings
            .iter()
            .zip(buffers)
            .map(|(b, buffer)| wgpu::BindGroupEntry { binding: b.binding, resource: buffer.as_entire_binding() })
            .collect();
        let group =
            self.device.create_bind_group(&wgpu::BindGroupDescriptor { label: None, layout: &layout, entries: &bound });
        let mut encoder = self.device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        {
            let mut pass = encoder.begin_compute_pass(&wgpu::ComputePassDescriptor::default());
            pass.set_pipeline(&pipeline);
            pass.set_bind_group(0, &group, &[]);
            pass.dispatch_workgroups(groups[0], groups[1], 1);
        }
        self.queue.submit([encoder.finish()]);
    }
}

impl Machine for Gpu {
    type Options = WgslOptions;

    /// Both kinds of 64-bit integers, each with tables whole and cut, and workgroups of several sizes.
    fn ways(&self, flat: &FlatKernel, data: &[Data]) -> Vec<WgslOptions> {
        let mut ways = Vec::new();
        for int64 in self.modes() {
            for (columns, workgroup_size) in [(u64::MAX, 256), (7, 64), (2, 1)] {
                ways.push(WgslOptions { workgroup_size, ..segmented(flat, data, columns, &self.options(int64)) });
            }
        }
        ways
    }

    fn arithmetic(&self, _: Scalar) -> Vec<WgslOptions> {
        self.modes().into_iter().map(|int64| self.options(int64)).collect()
    }

    fn rounding(&self, _: &WgslOptions, _: Scalar) -> Rounding {
        Rounding::WithinOrFlushed
    }

    fn has_float64(&self, options: &WgslOptions) -> bool {
        options.float64
    }

    fn has_wide_tallies(&self, options: &WgslOptions) -> bool {
        options.int64_atomics
    }

    fn refusal(&self, flat: &FlatKernel, options: &WgslOptions) -> String {
        let error = lower(flat, options).unwrap_err();
        assert!(matches!(error, WgslError::Unsupported { .. } | WgslError::WideTally { .. }), "{error}");
        error.to_string()
    }

    fn launch_as(&self, flat: &FlatKernel, options: &WgslOptions, run: &Run<'_>, data: &[Data]) -> Outcome {
        self.launch_from(flat, options, run, data, 0)
    }
}

/// Cuts the tables of a kernel into segments of at most this many word columns, or a few more where a table has so many that the
/// device could not bind its segments.
fn segmented(flat: &FlatKernel, data: &[Data], columns: u64, options: &WgslOptions) -> WgslOptions {
    const MOST_SEGMENTS: u64 = 8;
    let segments = flat.bindings.iter().zip(data).enumerate().map(|(number, (binding, data))| match binding.kind {
        BindingKind::Table { .. } => {
            let layout = layout(flat, number);
            let columns = columns.max(layout.row_words(data.capacity).div_ceil(MOST_SEGMENTS));
            let bytes = columns.saturating_mul(u64::from(data.stride) * 4);
            let plan = plan_segments(&layout, data.capacity, data.stride, bytes).unwrap();
            plan.iter().map(|range| range.start).collect()
        }
        _ => vec![],
    });
    WgslOptions { segments: segments.collect(), ..options.clone() }
}

/// The words of each segment of a table.
fn cut(data: &Data, starts: Option<&Vec<u32>>) -> Vec<Vec<u32>> {
    let Some(starts) = starts.filter(|s| s.len() > 1) else { return vec![data.words.clone()] };
    let mut ends: Vec<usize> = starts[1..].iter().map(|s| (*s * data.stride) as usize).collect();
    ends.push(data.words.len());
    starts.iter().zip(ends).map(|(start, end)| data.words[(*start * data.stride) as usize..end].to_vec()).collect()
}
