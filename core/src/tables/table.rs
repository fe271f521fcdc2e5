//! Tables: rows on a device.

use super::column::Column;
use super::transfer;
use crate::backend::{Allocation, Buffer, Shape};
use crate::data::{Data, Row};
use crate::device::{Device, Storage};
use crate::error::{Error, Result};
use crate::limit::Limit;
use crate::native::NativeTable;
use imminent_ir::Layout;
use std::marker::PhantomData;

/// Largest number of rows of a table.
pub(crate) const MAX_ROWS: u32 = u32::MAX - 1024;

/// Rows of type `R` on a device, stored column by column.
///
/// A table has a fixed number of rows; its lanes' capacity can [`grow`](Table::grow). In a [ragged](Table::ragged)
/// table each row has its own capacity. New rows are zero. Dropping the table releases its memory once work that uses
/// it is done.
///
/// Transfers, copies and growing keep the bits of every value, those of a NaN included: they are
/// [`Exact`](crate::Determinism::Exact).
///
/// ```
/// #[imminent_core::kernels]
/// mod shop {
///     #[derive(Row)]
///     pub struct Desk { pub served: u32, pub free_at: f64 }
/// }
///
/// # use imminent_core::{Device, Result, Table};
/// # fn example(device: &Device) -> Result<()> {
/// use shop::{Desk, DeskColumns as _};
/// let mut desks: Table<Desk> = Table::zeroed(device, 3)?;
/// desks.served().write_rows(1, &[7, 8])?; // rows 1 and 2 of one column
/// let rows: Vec<Desk> = desks.read()?;
/// assert_eq!(rows[2].served, 8);
/// desks.write(&rows)?;
/// # Ok(()) }
/// ```
#[derive(Debug)]
pub struct Table<R: Row> {
    pub(crate) memory: Storage,
    of: PhantomData<fn() -> R>,
}

impl<R: Row> Table<R> {
    /// Creates `rows` zeroed rows without lanes.
    ///
    /// # Errors
    /// [`Error::OutOfMemory`], [`Error::Limit`].
    pub fn zeroed(device: &Device, rows: usize) -> Result<Self> {
        Self::with_capacity(device, rows, 0)
    }

    /// Creates `rows` zeroed rows with room for `capacity` elements in each of their lane arrays.
    ///
    /// # Errors
    /// [`Error::OutOfMemory`], [`Error::Limit`].
    pub fn with_capacity(device: &Device, rows: usize, capacity: u32) -> Result<Self> {
        Self::make(device, rows, None, capacity)
    }

    fn make(device: &Device, rows: usize, width: Option<u32>, capacity: u32) -> Result<Self> {
        let layout = R::layout();
        let what = format!("table of `{}`", layout.name);
        let rows = checked_rows(&what, rows)?;
        checked_places(layout, rows, capacity)?;
        let allocation = Self::allocation(rows, capacity);
        Ok(Table { memory: Storage::grid(device, what, rows, width, capacity, &allocation)?, of: PhantomData })
    }

    /// Creates the zeroed rows of a grid, for kernels with tiles: the cell in column `x` of line `y` is row
    /// `y * width + x`.
    ///
    /// # Errors
    /// [`Error::OutOfMemory`], [`Error::Limit`].
    pub fn grid(device: &Device, width: usize, height: usize) -> Result<Self> {
        Self::grid_with_capacity(device, width, height, 0)
    }

    /// Acts like [`Table::grid`], with room for `capacity` elements in each of the rows' lane arrays.
    ///
    /// # Errors
    /// [`Error::OutOfMemory`], [`Error::Limit`].
    pub fn grid_with_capacity(device: &Device, width: usize, height: usize, capacity: u32) -> Result<Self> {
        let columns = checked_rows(&format!("line of a grid of `{}`", R::layout().name), width)?;
        Self::make(device, width.saturating_mul(height), Some(columns), capacity)
    }

    /// Returns the number of columns of the grid that the rows form; `None` if they form none.
    #[must_use]
    pub fn grid_width(&self) -> Option<u32> {
        self.memory.width
    }

    /// Creates a table in memory that a backend has taken over from another library. Backends with such memory have an
    /// extension trait of `Device`, which calls this.
    ///
    /// # Errors
    /// [`Error::Limit`] for too many rows.
    pub fn adopt(device: &Device, rows: usize, capacity: u32, buffer: Buffer) -> Result<Self> {
        let rows = checked_rows(&format!("table of `{}`", R::layout().name), rows)?;
        Ok(Table { memory: Storage::adopted(device, R::layout(), rows, capacity, buffer), of: PhantomData })
    }

