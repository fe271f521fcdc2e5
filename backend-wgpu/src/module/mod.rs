//! Kernels to WGSL, and to pipelines of the device.

mod loops;
mod pipeline;
#[cfg(not(target_arch = "wasm32"))]
mod validate;

pub(crate) use loops::Loops;
pub(crate) use pipeline::Pipeline;

use crate::device::Context;
use imminent_core::{Error, Limit, Result};
use imminent_device::dispatch::{self, Variant, location};
use imminent_ir::flatten::FlatKernel;
use imminent_lowering::LoweringError;
use imminent_lowering::wgsl::{self, WgslOptions, WgslSource};
use std::sync::Arc;

/// One kernel of a module.
pub(crate) type Kernel = dispatch::Kernel<WgslSource, Arc<Pipeline>>;
/// A kernel module of a device.
pub(crate) type KernelModule = dispatch::KernelModule<WgslSource, Arc<Pipeline>>;

/// Lowers a kernel for a variant of its launches, and validates the text for ordinary ones.
pub(crate) fn lower(context: &Context, kernel: &FlatKernel, variant: &Variant) -> Result<WgslSource> {
    let Variant { listed, ragged, single, pieces, buffers } = variant.clone();
    let shared = context.limits.shared.then_some(buffers);
    let options = WgslOptions { segments: pieces, ragged, single, subset: listed, shared, ..context.lowering.clone() };
    let source = to_text(context, kernel, &options)?;
    if variant.is_plain() {
        if kernel.shape.is_grouped() {
            group_fits(context, kernel, &source)?;
        }
        #[cfg(not(target_arch = "wasm32"))]
        validate::validate(context, &kernel.name, &source)?;
    }
    Ok(source)
}

/// Compiles a kernel.
pub(crate) fn compile(context: &Context, kernel: &FlatKernel, source: &WgslSource) -> Result<Pipeline> {
    Pipeline::new(context, &kernel.name, &location(kernel), source, loops::loops(kernel))
}

/// Checks that the device supports workgroups as large as the kernel's groups, and memory for the data that a group
/// shares.
fn group_fits(context: &Context, flat: &FlatKernel, source: &WgslSource) -> Result<()> {
    let (rows, most_rows) = (source.workgroup_size, context.limits.workgroup);
    if rows > most_rows {
        return Err(Error::limit(Limit::GroupRows { kernel: flat.name.clone() }, rows, most_rows));
    }
    let (bytes, most_bytes) = (source.shared_bytes, context.limits.workgroup_bytes);
    if bytes > most_bytes {
        return Err(Error::limit(Limit::GroupBytes { kernel: flat.name.clone() }, bytes, most_bytes));
    }
    Ok(())
}

fn to_text(context: &Context, flat: &FlatKernel, options: &WgslOptions) -> Result<WgslSource> {
    wgsl::lower(flat, options).map_err(|error| match error {
        LoweringError::Unsupported { ref kernel, scalar, ref file, line, advice, .. } => context.unsupported(
            format!("kernel `{kernel}`"),
            format!("it uses `{scalar}` at {file}:{line}, which the device does not offer to WebGPU"),
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
