//! Kinds of queueing networks: the configurations of the models of a catalogue.

use crate::config::{ConfigError, EARLIER, NetworkConfig, OpenConfig, RunOptions, TorusConfig, foreign_key};
use crate::experiment::Experiment;
use crate::figures::of_park;
use crate::kernels;
use imminent_core::ModuleSource;
use imminent_study::{Figures, Unused};
use schemars::JsonSchema;
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::fmt::Debug;
use std::path::Path;

/// Configuration of a model of queueing networks.
pub trait Kind: Clone + Debug + Default + JsonSchema + Serialize + DeserializeOwned + Send + Sync + 'static {
    /// Name of the model.
    const NAME: &'static str;
    /// Title of reports.
    const TITLE: &'static str;
    /// Sentence about the model.
    const ABOUT: &'static str;
    /// `true` if there is no configuration without a file.
    const NEEDS_FILE: bool = false;
    /// Earlier names of keys and options, each with today's.
    const RENAMED: &'static [(&'static str, &'static str)] = &EARLIER;

    /// Returns the experiment that the configuration describes.
    ///
    /// # Errors
    /// [`ConfigError`], which names the key at fault.
    fn experiment(&self) -> Result<Experiment, ConfigError>;

    /// Returns the experiment that the configuration describes, and the keys that have no effect on it.
    ///
    /// # Errors
    /// [`ConfigError`], which names the key at fault.
    fn experiment_and_unused(&self) -> Result<(Experiment, Vec<Unused>), ConfigError> {
        Ok((self.experiment()?, self.run().unused()))
    }

    /// Returns the section of the run.
    fn run(&self) -> &RunOptions;

    /// Returns the modules with kernels that the model is known for.
    fn kernels() -> Vec<&'static ModuleSource> {
        kernels::sources()
    }

    /// Returns figures of publications, measured anew.
    fn figures() -> Vec<Figures> {
        vec![]
    }

    /// Returns the key that names a file which is no TOML.
    fn key_of_file(_file: &Path, _text: &str) -> Option<&'static str> {
        None
    }
}

impl Kind for TorusConfig {
    const NAME: &'static str = "torus";
    const TITLE: &'static str = "Queueing network on a torus";
    const ABOUT: &'static str = "A closed queueing network on a torus: every station sends to its four neighbours.";

    fn experiment(&self) -> Result<Experiment, ConfigError> {
        self.experiment()
    }

    fn run(&self) -> &RunOptions {
        &self.run
    }

    fn kernels() -> Vec<&'static ModuleSource> {
        kernels::of_simple()
    }

    fn figures() -> Vec<Figures> {
        vec![of_park()]
    }
}

impl Kind for OpenConfig {
    const NAME: &'static str = "open";
    const TITLE: &'static str = "Lines of servers in tandem";
    const ABOUT: &'static str =
        "Lines of servers in tandem, with arrivals from outside at the first and departures at the last.";

    fn experiment(&self) -> Result<Experiment, ConfigError> {
        self.experiment()
    }

    fn run(&self) -> &RunOptions {
        &self.run
    }
}

impl Kind for NetworkConfig {
    const NAME: &'static str = "network";
    const TITLE: &'static str = "Queueing network";
    const ABOUT: &'static str = "Any queueing network, from a TOML, GraphML or JSIMgraph file.";
    const NEEDS_FILE: bool = true;
    const RENAMED: &'static [(&'static str, &'static str)] = &[
        EARLIER[0],
        EARLIER[1],
        EARLIER[2],
        EARLIER[3],
        ("source", "network.graph_sources"),
        ("sink", "network.graph_sinks"),
        ("interarrival", "network.graph_interarrival.mean"),
        ("law", "network.service.law"),
        ("cv", "network.service.cv"),
        ("shape", "network.service.shape"),
        ("stages", "network.service.stages"),
        ("low", "network.service.low"),
        ("high", "network.service.high"),
    ];

    fn experiment(&self) -> Result<Experiment, ConfigError> {
        self.experiment()
    }

    fn experiment_and_unused(&self) -> Result<(Experiment, Vec<Unused>), ConfigError> {
        self.experiment_and_unused()
    }

    fn run(&self) -> &RunOptions {
        &self.run
    }

    fn key_of_file(file: &Path, text: &str) -> Option<&'static str> {
        foreign_key(file, text)
    }
}
