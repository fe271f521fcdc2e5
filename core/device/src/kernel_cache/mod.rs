//! Compiled kernels on disk, for backends whose drivers do not cache them. The next run need not compile them again.
//!
//! | what | how |
//! | --- | --- |
//! | a file | one compiled kernel behind a checksum; its name is the [`Key`], a hash of all that the kernel depends on |
//! | writing | beside its place, then renamed into it: a reader finds a whole file or none, even with several writers |
//! | damage, garbage | counts as absence; the kernel is compiled, and the file replaced |
//! | a folder that cannot be read or written | costs time, and is reported by [`KernelCache::trouble`] |
//! | another user | a folder that belongs to another user, or that others can write to, is not used, and reported; neither is such a file |
//! | growth | bounded by [`Bounds`]: the least recently used goes first |
//! | a kernel whose loading ends the process | a locked marker lies beside the file while a driver takes the kernel; a process that finds an unlocked one drops the kernel |
//!
//! # Environment
//!
//! | variable | value | meaning |
//! | --- | --- | --- |
//! | `IMMINENT_CACHE` | `off` | nothing is kept, unless an option of the device names a folder |
//! | | an absolute path | folders of backends lie there, instead of in `imminent` of the user's cache folder |
//! | `IMMINENT_CACHE_LIMIT` | as `256MiB`, `30d` or `1GiB,30d` | the most bytes of a folder, and days for which an unused kernel is kept |
//! | | `off` | neither bound |
//! | `IMMINENT_KERNELS` | `off`, or an absolute path | [`Shipped`] kernels: none, or in another folder than beside the program |

mod bounds;
mod entry;
pub mod first_run;
mod key;
mod marker;
mod place;
pub mod shipped;
mod sweep;
#[cfg(test)]
mod tests;
mod trust;

pub use bounds::Bounds;
pub use key::Key;
pub use marker::Loaded;
pub use place::Cache;
pub use shipped::Shipped;

use imminent_core::Result;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, Once, PoisonError};

/// A folder of compiled kernels.
#[derive(Debug)]
pub struct KernelCache {
    folder: Option<PathBuf>,
    bounds: Bounds,
    /// Bytes that may still be written before the next sweep of the folder.
    until_sweep: AtomicU64,
    /// Set once the folder was searched for markers, before the first kernel is loaded.
    recovered: Once,
    trouble: Mutex<Option<String>>,
}

impl KernelCache {
    /// Opens the cache of the backend of this name, such as `cuda`, with the bounds that the environment sets.
    ///
    /// # Errors
    /// [`Error::Invalid`](imminent_core::Error::Invalid) for an environment variable with an invalid value.
    pub fn open(cache: &Cache, backend: &str) -> Result<KernelCache> {
        let bounds = Bounds::from_variable(std::env::var_os("IMMINENT_CACHE_LIMIT"))?;
        let folder = place::folder(cache, backend, std::env::var_os("IMMINENT_CACHE"), place::user_folder)?;
        Ok(KernelCache::bounded(folder, bounds))
    }

    /// Creates a cache in a folder, or none, with these bounds.
    #[must_use]
    pub fn bounded(folder: Option<PathBuf>, bounds: Bounds) -> KernelCache {
        let distrust = folder.as_deref().and_then(trust::distrust);
        let folder = folder.filter(|_| distrust.is_none());
        // The first kernel that is written triggers a sweep: files of earlier runs may be too old.
        KernelCache {
            folder,
            bounds,
            until_sweep: AtomicU64::new(0),
            recovered: Once::new(),
            trouble: Mutex::new(distrust),
        }
    }

    /// Returns the folder, if kernels are kept at all.
    #[must_use]
    pub fn folder(&self) -> Option<&Path> {
        self.folder.as_deref()
    }

    /// Returns the compiled kernel, if it exists undamaged.
    ///
    /// Keep the result until the driver has taken the kernel: if the process ends before, a later one compiles the
    /// kernel again.
    #[must_use]
    pub fn load(&self, key: Key) -> Option<Loaded> {
        let folder = self.folder.as_deref()?;
        self.recovered.call_once(|| {
            for trouble in marker::recover(folder) {
                self.note(trouble);
            }
        });
        match entry::read(folder, key) {
            Ok(kernel) => kernel.map(|kernel| Loaded::new(folder, key, kernel)),
            Err(trouble) => {
                self.note(trouble);
                None
            }
        }
    }

    /// Stores a compiled kernel. A failure only makes the next run compile it again.
    pub fn store(&self, key: Key, kernel: &[u8]) {
        let Some(folder) = &self.folder else { return };
        if self.bounds.bytes.is_some_and(|most| kernel.len() as u64 > most) {
            return;
        }
        match entry::write(folder, key, kernel) {
            Ok(bytes) => self.written(folder, bytes),
            Err(trouble) => self.note(trouble),
        }
    }

    /// Drops a kernel that the driver did not take.
    pub fn forget(&self, key: Key) {
        if let Some(folder) = &self.folder {
            entry::remove(folder, key);
        }
    }

    /// Returns the first failure, if there was one.
    #[must_use]
    pub fn trouble(&self) -> Option<String> {
        self.trouble.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn note(&self, what: String) {
        self.trouble.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(what);
    }

    /// Counts the bytes written, and sweeps the folder from time to time.
    fn written(&self, folder: &Path, bytes: u64) {
        let sweep = self
            .until_sweep
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| {
                Some(left.checked_sub(bytes).unwrap_or_else(|| self.bounds.slack()))
            })
            .is_ok_and(|left| left < bytes);
        if sweep && let Err(trouble) = sweep::sweep(folder, self.bounds) {
            self.note(trouble);
        }
    }
}
