//! Growth of tables.

use super::record::take_rows;
use crate::data::Row;
use crate::error::{Error, Result};
use crate::memory::Room;
use crate::tables::{Table, checked_places};

/// Growth. The rows of a ragged table move by a primitive.
impl<R: Row> Table<R> {
    /// Raises the capacity of every lane array; elements stay, new elements are zero. A smaller capacity changes
    /// nothing. In a ragged table, larger rows keep their capacity.
    ///
    /// # Errors
    /// [`Error::OutOfMemory`], [`Error::Poisoned`], [`Error::Invalid`] for rows without lanes.
    pub fn grow(&mut self, capacity: u32) -> Result<()> {
        self.memory.check()?;
        self.has_lanes()?;
        if self.is_ragged() {
            return self.grow_rows(&vec![capacity; self.len()]);
        }
        if capacity <= self.capacity() {
            return Ok(());
        }
        checked_places(R::layout(), self.memory.rows, capacity)?;
        self.memory.grow(capacity, &Self::allocation(self.memory.rows, capacity))
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
}
