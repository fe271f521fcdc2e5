//! Lists of rows that live on the device.

use crate::device::Device;
use crate::error::Result;
use crate::scalar::Scalar;
use crate::table::Table;

/// Row numbers of a table, with their count, on the device. No row is listed twice: only primitives make selections.
#[derive(Debug)]
pub struct Selection {
    pub(crate) rows: Table<u32>,
    pub(crate) count: Table<u32>,
}

impl Selection {
    /// An empty selection with room for so many rows.
    ///
    /// # Errors
    /// [`Error::OutOfMemory`](crate::Error::OutOfMemory), [`Error::Limit`](crate::Error::Limit).
    pub fn with_capacity(device: &Device, rows: usize) -> Result<Selection> {
        Ok(Selection { rows: Table::zeroed(device, rows)?, count: Table::zeroed(device, 1)? })
    }

    /// The most rows that it can list.
    #[must_use]
    pub fn capacity(&self) -> usize {
        self.rows.len()
    }

    /// The row numbers; those from the count on mean nothing.
    #[must_use]
    pub fn rows(&self) -> &Table<u32> {
        &self.rows
    }

    /// How many rows are listed: a table of one row, which a kernel can read.
    #[must_use]
    pub fn count(&self) -> &Table<u32> {
        &self.count
    }

    /// How many rows are listed, as a scalar.
    ///
    /// # Errors
    /// None: the count is a table of one row.
    pub fn count_scalar(&self) -> Result<Scalar<u32>> {
        Scalar::first_of(&self.count)
    }

    /// The listed rows, after the work before it on the device's queue.
    ///
    /// # Errors
    /// [`Error::Poisoned`](crate::Error::Poisoned), errors of earlier work and of the driver.
    pub fn read(&self) -> Result<Vec<u32>> {
        let count = self.count_scalar()?.read()? as usize;
        self.rows.column::<u32>(0).read_rows(0..count.min(self.capacity()))
    }
}
