//! Kernel modules: flattened and lowered at once, compiled when a kernel is first launched.

mod loaded;
mod lowering;
mod shared;

pub(crate) use loaded::{Function, Text};
pub(crate) use lowering::{Prepared, decoded, location, prepare};
pub(crate) use shared::{Shared, SharedKernels, texts};

use crate::driver::{Context, MOST_POINTERS};
use imminent_core::dispatch::{Variants, Way};
use imminent_core::{Error, ModuleSource, Result};
use imminent_ir::Module;
use imminent_ir::flatten::FlatKernel;
use imminent_lowering::c::{COptions, CSource};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

/// A kernel module of a device.
#[derive(Debug)]
pub(crate) struct CudaModule {
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

/// The text of a kernel, and its code once that has been compiled.
#[derive(Debug)]
pub(crate) struct Form {
    source: CSource,
    /// Options of its lowering.
    options: COptions,
    compiled: OnceLock<Compiled>,
    /// Held while the kernel is being compiled.
    compiling: Mutex<()>,
}

/// Code of a kernel, and the text from which it was compiled.
#[derive(Debug)]
pub(crate) struct Compiled {
    pub(crate) function: Arc<Function>,
    pub(crate) source: CSource,
    /// Number of blocks that the device runs at a time, at least 1.
    pub(crate) resident: u32,
}

/// Threads of a block, beside the usual 256, that the choice considers.
const SMALLER: [u32; 2] = [128, 64];

impl CudaModule {
    /// Flattens and lowers every kernel. If the device cannot run a kernel, the error is kept for its launch.
    pub(crate) fn build(context: &Context, source: &'static ModuleSource) -> Result<CudaModule> {
        let module = decoded(source)?;
        let mut kernels = Vec::with_capacity(module.kernels.len());
        for position in 0..module.kernels.len() {
            match prepared(context, module, position).and_then(Kernel::new) {
                Err(error @ (Error::Unsupported { .. } | Error::Limit { .. })) => kernels.push(Err(error)),
                other => kernels.push(Ok(Arc::new(other?))),
            }
        }
        Ok(CudaModule { kernels, name: source.name() })
    }

    /// Returns the kernel at a position.
    #[inline]
    pub(crate) fn kernel(&self, position: u32) -> Result<&Arc<Kernel>> {
        match self.kernels.get(position as usize) {
            Some(kernel) => kernel.as_ref().map_err(Clone::clone),
            None => Err(lowering::no_kernel(self.name, position)),
        }
    }
}

/// Returns the text of a kernel.
pub(crate) fn generated(context: &Context, source: &'static ModuleSource, position: u32) -> Result<String> {
    Ok(prepared(context, decoded(source)?, position as usize)?.source.code)
}

fn prepared(context: &Context, module: &Module, position: usize) -> Result<Prepared> {
    prepare(&context.primary.info, &context.lowering, context.sizes.parameters, module, position)
}

impl Kernel {
    fn new(Prepared { flat, source, options }: Prepared) -> Result<Kernel> {
        let all = Form::new(&flat, source, options)?;
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
            let info = &context.primary.info;
            let (source, options) = lowering::fitting(info, options, context.sizes.parameters, &self.flat)?;
            Form::new(&self.flat, source, options)
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
    fn new(flat: &FlatKernel, source: CSource, options: COptions) -> Result<Form> {
        // The state and the launch block are parameters too.
        let pointers = source.parameters.len().saturating_sub(2);
        if pointers > MOST_POINTERS {
            return Err(Error::Limit {
                what: format!("tables and tallies of kernel `{}`, and one for what it returns", flat.name),
                requested: pointers as u64,
                limit: MOST_POINTERS as u64,
            });
        }
        Ok(Form { source, options, compiled: OnceLock::new(), compiling: Mutex::default() })
    }

    /// Returns the kernel's code; compiles it at the first request.
    #[inline]
    pub(crate) fn compiled(&self, context: &Context, flat: &FlatKernel) -> Result<&Compiled> {
        match self.compiled.get() {
            Some(compiled) => Ok(compiled),
            None => self.compile(context, flat),
        }
    }

    #[cold]
    fn compile(&self, context: &Context, flat: &FlatKernel) -> Result<&Compiled> {
        let _one_at_a_time = self.compiling.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(compiled) = self.compiled.get() {
            return Ok(compiled);
        }
        let mut best = compiled_from(context, flat, self.source.clone())?;
        let threads = self.source.workgroup_size;
        let resident = |compiled: &Compiled, threads: u32| {
            compiled.function.resident_blocks(threads).map(|blocks| u64::from(blocks) * u64::from(threads))
        };
        let usual = resident(&best, threads)?;
        if usual == 0 {
            return Err(Error::Limit {
                what: format!(
                    "threads of a block of kernel `{}`, which takes too many registers or shared memory",
                    flat.name
                ),
                requested: u64::from(threads),
                limit: 0,
            });
        }
        // A group has a thread for each of its rows.
        if context.choose_workgroup && !flat.shape.is_grouped() {
            for threads in SMALLER {
                // Compiled for fewer threads a kernel may take more registers, so only a clear gain is pursued.
                if resident(&best, threads)? * 4 > usual * 5 {
                    let options = COptions { workgroup_size: threads, ..self.options.clone() };
                    let source = lowering::lower(&context.primary.info, &options, flat)?;
                    let other = compiled_from(context, flat, source)?;
                    if resident(&other, threads)? * 4 > usual * 5 {
                        best = other;
                        break;
                    }
                }
            }
        }
        Ok(self.compiled.get_or_init(|| best))
    }

    /// Returns `true` if the launch block lies in memory, because it is larger than parameters may be.
    #[inline]
    pub(crate) fn block_in_memory(&self) -> bool {
        self.options.launch_in_buffer
    }
}

fn compiled_from(context: &Context, flat: &FlatKernel, source: CSource) -> Result<Compiled> {
    let location = location(flat);
    let text = Text { kernel: &flat.name, location: &location, code: &source.code, entry: &source.entry };
    let function = Arc::new(Function::new(context, text)?);
    let resident =
        function.resident_blocks(source.workgroup_size)?.saturating_mul(context.sizes.multiprocessors).max(1);
    Ok(Compiled { function, source, resident })
}
