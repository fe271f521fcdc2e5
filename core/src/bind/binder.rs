//! Binding of arguments to a launch: the checks that types cannot make.

use super::visit::Visit;
use crate::data::{Data, Params, Row, TallyScalar};
use crate::device::{Device, Queue};
use crate::error::{Error, Result};
use crate::launch::{Bound, BoundLaunch, Fitted, Kept, Role};
use crate::memory::Memory;
use crate::source::KernelSource;
use crate::tables::{ClockTable, HistoryTable, Output, Scalar, Selection, Table, TallyTable};
use imminent_ir::{Reduce, Reduction, Shape};
use std::sync::Arc;

/// Collects the arguments of one launch, in the order of the kernel's parameters.
///
/// The borrow checker ensures that no table is bound twice if one of the bindings can change it. The binder checks this
/// again for handles, and also that lengths, devices and contents fit. It skips the checks if a launch of the kernel
/// was cached and every argument is the same as there.
#[derive(Debug)]
pub struct Binder<'b> {
    device: &'b Device,
    kernel: &'b KernelSource,
    /// A cached launch of this kernel. `same` is the number of leading arguments that equal those of the launch, or
    /// `None` once one differs.
    kept: Option<Box<Kept>>,
    same: Option<usize>,
    bound: Vec<Bound>,
    /// The first table of own rows.
    own: Option<Arc<Memory>>,
    /// The tables with one row for each group.
    of_groups: Vec<Arc<Memory>>,
}

impl<'b> Binder<'b> {
    pub(crate) fn new(device: &'b Device, kernel: &'b KernelSource) -> Self {
        Self::perhaps_again(device, kernel, None)
    }

    /// Creates a binder for a launch that may equal a cached one.
    pub(crate) fn perhaps_again(device: &'b Device, kernel: &'b KernelSource, kept: Option<Box<Kept>>) -> Self {
        let same = kept.is_some().then_some(0);
        Binder { device, kernel, kept, same, bound: Vec::new(), own: None, of_groups: Vec::new() }
    }

    /// Returns the cached launch, and `true` if this one is the same.
    pub(crate) fn kept(&mut self) -> Option<(Box<Kept>, bool)> {
        let kept = self.kept.take()?;
        let same = self.same.is_some_and(|same| kept.takes(same));
        Some((kept, same))
    }

    /// Returns `true` if the next argument, like all before it, is that of the cached launch. At the first that
    /// differs, the earlier ones are bound anew.
    #[inline]
    fn is_same(&mut self, is: impl FnOnce(&mut Kept, usize) -> bool) -> Result<bool> {
        let (Some(kept), Some(same)) = (&mut self.kept, self.same) else { return Ok(false) };
        if is(kept, same) {
            self.same = Some(same + 1);
            return Ok(true);
        }
        self.same = None;
        kept.bound(same)?.into_iter().try_for_each(|bound| self.admit(bound))?;
        Ok(false)
    }

    fn table(&mut self, memory: &Arc<Memory>, mutable: bool, role: Role) -> Result<()> {
        if self.is_same(|kept, at| kept.has(at, memory, mutable))? {
            return Ok(());
        }
        self.admit(Bound::Table { memory: memory.clone(), mutable, role })
    }

    fn admit(&mut self, bound: Bound) -> Result<()> {
        match &bound {
            Bound::Table { memory, role: Role::Own, .. } => self.own_rows(memory)?,
            Bound::Table { memory, role: Role::OfGroup, .. } => self.of_groups.push(memory.clone()),
            _ => {}
        }
        self.add(bound)
    }

    fn error<T>(&self, reason: String) -> Result<T> {
        Err(Error::Launch { kernel: self.kernel.name.to_owned(), reason })
    }

    fn add(&mut self, bound: Bound) -> Result<()> {
        if let Some(memory) = bound.memory() {
            memory.check()?;
            if !memory.is_of(self.device.shared()) {
                return self.error(format!("the {} is on another device than the queue", memory.what));
            }
            let exclusive = |b: &Bound| matches!(b, Bound::Table { mutable: true, .. });
            let clash = self.bound.iter().any(|other| {
                other.memory().is_some_and(|m| Arc::ptr_eq(m, memory)) && (exclusive(other) || exclusive(&bound))
            });
            if clash {
                return self.error(format!("the {} is bound twice, once to be changed", memory.what));
            }
        }
        self.bound.push(bound);
        Ok(())
    }

