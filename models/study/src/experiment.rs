//! Experiments: replications of one configuration, whose outcome is told in full.

use super::configuration::Configuration;
use super::laboratory::Fault;
use super::outcome::Outcome;
use imminent_core::{Device, Work};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use thiserror::Error;

/// Experiments of a model: what `run` needs to know of it.
pub trait Experiments {
    /// Returns options of a run beside the keys of its configuration.
    fn options(&self) -> &'static [RunOption] {
        &[]
    }

    /// Returns the names of the [tables](Outcome::tables) that an outcome may have.
    fn tables(&self) -> &'static [&'static str];

    /// Prepares the experiment that a configuration describes.
    ///
    /// # Errors
    /// A fault of the configuration or of an option. One that begins with a key or an option, `KEY: PROBLEM`, is shown
    /// with the value that was given.
    fn prepare(&self, configuration: &Configuration, given: &Given) -> Result<Box<dyn Experiment>, Fault>;
}

/// Replications of one configuration.
pub trait Experiment {
    /// Returns where the experiment runs, and how much work it is.
    fn place(&self) -> RunsOn;

    /// Checks that the memory for the experiment is available. `device` is none for one that runs without.
    ///
    /// # Errors
    /// A fault that names the key or option that asks for too much.
    fn check_memory(&self, device: Option<&Device>, detail: Detail) -> Result<(), Fault>;

    /// Executes all replications. `watch` is called now and then; once it breaks, the outcome tells what has ended.
    ///
    /// # Errors
    /// [`ExperimentError`] if no replication ended.
    fn run(
        &mut self,
        device: Option<&Device>,
        detail: Detail,
        watch: &mut dyn FnMut(Progress) -> ControlFlow<()>,
    ) -> Result<Outcome, ExperimentError>;
}

/// Place where an experiment runs.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum RunsOn {
    /// A device, chosen for the work if that is known.
    Device(Option<Work>),
    /// The host, by an engine of this name that uses no device.
    Host(&'static str),
}

/// Detail of an outcome.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Detail {
    /// Facts and results that are printed.
    Printed,
    /// Also tables and drawings, for a folder of results.
    Full,
}

/// Progress of an experiment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Progress {
    /// Number of replications that have ended.
    pub done: u64,
    /// Number of replications.
    pub all: u64,
    /// Present work, for people; may be empty.
    pub now: String,
}

/// Reason why an experiment has no outcome.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ExperimentError {
    /// The configuration asks for something impossible.
    #[error("{0}")]
    Invalid(Fault),
    /// The run failed.
    #[error("{0}")]
    Failed(Fault),
    /// The run was interrupted before any replication had ended.
    #[error("interrupted before a replication had ended, so there are no results; shorten the run by `{key}`")]
    NoResults {
        /// Key or option that shortens a run.
        key: &'static str,
    },
}

/// Option of a run that is no key of a configuration.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RunOption {
    /// Name, as in `--record`.
    pub name: &'static str,
    /// Name of its value in help, such as `FILE`; none for an option without a value.
    pub value: Option<&'static str>,
    /// Sentence.
    pub about: &'static str,
}

/// Options of a run that were given.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Given {
    options: Vec<(String, String)>,
}

impl Given {
    /// Adds an option with its value, which is empty for an option without one.
    #[must_use]
    pub fn with(mut self, option: &str, value: &str) -> Self {
        self.options.push((option.to_owned(), value.to_owned()));
        self
    }

    /// Returns the value of an option.
    #[must_use]
    pub fn value(&self, option: &str) -> Option<&str> {
        self.options.iter().find(|(name, _)| name == option).map(|(_, value)| value.as_str())
    }

    /// Returns `true` if an option was given.
    #[must_use]
    pub fn is_given(&self, option: &str) -> bool {
        self.value(option).is_some()
    }

    /// Returns the value of an option that names a file.
    #[must_use]
    pub fn file(&self, option: &str) -> Option<PathBuf> {
        self.value(option).map(PathBuf::from)
    }
}

/// Error of a file that an option names.
#[derive(Debug, Error)]
#[error("--{option} {}: cannot be written: {error}; check its folder", file.display())]
pub struct RecordError {
    /// Option.
    pub option: &'static str,
    /// File.
    pub file: PathBuf,
    /// Error of the system.
    pub error: std::io::Error,
}

/// Writes the file that an option names.
///
/// # Errors
/// [`RecordError`] if it cannot be written.
pub fn record(option: &'static str, file: &Path, text: &str) -> Result<(), RecordError> {
    std::fs::write(file, text).map_err(|error| RecordError { option, file: file.to_owned(), error })
}
