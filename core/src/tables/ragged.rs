//! Tables whose rows have individual room for lanes.

use super::table::{Table, checked_rows};
use crate::backend::Allocation;
use crate::data::{Ragged, Row};
use crate::device::{Device, Storage};
use crate::error::{Error, Result};
use crate::memory::Room;
use crate::native::NativeTable;

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
        checked_rows(&what, capacities.len())?;
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

    pub(crate) fn has_lanes(&self) -> Result<()> {
        lanes_of::<R>(&self.memory.what)
    }

    pub(crate) fn with_room(device: &Device, room: Ragged) -> Result<Self> {
        let what = format!("ragged table of `{}`", R::layout().name);
        lanes_of::<R>(&what)?;
        let rows = room.rows();
        let allocation = Allocation::Ragged { layout: R::layout(), room, native: NativeTable::<R>::allocate_ragged };
        Ok(Table::of_memory(Storage::new(device, what, rows, 0, &allocation)?))
    }
}

fn lanes_of<R: Row>(what: &str) -> Result<()> {
    if R::layout().lane_words == 0 {
        return Err(Error::invalid(what, "its rows have no lanes that could grow"));
    }
    Ok(())
}
