//! Text files in which Linux reports its limits.

use std::fs;
use std::path::{Path, PathBuf};

/// Files below a root folder, which is `/` outside of tests.
#[derive(Debug)]
pub(super) struct Files {
    root: PathBuf,
}

impl Files {
    pub(super) fn of_system() -> Self {
        Self::below("/")
    }

    pub(super) fn below(root: impl AsRef<Path>) -> Self {
        Self { root: root.as_ref().to_owned() }
    }

    /// Reads a file by its absolute path; `None` if that fails.
    pub(super) fn read(&self, path: &str) -> Option<String> {
        fs::read_to_string(self.root.join(path.trim_start_matches('/'))).ok()
    }

    /// Reads a file with a single number; `None` if it is missing or has a word, such as `max`.
    pub(super) fn number(&self, path: &str) -> Option<u64> {
        self.read(path)?.trim().parse().ok()
    }
}

/// Returns the number behind a name at the beginning of a line.
pub(super) fn field(text: &str, name: &str) -> Option<u64> {
    text.lines().find_map(|line| line.strip_prefix(name)?.split_whitespace().next()?.parse().ok())
}
