//! Lists of rows that live on the device.

use super::scalar::Scalar;
use super::table::Table;
use crate::device::Device;
use crate::error::{Error, Result};

/// Placeholder for a row where a list has a gap: the number of no row.
pub const GAP: u32 = u32::MAX;

/// Row numbers of a table, with their count, on the device. No row is listed twice: only primitives make selections.
/// The rows that it lists and their order are [`Exact`](crate::Determinism::Exact), for columns of floats too.
///
/// A selection made with [`Selection::with_gaps`] has [gaps](GAP), places at which nothing happens. With gaps a list
/// controls which rows run side by side on a device that runs neighbours in lockstep.
#[derive(Debug)]
pub struct Selection {
    pub(crate) rows: Table<u32>,
    pub(crate) count: Table<u32>,
    /// Upper bound (exclusive) of the rows listed.
    pub(crate) of: usize,
    pub(crate) has_gaps: bool,
}

impl Selection {
    /// Creates an empty selection with room for `rows` rows.
    ///
    /// # Errors
    /// [`Error::OutOfMemory`], [`Error::Limit`].
    pub fn with_capacity(device: &Device, rows: usize) -> Result<Selection> {
        Self::with_places(device, rows, rows, false)
    }

    /// Creates an empty selection of a table of `of` rows, which may have gaps, with `places` places.
    ///
    /// # Errors
    /// [`Error::OutOfMemory`], [`Error::Limit`].
    pub fn with_gaps(device: &Device, of: usize, places: usize) -> Result<Selection> {
        Self::with_places(device, of, places, true)
    }

    /// Creates an empty selection with gaps, with room for the result of `group_by` over `rows` rows of `kinds` kinds
    /// that each begin at a multiple of `width`.
    ///
    /// # Errors
    /// [`Error::OutOfMemory`], [`Error::Limit`].
    pub fn by_kind(device: &Device, rows: usize, kinds: u32, width: u32) -> Result<Selection> {
        Self::with_gaps(device, rows, Self::places_by_kind(rows, kinds, width))
    }

    /// Returns the largest number of places for `rows` rows of `kinds` kinds that each begin at a multiple of `width`.
    pub(crate) fn places_by_kind(rows: usize, kinds: u32, width: u32) -> usize {
        let gaps = (kinds.max(1) as usize).min(rows).saturating_mul(width.max(1) as usize - 1);
        rows.saturating_add(gaps)
    }

    fn with_places(device: &Device, of: usize, places: usize, has_gaps: bool) -> Result<Selection> {
        Ok(Selection { rows: Table::zeroed(device, places)?, count: Table::zeroed(device, 1)?, of, has_gaps })
    }

    /// Creates a selection of a table of `of` rows from a list on the host.
    ///
    /// # Errors
    /// [`Error::Invalid`] if a row is listed twice or does not belong to the table; [`Error::OutOfMemory`],
    /// [`Error::Limit`].
    pub fn from_rows(device: &Device, of: usize, rows: &[u32]) -> Result<Selection> {
        check_rows(of, rows.iter())?;
        let mut selection = Selection::with_capacity(device, of)?;
        selection.list(rows)?;
        Ok(selection)
    }

    /// Creates a selection of a table of `of` rows with gaps, from a list on the host: [`GAP`] stands for a gap.
    ///
    /// # Errors
    /// As for [`Selection::from_rows`].
    pub fn from_places(device: &Device, of: usize, places: &[u32]) -> Result<Selection> {
        check_rows(of, places.iter().filter(|place| **place != GAP))?;
        let mut selection = Selection::with_gaps(device, of, places.len())?;
        selection.list(places)?;
        Ok(selection)
    }

    fn list(&mut self, places: &[u32]) -> Result<()> {
        let mut numbers = places.to_vec();
        numbers.resize(self.capacity(), 0);
        self.rows.write(&numbers)?;
        self.count.write(&[places.len() as u32])
    }

    /// Returns the number of rows, or rows and gaps, that the selection can list.
    #[must_use]
    pub fn capacity(&self) -> usize {
        self.rows.len()
    }

    /// Returns the number of rows of the selection's table: every row that it lists is below this.
    #[must_use]
    pub fn of(&self) -> usize {
        self.of
    }

    /// Returns `true` if the list may have [gaps](GAP).
    #[must_use]
    pub fn has_gaps(&self) -> bool {
        self.has_gaps
    }

    /// Returns the row numbers; those from the count on are undefined.
    #[must_use]
    pub fn rows(&self) -> &Table<u32> {
        &self.rows
    }

    /// Returns the number of rows listed, including gaps: a table of one row, which a kernel can read.
    #[must_use]
    pub fn count(&self) -> &Table<u32> {
        &self.count
    }

    /// Returns the number of rows listed, including gaps, as a scalar.
    ///
    /// # Errors
    /// None: the count is a table of one row.
    pub fn count_scalar(&self) -> Result<Scalar<u32>> {
        Scalar::first_of(&self.count)
    }

    /// Returns the listed rows, with [`GAP`] for a gap, after earlier work on the device's queue.
    ///
    /// # Errors
    /// [`Error::Poisoned`], errors of earlier work and of the driver.
    pub fn read(&self) -> Result<Vec<u32>> {
        let count = self.count_scalar()?.read()? as usize;
        self.rows.column::<u32>(0).read_rows(0..count.min(self.capacity()))
    }
}

/// Fails unless these are rows of a table of `of` rows, each of them once at most.
fn check_rows<'r>(of: usize, rows: impl Iterator<Item = &'r u32>) -> Result<()> {
    let mut listed = vec![false; of];
    for row in rows {
        let reason = match listed.get_mut(*row as usize) {
            Some(listed @ false) => {
                *listed = true;
                continue;
            }
            Some(true) => format!("row {row} is listed twice: a selection has every row once at most"),
            None => format!("row {row} is listed, and the table has {of} rows"),
        };
        return Err(Error::invalid("selection", reason));
    }
    Ok(())
}
