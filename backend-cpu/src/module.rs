//! Kernel modules.

use crate::weight::Weight;
use imminent_core::backend::Launch;
use imminent_core::ir::{Reductions, Shape};
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

    pub(crate) fn results(&self, launch: &Launch) -> Result<Reductions> {
        let missing = |reason: String| Error::Module { module: self.source.name().to_owned(), reason };
        let module = self.source.ir().map_err(|e| missing(e.to_string()))?;
        let kernel = module.kernels.get(launch.kernel as usize);
        let results = kernel.and_then(|kernel| module.results(kernel));
        results.ok_or_else(|| missing(format!("kernel `{}` does not return a value", launch.name)))
    }
}
