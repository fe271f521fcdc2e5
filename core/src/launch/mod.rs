//! Launches, as the typed calls prepare them and programs keep them.

mod kept;

pub(crate) use kept::{Kept, Key};

use crate::backend::{Buffer, Launch, Subset};
use crate::bind::{Binder, Bound};
use crate::device::Device;
use crate::error::Result;
use crate::kernel::{Kernel, KernelSource};
use crate::queue::Queue;
use crate::scalar::{Output, Scalar};
use crate::selection::Selection;
use crate::table::Memory;
use std::sync::Arc;

/// Rows that a launch runs.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Visit<'s> {
    /// All rows of the own-row tables.
    All,
    /// A number of rows, from the first on.
    First(usize),
    /// The rows of a selection.
    Over(&'s Selection),
}

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
    /// Binds the arguments of a launch. Its value goes into `into`, or into a result made for it.
    pub(crate) fn new<K: Kernel>(
        queue: &Queue,
        args: K::Args<'_>,
        visit: Visit<'_>,
        into: Option<Scalar<K::Output>>,
    ) -> Result<(Self, Scalar<K::Output>)>
    where
        K::Output: Output,
    {
        let mut binder = Binder::new(queue.device(), &K::SOURCE);
        K::bind(args, &mut binder)?;
        Self::bound(queue, binder, visit, into)
    }

    /// Creates a launch whose arguments are bound.
    pub(crate) fn bound<T: Output>(
        queue: &Queue,
        binder: Binder<'_>,
        visit: Visit<'_>,
        into: Option<Scalar<T>>,
    ) -> Result<(Self, Scalar<T>)> {
        let source = *binder.kernel();
        let result = match into {
            Some(result) => {
                binder.result(&result)?;
                result
            }
            None => Scalar::new(queue, source.name)?,
        };
        let subset = match visit {
            Visit::Over(selection) => Some((selection.rows.memory.clone(), selection.count.memory.clone())),
            _ => None,
        };
        let Fitted { bound, rows, width } = binder.finish(visit)?;
        Ok((BoundLaunch { source, rows, width, subset, bound, result: result.memory.clone() }, result))
    }

    /// Creates a launch of a kernel that was made for these arguments.
    pub(crate) fn made(source: KernelSource, rows: u32, bound: Vec<Bound>) -> Self {
        BoundLaunch { source, rows, width: 0, subset: None, bound, result: None }
    }

    /// Returns the command for a backend; `buffer` maps a memory to its buffer.
    pub(crate) fn resolve(&self, device: &Device, buffer: impl Fn(&Arc<Memory>) -> Buffer) -> Result<Launch> {
        let subset = self.subset.as_ref();
        Ok(Launch {
            module: device.module(self.source.module)?,
            kernel: self.source.index,
            name: self.source.name,
            rows: self.rows,
            width: self.width,
            subset: subset.map(|(rows, count)| Subset { rows: buffer(rows), count: buffer(count) }),
            args: self.bound.iter().map(|bound| bound.argument(&buffer)).collect(),
            result: self.result.as_ref().map(&buffer),
        })
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
