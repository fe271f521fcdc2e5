//! Sizes in headers.

use crate::MapError;
use crate::raster::MOST_CELLS;
use std::path::Path;

/// Returns the number of cells, if a raster may have so many.
pub(super) fn cells(file: &Path, columns: u64, rows: u64) -> Result<u64, MapError> {
    let file = file.to_owned();
    match columns.checked_mul(rows) {
        Some(0) => Err(MapError::Empty { file, columns, rows }),
        Some(cells) if cells <= MOST_CELLS => Ok(cells),
        _ => Err(MapError::TooLarge { file, columns, rows }),
    }
}
