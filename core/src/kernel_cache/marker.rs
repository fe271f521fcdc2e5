//! Kernels that are being loaded, so that one whose loading ends the process is not loaded again.
//!
//! A driver can abort the process on a binary that it made itself. Nothing can be caught then, but it can be known: each
//! kernel that is handed to a driver has a marker beside its file, which the process keeps locked until the driver has come
//! back. The system releases the lock when the process ends. A marker that nobody holds is that of a load that did not come
//! back, and its kernel is removed.

use super::entry::{self, Kind, kind};
use super::key::Key;
use std::fs::{self, File, TryLockError};
use std::io;
use std::ops::Deref;
use std::path::{Path, PathBuf};

/// A kernel from the cache on its way into a driver.
///
/// As long as this lives the kernel counts as being loaded. A process that ends before it is dropped has the kernel removed
/// by the next process that uses the cache.
#[derive(Debug)]
pub struct Loaded {
    kernel: Vec<u8>,
    _marker: Option<Marker>,
}

impl Loaded {
    pub(super) fn new(folder: &Path, key: Key, kernel: Vec<u8>) -> Loaded {
        // A folder that can only be read, or a file system without locks: the kernel is loaded unmarked.
        Loaded { kernel, _marker: Marker::set(folder, key).ok() }
    }
}

impl Deref for Loaded {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.kernel
    }
}

/// A locked file, removed when dropped.
#[derive(Debug)]
struct Marker {
    path: PathBuf,
    _locked: File,
}

impl Marker {
    fn set(folder: &Path, key: Key) -> io::Result<Marker> {
        // Whoever looks for markers sees it under its name only when it is locked.
        let draft = entry::own_file(folder, key, entry::DRAFT);
        let path = entry::own_file(folder, key, entry::MARKER);
        let made = File::create_new(&draft).and_then(|file| {
            file.lock()?;
            fs::rename(&draft, &path)?;
            Ok(file)
        });
        match made {
            Ok(file) => Ok(Marker { path, _locked: file }),
            Err(error) => {
                let _ = fs::remove_file(&draft);
                Err(error)
            }
        }
    }
}

impl Drop for Marker {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.path);
    }
}

/// Removes the kernels that a process was loading when it ended, with their markers; says which.
pub(super) fn recover(folder: &Path) -> Vec<String> {
    // A folder that is not there yet, or cannot be read: loading tells of that.
    let Ok(entries) = fs::read_dir(folder) else { return Vec::new() };
    let names = entries.filter_map(|entry| entry.ok()?.file_name().into_string().ok());
    names.filter(|name| kind(name) == Some(Kind::Marker)).filter_map(|name| recovered(folder, &name)).collect()
}

fn recovered(folder: &Path, name: &str) -> Option<String> {
    let marker = folder.join(name);
    let file = File::open(&marker).ok()?;
    match file.try_lock() {
        Ok(()) => {}
        // Its process lives, or nobody can know.
        Err(TryLockError::WouldBlock | TryLockError::Error(_)) => return None,
    }
    let kernel = entry::marked(folder, name)?;
    // The marker goes last: should this process end here, the next one finds it.
    let _ = fs::remove_file(&kernel);
    let _ = fs::remove_file(&marker);
    Some(format!("a process ended while its driver loaded {}: the kernel is compiled again", kernel.display()))
}
