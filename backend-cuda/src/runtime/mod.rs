//! Kernels that the runtime itself needs, compiled when first used.

mod control;

pub(crate) use control::BODIES_LEFT;

use crate::device::Context;
use crate::module::{self, Function, Pipeline, Source, Text};
use imminent_core::backend::{Primitive, not_overridden};
use imminent_core::{Error, Result};
use imminent_device::c_primitives::{self, Dialect, Kernel as PrimitiveKernel, Machine};
use imminent_device::dispatch::{self, Compiler, RuntimeKernels, Variant};
use imminent_ir::flatten::FlatKernel;
use imminent_ir::{Reduce, Reductions, Scalar};
use imminent_lowering::c::{COptions, CSource, lower_reduce};
use std::sync::Arc;

/// Text of the kernels on whole buffers.
const WORDS: &str = include_str!("words.cu");

/// Form of the kernel that ends a step of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct ControlForm {
    /// Number of tests.
    pub(crate) tests: u32,
    /// `true` if it controls WHILE nodes.
    pub(crate) in_nodes: bool,
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
        self.compiled.get(kernel, || compile(&self.context, kernel))
    }

    /// Returns the compiled kernel of a control operation with this number of tests.
    pub(crate) fn control(&self, tests: usize) -> Result<Arc<Pipeline>> {
        let (tests, in_nodes) = (u32::try_from(tests).unwrap_or(u32::MAX), self.context.loops_in_nodes);
        self.kernel(RuntimeKernel::Control(ControlForm { tests, in_nodes }))
    }

    /// Compiles the kernels of a primitive.
    pub(crate) fn compile_primitive(&self, primitive: &Primitive) -> Result<()> {
        let plan = c_primitives::plan(primitive, self)?.ok_or_else(|| not_overridden(primitive))?;
        plan.steps.iter().try_for_each(|step| self.kernel(RuntimeKernel::Primitive(step.kernel)).map(drop))
    }
}

impl Machine for Runtime {
    fn dialect(&self) -> Dialect {
        Dialect::Cuda
    }

    fn resident(&self, kernel: PrimitiveKernel) -> Result<u32> {
        Ok(self.kernel(RuntimeKernel::Primitive(kernel))?.resident)
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

fn compile(context: &Context, kernel: RuntimeKernel) -> Result<Arc<Pipeline>> {
    let own = |entry: &str, code: &str, threads: u32| {
        let text = Text { kernel: entry, location: "a kernel of the runtime", code, entry };
        let pipeline = Pipeline::new(context, Function::new(context, text)?, threads, false)?;
        Ok(Arc::new(pipeline.made_of(code, entry)))
    };
    match kernel {
        RuntimeKernel::Copy => own("imminent_copy", WORDS, 256),
        RuntimeKernel::Clear => own("imminent_clear", WORDS, 256),
        RuntimeKernel::Store => own("imminent_store", WORDS, 32),
        RuntimeKernel::Control(ControlForm { tests, in_nodes }) => {
            own("imminent_control", &control::text(tests, in_nodes), 32)
        }
        RuntimeKernel::Reduce { results, listed } => {
            let options = COptions { subset: listed, ..context.lowering.clone() };
            let source = reduction(&results, &options)?;
            own(&source.entry, &source.code, source.workgroup_size)
        }
        RuntimeKernel::Primitive(kernel) => own(kernel.entry(), &kernel.text(Dialect::Cuda), kernel.threads()),
    }
}

fn reduction(results: &Reductions, options: &COptions) -> Result<CSource> {
    lower_reduce(results, options)
        .map_err(|error| Error::Module { module: "reductions".to_owned(), reason: error.to_string() })
}

/// Returns the texts of every kernel that the runtime may compile, by name: loops with no test, with one and with many.
pub(crate) fn texts() -> Result<Vec<(String, String)>> {
    let mut texts = vec![("words".to_owned(), WORDS.to_owned())];
    for tests in [0, 1, 64] {
        texts.extend(
            [false, true].map(|in_nodes| (format!("control of {tests} tests"), control::text(tests, in_nodes))),
        );
    }
    let ordered = [Reduce::Min, Reduce::Max, Reduce::Sum, Reduce::ArgMin];
    let numbers = [Scalar::U32, Scalar::I32, Scalar::U64, Scalar::I64, Scalar::F32, Scalar::F64];
    let ordered = ordered.into_iter().flat_map(|reduce| numbers.map(|scalar| (reduce, scalar)));
    let each = ordered.chain([(Reduce::Count, Scalar::Bool), (Reduce::Any, Scalar::Bool)]);
    for results in each.filter_map(|one| Reductions::new(&[one])) {
        let source = reduction(&results, &COptions::cuda())?;
        texts.push((source.entry, source.code));
    }
    let primitives = PrimitiveKernel::all(Dialect::Cuda);
    texts.extend(primitives.into_iter().map(|kernel| (format!("{kernel:?}"), kernel.text(Dialect::Cuda))));
    Ok(texts)
}
