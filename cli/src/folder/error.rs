//! Why results cannot be written.

use crate::Failure;
use std::path::PathBuf;
use thiserror::Error;

/// A folder that cannot take results.
#[derive(Debug, Error)]
pub enum FolderError {
    /// It holds what no run has written.
    #[error(
        "{}: holds `{file}`{}, which no run has written: name another folder, or add --force to write beside it",
        folder.display(), if *others == 0 { String::new() } else { format!(" and {others} more") }
    )]
    NotEmpty {
        /// The folder.
        folder: PathBuf,
        /// The first such file.
        file: String,
        /// How many more.
        others: usize,
    },
    /// There is something else by that name.
    #[error("{}: is no folder: name another for --out", folder.display())]
    NotAFolder {
        /// The name.
        folder: PathBuf,
    },
    /// Another process writes to it.
    #[error("{}: another process is writing into it: wait for its end, or name another folder", folder.display())]
    InUse {
        /// The folder.
        folder: PathBuf,
    },
    /// The folder cannot be made.
    #[error("{}: cannot be made: {error}", folder.display())]
    CannotMake {
        /// The folder.
        folder: PathBuf,
        /// What the system says.
        error: std::io::Error,
    },
    /// The folder cannot be looked into.
    #[error("{}: cannot be read: {error}", folder.display())]
    CannotRead {
        /// The folder.
        folder: PathBuf,
        /// What the system says.
        error: std::io::Error,
    },
    /// A file cannot be written.
    #[error("{}: cannot be written: {error}", file.display())]
    CannotWrite {
        /// The file.
        file: PathBuf,
        /// What the system says.
        error: std::io::Error,
    },
}

impl From<FolderError> for Failure {
    fn from(error: FolderError) -> Self {
        match error {
            FolderError::NotEmpty { .. } | FolderError::NotAFolder { .. } | FolderError::InUse { .. } => {
                Failure::usage(error)
            }
            _ => Failure::run(error),
        }
    }
}
