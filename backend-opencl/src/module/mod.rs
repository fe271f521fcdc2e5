//! Kernel modules: flattened and lowered once, compiled when first launched.

mod cache;
mod compile;
mod pipeline;
mod shared;

pub(crate) use cache::DiskCache;
pub(crate) use pipeline::{Pipeline, Programs};
pub(crate) use shared::{Shared, launch, own_source, parameter, state};

use crate::device::Context;
use imminent_core::c_dialect::{self, CError, COptions, CSource};
use imminent_core::{Error, Fault, ModuleSource, Result};
use imminent_ir::flatten::FlatKernel;
use imminent_ir::{Module, flatten};
use std::sync::{Arc, Mutex, PoisonError};

/// A kernel module of a device.
#[derive(Debug)]
pub(crate) struct OpenClModule {
    kernels: Vec<Result<Arc<Kernel>>>,
    name: &'static str,
}

/// One kernel: its flat form, its text, and what was compiled of it.
#[derive(Debug)]
pub(crate) struct Kernel {
    pub(crate) flat: FlatKernel,
    pub(crate) source: CSource,
    options: COptions,
    pipeline: Mutex<Option<Arc<Pipeline>>>,
}

impl OpenClModule {
    /// Flattens and lowers every kernel. A kernel that the device cannot run is kept as the error that its launch gives.
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

    /// Compiles every kernel that the device can run, and counts them.
    pub(crate) fn compile(&self, context: &Context) -> Result<u32> {
        let mut compiled = 0;
        for kernel in self.kernels.iter().flatten() {
            kernel.pipeline(context)?;
            compiled += 1;
        }
        Ok(compiled)
    }

    /// The kernel at a position.
    pub(crate) fn kernel(&self, position: u32) -> Result<&Arc<Kernel>> {
        match self.kernels.get(position as usize) {
            Some(kernel) => kernel.as_ref().map_err(Clone::clone),
            None => Err(no_kernel(self.name, position)),
        }
    }
}

/// The text of a kernel.
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
        let flat = flatten(module, kernel)
            .map_err(|error| Error::Module { module: module.name.clone(), reason: error.to_string() })?;
        let mut options = context.lowering.clone();
        let mut source = lower(context, &flat, &options)?;
        if pipeline::argument_bytes(&source) > context.facts.parameter_bytes {
            options.launch_in_buffer = true;
            source = lower(context, &flat, &options)?;
        }
        Ok(Kernel { flat, source, options, pipeline: Mutex::default() })
    }

    /// The compiled kernel.
    pub(crate) fn pipeline(&self, context: &Context) -> Result<Arc<Pipeline>> {
        let mut kept = self.pipeline.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(pipeline) = &*kept {
            return Ok(pipeline.clone());
        }
        let location = self.flat.entry().map_or_else(|| self.flat.file.clone(), |f| format!("{}:{}", f.file, f.line));
        let in_buffer = self.options.launch_in_buffer;
        let mut pipeline = Pipeline::of(context, &self.flat.name, &location, &self.source, in_buffer)?;
        // A kernel that needs many registers may not fit a work-group of the size asked for.
        let mut size = pipeline.workgroup;
        while pipeline.most_workgroup < size && size > 1 {
            size /= 2;
            let options = COptions { workgroup_size: size, ..self.options.clone() };
            let source = lower(context, &self.flat, &options)?;
            pipeline = Pipeline::of(context, &self.flat.name, &location, &source, in_buffer)?;
        }
        *kept = Some(pipeline.clone());
        Ok(pipeline)
    }

    /// The fault that a row raised at one of the kernel's sites.
    pub(crate) fn fault(&self, site: usize, row: u32) -> Option<Fault> {
        let site = &self.flat.sites.get(site)?.site;
        Some(Fault {
            kernel: self.flat.name.clone(),
            row,
            kind: site.kind,
            file: site.file.clone(),
            line: site.line,
            column: site.column,
        })
    }
}

fn lower(context: &Context, flat: &FlatKernel, options: &COptions) -> Result<CSource> {
    c_dialect::lower(flat, options).map_err(|error| match error {
        CError::Unsupported { ref kernel, scalar, ref file, line, advice } => context.unsupported(
            format!("kernel `{kernel}`"),
            format!("it uses `{scalar}` at {file}:{line}, which the device does not have"),
            &format!("Instead {advice}"),
        ),
        CError::WideTally { ref kernel, ref file, line } => context.unsupported(
            format!("kernel `{kernel}`"),
            format!("it contributes a 64-bit minimum or maximum to a tally at {file}:{line}, for which the device has no atomic operation"),
            "Return the value and reduce it with `#[kernel(reduce = min)]` or `max`, or run this kernel on the CPU",
        ),
        other => Error::Module { module: flat.module.clone(), reason: other.to_string() },
    })
}
