//! Rows of a file, whatever its kind.

use super::error::{Place, ReplayFileError};

/// Rows of a file, one after the other.
pub(super) trait Rows {
    /// Returns the headings of the columns.
    fn headings(&self) -> &[String];

    /// Reads the next row, and returns its place; `None` after the last.
    fn next(&mut self) -> Result<Option<Place>, ReplayFileError>;

    /// Returns an entry of the row that was read last; an empty text if there is none.
    fn entry(&self, column: usize) -> &str;
}
