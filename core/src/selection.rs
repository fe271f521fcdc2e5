//! Lists of rows that live on the device.

use crate::device::Device;
use crate::error::{Error, Result};
use crate::scalar::Scalar;
use crate::table::Table;

/// Row numbers of a table, with their count, on the device. No row is listed twice: only primitives make selections. Which rows it lists, and in which
/// order, is [`Exact`](crate::Determinism::Exact), for columns of floats too.
#[derive(Debug)]
pub struct Selection {
    pub(crate) rows: Table<u32>,
    pub(crate) count: Table<u32>,
}

impl Selection {
    /// An empty selection with room for so many rows.
    ///
    /// # Errors
    /// [`Error::OutOfMemory`], [`Error::Limit`].
    pub fn with_capacity(device: &Device, rows: usize) -> Result<Selection> {
        Ok(Selection { rows: Table::zeroed(device, rows)?, count: Table::zeroed(device, 1)? })
    }

    /// A selection of a table of `of` rows, made on the host.
    ///
    /// # Errors
    /// [`Error::Invalid`] when a row is listed twice or is none of the table's; [`Error::OutOfMemory`], [`Error::Limit`].
    pub fn from_rows(device: &Device, of: usize, rows: &[u32]) -> Result<Selection> {
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
        let mut selection = Selection::with_capacity(device, of)?;
        let mut numbers = rows.to_vec();
        numbers.resize(of, 0);
        selection.rows.write(&numbers)?;
        selection.count.write(&[rows.len() as u32])?;
        Ok(selection)
    }

    /// The most rows that it can list; every row that it lists is below this.
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
    /// [`Error::Poisoned`], errors of earlier work and of the driver.
    pub fn read(&self) -> Result<Vec<u32>> {
        let count = self.count_scalar()?.read()? as usize;
        self.rows.column::<u32>(0).read_rows(0..count.min(self.capacity()))
    }
}
