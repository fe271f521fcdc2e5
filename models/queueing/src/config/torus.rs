//! Configuration of `run torus`.

use super::{ConfigError, EARLIER, RunOptions};
use crate::experiment::Experiment;
use crate::memory::of_nodes;
use crate::network::{MAX_NODES, Network, NetworkError, TorusError};
use imminent_common::free_memory::fits;
use imminent_common::toml_text::Document;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A run of the torus model: the sections `[torus]` and `[run]`.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct TorusConfig {
    /// Section `[torus]`: the model.
    pub torus: TorusShape,
    /// Section `[run]`: simulation and analysis.
    pub run: RunOptions,
}

/// The `[torus]` section.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct TorusShape {
    /// Number of columns.
    #[schemars(range(min = 1))]
    pub width: u32,
    /// Number of rows.
    #[schemars(range(min = 1))]
    pub height: u32,
    /// Number of tokens per node at the start, at least 1; the mean for a stationary start.
    pub tokens: u32,
    /// Mean service time of every node, in time units.
    #[schemars(extend("unit" = "time units"))]
    pub mean: f64,
}

impl Default for TorusShape {
    fn default() -> Self {
        Self { width: 64, height: 64, tokens: 1, mean: 10.0 }
    }
}

impl TorusConfig {
    /// Reads a configuration from TOML text; errors use `file` as its name.
    ///
    /// Values are not checked yet: options may still replace them.
    ///
    /// # Errors
    /// [`ConfigError::Toml`], with line and key, for text that is not TOML, unknown keys and values of the wrong type.
    pub fn from_toml(text: &str, file: &str) -> Result<Self, ConfigError> {
        let document = Document::new(text, file);
        document.refuse_earlier(&EARLIER)?;
        Ok(document.to()?)
    }

    /// Returns the experiment that this configuration describes.
    ///
    /// # Errors
    /// [`ConfigError::Toml`], which names the key at fault; [`ConfigError::located`] finds its line in a file.
    pub fn experiment(&self) -> Result<Experiment, ConfigError> {
        let TorusShape { width, height, tokens, mean } = self.torus;
        let nodes = u64::from(width) * u64::from(height);
        if nodes <= MAX_NODES as u64 {
            let (name, longer, other) =
                if width >= height { ("width", width, height) } else { ("height", height, width) };
            fits(name, u64::from(longer), |longer| of_nodes(longer.saturating_mul(u64::from(other)), false))
                .map_err(|error| ConfigError::value(&format!("torus.{name}"), error.to_string()))?;
        }
        let network = Network::torus_of_mean(width, height, mean, tokens).map_err(|error| {
            let key = match &error {
                TorusError::Mean(_) => "torus.mean",
                TorusError::Network(NetworkError::EmptyTorus { height: 1.., .. }) => "torus.width",
                TorusError::Network(NetworkError::EmptyTorus { .. }) => "torus.height",
                TorusError::Network(NetworkError::TooManyTokens { .. } | NetworkError::Empty) => "torus.tokens",
                _ if width >= height => "torus.width",
                _ => "torus.height",
            };
            ConfigError::value(key, error.to_string())
        })?;
        self.run.experiment(network)
    }
}