    fn own_rows(&mut self, memory: &Arc<Memory>) -> Result<()> {
        let Some(first) = &self.own else {
            if matches!(self.kernel.shape, Shape::Tile(..)) && memory.width.is_none() {
                return self.error(format!(
                    "it runs in tiles of a grid, and the {} is no grid: make the table with `Table::grid(device, width, height)`",
                    memory.what
                ));
            }
            self.own = Some(memory.clone());
            return Ok(());
        };
        if first.rows != memory.rows {
            return self.error(format!(
                "a launch visits every own row once, so these must be equally long: the {} has {} rows, the {} {}",
                first.what, first.rows, memory.what, memory.rows
            ));
        }
        if matches!(self.kernel.shape, Shape::Tile(..)) && first.width != memory.width {
            let columns =
                |memory: &Memory| memory.width.map_or("no grid".to_owned(), |width| format!("{width} columns wide"));
            return self.error(format!(
                "it runs in tiles of one grid: the {} is {}, the {} {}",
                first.what,
                columns(first),
                memory.what,
                columns(memory)
            ));
        }
        Ok(())
    }

    /// Binds a `&mut T` parameter: the own row, mutable.
    ///
    /// # Errors
    /// [`Error::Launch`] if it does not fit the arguments before it, [`Error::Poisoned`].
    pub fn own_mut<R: Row>(&mut self, table: &mut Table<R>) -> Result<()> {
        self.table(&table.memory, true, Role::Own)
    }

    /// Binds a `&T` parameter: the own row, read only.
    ///
    /// # Errors
    /// As for [`Binder::own_mut`].
    pub fn own<R: Row>(&mut self, table: &Table<R>) -> Result<()> {
        self.table(&table.memory, false, Role::Own)
    }

    /// Binds a `&mut T` parameter of a kernel that runs in groups: one row per group, mutable.
    ///
    /// # Errors
    /// As for [`Binder::own_mut`].
    pub fn group_mut<R: Row>(&mut self, table: &mut Table<R>) -> Result<()> {
        self.table(&table.memory, true, Role::OfGroup)
    }

    /// Binds a `&T` parameter of a kernel that runs in groups: one row per group, read only.
    ///
    /// # Errors
    /// As for [`Binder::own_mut`].
    pub fn group<R: Row>(&mut self, table: &Table<R>) -> Result<()> {
        self.table(&table.memory, false, Role::OfGroup)
    }

    /// Binds a `&Rows<T>` parameter: a whole table, read only.
    ///
    /// # Errors
    /// As for [`Binder::own_mut`].
    pub fn rows<R: Row>(&mut self, table: &Table<R>) -> Result<()> {
        self.table(&table.memory, false, Role::Whole)
    }

    /// Binds a `&Tally<T>` parameter.
    ///
    /// # Errors
    /// As for [`Binder::own_mut`].
    pub fn tally<T: TallyScalar + Output>(&mut self, tally: &TallyTable<T>) -> Result<()> {
        if self.is_same(|kept, at| kept.has(at, &tally.memory, true))? {
            return Ok(());
        }
        self.admit(Bound::Tally { memory: Arc::clone(&tally.memory) })
    }

    /// Binds a `&mut History<T>` parameter: each row may change its own entries.
    ///
    /// # Errors
    /// As for [`Binder::own_mut`].
    pub fn history_mut<T: Data>(&mut self, history: &mut HistoryTable<T>) -> Result<()> {
        self.table(&history.rings.memory, true, Role::Own)
    }

    /// Binds a `&History<T>` parameter.
    ///
    /// # Errors
    /// As for [`Binder::own_mut`].
    pub fn history<T: Data>(&mut self, history: &HistoryTable<T>) -> Result<()> {
        self.table(&history.rings.memory, false, Role::Whole)
    }

    /// Binds a `&Clock` parameter.
    ///
    /// # Errors
    /// As for [`Binder::own_mut`].
    pub fn clock(&mut self, clock: &ClockTable) -> Result<()> {
        self.table(&clock.now.memory, false, Role::Whole)
    }

    /// Binds a parameter block.
    ///
    /// # Errors
    /// As for [`Binder::own_mut`].
    pub fn params<P: Params>(&mut self, params: &P) -> Result<()> {
        if self.is_same(|kept, at| kept.takes_params(at, params))? {
            return Ok(());
        }
        self.admit(Bound::params(params))
    }

