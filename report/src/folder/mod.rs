//! `--out`: a folder that receives either all results of a run or none.
//!
//! Files are first written into a subfolder, `.imminent-PROCESS`. When all are complete and on the disk:
//! 1. it is renamed to `.imminent-done`: from then on the new results count,
//! 2. the files of an earlier run are removed, and the subfolder is renamed to `.imminent-put`,
//! 3. the files are moved into place, and last of all the *seal*, the first of [`Names::written`].
//!
//! A folder with a seal thus only has files of one run. A process that is killed before the first step leaves the
//! results of the earlier run. If one is killed later, the next [`claim`](Folder::claim) completes its steps.

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
/// Name of the subfolder with all files of a run, while those of an earlier run are removed.
const DONE: &str = ".imminent-done";
/// Name of the subfolder with the files that are not in place yet, and the seal.
const PUT: &str = ".imminent-put";

/// Names of the files of a command.
#[derive(Debug, Clone, Copy)]
pub struct Names<'n> {
    /// Files that the command writes, and may therefore replace; the first is the seal.
    pub written: &'n [&'n str],
    /// Other files of the command, which stay.
    pub kept: &'n [&'n str],
}

/// Folder for results, which no other process writes into.
#[derive(Debug)]
pub struct Folder<'n> {
    path: PathBuf,
    names: Names<'n>,
    /// Handle of the folder, locked while it is open; `None` if the system has no such locks.
    lock: Option<File>,
}

impl<'n> Folder<'n> {
    /// Creates the folder if needed. A folder with files of other origin is only accepted with `force`, and these files
    /// stay.
    ///
    /// Call it before the run, so that a mistyped name costs no work.
    pub fn claim(path: &Path, force: bool, names: Names<'n>) -> Result<Self, FolderError> {
        let folder = || path.to_owned();
        if path.exists() && !path.is_dir() {
            return Err(FolderError::NotAFolder { folder: folder() });
        }
        fs::create_dir_all(path).map_err(|error| FolderError::CannotMake { folder: folder(), error })?;
        let entries = fs::read_dir(path).map_err(|error| FolderError::CannotRead { folder: folder(), error })?;
        let present: Vec<_> = entries.filter_map(|entry| entry.ok()?.file_name().into_string().ok()).collect();
        let stays = |name: &str| names.kept.contains(&name) || name.starts_with(PREFIX);
        // What these lead to would be written and removed.
        let regular = |name: &str| fs::symlink_metadata(path.join(name)).is_ok_and(|f| f.is_file() || f.is_dir());
        if let Some(name) = present.iter().find(|name| stays(name) && !regular(name)) {
            return Err(FolderError::Irregular { file: path.join(name) });
        }
        let ours = |name: &str| names.written.contains(&name) || stays(name);
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

    /// Returns the path of a file in the folder.
    pub fn file(&self, name: &str) -> PathBuf {
        self.path.join(name)
    }

    /// Replaces the files of an earlier run with those that `write` writes: all of them, or none if something fails.
    pub fn replace(&self, write: impl FnOnce(&Draft) -> Result<(), FolderError>) -> Result<(), FolderError> {
        let draft = Draft::begin(self.file(&format!("{PREFIX}{}", std::process::id())), self.path.clone())?;
        write(&draft)?;
        draft.done(&self.file(DONE))?;
        self.put_in_place()
    }

    /// Completes the steps of a killed process, and removes leftovers of others.
    fn settle(&self, present: &[String]) -> Result<(), FolderError> {
        let drafts = present.iter().filter(|name| name.starts_with(PREFIX) && ![DONE, PUT].contains(&name.as_str()));
        // Without locks, a draft may belong to another process; it does no harm.
        for name in drafts.filter(|_| self.lock.is_some()) {
            let _ = fs::remove_dir_all(self.file(name));
        }
        self.put_in_place()
    }

    /// Carries out steps 2 and 3, if they are due.
    fn put_in_place(&self) -> Result<(), FolderError> {
        let (done, put) = (self.file(DONE), self.file(PUT));
        let Some((seal, others)) = self.names.written.split_first() else { return Ok(()) };
        if done.is_dir() {
            for name in self.names.written {
                self.remove(name)?;
            }
            fs::rename(&done, &put).map_err(|error| FolderError::NotInPlace {
                file: self.path.clone(),
                waiting: done,
                error,
            })?;
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
        let waiting = self.file(PUT);
        fs::rename(waiting.join(name), &file).map_err(|error| FolderError::NotInPlace { file, waiting, error })
    }

    fn remove(&self, name: &str) -> Result<(), FolderError> {
        let file = self.file(name);
        match fs::remove_file(&file) {
            Err(error) if error.kind() != ErrorKind::NotFound => {
                Err(FolderError::NotInPlace { file, waiting: self.file(DONE), error })
            }
            _ => Ok(()),
        }
    }
}

/// Locks a folder for this process; `None` if the system has no such locks.
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
