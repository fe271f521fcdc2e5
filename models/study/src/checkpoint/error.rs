//! Why runs begin anew although they had begun.

use std::path::PathBuf;
use thiserror::Error;

/// What is wrong with a file of runs under way. No finished run is touched by it, and the study goes on.
#[derive(Debug, Error)]
pub enum CheckpointError {
    /// It is no such file, or its head is not whole.
    #[error("{}: is damaged, or no checkpoint of a study: what was under way in it begins anew; the file may be removed", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
    },
    /// It is another study's, or another version's.
    #[error(
        "{}: is a checkpoint of another study, or of another version of this program ({} not as it was): what was under way in it begins anew; the file may be removed",
        path.display(), differences.join(", ")
    )]
    OfOthers {
        /// The file.
        path: PathBuf,
        /// What is not as it was.
        differences: Vec<&'static str>,
    },
    /// A run cannot go on from what the file holds of it.
    #[error("{}: run {run} begins anew: {error}", path.display())]
    Run {
        /// The file.
        path: PathBuf,
        /// The run.
        run: u64,
        /// What is wrong.
        error: imminent_events::StateError,
    },
    /// The system refuses.
    #[error("{}: {doing}: {error}; the study goes on, and what is finished is kept", path.display())]
    System {
        /// The file.
        path: PathBuf,
        /// What cannot be done.
        doing: &'static str,
        /// What the system says.
        error: std::io::Error,
    },
    /// The device does not give the state of what it is at.
    #[error("what is under way cannot be kept: {0}; the study goes on, and what is finished is kept")]
    Device(#[from] imminent_events::EngineError),
}
