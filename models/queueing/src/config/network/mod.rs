//! `run network`.

mod build;
mod generate;
mod per_class;
mod problem;
mod shape;
mod ways;

pub use generate::GenerateShape;
pub use per_class::PerClass;
pub use shape::{AtNode, NetworkShape, NodeShape, RouteShape, SourceShape};

use super::{ConfigError, Engine, RunOptions};
use crate::engine::EngineError;
use crate::experiment::Experiment;
use imminent_common::graphml::is_xml;
use imminent_common::toml_text;
use serde::{Deserialize, Serialize};
use std::path::Path;

/// A run of a network model: the sections `[network]` and `[run]`.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct NetworkConfig {
    /// The model.
    pub network: NetworkShape,
    /// What is done with it.
    pub run: RunOptions,
}

impl NetworkConfig {
    /// The configuration for a file of either kind: TOML, or GraphML with every option at its default.
    ///
    /// A file that begins with `<` is taken for GraphML, whatever its name.
    ///
    /// # Errors
    /// [`ConfigError`] for a file that cannot be read or is not valid TOML. What is wrong with the network itself comes
    /// to light in [`experiment`](Self::experiment).
    pub fn from_file(path: &Path) -> Result<Self, ConfigError> {
        let file = path.display().to_string();
        let text = toml_text::read(path)?;
        if is_xml(&text) || path.extension().is_some_and(|extension| extension == "graphml") {
            let network = NetworkShape { graph: Some(path.to_owned()), ..NetworkShape::default() };
            return Ok(Self { network, run: RunOptions::default() });
        }
        Self::from_toml(&text, &file)
    }

    /// Reads a configuration from TOML text; `file` is its path, for errors and for finding the files that it names beside it.
    ///
    /// # Errors
    /// [`ConfigError::Toml`], with line and key, for what is not TOML, unknown keys and values of the wrong type.
    pub fn from_toml(text: &str, file: &str) -> Result<Self, ConfigError> {
        let mut config: Self = toml_text::parse(text, file)?;
        if let Some(folder) = Path::new(file).parent() {
            config.network.move_to(folder);
        }
        Ok(config)
    }

    /// What this configuration describes; reads the files that it names.
    ///
    /// # Errors
    /// [`ConfigError`], which names the key at fault ([`ConfigError::located`] finds its line in a file), or says what is
    /// wrong in the graph's file.
    pub fn experiment(&self) -> Result<Experiment, ConfigError> {
        let network = self.network.network()?;
        // Only the sequential engine has a server cost nothing before it is used.
        if self.run.engine != Engine::Sequential
            && let Some(error) = EngineError::too_many_servers(&network)
        {
            return Err(self.network.too_many_servers(&error));
        }
        self.run.experiment(network)
    }
}
