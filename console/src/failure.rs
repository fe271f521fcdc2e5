//! Failures of commands.

use imminent_report::file::WriteError;
use imminent_report::folder::FolderError;

/// Reason why a command failed.
#[derive(Debug, thiserror::Error)]
pub enum Failure {
    /// Error during the run: exit status 1.
    #[error("{0}")]
    Run(String),
    /// Error in the command line or a configuration: exit status 2.
    #[error("{0}")]
    Usage(String),
    /// Error that another process of the program reported, with its exit status.
    #[error("another process of this program failed, as it said")]
    Told(u8),
}

impl Failure {
    /// Returns the exit status of a process with this failure.
    #[must_use]
    pub fn status(&self) -> u8 {
        match self {
            Failure::Run(_) => 1,
            Failure::Usage(_) => 2,
            Failure::Told(status) => *status,
        }
    }

    /// Creates a failure during a run.
    pub fn run(error: impl std::fmt::Display) -> Failure {
        Failure::Run(error.to_string())
    }

    /// Creates a failure of the value that an option gives.
    pub fn option(option: &str, error: impl std::fmt::Display) -> Failure {
        Failure::Usage(format!("{option}: {error}"))
    }

    /// Creates a failure of the command line or a configuration.
    pub fn usage(error: impl std::fmt::Display) -> Failure {
        Failure::Usage(error.to_string())
    }
}

impl From<FolderError> for Failure {
    fn from(error: FolderError) -> Self {
        Failure::run(error)
    }
}

impl From<WriteError> for Failure {
    fn from(error: WriteError) -> Self {
        Failure::run(error)
    }
}
