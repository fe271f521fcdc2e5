//! Errors of writing results.

use std::path::PathBuf;
use thiserror::Error;

/// Error of a folder for results.
#[derive(Debug, Error)]
pub enum FolderError {
    /// The folder contains files that no run has written.
    #[error(
        "{}: holds `{file}`{}, which no run has written: name another folder, or add --force to write beside it",
        folder.display(), if *others == 0 { String::new() } else { format!(" and {others} more") }
    )]
    NotEmpty {
        /// Path of the folder.
        folder: PathBuf,
        /// Name of the first such file.
        file: String,
        /// Number of further ones.
        others: usize,
    },
    /// The path is not a folder.
    #[error("{}: is no folder: name another for --out", folder.display())]
    NotAFolder {
        /// Path.
        folder: PathBuf,
    },
    /// A file that outlives runs is a link, a pipe or a device, which no run has made.
    #[error("{}: is no regular file or folder, but leads elsewhere: remove it, or name another folder", file.display())]
    Irregular {
        /// Path of the file.
        file: PathBuf,
    },
    /// Another process writes into the folder.
    #[error("{}: another process is writing into it: wait for its end, or name another folder", folder.display())]
    InUse {
        /// Path of the folder.
        folder: PathBuf,
    },
    /// The folder cannot be created.
    #[error("{}: cannot be created: {error}; check its parent's permissions and free space, or name another folder for --out", folder.display())]
    CannotMake {
        /// Path of the folder.
        folder: PathBuf,
        /// Error of the system.
        error: std::io::Error,
    },
    /// The folder cannot be read.
    #[error("{}: cannot be read: {error}; check its permissions, or name another folder for --out", folder.display())]
    CannotRead {
        /// Path of the folder.
        folder: PathBuf,
        /// Error of the system.
        error: std::io::Error,
    },
    /// Complete results cannot be moved out of the subfolder that has them.
    #[error(
        "{}: cannot be put in place: {error}; the new results are complete in {}, and the next command with this folder for --out moves them: free space first",
        file.display(), waiting.display()
    )]
    NotInPlace {
        /// Path of the file that could not be replaced.
        file: PathBuf,
        /// Path of the subfolder.
        waiting: PathBuf,
        /// Error of the system.
        error: std::io::Error,
    },
    /// A file cannot be written.
    #[error("{}: cannot be written: {error}; check permissions and free space there, or name another folder for --out", file.display())]
    CannotWrite {
        /// Path of the file.
        file: PathBuf,
        /// Error of the system.
        error: std::io::Error,
    },
}
