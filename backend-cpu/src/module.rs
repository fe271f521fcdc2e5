//! Kernel modules.

use crate::weight::Weight;
use imminent_core::backend::Launch;
use imminent_core::ir::{Reduce, Scalar, Shape, Type};
use imminent_core::kernel::ModuleSource;
use imminent_core::native::Entry;
use imminent_core::{Error, Result};

/// A kernel module: the entries are compiled already.
#[derive(Debug)]
pub(crate) struct CpuModule {
    source: &'static ModuleSource,
    /// Weights of the module's kernels.
    weights: Vec<Weight>,
    /// Weight for kernels that do not exist.
    unknown: Weight,
}

impl CpuModule {
    pub(crate) fn new(source: &'static ModuleSource) -> CpuModule {
        let kernels = (0..).take_while(|kernel| source.entry(*kernel).is_some());
        CpuModule { source, weights: kernels.map(|_| Weight::default()).collect(), unknown: Weight::default() }
    }

    /// Returns the known weight of the launch's kernel.
    pub(crate) fn weight(&self, launch: &Launch) -> &Weight {
        self.weights.get(launch.kernel as usize).unwrap_or(&self.unknown)
    }

    pub(crate) fn entry(&self, launch: &Launch) -> Result<Entry> {
        self.source.entry(launch.kernel as usize).ok_or_else(|| Error::Module {
            module: self.source.name().to_owned(),
            reason: format!("it has no native function for kernel `{}`", launch.name),
        })
    }

    pub(crate) fn shape(&self, launch: &Launch) -> Result<Shape> {
        let missing = |reason: String| Error::Module { module: self.source.name().to_owned(), reason };
        let module = self.source.ir().map_err(|e| missing(e.to_string()))?;
        let kernel = module.kernels.get(launch.kernel as usize);
        kernel.map(|kernel| kernel.shape).ok_or_else(|| missing(format!("it has no kernel `{}`", launch.name)))
    }

    pub(crate) fn reduction(&self, launch: &Launch) -> Result<(Reduce, Scalar)> {
        let missing = |reason: String| Error::Module { module: self.source.name().to_owned(), reason };
        let module = self.source.ir().map_err(|e| missing(e.to_string()))?;
        let kernel = module.kernels.get(launch.kernel as usize);
        let function = kernel.and_then(|kernel| module.functions.get(kernel.function.index()));
        match (kernel.and_then(|kernel| kernel.reduce), function) {
            (Some(reduce), Some(function)) => Ok((reduce, reduced_scalar(&function.result, reduce))),
            _ => Err(missing(format!("kernel `{}` does not return a value", launch.name))),
        }
    }
}

/// Returns the type of the values that a kernel's reduction combines.
fn reduced_scalar(result: &Type, reduce: Reduce) -> Scalar {
    match reduce {
        Reduce::Count => Scalar::U32,
        Reduce::Any => Scalar::Bool,
        _ => result.scalar().unwrap_or(Scalar::U32),
    }
}
