//! Simulations of cells that configurations describe.

use crate::runner::{Simulation, Watch};
use crate::{Digest, Engine, Run};
use imminent_common::answer::Answer;
use imminent_common::sheet::Sheet;
use imminent_common::toml_text::TomlError;
use imminent_core::{Device, ModuleSource, Work};
use imminent_study::description::Measure;
use imminent_study::experiment::{ExperimentError, NO_PICTURES, OptionValues, RunOption};
use imminent_study::laboratory::Fault;
use imminent_study::outcome::{OutputFile, Section};
use imminent_study::{Configuration, Description, Figures};
use schemars::JsonSchema;
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::error::Error;
use std::fmt::Display;
use std::path::Path;

/// A simulation of cells that a configuration describes: all that a run needs to know of it.
pub trait CellSimulation: Send + Sized + 'static {
    /// Configuration of a run.
    type Config: CellConfig;
    /// Outcome of a run.
    type Outcome;
    /// Files that are written during a run.
    type Records;

    /// Returns the measures of a run.
    fn measures(&self) -> Vec<Measure>;

    /// Returns the work of a run, if it is known.
    fn work(&self) -> Option<Work>;

    /// Returns the number of the parts of a run, if it is known, and their name.
    fn parts(&self) -> (Option<u64>, &'static str) {
        (None, "steps")
    }

    /// Returns `true` if a run that is ended early has the outcome of the parts that are over.
    fn has_partial_outcomes(&self) -> bool {
        false
    }

    /// Runs on a device, or without one by the sequential engine. `watch` is told the parts that are over.
    ///
    /// # Errors
    /// [`ExperimentError::NoResults`] once `watch` breaks; other errors for faults of the run.
    fn run(&self, setting: Setting<'_, Self>, watch: Watch<'_>) -> Result<Run<Self::Outcome>, ExperimentError>;

    /// Returns what a run found, in numbers.
    fn findings(&self, outcome: &Self::Outcome) -> Findings;

    /// Returns what a run found, in words.
    fn account(&self, outcome: &Self::Outcome) -> Account;

    /// Returns grids, pictures and other files of an outcome, for a folder of results.
    ///
    /// # Errors
    /// A fault of encoding a file.
    fn exhibits(&self, outcome: &Self::Outcome, with_pictures: bool) -> Result<Exhibits, Fault>;
}

/// A simulation of cells whose runs are executed one after the other: all that commands need to know of it.
pub trait SingleSimulation: CellSimulation {
    /// Returns name, revision and measures of the model.
    fn description() -> Description;

    /// Returns the modules with kernels.
    fn kernels() -> Vec<&'static ModuleSource>;

    /// Returns keys that a study does not set, each with what says the same in a study.
    fn keys_of_studies() -> &'static [(&'static str, &'static str)] {
        &[]
    }

    /// Returns earlier spellings of keys, each with today's.
    fn renamed() -> &'static [(&'static str, &'static str)] {
        &[("hours", "horizon")]
    }

    /// Returns the key that names a file of another kind than TOML, if there is one.
    fn key_of_file(_: &Path) -> Option<&'static str> {
        None
    }

    /// Returns keys that have no effect in a configuration, each with the reason.
    fn unused(_: &Self::Config) -> Vec<(&'static str, &'static str)> {
        vec![]
    }

    /// Returns other models with the keys that they have now.
    fn moved() -> &'static [(&'static str, &'static [&'static str])] {
        &[]
    }

    /// Returns options of a run beside the keys of its configuration.
    fn options() -> &'static [RunOption] {
        &[NO_PICTURES]
    }

    /// Returns figures of publications, measured anew.
    fn figures() -> Vec<Figures> {
        vec![]
    }

    /// Returns the names of the files that an outcome may have.
    fn files() -> &'static [&'static str];

    /// Creates the simulation of a configuration, and sets the keys that follow from others.
    ///
    /// # Errors
    /// [`Misfit`] for a configuration that no simulation can have.
    fn new(config: &mut Self::Config) -> Result<Self, Misfit>;

    /// Begins the files that options ask for.
    ///
    /// # Errors
    /// A fault of an option.
    fn begin_records(&self, _: &Self::Config, _: &OptionValues) -> Result<Option<Self::Records>, Fault> {
        Ok(None)
    }
}

