//! Kernels that the runtime itself needs, compiled when first used.

mod control;
mod source;
mod words;

use crate::device::Context;
use crate::module::{self, Pipeline, Source, argument_bytes};
use imminent_core::backend::{Primitive, not_overridden};
use imminent_core::{Error, Limit, Result};
use imminent_device::c_primitives::{self, BLOCK_WORDS, Dialect, Kernel as PrimitiveKernel, Machine, THREADS};
use imminent_device::dispatch::{self, Compiler, RuntimeKernels, Variant};
use imminent_ir::flatten::FlatKernel;
use imminent_lowering::c::{COptions, CSource, ParameterRole, lower_reduce};
use source::{launch, own_source, parameter, state};
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

/// A kernel of the runtime.
pub(crate) type RuntimeKernel = dispatch::RuntimeKernel<ControlForm, PrimitiveKernel>;

/// An opened device, with the kernels of the runtime that have been compiled for it.
#[derive(Debug)]
pub(crate) struct Runtime {
    pub(crate) context: Arc<Context>,
    compiled: RuntimeKernels<ControlForm, PrimitiveKernel, Arc<Pipeline>>,
}

impl Runtime {
    pub(crate) fn new(context: Context) -> Runtime {
        Runtime { context: Arc::new(context), compiled: RuntimeKernels::default() }
    }

    /// Returns a compiled kernel.
    pub(crate) fn kernel(&self, kernel: RuntimeKernel) -> Result<Arc<Pipeline>> {
        self.compiled.get(kernel, || compile(&self.context, kernel).map(Arc::new))
    }

    /// Compiles the kernels of a primitive.
    pub(crate) fn compile_primitive(&self, primitive: &Primitive) -> Result<()> {
        let plan = c_primitives::plan(primitive, self)?.ok_or_else(|| not_overridden(primitive))?;
        plan.steps.iter().try_for_each(|step| self.kernel(RuntimeKernel::Primitive(step.kernel)).map(drop))
    }
}

impl Machine for Runtime {
    fn dialect(&self) -> Dialect {
        Dialect::OpenCl
    }

    fn resident(&self, _kernel: PrimitiveKernel) -> Result<u32> {
        Ok(self.context.facts.resident_groups())
    }
}

impl Compiler for Runtime {
    type Source = Source;
    type Code = Arc<Pipeline>;

    fn lower(&self, kernel: &FlatKernel, variant: &Variant) -> Result<Source> {
        module::lower(&self.context, kernel, variant)
    }

    fn compile(&self, kernel: &FlatKernel, source: &Source) -> Result<Arc<Pipeline>> {
        module::compile(&self.context, kernel, source).map(Arc::new)
    }
}

fn compile(context: &Context, kernel: RuntimeKernel) -> Result<Pipeline> {
    let source = source(context, kernel)?;
    let (requested, limit) = (argument_bytes(&source), context.facts.parameter_bytes);
    if requested > limit {
        return Err(Error::limit(Limit::ConditionBytes, requested, limit));
    }
    let name = format!("{kernel:?}").to_lowercase();
    Pipeline::of(context, &name, "a kernel of the runtime", &source, false)
}

fn source(context: &Context, kernel: RuntimeKernel) -> Result<CSource> {
    Ok(match kernel {
        RuntimeKernel::Copy => for_each_word(context, "copy_words", "output[i] = input[i];", true),
        RuntimeKernel::Clear => for_each_word(context, "clear_words", "output[i] = 0;", false),
        RuntimeKernel::Store => for_each_word(context, "store_words", "output[i] = launch.w[8 + i];", false),
        RuntimeKernel::Control(ControlForm { buffers, tests }) => control::source(context, buffers, tests),
        RuntimeKernel::Reduce { results, listed } => {
            let options = COptions { launch_in_buffer: false, subset: listed, ..context.lowering.clone() };
            lower_reduce(&results, &options)
                .map_err(|error| Error::Module { module: "reductions".to_owned(), reason: error.to_string() })?
        }
        RuntimeKernel::Primitive(kernel) => {
            let mut parameters = vec![state(), launch()];
            let rest = ["a", "b", "c", "d", "scratch", "counters"];
            parameters.extend(rest.map(|name| parameter(name, ParameterRole::Output, true)));
            own_source(kernel.entry(), kernel.text(Dialect::OpenCl), parameters, BLOCK_WORDS as u32, THREADS)
        }
    })
}
