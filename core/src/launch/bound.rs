//! Launches over memory, as the typed calls prepare them and programs keep them.

use super::argument::Bound;
use crate::backend::{Buffer, Launch, ModuleHandle, Subset};
use crate::memory::Memory;
use crate::source::{KernelSource, ModuleSource};
use std::sync::Arc;

/// Findings of the binder about a launch.
#[derive(Debug)]
pub(crate) struct Fitted {
    pub(crate) bound: Vec<Bound>,
    pub(crate) rows: u32,
    pub(crate) width: u32,
}

/// A launch whose arguments fit. It keeps the bound resources rather than their present buffers, because a program can
/// be replayed after its tables have grown.
#[derive(Clone, Debug)]
pub(crate) struct BoundLaunch {
    source: KernelSource,
    rows: u32,
    width: u32,
    /// Row numbers of a subset, and their count.
    subset: Option<(Arc<Memory>, Arc<Memory>)>,
    bound: Vec<Bound>,
    result: Option<Arc<Memory>>,
}

impl BoundLaunch {
    /// Creates a launch whose arguments fit. A subset is the memory of its row numbers and of their count.
    pub(crate) fn new(
        source: KernelSource,
        fitted: Fitted,
        subset: Option<(Arc<Memory>, Arc<Memory>)>,
        result: Option<Arc<Memory>>,
    ) -> Self {
        let Fitted { bound, rows, width } = fitted;
        BoundLaunch { source, rows, width, subset, bound, result }
    }

    /// Creates a launch of a kernel that was made for these arguments.
    pub(crate) fn made(source: KernelSource, rows: u32, bound: Vec<Bound>) -> Self {
        BoundLaunch { source, rows, width: 0, subset: None, bound, result: None }
    }

    /// Returns the module of the kernel.
    pub(crate) fn module(&self) -> &'static ModuleSource {
        self.source.module
    }

    /// Returns the command for a backend, given the device's form of the module; `buffer` maps a memory to its buffer.
    pub(crate) fn resolve(&self, module: ModuleHandle, buffer: impl Fn(&Arc<Memory>) -> Buffer) -> Launch {
        let subset = self.subset.as_ref();
        Launch {
            module,
            kernel: self.source.index,
            name: self.source.name,
            rows: self.rows,
            width: self.width,
            subset: subset.map(|(rows, count)| Subset { rows: buffer(rows), count: buffer(count) }),
            args: self.bound.iter().map(|bound| bound.argument(&buffer)).collect(),
            result: self.result.as_ref().map(&buffer),
            operation: None,
        }
    }

    /// Returns the arguments.
    pub(super) fn arguments(&self) -> &[Bound] {
        &self.bound
    }

    /// Replaces the parameter blocks that have the type of `new`, if this launches the given kernel. Returns their
    /// number.
    pub(crate) fn replace_params(&mut self, of: &KernelSource, new: &Bound) -> usize {
        if !std::ptr::eq(self.source.module, of.module) || self.source.index != of.index {
            return 0;
        }
        let same = self.bound.iter_mut().filter(|old| old.is_params_like(new));
        same.map(|old| *old = new.clone()).count()
    }

    /// Returns the memories that the launch may write.
    pub(crate) fn written(&self) -> impl Iterator<Item = &Arc<Memory>> {
        self.bound.iter().filter_map(Bound::written).chain(&self.result)
    }

    /// Returns the memories of the arguments.
    pub(crate) fn touched(&self) -> impl Iterator<Item = &Arc<Memory>> {
        let subset = self.subset.iter().flat_map(|(rows, count)| [rows, count]);
        self.bound.iter().filter_map(Bound::memory).chain(subset)
    }

    /// Returns the memories that the launch uses, each with `true` if it may be written.
    pub(crate) fn used(&self) -> impl Iterator<Item = (&Arc<Memory>, bool)> + Clone {
        let subset = self.subset.iter().flat_map(|(rows, count)| [(rows, false), (count, false)]);
        self.bound.iter().filter_map(Bound::used).chain(subset).chain(self.result.iter().map(|result| (result, true)))
    }
}