/// Configuration of a run of cells.
pub trait CellConfig: JsonSchema + Serialize + DeserializeOwned + Default + Clone + PartialEq + Send + Sync {
    /// Returns the engine.
    fn engine(&self) -> Engine;

    /// Returns the seed of all random numbers, if there are any.
    fn seed(&self) -> u64 {
        0
    }
}

/// Way in which a simulation is run.
pub struct Setting<'a, S: CellSimulation> {
    /// Configuration of the simulation.
    pub config: &'a S::Config,
    /// Seed of all random numbers.
    pub seed: u64,
    /// Device; none for the sequential engine.
    pub device: Option<&'a Device>,
    /// Files that are written.
    pub records: Option<S::Records>,
}

impl<S: CellSimulation> Setting<'_, S> {
    /// Runs the engine of the configuration: on the device, or without one the sequential event list.
    ///
    /// # Errors
    /// The errors of the engine.
    pub fn run<E: Simulation>(&self, simulation: &E, watch: Watch<'_, E::Report>) -> Result<Run<E::Outcome>, E::Error> {
        match self.device {
            Some(device) => simulation.run(device, self.config.engine(), watch),
            None => simulation.run_sequentially_while(watch),
        }
    }
}

/// Numbers that a run found.
#[derive(Debug, Clone, PartialEq)]
pub struct Findings {
    /// Outputs of cells.
    pub events: u64,
    /// Value of each measure, in the order of the description.
    pub values: Vec<Option<f64>>,
    /// Digest of the outcome.
    pub digest: Digest,
    /// Simulated time, in milliseconds.
    pub simulated: u64,
}

/// Outcome of a run in words.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Account {
    /// Title of a report.
    pub title: &'static str,
    /// Question, answer and certainty.
    pub answer: Answer,
    /// Names and values of what was simulated.
    pub facts: Vec<(&'static str, String)>,
    /// Says which part is over, if the run was ended early.
    pub partial: Option<String>,
    /// Assumptions about the input.
    pub assumed: Vec<String>,
    /// Warnings that readers need before they trust the results.
    pub warnings: Vec<String>,
}

/// Grids, pictures, tables and other files of an outcome.
#[derive(Default)]
pub struct Exhibits {
    /// Sections of a report.
    pub sections: Vec<Section>,
    /// Files.
    pub files: Vec<OutputFile>,
    /// Tables.
    pub tables: Vec<Box<dyn Sheet>>,
}

/// Configuration that no simulation can have.
#[derive(Debug)]
pub struct Misfit {
    key: Option<&'static str>,
    fault: Fault,
}

impl Misfit {
    /// Creates the misfit of the value of a key.
    pub fn of(key: &'static str, fault: impl Into<Fault>) -> Self {
        Misfit { key: Some(key), fault: fault.into() }
    }

    /// Creates a misfit of several keys.
    pub fn other(fault: impl Into<Fault>) -> Self {
        Misfit { key: None, fault: fault.into() }
    }

    /// Returns the fault as a study tells it, which names the key itself.
    #[must_use]
    pub fn into_fault(self) -> Fault {
        self.fault
    }

    /// Returns the fault with the key that was given the value, or else its place in the file.
    #[must_use]
    pub fn told(self, configuration: &Configuration) -> Fault {
        let Misfit { key, fault } = self;
        match key {
            None => fault,
            Some(key) => configuration.located(TomlError::value(key, fault.to_string())).into(),
        }
    }
}

impl<E: Error + Send + Sync + 'static> From<E> for Misfit {
    fn from(error: E) -> Self {
        Misfit { key: None, fault: error.into() }
    }
}

/// Returns the error of a run that was interrupted.
#[must_use]
pub const fn interrupted() -> ExperimentError {
    ExperimentError::NoResults { key: "--horizon" }
}

/// Returns the error of a run that failed.
pub fn failed(error: impl Display) -> ExperimentError {
    ExperimentError::Failed(error.to_string().into())
}

/// Returns the reason why the results of these models are sure.
pub(super) fn certainty() -> String {
    "The model is deterministic: the same configuration always gives this result, on every device.".to_owned()
}
