//! Rasters in memory that are given to this process, which reads find in place of files.

use crate::Raster;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

static GIVEN: Mutex<BTreeMap<PathBuf, Raster>> = Mutex::new(BTreeMap::new());

fn all() -> MutexGuard<'static, BTreeMap<PathBuf, Raster>> {
    GIVEN.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Gives this process a raster, which [`read`](super::read) returns for `file` until it is [taken back](take_back). Its
/// values are shared, and not copied. The ending of the name is that of a raster file.
pub fn give(file: &Path, raster: Raster) {
    all().insert(file.to_owned(), raster);
}

/// Takes a raster back that was [given](give).
pub fn take_back(file: &Path) {
    all().remove(file);
}

/// Returns the raster that was given for a file.
pub(super) fn of(file: &Path) -> Option<Raster> {
    all().get(file).cloned()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::{Georeference, file};

    #[test]
    fn a_given_raster_is_read_without_a_copy() {
        let path = Path::new("/in no folder/given.tif");
        let raster = Raster::new(2, 1, vec![1.0, 2.0], Georeference::square(0.0, 1.0, 1.0)).unwrap();
        give(path, raster.clone());
        let read = file::read(path).unwrap();
        assert_eq!((&read, read.values().as_ptr()), (&raster, raster.values().as_ptr()));
        take_back(path);
        assert!(file::read(path).is_err());
    }
}