    /// Checks that a result may be written: it must be no resource that the kernel uses.
    fn result<T: Output>(&self, result: &Scalar<T>) -> Result<()> {
        let Some(memory) = &result.memory else { return Ok(()) };
        if !memory.is_of(self.device.shared()) {
            return self.error(format!("the {} is on another device than the queue", memory.what));
        }
        if self.bound.iter().any(|bound| bound.memory().is_some_and(|m| Arc::ptr_eq(m, memory))) {
            return self
                .error(format!("the {} takes the result and is bound as well: use two tables by turns", memory.what));
        }
        Ok(())
    }

    /// Returns the launch of the kernel over some rows. Its value goes into `into`, or into a result made for it.
    pub(crate) fn launch<T: Output>(
        self,
        queue: &Queue,
        visit: Visit<'_>,
        into: Option<Scalar<T>>,
    ) -> Result<(BoundLaunch, Scalar<T>)> {
        let source = *self.kernel;
        self.device.check_floats(&source)?;
        let result = match into {
            Some(result) => {
                self.result(&result)?;
                result
            }
            None => Scalar::new(queue, source.name)?,
        };
        let subset = match visit {
            Visit::Over(selection) => Some((Arc::clone(&selection.rows.memory), Arc::clone(&selection.count.memory))),
            _ => None,
        };
        let fitted = self.finish(visit)?;
        Ok((BoundLaunch::new(source, fitted, subset, result.memory.as_deref().cloned()), result))
    }

    /// Returns the bound resources, and the rows over which they are launched.
    fn finish(self, visit: Visit<'_>) -> Result<Fitted> {
        let Some(own) = &self.own else {
            return self.error("it has no own rows, so there is nothing to run it over".to_owned());
        };
        let shape = self.kernel.shape;
        let rows = match visit {
            Visit::All => own.rows,
            Visit::First(_) if matches!(shape, Shape::Tile(..)) => {
                return self.error(
                    "it runs in tiles, which always cover the whole grid: leave the number of rows out".to_owned(),
                );
            }
            Visit::First(rows) => match u32::try_from(rows) {
                Ok(rows) if rows <= own.rows => rows,
                _ => return self.error(format!("{rows} rows were asked for, the {} has {}", own.what, own.rows)),
            },
            Visit::Over(selection) => self.selected(own, selection)?,
        };
        let width = if matches!(shape, Shape::Tile(..)) { own.width.unwrap_or(0) } else { 0 };
        let groups = shape.groups(rows, width);
        for table in &self.of_groups {
            let fits = match visit {
                Visit::First(_) => table.rows >= groups,
                _ => table.rows == groups,
            };
            if !fits {
                return self.error(format!(
                    "the {} has a row for each group, so it must have {groups} rows; it has {}",
                    table.what, table.rows
                ));
            }
        }
        Ok(Fitted { bound: self.bound, rows, width })
    }

    /// Returns the largest number of rows that a selection can list, if each of them is a row of the own tables.
    fn selected(&self, own: &Memory, selection: &Selection) -> Result<u32> {
        if self.kernel.shape.is_grouped() {
            return self.error(
                "it runs in groups of neighbouring rows, and a selection has none: launch it over all rows".to_owned(),
            );
        }
        for memory in [&selection.rows.memory, &selection.count.memory] {
            memory.check()?;
            if !memory.is_of(self.device.shared()) {
                return self.error("the selection is on another device than the queue".to_owned());
            }
        }
        if selection.of > own.rows as usize {
            let (of, what) = (selection.of, &own.what);
            return self.error(format!("the selection is of a table of {of} rows, the {what} has {}", own.rows));
        }
        if selection.has_gaps && self.adds_floats() {
            return self.error(
                "it adds floats over a tree of the listed rows, and a list with gaps has another tree: sum a column instead, or leave no gaps".to_owned(),
            );
        }
        Ok(selection.rows.memory.rows)
    }

    /// Returns `true` if the kernel's value is a sum of floats.
    fn adds_floats(&self) -> bool {
        let Ok(module) = self.kernel.module.ir() else { return false };
        let Some(kernel) = module.kernels.get(self.kernel.index as usize) else { return false };
        let of_floats = |one: Reduction| one.reduce == Reduce::Sum && one.scalar.is_float();
        module.results(kernel).is_some_and(|results| results.iter().any(of_floats))
    }
}
