//! Shaders that the runtime itself needs, compiled at first use.

mod control;
mod primitive;
mod source;
mod words;

pub(crate) use primitive::{BLOCK_WORDS, Form, PrimitiveShader};

use crate::device::Context;
use crate::module::{self, Loops, Pipeline};
use imminent_core::{Error, Result};
use imminent_device::dispatch::{self, Compiler, RuntimeKernels, Variant};
use imminent_ir::flatten::FlatKernel;
use imminent_lowering::wgsl::{WgslOptions, WgslSource, lower_reduce};
use std::sync::Arc;
use words::for_each_word;

/// Form of the kernel that ends a step of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct ControlForm {
    /// Number of buffers that the tests read.
    pub(crate) buffers: u32,
    /// Number of tests.
    pub(crate) tests: u32,
}

/// A shader of the runtime.
pub(crate) type RuntimeKernel = dispatch::RuntimeKernel<ControlForm, PrimitiveShader>;

/// An opened device, with the shaders of the runtime that have been compiled for it.
#[derive(Debug)]
pub(crate) struct Runtime {
    pub(crate) context: Arc<Context>,
    compiled: RuntimeKernels<ControlForm, PrimitiveShader, Arc<Pipeline>>,
}

impl Runtime {
    pub(crate) fn new(context: Context) -> Runtime {
        Runtime { context: Arc::new(context), compiled: RuntimeKernels::default() }
    }

    /// Returns a compiled shader.
    pub(crate) fn kernel(&self, kernel: RuntimeKernel) -> Result<Arc<Pipeline>> {
        self.compiled.get(kernel, || compile(&self.context, kernel).map(Arc::new))
    }
}

impl Compiler for Runtime {
    type Source = WgslSource;
    type Code = Arc<Pipeline>;

    fn adapt(&self, kernel: &mut FlatKernel) {
        if !self.context.long_loops {
            kernel.watch_loops();
        }
    }

    fn lower(&self, kernel: &FlatKernel, variant: &Variant) -> Result<WgslSource> {
        module::lower(&self.context, kernel, variant)
    }

    fn compile(&self, kernel: &FlatKernel, source: &WgslSource) -> Result<Arc<Pipeline>> {
        module::compile(&self.context, kernel, source).map(Arc::new)
    }
}

fn compile(context: &Context, kernel: RuntimeKernel) -> Result<Pipeline> {
    let name = format!("{kernel:?}").to_lowercase();
    Pipeline::new(context, &name, "a shader of the runtime", &source(context, kernel)?, Loops::Bounded)
}

fn source(context: &Context, kernel: RuntimeKernel) -> Result<WgslSource> {
    Ok(match kernel {
        RuntimeKernel::Copy => for_each_word("output[i] = input[i];", Some(context.limits.shared)),
        RuntimeKernel::Clear => for_each_word("output[i] = 0u;", None),
        RuntimeKernel::Store => for_each_word("output[i] = launch[8u + i];", None),
        RuntimeKernel::Control(ControlForm { buffers, tests }) => control::source(buffers, tests),
        RuntimeKernel::Reduce { results, listed } => {
            let options = WgslOptions { subset: listed, ..context.lowering.clone() };
            lower_reduce(&results, &options)
                .map_err(|error| Error::Module { module: "reductions".to_owned(), reason: error.to_string() })?
        }
        RuntimeKernel::Primitive(shader) => shader.source(),
    })
}
