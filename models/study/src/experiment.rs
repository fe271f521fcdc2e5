//! Experiments: replications of one configuration, whose outcome is told in full.

use super::configuration::Configuration;
use super::laboratory::Fault;
use super::outcome::Outcome;
use imminent_common::estimate::Confidence;
use imminent_common::file;
use imminent_core::{Device, Work};
use std::ops::{ControlFlow, Range};
use std::path::{Path, PathBuf};
use thiserror::Error;

/// Experiments of a model: what `run` needs to know of it.
pub trait Experiments {
    /// Returns options of a run beside the keys of its configuration.
    fn options(&self) -> &'static [RunOption] {
        &[]
    }

    /// Returns earlier names of options that were no keys, each with the option that says the same now.
    fn earlier_options(&self) -> &'static [(&'static str, &'static str)] {
        &[]
    }

    /// Returns the names of the [tables](Outcome::tables) that an outcome may have.
    fn tables(&self) -> &'static [&'static str] {
        &[]
    }

    /// Returns the names of other [files](Outcome::files) that an outcome may have, those of
    /// [grids](super::outcome::Grid) included.
    fn files(&self) -> &'static [&'static str] {
        &[]
    }

    /// Returns `true` if an outcome has the [values of each replication](Outcome::replications), by which
    /// configurations are compared. Models whose outcomes lack them are compared by
    /// [`MeasuredExperiments`](super::MeasuredExperiments).
    fn measures_replications(&self) -> bool {
        false
    }

    /// Returns the names of those [options](Self::options) that add measures of replications.
    fn options_of_measures(&self) -> &'static [&'static str] {
        &[]
    }

    /// Returns the names of those [options](Self::options) that have an effect on [data](Detail::Data) alone. A program
    /// that shows no data refuses them.
    fn options_of_data(&self) -> &'static [&'static str] {
        &[]
    }

    /// Prepares the experiment that a configuration describes. It may [take](Configuration::take) the values of the
    /// configuration.
    ///
    /// # Errors
    /// A fault of the configuration or of an option. One that begins with a key or an option, `KEY: PROBLEM`, is shown
    /// with the value that was given.
    fn prepare(&self, configuration: &mut Configuration, given: &OptionValues) -> Result<Box<dyn Experiment>, Fault>;
}

/// Replications of one configuration.
pub trait Experiment {
    /// Returns where the experiment runs, and how much work it is.
    fn place(&self) -> RunsOn;

    /// Returns the number of the parts of which the [progress](Progress) tells, if it is known before, and their name.
    fn parts(&self) -> (Option<u64>, &'static str) {
        (Some(0), "replications")
    }

    /// Restricts the next runs to some replications, by their numbers, for a search that adds replications.
    ///
    /// # Errors
    /// A fault if the experiment cannot do so.
    fn select(&mut self, _replications: Range<u64>) -> Result<(), Fault> {
        Err("this model carries out all its replications at once: choose a model whose replications can be added, such as `network`".into())
    }

    /// Checks that the memory for the experiment is available. `device` is none for one that runs without. Experiments
    /// whose memory depends on their set-up check it in [`run`](Self::run).
    ///
    /// # Errors
    /// A fault that names the key or option that asks for too much.
    fn check_memory(&self, _device: Option<&Device>, _detail: Detail) -> Result<(), Fault> {
        Ok(())
    }

    /// Executes all replications. `watch` is called now and then; once it breaks, the outcome tells what has ended.
    ///
    /// # Errors
    /// [`ExperimentError`] if no replication ended.
    fn run(
        &mut self,
        device: Option<&Device>,
        detail: Detail,
        watch: &mut (dyn FnMut(Progress) -> ControlFlow<()> + Send),
    ) -> Result<Outcome, ExperimentError>;
}

/// Place where an experiment runs.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum RunsOn {
    /// A device, chosen for the work if that is known.
    Device(Option<Work>),
    /// One thread of the host, by an engine of this name that uses no device.
    Host(&'static str),
    /// All threads of the host, by an engine of this name that uses no device.
    Threads(&'static str),
}

/// Detail of an outcome. Each has what those before it have.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Detail {
    /// Facts and results that are printed as text. [Values for programs](Outcome::values) may be left out.
    Text,
    /// Also values for programs.
    Printed,
    /// Also tables, curves, grids and files, for programs that compute with them.
    Data,
    /// Also drawings, for a folder of results.
    Full,
}

impl Detail {
    /// Returns `true` if the outcome has tables, curves, grids and files.
    #[must_use]
    pub fn has_data(self) -> bool {
        self >= Detail::Data
    }

    /// Returns `true` if the outcome has drawings.
    #[must_use]
    pub fn has_drawings(self) -> bool {
        self >= Detail::Full
    }
}

/// Progress of an experiment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Progress {
    /// Number of parts that have ended, which [`Experiment::parts`] names.
    pub done: u64,
    /// Number of all parts.
    pub all: u64,
    /// Present work, for people; may be empty.
    pub now: String,
    /// `true` once an interruption would leave results to keep.
    pub has_results: bool,
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
    /// Name of its value in help, such as `FILE`; none for an option without a value. An option whose name of the value
    /// ends in `...` may be given several times.
    pub value: Option<&'static str>,
    /// Sentence.
    pub about: &'static str,
}

