//! Kernels that the runtime itself needs, compiled when first used.

use super::loaded::{Function, Text};
use crate::driver::Context;
use crate::program::control_text;
use imminent_core::c_primitives::{self as primitive, Dialect, Kernel as PrimitiveKernel};
use imminent_core::{Error, Result};
use imminent_ir::{Reduce, Scalar};
use imminent_lowering::c::{COptions, CSource, lower_reduce};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

/// A kernel of the runtime.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Shared {
    /// Copies the words of one buffer to another, at its turn.
    Copy,
    /// Sets the words of a buffer to zero, at its turn.
    Clear,
    /// Writes words of the launch block to the start of a buffer, at its turn.
    Store,
    /// Ends a step of a program whose loop has `tests` tests.
    Control {
        /// Number of tests.
        tests: u32,
        /// `true` if it tells WHILE nodes to continue or to end.
        in_nodes: bool,
    },
    /// A further level of a reduction.
    Reduce {
        reduce: Reduce,
        scalar: Scalar,
        /// `true` if only the device knows the number of results.
        listed: bool,
    },
    /// A kernel of a primitive.
    Primitive(PrimitiveKernel),
}

/// A compiled kernel of the runtime.
#[derive(Clone, Debug)]
pub(crate) struct SharedKernel {
    pub(crate) function: Arc<Function>,
    /// Threads of a block.
    pub(crate) threads: u32,
    /// Words of the launch block.
    pub(crate) words: u32,
    /// Number of blocks that the device runs at a time.
    pub(crate) resident: u32,
}

/// Kernels of the runtime that have been compiled.
#[derive(Debug, Default)]
pub(crate) struct SharedKernels {
    compiled: Mutex<HashMap<Shared, SharedKernel>>,
}

/// Text of the kernels on whole buffers.
const WORDS: &str = include_str!("words.cu");

impl SharedKernels {
    /// Returns the compiled kernel.
    pub(crate) fn get(&self, context: &Context, shared: Shared) -> Result<SharedKernel> {
        let mut compiled = self.compiled.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(kernel) = compiled.get(&shared) {
            return Ok(kernel.clone());
        }
        let kernel = compile(context, shared)?;
        compiled.insert(shared, kernel.clone());
        Ok(kernel)
    }
}

fn compile(context: &Context, shared: Shared) -> Result<SharedKernel> {
    let own = |entry: &str, code: &str, threads: u32, words: u32| {
        let text = Text { kernel: entry, location: "a kernel of the runtime", code, entry };
        let function = Arc::new(Function::new(context, text)?);
        let resident = function.resident_blocks(threads)?.max(1).saturating_mul(context.sizes.multiprocessors.max(1));
        Ok(SharedKernel { function, threads, words, resident })
    };
    match shared {
        Shared::Copy => own("imminent_copy", WORDS, 256, 8),
        Shared::Clear => own("imminent_clear", WORDS, 256, 8),
        Shared::Store => own("imminent_store", WORDS, 32, 8),
        Shared::Control { tests, in_nodes } => {
            own("imminent_control", &control_text(tests, in_nodes), 32, 8 + 8 * tests)
        }
        Shared::Reduce { reduce, scalar, listed } => {
            let options = COptions { subset: listed, ..context.lowering.clone() };
            let source = reduction(reduce, scalar, &options)?;
            let mut kernel = own(&source.entry, &source.code, source.workgroup_size, source.launch.words)?;
            kernel.words = kernel.words.max(1);
            Ok(kernel)
        }
        Shared::Primitive(kernel) => {
            own(kernel.entry(), &kernel.text(Dialect::Cuda), kernel.threads(), primitive::BLOCK_WORDS as u32)
        }
    }
}

fn reduction(reduce: Reduce, scalar: Scalar, options: &COptions) -> Result<CSource> {
    lower_reduce(reduce, scalar, options)
        .map_err(|error| Error::Module { module: "reductions".to_owned(), reason: error.to_string() })
}

/// Returns the texts of every kernel that the runtime may compile, by name: loops with no test, with one and with many.
pub(crate) fn texts() -> Result<Vec<(String, String)>> {
    let mut texts = vec![("words".to_owned(), WORDS.to_owned())];
    for tests in [0, 1, 64] {
        texts
            .extend([false, true].map(|in_nodes| (format!("control of {tests} tests"), control_text(tests, in_nodes))));
    }
    let ordered = [Reduce::Min, Reduce::Max, Reduce::Sum, Reduce::ArgMin];
    let numbers = [Scalar::U32, Scalar::I32, Scalar::U64, Scalar::I64, Scalar::F32, Scalar::F64];
    let ordered = ordered.into_iter().flat_map(|reduce| numbers.map(|scalar| (reduce, scalar)));
    for (reduce, scalar) in ordered.chain([(Reduce::Count, Scalar::Bool), (Reduce::Any, Scalar::Bool)]) {
        let source = reduction(reduce, scalar, &COptions::cuda())?;
        texts.push((source.entry, source.code));
    }
    let primitives = PrimitiveKernel::all(Dialect::Cuda);
    texts.extend(primitives.into_iter().map(|kernel| (format!("{kernel:?}"), kernel.text(Dialect::Cuda))));
    Ok(texts)
}
