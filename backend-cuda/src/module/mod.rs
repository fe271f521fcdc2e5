//! Kernels to CUDA C++, and to functions of the device.

mod function;
mod lowering;

pub(crate) use function::{Function, Text};
pub(crate) use lowering::fitting;

use crate::device::{Context, MAX_POINTERS};
use crate::shipped;
use imminent_core::{Error, Limit, Result};
use imminent_device::dispatch::{self, Variant, location};
use imminent_ir::flatten::FlatKernel;
use imminent_lowering::c::{COptions, CSource};
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

/// A compiled kernel.
#[derive(Debug)]
pub(crate) struct Pipeline {
    pub(crate) function: Function,
    /// Threads of a block.
    pub(crate) threads: u32,
    /// Number of blocks that the device runs at a time, at least 1.
    pub(crate) resident: u32,
    /// `true` if the launch block is passed by its address, because it is larger than parameters may be.
    pub(crate) block_in_memory: bool,
    /// Text from which a kernel of several is made, unless its blocks can have another size only.
    pub(crate) text: Option<OwnText>,
}

/// Text of a kernel for blocks of 256 threads, or of one warp.
#[derive(Debug)]
pub(crate) struct OwnText {
    pub(crate) code: String,
    pub(crate) entry: String,
}

/// Threads of a block, beside the usual 256, that the choice considers.
const SMALLER: [u32; 2] = [128, 64];

/// Lowers a kernel for a variant of its launches.
pub(crate) fn lower(context: &Context, kernel: &FlatKernel, variant: &Variant) -> Result<Source> {
    let Variant { listed, ragged, single, .. } = variant.clone();
    let options = COptions { subset: listed, ragged, single, ..context.lowering.clone() };
    let (text, options) = fitting(&context.primary.info, options, context.sizes.parameters, kernel)?;
    // The state and the launch block are parameters too.
    let pointers = text.parameters.len().saturating_sub(2);
    if pointers > MAX_POINTERS {
        let what = Limit::Pointers { kernel: kernel.name.clone() };
        return Err(Error::limit(what, pointers as u64, MAX_POINTERS as u64));
    }
    Ok(Source { text, options })
}

/// Compiles a kernel, with the number of threads that keeps most of them resident if the options leave the choice.
pub(crate) fn compile(context: &Context, kernel: &FlatKernel, source: &Source) -> Result<Pipeline> {
    let mut best = compiled(context, kernel, source, &source.text)?;
    let resident = |pipeline: &Pipeline, threads: u32| {
        pipeline.function.resident_blocks(threads).map(|blocks| u64::from(blocks) * u64::from(threads))
    };
    let threads = source.text.workgroup_size;
    let usual = resident(&best, threads)?;
    if usual == 0 {
        return Err(Error::limit(Limit::GroupThreads { kernel: kernel.name.clone() }, threads, 0_u32));
    }
    // A group has a thread for each of its rows.
    if context.choose_workgroup && !kernel.shape.is_grouped() {
        record_smaller(context, kernel, source)?;
        for threads in SMALLER {
            // Compiled for fewer threads a kernel may take more registers, so only a clear gain is pursued.
            if resident(&best, threads)? * 4 > usual * 5 {
                let options = COptions { workgroup_size: threads, ..source.options.clone() };
                let text = lowering::lower(&context.primary.info, &options, kernel)?;
                let other = compiled(context, kernel, source, &text)?;
                if resident(&other, threads)? * 4 > usual * 5 {
                    best = Pipeline { text: best.text, ..other };
                    break;
                }
            }
        }
    }
    Ok(best)
}

/// Records the texts of a kernel for fewer threads, if texts are recorded: which one is chosen depends on the device.
fn record_smaller(context: &Context, kernel: &FlatKernel, source: &Source) -> Result<()> {
    let Some(folder) = &context.record else { return Ok(()) };
    SMALLER.into_iter().try_for_each(|threads| {
        let options = COptions { workgroup_size: threads, ..source.options.clone() };
        let text = lowering::lower(&context.primary.info, &options, kernel)?;
        shipped::record(folder, &kernel.name, &text.code)
    })
}

fn compiled(context: &Context, kernel: &FlatKernel, source: &Source, text: &CSource) -> Result<Pipeline> {
    let location = location(kernel);
    let function = Function::new(
        context,
        Text { kernel: &kernel.name, location: &location, code: &text.code, entry: &text.entry },
    )?;
    let pipeline = Pipeline::new(context, function, text.workgroup_size, source.options.launch_in_buffer)?;
    Ok(pipeline.made_of(&text.code, &text.entry))
}

impl Pipeline {
    /// Returns the compiled kernel with a function, for blocks of `threads` threads.
    pub(crate) fn new(context: &Context, function: Function, threads: u32, block_in_memory: bool) -> Result<Pipeline> {
        let resident = function.resident_blocks(threads)?.saturating_mul(context.sizes.multiprocessors).max(1);
        Ok(Pipeline { function, threads, resident, block_in_memory, text: None })
    }

    /// Keeps the text, if a kernel of several can be made from it.
    pub(crate) fn made_of(mut self, code: &str, entry: &str) -> Pipeline {
        let fits = matches!(self.threads, 32 | 256) && !self.block_in_memory;
        self.text = fits.then(|| OwnText { code: code.to_owned(), entry: entry.to_owned() });
        self
    }
}
