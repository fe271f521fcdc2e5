//! Reasons why a run could not be resumed from its checkpoint.

use crate::laboratory::Fault;
use std::path::PathBuf;
use thiserror::Error;

/// Problem with a checkpoint file of runs under way. It affects no finished run, and the study continues.
#[derive(Debug, Error)]
pub enum CheckpointError {
    /// The file is not a checkpoint, or its head is incomplete.
    #[error("{}: is damaged, or no checkpoint of a study: its runs start again from the beginning. Remove the file", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
    },
    /// The checkpoint belongs to another study, or to another version of the program.
    #[error(
        "{}: is a checkpoint of another study or program version (differs in: {}): its runs start again from the beginning. Undo the change to resume them, or remove the file",
        path.display(), differences.join(", ")
    )]
    OtherStudy {
        /// The file.
        path: PathBuf,
        /// Aspects of the study or program that differ.
        differences: Vec<&'static str>,
    },
    /// A run cannot resume from its state in the file.
    #[error("{}: run {run} starts again from the beginning: {error}", path.display())]
    Run {
        /// The file.
        path: PathBuf,
        /// The run.
        run: u64,
        /// Error of the state.
        error: Fault,
    },
    /// The operating system reported an error.
    #[error("{}: {doing}: {error}. The study continues, but to resume its unfinished runs later, check the folder's permissions and free space", path.display())]
    System {
        /// The file.
        path: PathBuf,
        /// Phrase for the action that failed.
        doing: &'static str,
        /// Error of the operating system.
        error: std::io::Error,
    },
    /// The device did not return the states of unfinished runs.
    #[error(
        "the states of unfinished runs cannot be saved: {0}. The study continues; if you interrupt it, these runs start again, so let it end"
    )]
    Device(Fault),
}
