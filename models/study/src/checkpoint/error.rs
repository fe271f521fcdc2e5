//! Reasons why a run could not be resumed from its checkpoint.

use std::path::PathBuf;
use thiserror::Error;

/// Problem with a checkpoint file of runs under way. It affects no finished run, and the study continues.
#[derive(Debug, Error)]
pub enum CheckpointError {
    /// The file is not a checkpoint, or its head is incomplete.
    #[error("{}: is damaged, or no checkpoint of a study: what was under way in it begins anew; the file may be removed", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
    },
    /// The checkpoint belongs to another study, or to another version of the program.
    #[error(
        "{}: is a checkpoint of another study, or of another version of this program ({} not as it was): what was under way in it begins anew; the file may be removed",
        path.display(), differences.join(", ")
    )]
    OfOthers {
        /// The file.
        path: PathBuf,
        /// Aspects of the study or program that differ.
        differences: Vec<&'static str>,
    },
    /// A run cannot go on from what the file holds of it.
    #[error("{}: run {run} begins anew: {error}", path.display())]
    Run {
        /// The file.
        path: PathBuf,
        /// The run.
        run: u64,
        /// Error of the state.
        error: imminent_events::StateError,
    },
    /// The system refuses.
    #[error("{}: {doing}: {error}; the study goes on, and what is finished is kept", path.display())]
    System {
        /// The file.
        path: PathBuf,
        /// Phrase for the action that failed.
        doing: &'static str,
        /// Error of the operating system.
        error: std::io::Error,
    },
    /// The device does not give the state of what it is at.
    #[error("what is under way cannot be kept: {0}; the study goes on, and what is finished is kept")]
    Device(#[from] imminent_events::EngineError),
}
