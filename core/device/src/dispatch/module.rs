//! Kernel modules: kernels are flattened and lowered when their module is built, and compiled when first launched.

use super::variants::{Variant, Variants};
use imminent_core::backend::Compilation;
use imminent_core::{Error, ModuleSource, Result};
use imminent_ir::flatten::FlatKernel;
use imminent_ir::{Module, flatten};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

/// Lowering and compilation of kernels for one device.
pub trait Compiler {
    /// Text of a kernel that was lowered for one variant of its launches.
    type Source;
    /// Compiled form of a text.
    type Code;

    /// Adapts a kernel to the device before it is lowered.
    fn adapt(&self, _kernel: &mut FlatKernel) {}

    /// Lowers a kernel for one variant of its launches.
    ///
    /// # Errors
    /// [`Error::Unsupported`] or [`Error::Limit`] for a kernel that the device cannot run; others fail the module.
    fn lower(&self, kernel: &FlatKernel, variant: &Variant) -> Result<Self::Source>;

    /// Compiles a text.
    ///
    /// # Errors
    /// [`Error::Compile`], [`Error::Limit`], errors of the driver.
    fn compile(&self, kernel: &FlatKernel, source: &Self::Source) -> Result<Self::Code>;
}

/// Kernels of a module, lowered to texts `S` that are compiled to `C`.
#[derive(Debug)]
pub struct KernelModule<S, C> {
    name: &'static str,
    kernels: Vec<Result<Arc<Kernel<S, C>>>>,
}

/// A kernel with its flat form and its texts.
#[derive(Debug)]
pub struct Kernel<S, C> {
    /// Flat form of the kernel.
    pub flat: FlatKernel,
    plain: Form<S, C>,
    /// Forms for other variants of launches, lowered at the first request.
    others: Variants<Result<Form<S, C>>>,
}

/// Text of a kernel for one variant of its launches, and its code once that has been compiled.
#[derive(Debug)]
pub struct Form<S, C> {
    /// Text of the kernel.
    pub source: S,
    code: OnceLock<C>,
    /// Held while the text is being compiled.
    compiling: Mutex<()>,
}

impl<S, C> KernelModule<S, C> {
    /// Flattens and lowers every kernel. If the device cannot run a kernel, the error is kept for its launch.
    ///
    /// # Errors
    /// [`Error::Module`] for a damaged module; errors of the compiler.
    pub fn build(compiler: &impl Compiler<Source = S, Code = C>, source: &'static ModuleSource) -> Result<Self> {
        let module = decoded(source)?;
        let mut kernels = Vec::with_capacity(module.kernels.len());
        for position in 0..module.kernels.len() {
            match Kernel::new(compiler, module, position) {
                Err(error @ (Error::Unsupported { .. } | Error::Limit { .. })) => kernels.push(Err(error)),
                other => kernels.push(Ok(Arc::new(other?))),
            }
        }
        Ok(KernelModule { name: source.name(), kernels })
    }

    /// Compiles every kernel that the device can run, for ordinary launches. Returns their number.
    ///
    /// # Errors
    /// Errors of the compiler.
    pub fn compile(&self, compiler: &impl Compiler<Source = S, Code = C>) -> Result<u32> {
        let mut compiled = 0;
        for kernel in self.kernels.iter().flatten() {
            kernel.plain.code(compiler, &kernel.flat)?;
            compiled += 1;
        }
        Ok(compiled)
    }

    /// Returns the kernel at a position.
    ///
    /// # Errors
    /// The error with which the kernel was lowered; [`Error::Module`] if there is no such kernel.
    #[inline]
    pub fn kernel(&self, position: u32) -> Result<&Arc<Kernel<S, C>>> {
        match self.kernels.get(position as usize) {
            Some(kernel) => kernel.as_ref().map_err(Clone::clone),
            None => Err(no_kernel(self.name, position)),
        }
    }
}

