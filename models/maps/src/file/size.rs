//! Sizes in headers, and the memory that they need.

use crate::MapError;
use crate::raster::MAX_CELLS;
use imminent_common::free_memory;
use std::path::Path;

/// Returns the number of cells, if a raster of some bands may have so many.
pub(super) fn cells(file: &Path, columns: u64, rows: u64, bands: u16) -> Result<u64, MapError> {
    let file = file.to_owned();
    match columns.checked_mul(rows) {
        Some(0) => Err(MapError::Empty { file, columns, rows }),
        // The bytes of the file are there; a value is decoded, and then kept.
        Some(cells) if cells <= MAX_CELLS => room(&file, 16 * cells * u64::from(bands)).map(|()| cells),
        _ => Err(MapError::TooLarge { file, columns, rows }),
    }
}

/// Checks that what is made of a raster fits into memory.
///
/// # Errors
/// [`MapError::Memory`] if it needs more bytes than are available.
pub fn room(file: &Path, needed: u64) -> Result<(), MapError> {
    match free_memory::free() {
        Some(free) if needed > free => Err(MapError::Memory { file: file.to_owned(), needed, free }),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_does_not_fit_is_refused_before_it_is_allocated() {
        assert!(room("a.tif".as_ref(), 1).is_ok());
        let error = room("a.tif".as_ref(), u64::MAX);
        assert!(matches!(error, Err(MapError::Memory { needed: u64::MAX, .. })) || free_memory::free().is_none());
    }
}
