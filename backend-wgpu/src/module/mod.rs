//! Kernel modules: flattened, lowered and validated once, compiled for the shapes they are launched with.

mod loops;
mod pipeline;
mod shared;
mod validate;

pub(crate) use pipeline::Pipeline;
pub(crate) use shared::{Shared, SharedPipelines, binding, own_source};

use crate::device::Context;
use imminent_core::dispatch;
use imminent_core::{Error, ModuleSource, Result};
use imminent_ir::flatten::FlatKernel;
use imminent_ir::{Module, flatten};
use imminent_lowering::LoweringError;
use imminent_lowering::wgsl::{self, WgslOptions, WgslSource};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

/// A kernel module of a device.
#[derive(Debug)]
pub(crate) struct WgpuModule {
    kernels: Vec<Result<Arc<Kernel>>>,
    name: &'static str,
}

/// One kernel: its flat form and its compiled variants.
#[derive(Debug)]
pub(crate) struct Kernel {
    pub(crate) flat: FlatKernel,
    /// Source text for tables in one segment.
    source: WgslSource,
    variants: Mutex<HashMap<Way, Arc<Variant>>>,
}

/// Way in which a kernel is compiled.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Way {
    /// For each binding the word columns at which its segments start; empty if all tables are in one segment.
    pub(crate) segments: Vec<Vec<u32>>,
    /// Form of the launch: whether the device lists the rows, which tables are ragged, and which tallies have one slot.
    pub(crate) of: dispatch::Way,
}

/// A kernel compiled in one way.
#[derive(Debug)]
pub(crate) struct Variant {
    pub(crate) pipeline: Arc<Pipeline>,
    pub(crate) source: WgslSource,
}

impl WgpuModule {
    /// Flattens, lowers and validates every kernel. For a kernel that the device cannot run, the error is stored and
    /// returned by its launch.
    pub(crate) fn build(context: &Context, source: &'static ModuleSource) -> Result<WgpuModule> {
        let module = decoded(source)?;
        let mut kernels = Vec::with_capacity(module.kernels.len());
        for position in 0..module.kernels.len() {
            match Kernel::prepare(context, module, position) {
                Err(error @ (Error::Unsupported { .. } | Error::Limit { .. })) => kernels.push(Err(error)),
                other => kernels.push(Ok(Arc::new(other?))),
            }
        }
        Ok(WgpuModule { kernels, name: source.name() })
    }

    /// Returns the kernel at an index.
    pub(crate) fn kernel(&self, position: u32) -> Result<&Arc<Kernel>> {
        match self.kernels.get(position as usize) {
            Some(kernel) => kernel.as_ref().map_err(Clone::clone),
            None => Err(no_kernel(self.name, position)),
        }
    }
}

/// Returns the source text of a kernel, for tables in one segment.
pub(crate) fn generated(context: &Context, source: &'static ModuleSource, position: u32) -> Result<String> {
    Kernel::prepare(context, decoded(source)?, position as usize).map(|kernel| kernel.source.code)
}

fn decoded(source: &'static ModuleSource) -> Result<&'static Module> {
    source.ir().map_err(|error| Error::Module { module: source.name().to_owned(), reason: error.to_string() })
}

fn no_kernel(module: &str, position: u32) -> Error {
    Error::Module { module: module.to_owned(), reason: format!("it has no kernel at position {position}") }
}

impl Kernel {
    fn prepare(context: &Context, module: &Module, position: usize) -> Result<Kernel> {
        let Some(kernel) = module.kernels.get(position) else {
            return Err(no_kernel(&module.name, u32::try_from(position).unwrap_or(u32::MAX)));
        };
        let mut flat = flatten(module, kernel)
            .map_err(|error| Error::Module { module: module.name.clone(), reason: error.to_string() })?;
        if !context.long_loops {
            flat.watch_loops();
        }
        let source = lower(context, &flat, &context.lowering)?;
        if flat.shape.is_grouped() {
            group_fits(context, &flat, &source)?;
        }
        validate::validate(context, &flat.name, &source)?;
        Ok(Kernel { flat, source, variants: Mutex::default() })
    }

    /// Returns the kernel compiled in a way.
    pub(crate) fn variant(&self, context: &Context, way: &Way) -> Result<Arc<Variant>> {
        let mut variants = self.variants.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(variant) = variants.get(way) {
            return Ok(variant.clone());
        }
        let source = if way.segments.iter().all(Vec::is_empty) && way.of.is_plain() {
            self.source.clone()
        } else {
            let dispatch::Way { listed, ragged, single } = way.of.clone();
            let segments = way.segments.clone();
            let options = WgslOptions { segments, ragged, single, subset: listed, ..context.lowering.clone() };
            lower(context, &self.flat, &options)?
        };
        let location = self.flat.entry().map_or_else(|| self.flat.file.clone(), |f| format!("{}:{}", f.file, f.line));
        let pipeline = Pipeline::new(context, &self.flat.name, &location, &source, loops::loops(&self.flat))?;
        let variant = Arc::new(Variant { pipeline: Arc::new(pipeline), source });
        variants.insert(way.clone(), variant.clone());
        Ok(variant)
    }
}

impl AsRef<FlatKernel> for Kernel {
    fn as_ref(&self) -> &FlatKernel {
        &self.flat
    }
}

/// Checks that the device supports workgroups as large as the kernel's groups, and memory for the data that a group
/// shares.
fn group_fits(context: &Context, flat: &FlatKernel, source: &WgslSource) -> Result<()> {
    let limit = |what: &str, requested: u32, limit: u32| {
        let what = format!("{what} of kernel `{}`", flat.name);
        if requested > limit {
            Err(Error::Limit { what, requested: u64::from(requested), limit: u64::from(limit) })
        } else {
            Ok(())
        }
    };
    limit("rows of a group", flat.shape.size(), context.limits.workgroup)?;
    limit("bytes that a group shares, as WGSL aligns them,", source.shared_bytes, context.limits.workgroup_bytes)
}

fn lower(context: &Context, flat: &FlatKernel, options: &WgslOptions) -> Result<WgslSource> {
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
