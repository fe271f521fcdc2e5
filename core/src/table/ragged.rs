//! Tables whose rows have individual room for lanes.

use super::Table;
use crate::backend::{Allocation, Ragged};
use crate::data::Row;
use crate::device::Device;
use crate::error::{Error, Result};
use crate::memory::{Memory, Room};
use crate::native::NativeTable;
use crate::primitives::take_rows;
use std::marker::PhantomData;

/// Ragged tables. The lanes of all rows lie in one pool, row after row, so one long row among many short ones wastes no
/// memory. Kernels use such a table like any other: `lanes.capacity()` is that of the row.
impl<R: Row> Table<R> {
    /// Creates zeroed rows; row `i` has room for `capacities[i]` elements in each of its lane arrays.
    ///
    /// # Errors
    /// [`Error::Invalid`] for rows without lanes; [`Error::Limit`] for more than 2^32 - 1024 rows or lanes in total, or
    /// more than the device can hold; [`Error::OutOfMemory`].
    pub fn ragged(device: &Device, capacities: &[u32]) -> Result<Self> {
        let what = format!("ragged table of `{}`", R::layout().name);
        super::checked_rows(&what, capacities.len())?;
        Self::with_room(device, Ragged::new(&what, capacities.iter().copied())?)
    }

    /// Creates a copy of `rows`, each with its own number of lanes.
    ///
    /// # Errors
    /// As for [`Table::ragged`].
    pub fn from_ragged_rows(device: &Device, rows: &[R]) -> Result<Self> {
        let capacities: Vec<u32> = rows.iter().map(Row::capacity).collect();
        let mut table = Self::ragged(device, &capacities)?;
        table.write(rows)?;
        Ok(table)
    }

    /// Returns `true` if each row has its own capacity.
    #[must_use]
    pub fn is_ragged(&self) -> bool {
        matches!(self.memory.room(), Room::Ragged(_))
    }

    /// Returns the number of elements in each lane array of every row.
    #[must_use]
    pub fn capacities(&self) -> Vec<u32> {
        match self.memory.room() {
            Room::Even(capacity) => vec![capacity; self.len()],
            Room::Ragged(room) => room.capacities().collect(),
        }
    }

    /// Raises the capacities of a ragged table's rows: row `i` gets room for at least `wanted[i]` elements in each of
    /// its lane arrays. Elements stay, new elements are zero. The rows move on the device; meanwhile it holds the table
    /// twice.
    ///
    /// # Errors
    /// [`Error::Invalid`] for a table that is not ragged, or a list of another length; [`Error::Limit`],
    /// [`Error::OutOfMemory`], [`Error::Poisoned`], and the table is then as it was.
    pub fn grow_rows(&mut self, wanted: &[u32]) -> Result<()> {
        self.memory.check()?;
        let Room::Ragged(room) = self.memory.room() else {
            let reason = "its rows all have the same room: make it with `Table::ragged`, or use `grow`";
            return Err(Error::invalid(&self.memory.what, reason));
        };
        if wanted.len() != self.len() {
            let reason = format!("it has {} rows, room for {} was asked for", self.len(), wanted.len());
            return Err(Error::invalid(&self.memory.what, reason));
        }
        let grown = room.at_least(&self.memory.what, wanted)?;
        if grown == room {
            return Ok(());
        }
        let rows: Vec<u32> = (0..grown.rows()).collect();
        let rows = Table::from_rows(self.device(), &rows)?;
        let mut to = Self::with_room(self.device(), grown)?;
        self.device().queue().record(|builder| take_rows(builder, &rows, self, &mut to))?;
        self.memory.take_over(&to.memory)
    }

    pub(super) fn has_lanes(&self) -> Result<()> {
        lanes_of::<R>(&self.memory.what)
    }

    fn with_room(device: &Device, room: Ragged) -> Result<Self> {
        let what = format!("ragged table of `{}`", R::layout().name);
        lanes_of::<R>(&what)?;
        let rows = room.rows();
        let allocation = Allocation::Ragged { layout: R::layout(), room, native: NativeTable::<R>::allocate_ragged };
        Ok(Table { memory: Memory::new(device, what, rows, 0, &allocation)?, of: PhantomData })
    }
}

fn lanes_of<R: Row>(what: &str) -> Result<()> {
    if R::layout().lane_words == 0 {
        return Err(Error::invalid(what, "its rows have no lanes that could grow"));
    }
    Ok(())
}