    pub(crate) fn allocation(rows: u32, capacity: u32) -> Allocation {
        Allocation::Table { layout: R::layout(), rows, capacity, native: NativeTable::<R>::allocate }
    }

    /// Creates a copy of `rows`, with the largest lane capacity among them.
    ///
    /// # Errors
    /// [`Error::OutOfMemory`], [`Error::Limit`], errors of the driver.
    pub fn from_rows(device: &Device, rows: &[R]) -> Result<Self> {
        let capacity = rows.iter().map(Row::capacity).max().unwrap_or(0);
        let mut table = Self::with_capacity(device, rows.len(), capacity)?;
        table.write(rows)?;
        Ok(table)
    }

    /// Creates a table over a memory with the layout of its rows.
    pub(crate) fn of_memory(memory: Storage) -> Self {
        Table { memory, of: PhantomData }
    }

    /// Returns the number of rows.
    #[must_use]
    pub fn len(&self) -> usize {
        self.memory.rows as usize
    }

    /// Returns `true` if there are no rows.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.memory.rows == 0
    }

    /// Returns the number of elements in each lane array; for a ragged table, of its largest row.
    #[must_use]
    pub fn capacity(&self) -> u32 {
        self.memory.capacity()
    }

    /// Returns the device that holds the table.
    #[must_use]
    pub fn device(&self) -> &Device {
        self.memory.device()
    }

    /// Returns all rows, after earlier work on the device's queue.
    ///
    /// For large tables most of the time goes into memory that the system hands out page by page;
    /// [`read_into`](Self::read_into) reuses memory.
    ///
    /// # Errors
    /// [`Error::Poisoned`], errors of that work, errors of the driver.
    pub fn read(&self) -> Result<Vec<R>> {
        let mut rows = Vec::new();
        self.read_into(&mut rows)?;
        Ok(rows)
    }

    /// Replaces the contents of `rows` by all rows, and reuses its memory. After an error `rows` is empty.
    ///
    /// # Errors
    /// As for [`read`](Self::read).
    pub fn read_into(&self, rows: &mut Vec<R>) -> Result<()> {
        let read = self.read_all(rows);
        if read.is_err() {
            rows.clear();
        }
        read
    }

    fn read_all(&self, rows: &mut Vec<R>) -> Result<()> {
        if self.native(|| self.memory.check(), &mut |table| table.clone_into(rows))? {
            return Ok(());
        }
        transfer::read(&self.memory, rows)
    }

    /// Replaces all rows. Elements past the table's lane capacity must be zero or absent.
    ///
    /// # Errors
    /// [`Error::Invalid`] for another number of rows, or a row with more lanes than the table; errors of the driver.
    pub fn write(&mut self, rows: &[R]) -> Result<()> {
        if rows.len() != self.len() {
            let reason = format!("it has {} rows, {} were given", self.len(), rows.len());
            return Err(Error::invalid(&self.memory.what, reason));
        }
        let room = self.memory.room();
        if let Some((row, of)) = (0..).zip(rows).find(|(row, of)| of.capacity() > room.of(*row)) {
            let reason = format!(
                "row {row} has {} lanes, the table has room for {} there: grow the table first",
                of.capacity(),
                room.of(row)
            );
            return Err(Error::invalid(&self.memory.what, reason));
        }
        let write = &mut |table: &mut [R]| {
            for (row, (to, from)) in (0..).zip(table.iter_mut().zip(rows)) {
                to.clone_from(from);
                to.set_capacity(room.of(row));
            }
        };
        if !self.native(|| Ok(()), write)? {
            transfer::write(&self.memory, rows)?;
        }
        self.memory.overwritten();
        Ok(())
    }

    /// Sets every row to zero.
    ///
    /// # Errors
    /// Errors of the driver.
    pub fn clear(&mut self) -> Result<()> {
        let queue = self.device().queue();
        let turn = queue.state().begin_filling([(&*self.memory, true)].into_iter())?;
        self.device().backend().clear(queue.handle(), &self.memory.buffer())?;
        drop(turn);
        self.memory.write_room()?;
        self.memory.overwritten();
        Ok(())
    }

    /// Copies the rows of another table of the same length and capacity on the same device.
    ///
    /// # Errors
    /// [`Error::Invalid`] for another shape or device, [`Error::Poisoned`] if `from` is.
    pub fn copy_from(&mut self, from: &Table<R>) -> Result<()> {
        from.memory.check()?;
        self.same_shape(from)?;
        let queue = self.device().queue();
        let turn = queue.state().begin([(&*from.memory, false), (&*self.memory, true)].into_iter())?;
        self.device().backend().copy(queue.handle(), &from.memory.buffer(), &self.memory.buffer())?;
        drop(turn);
        self.memory.cure();
        Ok(())
    }

    pub(crate) fn same_shape(&self, from: &Table<R>) -> Result<()> {
        if !self.device().same(from.device()) {
            return Err(Error::invalid(
                &self.memory.what,
                "the two tables are on different devices: read and write to move rows",
            ));
        }
        let (own, others) = (self.memory.room(), from.memory.room());
        if self.len() != from.len() || own != others {
            let reason = format!(
                "it has {} rows of {}, the other {} of {}: copies need equal shapes",
                self.len(),
                own.described(),
                from.len(),
                others.described()
            );
            return Err(Error::invalid(&self.memory.what, reason));
        }
        Ok(())
    }

    /// Returns the scalar column that starts at `word` of the row; kernel modules generate a method for each.
    ///
    /// # Errors
    /// None here: reading a column that does not exist is an error.
    #[must_use]
    pub fn column<T: Data>(&self, word: u32) -> Column<'_, T> {
        Column::new(&self.memory, R::layout(), None, word)
    }

    /// Returns the scalar column that starts at `word` of lane `lane`. Ragged tables have none: reading one is an
    /// error.
    #[must_use]
    pub fn lane_column<T: Data>(&self, lane: u32, word: u32) -> Column<'_, T> {
        Column::new(&self.memory, R::layout(), Some(lane), word)
    }

    /// Calls `f` with the rows in place if the device stores them as native structs
    /// ([`Capabilities::native_rows`](crate::Capabilities::native_rows)). Otherwise returns `None`, without a call.
    ///
    /// # Errors
    /// [`Error::Poisoned`], and errors of earlier work on the device's queue.
    pub fn with_native_rows<T>(&mut self, f: impl FnOnce(&mut [R]) -> T) -> Result<Option<T>> {
        let (mut f, mut result) = (Some(f), None);
        self.native(|| self.memory.check(), &mut |rows| result = f.take().map(|f| f(rows)))?;
        Ok(result)
    }

    /// Calls `f` with the native rows, if there are any. `check` returns the error that forbids it.
    fn native(&self, check: impl Fn() -> Result<()>, f: &mut dyn FnMut(&mut [R])) -> Result<bool> {
        let queue = self.device().queue();
        queue.state().undeferred(check())?;
        if !self.device().capabilities().native_rows {
            return Ok(false);
        }
        let turn = queue.state().begin_filling([(&*self.memory, true)].into_iter())?;
        let mut called = false;
        let mut in_place = || {
            self.device().backend().with_native(queue.handle(), &self.memory.buffer(), &mut |table| {
                if let Some(table) = table.as_any_mut().downcast_mut::<NativeTable<R>>() {
                    called = true;
                    f(table.as_mut_slice());
                }
            })
        };
        queue.state().using(check, || queue.state().settle_waited(turn.number(), in_place()))?;
        Ok(called)
    }
}

/// Checks that kernels can number all lanes of a table, if they are packed.
pub(crate) fn checked_places(layout: &'static Layout, rows: u32, capacity: u32) -> Result<()> {
    let places = (Shape::Table { layout, rows, capacity }).column_words().saturating_mul(u64::from(capacity));
    if !layout.packed || places <= u64::from(u32::MAX) {
        return Ok(());
    }
    let of = format!("a packed table of {rows} `{}` with {capacity} lanes each", layout.name);
    Err(Error::limit(Limit::PackedLanes { of }, places, u32::MAX))
}

/// Checks that a table can have this number of rows.
pub(crate) fn checked_rows(what: &str, rows: usize) -> Result<u32> {
    checked_number(rows, || Limit::Rows { of: format!("a {what}") })
}

/// Checks that kernels can number this many rows or slots.
pub(super) fn checked_number(number: usize, limit: impl FnOnce() -> Limit) -> Result<u32> {
    match u32::try_from(number) {
        Ok(number) if number <= MAX_ROWS => Ok(number),
        _ => Err(Error::limit(limit(), number as u64, MAX_ROWS)),
    }
}
