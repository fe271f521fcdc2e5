//! Runs a generated shader on the first adapter, with plain wgpu.

use imminent_ir::flatten::{BindingKind, FlatKernel};
use imminent_ir::{Layout, Scalar};
use imminent_wgpu::wgsl::{
    BufferRole, Int64, ROWS_PER_GROUP, WgslOptions, WgslSource, identity_words, lower, lower_reduce,
};
use wgpu::util::DeviceExt;

pub struct Gpu {
    device: wgpu::Device,
    queue: wgpu::Queue,
    pub int64: bool,
    pub float64: bool,
    pub int64_atomics: bool,
}

/// What is bound for one binding of the kernel.
#[derive(Clone, Debug, Default)]
pub struct Data {
    /// Rows or slots.
    pub rows: u32,
    pub stride: u32,
    pub capacity: u32,
    /// The table's, tally's or parameter block's words.
    pub words: Vec<u32>,
}

impl Data {
    /// An empty table of a layout.
    pub fn table(layout: &Layout, rows: u32, capacity: u32) -> Data {
        let stride = (rows + 1).next_multiple_of(64);
        let words = layout.row_words(capacity) as usize * stride as usize;
        Data { rows, stride, capacity, words: vec![0; words] }
    }

    /// Zeroed slots of a tally.
    pub fn tally(scalar: Scalar, slots: u32, fill: u64) -> Data {
        let words =
            (0..slots).flat_map(|_| [fill as u32, (fill >> 32) as u32].into_iter().take(scalar.words() as usize));
        Data { rows: slots, stride: 0, capacity: 0, words: words.collect() }
    }

    /// The position of a value: its column by name, its lane if it has lanes.
    fn position(&self, layout: &Layout, name: &str, lane: Option<u32>, row: u32) -> (usize, Scalar) {
        let column = layout.columns.iter().find(|c| c.name == name).unwrap_or_else(|| panic!("no column {name}"));
        let word = match lane {
            Some(lane) => layout.fixed_words + lane * layout.lane_words + column.word,
            None => column.word,
        };
        ((word * self.stride + row * column.scalar.words()) as usize, column.scalar)
    }

    pub fn set(&mut self, layout: &Layout, name: &str, row: u32, bits: u64) {
        self.set_lane(layout, name, None, row, bits);
    }

    pub fn set_lane(&mut self, layout: &Layout, name: &str, lane: Option<u32>, row: u32, bits: u64) {
        let (at, scalar) = self.position(layout, name, lane, row);
        self.words[at] = bits as u32;
        if scalar.words() == 2 {
            self.words[at + 1] = (bits >> 32) as u32;
        }
    }

    pub fn get(&self, layout: &Layout, name: &str, row: u32) -> u64 {
        self.get_lane(layout, name, None, row)
    }

    pub fn get_lane(&self, layout: &Layout, name: &str, lane: Option<u32>, row: u32) -> u64 {
        let (at, scalar) = self.position(layout, name, lane, row);
        let high = if scalar.words() == 2 { u64::from(self.words[at + 1]) } else { 0 };
        u64::from(self.words[at]) | high << 32
    }

    /// The same table with other words.
    pub fn with(&self, words: Vec<u32>) -> Data {
        Data { words, ..self.clone() }
    }
}

/// The layout of a binding.
pub fn layout(flat: &FlatKernel, binding: usize) -> Layout {
    match &flat.bindings[binding].kind {
        BindingKind::Table { layout, .. } | BindingKind::Params { layout, .. } => layout.clone(),
        BindingKind::Tally { .. } => panic!("a tally has no layout"),
    }
}

/// What a launch left behind.
pub struct Outcome {
    /// The words of every binding.
    pub data: Vec<Vec<u32>>,
    /// The least row of each fault site; `u32::MAX` if none.
    pub faults: Vec<u32>,
    /// The reduced result.
    pub result: Option<Vec<u32>>,
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

    /// Lowers and launches a kernel over `n` rows.
    pub fn launch(&self, flat: &FlatKernel, options: &WgslOptions, n: u32, data: &[Data]) -> Outcome {
        self.launch_from(flat, options, n, data, 0, 0)
    }

    /// The same with the halt flag given, for the groups from `first_group` on.
    pub fn launch_from(
        &self,
        flat: &FlatKernel,
        options: &WgslOptions,
        n: u32,
        data: &[Data],
        halt: u32,
        first_group: u32,
    ) -> Outcome {
        let source = lower(flat, options).unwrap_or_else(|e| panic!("{e}"));
        super::validate::validate(&source);
        let groups = n.div_ceil(ROWS_PER_GROUP);
        let sites = flat.sites.len();
        let mut launch = vec![0; source.launch.words as usize];
        launch[..3].copy_from_slice(&[n, 1, first_group]);
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
            while count > 1 {
                let next = count.div_ceil(ROWS_PER_GROUP);
                let buffers = [
                    self.buffer(&[0]),
                    self.buffer(&[count, 0, 0, 0]),
                    self.buffer(&words),
                    self.buffer(&vec![0; (next * layout.words) as usize]),
                ];
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

    fn dispatch(&self, source: &WgslSource, buffers: &[wgpu::Buffer], groups: [u32; 2]) {
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

/// The words of each segment of a table.
fn cut(data: &Data, starts: Option<&Vec<u32>>) -> Vec<Vec<u32>> {
    let Some(starts) = starts.filter(|s| s.len() > 1) else { return vec![data.words.clone()] };
    let mut ends: Vec<usize> = starts[1..].iter().map(|s| (*s * data.stride) as usize).collect();
    ends.push(data.words.len());
    starts.iter().zip(ends).map(|(start, end)| data.words[(*start * data.stride) as usize..end].to_vec()).collect()
}
