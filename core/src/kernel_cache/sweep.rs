//! Looking through a cache's folder and removing what is too old or too much.

use super::Bounds;
use super::entry::{Kind, kind};
use std::fs::{self, DirEntry};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

/// A draft that old has been left by a process that was killed.
const DRAFT_AGE: Duration = Duration::from_hours(1);

struct Found {
    path: PathBuf,
    bytes: u64,
    used: SystemTime,
}

/// Removes drafts that nobody writes any more and kernels that have not been used for too long; then, if what is left is
/// too much, those that have not been used for longest, down to three quarters of the bound, so that a full cache is not
/// looked through at every kernel.
///
/// Another process may do the same: a file that is gone already is as good as removed.
pub(super) fn sweep(folder: &Path, bounds: Bounds) -> Result<(), String> {
    let entries = fs::read_dir(folder).map_err(|error| format!("{} cannot be read ({error})", folder.display()))?;
    let now = SystemTime::now();
    let older = |time: SystemTime, age: Duration| now.duration_since(time).is_ok_and(|since| since > age);
    let mut kernels = Vec::new();
    for (kind, found) in entries.filter_map(|entry| looked_at(&entry.ok()?)) {
        let age = match kind {
            Kind::Kernel => bounds.age,
            Kind::Draft => Some(DRAFT_AGE),
            // Those are removed with their kernels.
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

fn looked_at(entry: &DirEntry) -> Option<(Kind, Found)> {
    let kind = kind(entry.file_name().to_str()?)?;
    let data = entry.metadata().ok()?;
    let written = data.modified().ok()?;
    let used = data.accessed().map_or(written, |accessed| accessed.max(written));
    data.is_file().then(|| (kind, Found { path: entry.path(), bytes: data.len(), used }))
}
