//! Kernels to OpenCL C, and to programs of the device.

mod callable;
mod compile;
mod pipeline;

pub(crate) use callable::Callable;
pub(crate) use pipeline::{Pipeline, argument_bytes};

use crate::device::Context;
use imminent_core::{Error, Limit, Result};
use imminent_device::dispatch::{self, Variant, location};
use imminent_ir::flatten::FlatKernel;
use imminent_lowering::LoweringError;
use imminent_lowering::c::{self, COptions, CSource};
use std::sync::Arc;

/// One kernel of a module.
pub(crate) type Kernel = dispatch::Kernel<Source, Arc<Pipeline>>;
/// A kernel module of a device.
pub(crate) type KernelModule = dispatch::KernelModule<Source, Arc<Pipeline>>;

/// Text of a kernel, and the options of its lowering.
#[derive(Debug)]
pub(crate) struct Source {
    pub(crate) text: CSource,
    options: COptions,
}

/// Lowers a kernel for a variant of its launches.
pub(crate) fn lower(context: &Context, kernel: &FlatKernel, variant: &Variant) -> Result<Source> {
    let Variant { listed, ragged, single, .. } = variant.clone();
    let mut options = COptions { subset: listed, ragged, single, ..context.lowering.clone() };
    let mut text = to_text(context, kernel, &options)?;
    if argument_bytes(&text) > context.facts.parameter_bytes {
        options.launch_in_buffer = true;
        text = to_text(context, kernel, &options)?;
    }
    if kernel.shape.is_grouped() {
        group_fits(context, kernel, &text)?;
    }
    Ok(Source { text, options })
}

/// Compiles a kernel, for work-groups as large as its need of registers allows.
pub(crate) fn compile(context: &Context, kernel: &FlatKernel, source: &Source) -> Result<Pipeline> {
    let location = location(kernel);
    let in_buffer = source.options.launch_in_buffer;
    let mut pipeline = Pipeline::of(context, &kernel.name, &location, &source.text, in_buffer)?;
    let mut size = pipeline.workgroup;
    if kernel.shape.is_grouped() && pipeline.most_workgroup < size {
        return Err(Error::limit(Limit::GroupThreads { kernel: kernel.name.clone() }, size, pipeline.most_workgroup));
    }
    // A kernel that needs many registers may not fit a work-group of the requested size.
    while pipeline.most_workgroup < size && size > 1 {
        size /= 2;
        let options = COptions { workgroup_size: size, ..source.options.clone() };
        let text = to_text(context, kernel, &options)?;
        pipeline = Pipeline::of(context, &kernel.name, &location, &text, in_buffer)?;
    }
    Ok(pipeline)
}

/// Checks that the device has work-groups as large as the kernel's groups, and enough memory for their shared data.
fn group_fits(context: &Context, flat: &FlatKernel, source: &CSource) -> Result<()> {
    let (rows, most_rows) = (flat.shape.size(), context.facts.workgroup);
    if rows > most_rows {
        return Err(Error::limit(Limit::GroupRows { kernel: flat.name.clone() }, rows, most_rows));
    }
    let (bytes, most_bytes) = (u64::from(source.shared_bytes), context.facts.local_bytes);
    if bytes > most_bytes {
        return Err(Error::limit(Limit::GroupBytes { kernel: flat.name.clone() }, bytes, most_bytes));
    }
    Ok(())
}

fn to_text(context: &Context, flat: &FlatKernel, options: &COptions) -> Result<CSource> {
    c::lower(flat, options).map_err(|error| match error {
        LoweringError::Unsupported { ref kernel, scalar, ref file, line, advice, .. } => context.unsupported(
            format!("kernel `{kernel}`"),
            format!("it uses `{scalar}` at {file}:{line}, which the device does not have"),
            &format!("Instead {advice}"),
        ),
        LoweringError::WideTally { ref kernel, ref file, line } => context.unsupported(
            format!("kernel `{kernel}`"),
            format!("it contributes a 64-bit minimum or maximum to a tally at {file}:{line}, for which the device has no atomic operation"),
            "Return the value and reduce it with `#[kernel(reduce = min)]` or `max`, or run this kernel on the CPU",
        ),
        other => Error::Module { module: flat.module.clone(), reason: other.to_string() },
    })
}
