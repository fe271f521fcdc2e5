//! Checkpoints: the states of unfinished runs on disk, from which a study that was killed continues.
//!
//! A laboratory that executes runs side by side writes their states to one file, at intervals and when it is asked to
//! end. The file is removed when its runs have finished. The state of a run does not depend on the others in the file,
//! so another device or rank can continue it beside other runs. A run without a state, or with a damaged one, starts
//! again from the beginning.

mod error;
mod file;

pub use error::CheckpointError;
pub use file::Saved;

use super::laboratory::Fault;
use super::plan::{Fingerprint, Study};
use file::Entry;
use imminent_common::file::UNFINISHED;
use std::collections::{HashMap, HashSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// Extension of checkpoint files. The number of their first run stands before it.
const EXTENSION: &str = "checkpoint";

/// Store of the states of a study's unfinished runs, shared by all laboratories that execute the study.
#[derive(Debug)]
pub struct Checkpoints {
    folder: PathBuf,
    fingerprint: Fingerprint,
    every: Duration,
    known: Mutex<Known>,
}

#[derive(Debug, Default)]
struct Known {
    /// Location of the furthest state of each run.
    states: HashMap<u64, (Arc<Path>, Entry)>,
    /// Checkpoint files that exist or will be written.
    files: HashSet<PathBuf>,
    /// Runs that were resumed.
    taken_up: HashSet<u64>,
    problems: Vec<CheckpointError>,
}

impl Checkpoints {
    /// Opens the checkpoints of a study in a folder, which is created before the first file is written. Its parent must
    /// exist then. `every` is the time between two checkpoints; writing them takes at most one part in fifty of the
    /// time.
    #[must_use]
    pub fn open(folder: &Path, study: &Study, every: Duration) -> Self {
        let (folder, fingerprint) = (folder.to_owned(), study.fingerprint());
        let own = Self { folder, fingerprint, every, known: Mutex::default() };
        own.scan();
        own
    }

    /// Reads the heads of all checkpoint files.
    fn scan(&self) {
        let mut known = self.known();
        known.states.clear();
        known.files.clear();
        for path in self.paths(EXTENSION) {
            let entries = match file::read(&path, &self.fingerprint) {
                Ok(entries) => entries,
                Err(problem) => {
                    known.note(problem);
                    vec![]
                }
            };
            known.add(&path, entries);
        }
    }

    /// Removes unneeded files: those without the furthest state of a missing run, and incomplete ones. No other process
    /// may use the folder meanwhile.
    pub fn tidy(&self, missing: impl Fn(u64) -> bool) {
        self.scan();
        let mut known = self.known();
        known.states.retain(|run, _| missing(*run));
        let needed: HashSet<&Path> = known.states.values().map(|(path, _)| &**path).collect();
        let is_ours = |path: &PathBuf| file::read(path, &self.fingerprint).is_ok();
        let unneeded = self.paths(EXTENSION).filter(|path| !needed.contains(path.as_path()) && is_ours(path));
        for path in unneeded.chain(self.paths(UNFINISHED)) {
            // A file that stays does no harm.
            let _ = fs::remove_file(path);
        }
        let _ = fs::remove_dir(&self.folder);
    }

    /// Returns the number of runs that can be resumed.
    #[must_use]
    pub fn runs(&self) -> u64 {
        self.known().states.len() as u64
    }

    /// Returns the number of runs that were resumed from their states.
    #[must_use]
    pub fn taken_up(&self) -> u64 {
        self.known().taken_up.len() as u64
    }

    /// Returns the problems since the last call. The study continues in spite of them.
    #[must_use]
    pub fn problems(&self) -> Vec<CheckpointError> {
        std::mem::take(&mut self.known().problems)
    }

    /// Returns the interval at which states are saved.
    #[must_use]
    pub fn every(&self) -> Duration {
        self.every
    }

    /// Returns the state of a run, if there is one. `make` reads it from its bytes.
    pub fn state<T, E: Into<Fault>>(&self, run: u64, make: impl FnOnce(&[u8]) -> Result<T, E>) -> Option<T> {
        let (path, entry) = self.known().states.get(&run).cloned()?;
        match file::state(&path, &entry).map(|bytes| make(&bytes)) {
            Ok(Ok(state)) => {
                self.known().taken_up.insert(run);
                return Some(state);
            }
            Ok(Err(error)) => self.reject(run, error),
            Err(error) => {
                self.note(CheckpointError::System { path: path.to_path_buf(), doing: "cannot be read", error });
                self.known().states.remove(&run);
            }
        }
        None
    }

    /// Records that a run cannot resume from its state. The run starts again.
    pub fn reject(&self, run: u64, error: impl Into<Fault>) {
        let mut known = self.known();
        if let Some((path, _)) = known.states.remove(&run) {
            known.note(CheckpointError::Run { path: path.to_path_buf(), run, error: error.into() });
        }
    }

    /// Returns a new file name for runs that are executed side by side. `first` is the number of the first run.
    #[must_use]
    pub fn file(&self, first: u64) -> PathBuf {
        let mut known = self.known();
        let names = std::iter::once(first.to_string()).chain((1..).map(|more: u64| format!("{first}-{more}")));
        let mut paths = names.map(|name| self.folder.join(name).with_extension(EXTENSION));
        // There are more names than files.
        let path = paths.find(|path| !known.files.contains(path)).unwrap_or_default();
        known.files.insert(path.clone());
        path
    }

    /// Writes states to a file, in place of its earlier contents.
    pub fn write(&self, path: &Path, saved: &[Saved]) {
        // The parent folder may be missing on another machine. Creating the folder then fails.
        let folder = if self.folder.is_dir() { Ok(()) } else { fs::create_dir(&self.folder) };
        match folder.and_then(|()| file::write(path, &self.fingerprint, saved)) {
            Ok(entries) => self.known().add(path, entries),
            Err(error) => {
                self.note(CheckpointError::System { path: path.to_owned(), doing: "cannot be written", error });
            }
        }
    }

    /// Removes a file whose runs have finished.
    pub fn remove(&self, path: &Path) {
        let mut known = self.known();
        known.states.retain(|_, (kept, _)| **kept != *path);
        known.files.remove(path);
        // The file may never have been written. If it stays, the next scan finds its runs finished.
        let _ = fs::remove_file(path);
    }

    /// Records a problem, which the study survives.
    pub fn note(&self, problem: CheckpointError) {
        self.known().note(problem);
    }

    fn known(&self) -> MutexGuard<'_, Known> {
        // No panic leaves the data inconsistent.
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the files with an extension, in the order of their names.
    fn paths(&self, extension: &str) -> impl Iterator<Item = PathBuf> {
        let entries = fs::read_dir(&self.folder).into_iter().flatten().flatten();
        let mut paths: Vec<_> = entries
            .map(|entry| entry.path())
            .filter(|path| path.extension().is_some_and(|found| found == extension))
            .collect();
        paths.sort();
        paths.into_iter()
    }
}

impl Known {
    fn add(&mut self, path: &Path, entries: Vec<Entry>) {
        let shared: Arc<Path> = path.into();
        self.files.insert(path.to_owned());
        self.states.retain(|_, (kept, _)| **kept != *path);
        for entry in entries {
            let known = self.states.get(&entry.run);
            if known.is_none_or(|(_, known)| known.events <= entry.events) {
                self.states.insert(entry.run, (shared.clone(), entry));
            }
        }
    }

    /// Records a problem, unless one with the same text is recorded already.
    fn note(&mut self, problem: CheckpointError) {
        let text = problem.to_string();
        if self.problems.iter().all(|known| known.to_string() != text) {
            self.problems.push(problem);
        }
    }
}
