//! `--out`: a folder that results are written to, all of them or none.
//!
//! Files are written into a folder within it, `.imminent-PROCESS`. When all are whole and on the disk:
//! 1. it is renamed to `.imminent-done`: from here on the new results count,
//! 2. the files of an earlier run are removed, and the folder renamed to `.imminent-put`,
//! 3. the files are put in place, and last of all the *seal*, the first of [`Names::written`].
//!
//! So where the seal is, all files beside it are of one run. A process that is killed before the first step leaves the results of the earlier run; what one
//! leaves that is killed later, the next [`claim`](Folder::claim) takes to the end.

mod draft;
mod error;

pub use draft::Draft;
pub use error::FolderError;

use super::file::sync_folder;
use std::fs::{self, File, TryLockError};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

/// Prefix of the names of temporary folders within a results folder.
const PREFIX: &str = ".imminent-";
/// Holds all files of a run, while those of an earlier one are removed.
const DONE: &str = ".imminent-done";
/// Holds the files that are not in place yet, and the seal.
const PUT: &str = ".imminent-put";

/// The files of a command.
#[derive(Debug, Clone, Copy)]
pub struct Names {
    /// Files that it writes, and may therefore replace; the first is the seal.
    pub written: &'static [&'static str],
    /// Other files that it has there, which stay.
    pub kept: &'static [&'static str],
}

/// A folder that results may be written to, and that no other process writes to.
#[derive(Debug)]
pub struct Folder {
    path: PathBuf,
    names: Names,
    /// The folder, locked while it is open; none where the system has no such locks.
    lock: Option<File>,
}

impl Folder {
    /// Makes the folder if need be; one that holds anything but files of such a command is only taken by `force`, and then what it holds
    /// otherwise stays.
    ///
    /// This is done before the run, so that no work is lost for a mistyped name.
    pub fn claim(path: &Path, force: bool, names: Names) -> Result<Self, FolderError> {
        let folder = || path.to_owned();
        if path.exists() && !path.is_dir() {
            return Err(FolderError::NotAFolder { folder: folder() });
        }
        fs::create_dir_all(path).map_err(|error| FolderError::CannotMake { folder: folder(), error })?;
        let entries = fs::read_dir(path).map_err(|error| FolderError::CannotRead { folder: folder(), error })?;
        let present: Vec<_> = entries.filter_map(|entry| entry.ok()?.file_name().into_string().ok()).collect();
        let ours = |name: &&String| {
            let name = name.as_str();
            names.written.contains(&name) || names.kept.contains(&name) || name.starts_with(PREFIX)
        };
        let mut foreign: Vec<_> = present.iter().filter(|name| !ours(name)).collect();
        foreign.sort();
        if let Some(file) = foreign.first().filter(|_| !force) {
            let file = (*file).clone();
            return Err(FolderError::NotEmpty { folder: folder(), file, others: foreign.len() - 1 });
        }
        let claimed = Self { path: folder(), names, lock: lock(path)? };
        claimed.settle(&present)?;
        Ok(claimed)
    }

    /// The path of a file in it.
    pub fn file(&self, name: &str) -> PathBuf {
        self.path.join(name)
    }

    /// Replaces the files of an earlier run by those that `write` writes: all of them, or none where something fails.
    pub fn replace(&self, write: impl FnOnce(&Draft) -> Result<(), FolderError>) -> Result<(), FolderError> {
        let draft = Draft::begin(self.file(&format!("{PREFIX}{}", std::process::id())), self.path.clone())?;
        write(&draft)?;
        draft.done(&self.file(DONE))?;
        self.put_in_place()
    }

    /// Ends what a process began that was killed, and removes what another left.
    fn settle(&self, present: &[String]) -> Result<(), FolderError> {
        let drafts = present.iter().filter(|name| name.starts_with(PREFIX) && ![DONE, PUT].contains(&name.as_str()));
        // Without locks, a draft may be another process's; it is in nobody's way.
        for name in drafts.filter(|_| self.lock.is_some()) {
            let _ = fs::remove_dir_all(self.file(name));
        }
        self.put_in_place()
    }

    /// Steps 2 and 3, as far as they are to be done.
    fn put_in_place(&self) -> Result<(), FolderError> {
        let (done, put) = (self.file(DONE), self.file(PUT));
        let Some((seal, others)) = self.names.written.split_first() else { return Ok(()) };
        if done.is_dir() {
            for name in self.names.written {
                self.remove(name)?;
            }
            fs::rename(&done, &put).map_err(|error| FolderError::CannotWrite { file: put.clone(), error })?;
        }
        if !put.is_dir() {
            return Ok(());
        }
        for name in others.iter().filter(|name| put.join(name).is_file()) {
            self.put(name)?;
        }
        sync_folder(Some(&self.path));
        if put.join(seal).is_file() {
            self.put(seal)?;
        }
        sync_folder(Some(&self.path));
        fs::remove_dir_all(&put).map_err(|error| FolderError::CannotWrite { file: put, error })
    }

    fn put(&self, name: &str) -> Result<(), FolderError> {
        let file = self.file(name);
        fs::rename(self.file(PUT).join(name), &file).map_err(|error| FolderError::CannotWrite { file, error })
    }

    fn remove(&self, name: &str) -> Result<(), FolderError> {
        let file = self.file(name);
        match fs::remove_file(&file) {
            Err(error) if error.kind() != ErrorKind::NotFound => Err(FolderError::CannotWrite { file, error }),
            _ => Ok(()),
        }
    }
}

/// Locks a folder for this process; `None` where the system has no such locks.
fn lock(path: &Path) -> Result<Option<File>, FolderError> {
    let Ok(folder) = File::open(path) else { return Ok(None) };
    match folder.try_lock() {
        Ok(()) => Ok(Some(folder)),
        Err(TryLockError::WouldBlock) => Err(FolderError::InUse { folder: path.to_owned() }),
        Err(TryLockError::Error(_)) => Ok(None),
    }
}

#[cfg(test)]
mod tests;
