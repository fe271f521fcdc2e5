//! Kernel modules: flattened and lowered once, compiled when first launched.

mod cache;
mod compile;
mod pipeline;
mod shared;

pub(crate) use cache::DiskCache;
pub(crate) use pipeline::{Pipeline, Programs};
pub(crate) use shared::{Shared, launch, own_source, parameter, state};

use crate::device::Context;
use imminent_core::dispatch::{Variants, Way};
use imminent_core::{Error, ModuleSource, Result};
use imminent_ir::flatten::FlatKernel;
use imminent_ir::{Module, flatten};
use imminent_lowering::LoweringError;
use imminent_lowering::c::{self, COptions, CSource};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

/// A kernel module of a device.
#[derive(Debug)]
pub(crate) struct OpenClModule {
    kernels: Vec<Result<Arc<Kernel>>>,
    name: &'static str,
}

/// One kernel: its flat form, and its texts.
#[derive(Debug)]
pub(crate) struct Kernel {
    pub(crate) flat: FlatKernel,
    /// Form for all rows of a launch.
    all: Form,
    /// Forms for rows listed on the device, for ragged tables, and for tallies of one slot; lowered at the first
    /// request.
    others: Variants<Result<Form>>,
}

/// Text of a kernel, and its compiled form.
#[derive(Debug)]
pub(crate) struct Form {
    pub(crate) source: CSource,
    options: COptions,
    pipeline: OnceLock<Arc<Pipeline>>,
    /// Held while the text is being compiled.
    compiling: Mutex<()>,
}

impl OpenClModule {
    /// Flattens and lowers every kernel. If the device cannot run a kernel, the error is kept for its launch.
    pub(crate) fn build(context: &Context, source: &'static ModuleSource) -> Result<OpenClModule> {
        let module = decoded(source)?;
        let mut kernels = Vec::with_capacity(module.kernels.len());
        for position in 0..module.kernels.len() {
            match Kernel::prepare(context, module, position) {
                Err(error @ (Error::Unsupported { .. } | Error::Limit { .. })) => kernels.push(Err(error)),
                other => kernels.push(Ok(Arc::new(other?))),
            }
        }
        Ok(OpenClModule { kernels, name: source.name() })
    }

    /// Compiles every kernel that the device can run, and returns their number.
    pub(crate) fn compile(&self, context: &Context) -> Result<u32> {
        let mut compiled = 0;
        for kernel in self.kernels.iter().flatten() {
            kernel.all.pipeline(context, &kernel.flat)?;
            compiled += 1;
        }
        Ok(compiled)
    }

    /// Returns the kernel at a position.
    pub(crate) fn kernel(&self, position: u32) -> Result<&Arc<Kernel>> {
        match self.kernels.get(position as usize) {
            Some(kernel) => kernel.as_ref().map_err(Clone::clone),
            None => Err(no_kernel(self.name, position)),
        }
    }
}

/// Returns the text of a kernel.
pub(crate) fn generated(context: &Context, source: &'static ModuleSource, position: u32) -> Result<String> {
    Kernel::prepare(context, decoded(source)?, position as usize).map(|kernel| kernel.all.source.code)
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
        let flat = flatten(module, kernel)
            .map_err(|error| Error::Module { module: module.name.clone(), reason: error.to_string() })?;
        let all = Form::of(context, &flat, context.lowering.clone())?;
        if flat.shape.is_grouped() {
            group_fits(context, &flat, &all.source)?;
        }
        Ok(Kernel { flat, all, others: Variants::default() })
    }

    /// Returns the text for a launch of this kind.
    #[inline]
    pub(crate) fn form(&self, context: &Context, way: &Way) -> Result<&Form> {
        if way.is_plain() {
            return Ok(&self.all);
        }
        let form = self.others.get(way, &|| {
            let Way { listed, ragged, single } = way.clone();
            let options = COptions { subset: listed, ragged, single, ..context.lowering.clone() };
            Form::of(context, &self.flat, options)
        });
        form.as_ref().map_err(Clone::clone)
    }
}

impl AsRef<FlatKernel> for Kernel {
    fn as_ref(&self) -> &FlatKernel {
        &self.flat
    }
}

impl Form {
    fn of(context: &Context, flat: &FlatKernel, mut options: COptions) -> Result<Form> {
        let mut source = lower(context, flat, &options)?;
        if pipeline::argument_bytes(&source) > context.facts.parameter_bytes {
            options.launch_in_buffer = true;
            source = lower(context, flat, &options)?;
        }
        Ok(Form { source, options, pipeline: OnceLock::new(), compiling: Mutex::default() })
    }

    /// Returns the compiled kernel.
    #[inline]
    pub(crate) fn pipeline(&self, context: &Context, flat: &FlatKernel) -> Result<&Arc<Pipeline>> {
        match self.pipeline.get() {
            Some(pipeline) => Ok(pipeline),
            None => self.compile(context, flat),
        }
    }

    #[cold]
    fn compile(&self, context: &Context, flat: &FlatKernel) -> Result<&Arc<Pipeline>> {
        let _one_at_a_time = self.compiling.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(pipeline) = self.pipeline.get() {
            return Ok(pipeline);
        }
        let location = flat.entry().map_or_else(|| flat.file.clone(), |f| format!("{}:{}", f.file, f.line));
        let in_buffer = self.options.launch_in_buffer;
        let mut pipeline = Pipeline::of(context, &flat.name, &location, &self.source, in_buffer)?;
        let mut size = pipeline.workgroup;
        if flat.shape.is_grouped() && pipeline.most_workgroup < size {
            return Err(Error::Limit {
                what: format!("work-items of a work-group of kernel `{}`, as many as a group has rows", flat.name),
                requested: u64::from(size),
                limit: u64::from(pipeline.most_workgroup),
            });
        }
        // A kernel that needs many registers may not fit a work-group of the requested size.
        while pipeline.most_workgroup < size && size > 1 {
            size /= 2;
            let options = COptions { workgroup_size: size, ..self.options.clone() };
            let source = lower(context, flat, &options)?;
            pipeline = Pipeline::of(context, &flat.name, &location, &source, in_buffer)?;
        }
        Ok(self.pipeline.get_or_init(|| pipeline))
    }
}

/// Checks that the device has work-groups as large as the kernel's groups, and enough memory for their shared data.
fn group_fits(context: &Context, flat: &FlatKernel, source: &CSource) -> Result<()> {
    let limit = |what: &str, requested: u64, limit: u64| {
        let what = format!("{what} of kernel `{}`", flat.name);
        if requested > limit { Err(Error::Limit { what, requested, limit }) } else { Ok(()) }
    };
    limit("rows of a group", u64::from(flat.shape.size()), u64::from(context.facts.workgroup))?;
    limit("bytes that a group shares", u64::from(source.shared_bytes), context.facts.local_bytes)
}

fn lower(context: &Context, flat: &FlatKernel, options: &COptions) -> Result<CSource> {
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