impl RunOption {
    /// Returns `true` if the option may be given several times.
    #[must_use]
    pub fn repeats(&self) -> bool {
        self.value.is_some_and(|value| value.ends_with("..."))
    }
}

/// Option of models with pictures.
pub const NO_PICTURES: RunOption = RunOption {
    name: "no-pictures",
    value: None,
    about: "Leave pictures and films out of --out: only rasters, tables and reports are written.",
};

/// Option of models whose runs print intervals over replications.
pub const CONFIDENCE: RunOption =
    RunOption { name: "confidence", value: Some("P"), about: "Confidence of the intervals [default: 0.95]." };

/// Options of a run that were given.
#[derive(Debug, Clone)]
pub struct OptionValues {
    options: Vec<(String, String)>,
    names_device: bool,
    begin: Begin,
}

impl Default for OptionValues {
    fn default() -> Self {
        Self {
            options: vec![],
            names_device: false,
            begin: |option, _, _| Err(format!("--{option}: this program writes no records").into()),
        }
    }
}

impl OptionValues {
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

    /// Returns all values of an option that may be given several times.
    pub fn values(&self, option: &str) -> impl Iterator<Item = &str> {
        self.options.iter().filter(move |(name, _)| name == option).map(|(_, value)| value.as_str())
    }

    /// Returns the [confidence](CONFIDENCE) of intervals.
    ///
    /// # Errors
    /// A fault that names the option if its value is no confidence.
    pub fn confidence(&self) -> Result<Confidence, Fault> {
        let Some(text) = self.value(CONFIDENCE.name) else { return Ok(Confidence::DEFAULT) };
        let confidence = text.parse().map_err(|_| "takes a number such as 0.95".to_owned());
        let confidence = confidence.and_then(|level| Confidence::new(level).map_err(|error| error.to_string()));
        Ok(confidence.map_err(|problem| format!("--{}: {problem}", CONFIDENCE.name))?)
    }

    /// Returns `true` if an option was given.
    #[must_use]
    pub fn is_given(&self, option: &str) -> bool {
        self.value(option).is_some()
    }

    /// Says whether the user named a device, so that an experiment should run on one if it can.
    #[must_use]
    pub fn naming_device(self, names_device: bool) -> Self {
        Self { names_device, ..self }
    }

    /// Returns `true` if the user named a device.
    #[must_use]
    pub const fn names_device(&self) -> bool {
        self.names_device
    }

    /// Sets the function that begins files of records.
    #[must_use]
    pub fn recording_by(self, begin: Begin) -> Self {
        Self { begin, ..self }
    }

    /// Begins the file of records that an option names, if it was given.
    ///
    /// # Errors
    /// A fault of a file that cannot be created, or whose name has no known ending.
    pub fn begin(&self, option: &'static str, form: &'static RecordForm) -> Result<Option<Box<dyn Records>>, Fault> {
        self.file(option).map(|file| (self.begin)(option, &file, form)).transpose()
    }

    /// Returns the value of an option that names a file.
    #[must_use]
    pub fn file(&self, option: &str) -> Option<PathBuf> {
        self.value(option).map(PathBuf::from)
    }
}

/// Begins the file of records that an option names.
pub type Begin = fn(&'static str, &Path, &'static RecordForm) -> Result<Box<dyn Records>, Fault>;

/// Form of records of whole numbers, such as the visits of tokens, which are written while a run goes on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RecordForm {
    /// Name of the records.
    pub name: &'static str,
    /// First bytes of a binary file: a name and the version of the form.
    pub magic: &'static [u8; 8],
    /// Names of the columns.
    pub columns: &'static [RecordColumn],
}

/// Column of records.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RecordColumn {
    /// Name.
    pub name: &'static str,
    /// Number of bytes of a value in a binary file, 4 or 8. A value that is missing has all bits set.
    pub bytes: usize,
    /// `true` if values may be missing.
    pub is_optional: bool,
}

/// File of records under construction. If dropped before its end, it leaves nothing.
pub trait Records {
    /// Adds a record, with a value for each column of the form.
    ///
    /// # Errors
    /// A fault that names the file.
    fn add(&mut self, record: &[Option<u64>]) -> Result<(), Fault>;

    /// Completes the file, and moves it to its path if it is whole, otherwise beside it. Returns the path.
    ///
    /// # Errors
    /// A fault that names the file.
    fn finish(self: Box<Self>, is_whole: bool) -> Result<PathBuf, Fault>;
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

/// Writes the file that an option names, replacing an existing one when the new one is whole.
///
/// # Errors
/// [`RecordError`] if it cannot be written.
pub fn record(option: &'static str, path: &Path, text: &str) -> Result<(), RecordError> {
    file::replace(path, text.as_bytes()).map_err(|error| RecordError { option, file: path.to_owned(), error })
}
