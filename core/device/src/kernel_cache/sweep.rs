//! Removal of files of a cache's folder that are too old or too many.

use super::Bounds;
use super::entry::{Kind, kind};
use std::fs::{self, DirEntry};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

/// Age of a draft that was left by a killed process.
const DRAFT_AGE: Duration = Duration::from_hours(1);

struct CachedFile {
    path: PathBuf,
    bytes: u64,
    used: SystemTime,
}

/// Removes drafts that are no longer written and kernels that have not been used for too long. If the rest is still too
/// large, removes the least recently used kernels, down to three quarters of the bound. So a full cache is not swept at
/// every kernel.
///
/// Another process may do the same: a file that is already gone counts as removed.
pub(super) fn sweep(folder: &Path, bounds: Bounds) -> Result<(), String> {
    let entries = fs::read_dir(folder).map_err(|error| format!("{} cannot be read ({error})", folder.display()))?;
    let now = SystemTime::now();
    let older = |time: SystemTime, age: Duration| now.duration_since(time).is_ok_and(|since| since > age);
    let mut kernels = Vec::new();
    for (kind, found) in entries.filter_map(|entry| looked_at(&entry.ok()?)) {
        let age = match kind {
            Kind::Kernel => bounds.age,
            Kind::Draft => Some(DRAFT_AGE),
            // Markers are removed with their kernels.
            Kind::Marker => continue,
        };
        if age.is_some_and(|age| older(found.used, age)) {
            let _ = fs::remove_file(&found.path);
        } else if kind == Kind::Kernel {
            kernels.push(found);
        }
    }
    let Some(most) = bounds.bytes else { return Ok(()) };
    let mut total: u64 = kernels.iter().map(|found| found.bytes).sum();
    if total <= most {
        return Ok(());
    }
    kernels.sort_by_key(|found| found.used);
    for found in kernels {
        if total <= most / 4 * 3 {
            break;
        }
        let _ = fs::remove_file(&found.path);
        total -= found.bytes;
    }
    Ok(())
}

fn looked_at(entry: &DirEntry) -> Option<(Kind, CachedFile)> {
    let kind = kind(entry.file_name().to_str()?)?;
    let data = entry.metadata().ok()?;
    let written = data.modified().ok()?;
    let used = data.accessed().map_or(written, |accessed| accessed.max(written));
    data.is_file().then(|| (kind, CachedFile { path: entry.path(), bytes: data.len(), used }))
}