/// Returns the text of the kernel at a position, for ordinary launches.
///
/// # Errors
/// [`Error::Module`]; errors of the compiler.
pub fn generated<L: Compiler>(compiler: &L, source: &'static ModuleSource, position: u32) -> Result<L::Source> {
    Kernel::new(compiler, decoded(source)?, position as usize).map(|kernel| kernel.plain.source)
}

/// Returns the IR of a module.
///
/// # Errors
/// [`Error::Module`] for a damaged one.
pub fn decoded(source: &'static ModuleSource) -> Result<&'static Module> {
    source.ir().map_err(|error| Error::Module { module: source.name().to_owned(), reason: error.to_string() })
}

/// Returns the flat form of the kernel at a position.
///
/// # Errors
/// [`Error::Module`] if there is no such kernel, or for a damaged one.
pub fn flattened(module: &Module, position: usize) -> Result<FlatKernel> {
    let Some(kernel) = module.kernels.get(position) else {
        return Err(no_kernel(&module.name, u32::try_from(position).unwrap_or(u32::MAX)));
    };
    flatten(module, kernel).map_err(|error| Error::Module { module: module.name.clone(), reason: error.to_string() })
}

/// Returns file and line where a kernel's body begins.
#[must_use]
pub fn location(kernel: &FlatKernel) -> String {
    kernel.entry().map_or_else(|| kernel.file.clone(), |function| format!("{}:{}", function.file, function.line))
}

fn no_kernel(module: &str, position: u32) -> Error {
    Error::Module { module: module.to_owned(), reason: format!("it has no kernel at position {position}") }
}

impl<S, C> Kernel<S, C> {
    fn new(compiler: &impl Compiler<Source = S, Code = C>, module: &Module, position: usize) -> Result<Self> {
        let mut flat = flattened(module, position)?;
        compiler.adapt(&mut flat);
        let plain = Form::new(compiler.lower(&flat, &Variant::default())?);
        Ok(Kernel { flat, plain, others: Variants::default() })
    }

    /// Returns `true` if the kernel has been compiled for ordinary launches.
    pub(super) fn is_compiled(&self) -> bool {
        self.plain.code.get().is_some()
    }

    /// Returns the form for a variant of launches.
    ///
    /// # Errors
    /// The error with which the kernel was lowered for it.
    #[inline]
    pub fn form(&self, compiler: &impl Compiler<Source = S, Code = C>, variant: &Variant) -> Result<&Form<S, C>> {
        if variant.is_plain() {
            return Ok(&self.plain);
        }
        let form = self.others.get(variant, &|| compiler.lower(&self.flat, variant).map(Form::new));
        form.as_ref().map_err(Clone::clone)
    }
}

impl<S, C> AsRef<FlatKernel> for Kernel<S, C> {
    fn as_ref(&self) -> &FlatKernel {
        &self.flat
    }
}

impl<S, C> Form<S, C> {
    fn new(source: S) -> Form<S, C> {
        Form { source, code: OnceLock::new(), compiling: Mutex::default() }
    }

    /// Returns the kernel's code, compiled at the first request.
    ///
    /// # Errors
    /// Errors of the compiler. The next request tries again.
    #[inline]
    pub fn code(&self, compiler: &impl Compiler<Source = S, Code = C>, kernel: &FlatKernel) -> Result<&C> {
        match self.code.get() {
            Some(code) => Ok(code),
            None => self.compile(compiler, kernel),
        }
    }

    #[cold]
    fn compile(&self, compiler: &impl Compiler<Source = S, Code = C>, kernel: &FlatKernel) -> Result<&C> {
        let _one_at_a_time = self.compiling.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(code) = self.code.get() {
            return Ok(code);
        }
        let _shown = Compilation::begin(&kernel.name);
        let code = compiler.compile(kernel, &self.source)?;
        Ok(self.code.get_or_init(|| code))
    }
}
