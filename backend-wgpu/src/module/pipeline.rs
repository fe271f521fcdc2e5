//! Compiled shaders.

use super::loops::Loops;
use crate::device::Context;
use imminent_core::{Error, Limit, Result};
use imminent_lowering::wgsl::{BufferBinding, BufferRole, WgslSource};

/// A compiled shader and its binding layout.
#[derive(Debug)]
pub(crate) struct Pipeline {
    /// Identifier of the pipeline, unique on the device.
    pub(crate) id: u64,
    pub(crate) compute: wgpu::ComputePipeline,
    pub(crate) layout: wgpu::BindGroupLayout,
    pub(crate) bindings: Vec<BufferBinding>,
    /// Bytes of the launch block, rounded up to the granule of bindings.
    pub(crate) launch_bytes: u64,
}

/// Granule of the length of bindings, in bytes.
const GRANULE: u64 = 16;

impl Pipeline {
    /// Compiles a shader. `name` is the name of the kernel or runtime shader, `location` the line where it begins.
    pub(crate) fn new(
        context: &Context,
        name: &str,
        location: &str,
        source: &WgslSource,
        loops: Loops,
    ) -> Result<Pipeline> {
        let most = context.limits.storage_buffers;
        if source.bindings.len() > most as usize {
            let own = source.bindings.iter().filter(|binding| own(binding.role)).count();
            let what = Limit::StorageBuffers { kernel: name.to_owned(), own };
            return Err(Error::limit(what, source.bindings.len() as u64, most));
        }
        let built = context.scoped("compiling a kernel", || build(context, name, source, loops));
        let (compute, layout) = built.map_err(|error| match error {
            Error::Driver { message, .. } => Error::Compile {
                backend: context.info.backend.clone(),
                device: context.info.name.clone(),
                kernel: name.to_owned(),
                location: location.to_owned(),
                message,
            },
            other => other,
        })?;
        let launch_bytes = (u64::from(source.launch.words) * 4).next_multiple_of(GRANULE).max(GRANULE);
        Ok(Pipeline { id: context.fresh_id(), compute, layout, bindings: source.bindings.clone(), launch_bytes })
    }
}

fn own(role: BufferRole) -> bool {
    !matches!(role, BufferRole::Table { .. } | BufferRole::Shared { .. } | BufferRole::Tally { .. })
}

fn build(
    context: &Context,
    name: &str,
    source: &WgslSource,
    loops: Loops,
) -> (wgpu::ComputePipeline, wgpu::BindGroupLayout) {
    let device = &context.device;
    let entries: Vec<wgpu::BindGroupLayoutEntry> = source
        .bindings
        .iter()
        .map(|binding| wgpu::BindGroupLayoutEntry {
            binding: binding.binding,
            visibility: wgpu::ShaderStages::COMPUTE,
            ty: wgpu::BindingType::Buffer {
                ty: wgpu::BufferBindingType::Storage { read_only: !binding.writable },
                has_dynamic_offset: binding.role == BufferRole::Launch,
                min_binding_size: None,
            },
            count: None,
        })
        .collect();
    let layout =
        device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor { label: Some(name), entries: &entries });
    let pipeline_layout = device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
        label: Some(name),
        bind_group_layouts: &[Some(&layout)],
        immediate_size: 0,
    });
    let descriptor = wgpu::ShaderModuleDescriptor {
        label: Some(name),
        source: wgpu::ShaderSource::Wgsl(source.code.as_str().into()),
    };
    let checks = wgpu::ShaderRuntimeChecks {
        bounds_checks: false,
        force_loop_bounding: loops == Loops::Unbounded,
        ..wgpu::ShaderRuntimeChecks::checked()
    };
    // SAFETY: two checks are given up. Bounds: the text comes from this crate's lowering or is one of its own shaders,
    // never from a user. The lowering tests or clamps every index of a buffer and of a local array against sizes that
    // it reads from the launch block (see `wgsl`); the launch block is filled from the very memory that is bound
    // (`dispatch::describe`), whose buffers hold `stride * columns` words from the place that the block gives
    // for tables in shared buffers (`Launcher::arguments`); its fault slots lie inside the state buffer
    // (`queue::slots`, `program::body`). Loops: given up only where every loop of the kernel is known to end
    // (`module::loops`). Integer division keeps its check.
    let module = unsafe { device.create_shader_module_trusted(descriptor, checks) };
    let compute = device.create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
        label: Some(name),
        layout: Some(&pipeline_layout),
        module: &module,
        entry_point: Some(source.entry),
        compilation_options: wgpu::PipelineCompilationOptions {
            // Only reductions and groups use workgroup memory, and they write it before they read it.
            zero_initialize_workgroup_memory: false,
            ..wgpu::PipelineCompilationOptions::default()
        },
        cache: None,
    });
    (compute, layout)
}
