//! Markers of kernels that are being loaded: a kernel whose loading ended the process is not loaded again.
//!
//! A driver can abort the process on a binary that it made itself. This cannot be caught, but it can be detected. Each
//! kernel that is handed to a driver has a marker beside its file, which the process keeps locked until the driver
//! returns. The system releases the lock when the process ends. An unlocked marker therefore means a load that did not
//! return, and its kernel is removed.

use super::entry::{self, Kind, kind};
use super::key::Key;
use std::fs::{self, File, TryLockError};
use std::io;
use std::ops::Deref;
use std::path::{Path, PathBuf};

/// A kernel from the cache, while a driver loads it.
///
/// As long as this lives the kernel counts as being loaded. If the process ends before it is dropped, the next process
/// that uses the cache removes the kernel.
#[derive(Debug)]
pub struct Loaded {
    kernel: Vec<u8>,
    _marker: Option<Marker>,
}

impl Loaded {
    pub(super) fn new(folder: &Path, key: Key, kernel: Vec<u8>) -> Loaded {
        // In a read-only folder, or on a file system without locks, the kernel is loaded unmarked.
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
        // Other processes see the marker under its name only once it is locked.
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

/// Removes the kernels that a process was loading when it ended, with their markers. Returns their names.
pub(super) fn recover(folder: &Path) -> Vec<String> {
    // A folder that does not exist yet, or cannot be read: loading reports that.
    let Ok(entries) = fs::read_dir(folder) else { return Vec::new() };
    let names = entries.filter_map(|entry| entry.ok()?.file_name().into_string().ok());
    names.filter(|name| kind(name) == Some(Kind::Marker)).filter_map(|name| recovered(folder, &name)).collect()
}

fn recovered(folder: &Path, name: &str) -> Option<String> {
    let marker = folder.join(name);
    let file = File::open(&marker).ok()?;
    match file.try_lock() {
        Ok(()) => {}
        // The marker's process is alive, or its state is unknown.
        Err(TryLockError::WouldBlock | TryLockError::Error(_)) => return None,
    }
    let kernel = entry::marked(folder, name)?;
    // The marker goes last: if this process ends here, the next one still finds it.
    let _ = fs::remove_file(&kernel);
    let _ = fs::remove_file(&marker);
    Some(format!("a process ended while its driver loaded {}: the kernel is compiled again", kernel.display()))
}
