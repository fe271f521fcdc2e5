//! Configuration of `run open`.

use super::network::{GenerateShape, NetworkConfig, NetworkShape};
use super::{ConfigError, RunOptions};
use crate::experiment::Experiment;
use imminent_common::toml_text::TomlError;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A run of lines of servers in tandem: the sections `[open]` and `[run]`.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct OpenConfig {
    /// Section `[open]`: the model.
    pub open: OpenShape,
    /// Section `[run]`: simulation and analysis.
    pub run: RunOptions,
}

/// The `[open]` section.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct OpenShape {
    /// Number of lines.
    pub lines: u32,
    /// Number of servers in a line, one after the other, each a station of its own.
    pub servers: u32,
    /// Mean service time, in time units.
    #[schemars(extend("unit" = "time units"))]
    pub mean: f64,
    /// Mean time between the tokens of one line, in time units.
    #[schemars(extend("unit" = "time units"))]
    pub interarrival: f64,
    /// `true` if one source serves all lines, and sends each token to a random line.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub shared: bool,
    /// Largest number of tokens waiting and in service at each server; no limit if left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub capacity: Option<u32>,
}

impl Default for OpenShape {
    fn default() -> Self {
        Self { lines: 32, servers: 32, mean: 10.0, interarrival: 20.0, shared: false, capacity: None }
    }
}

/// Keys of a network that errors name, each with the key here.
const KEYS: [(&str, &str); 3] = [
    ("network.generate.mean", "open.interarrival"),
    ("network.mean", "open.mean"),
    ("network.capacity", "open.capacity"),
];

impl OpenConfig {
    /// Returns the experiment that this configuration describes.
    ///
    /// # Errors
    /// [`ConfigError::Toml`], which names the key at fault; [`ConfigError::located`] finds its line in a file.
    pub fn experiment(&self) -> Result<Experiment, ConfigError> {
        let OpenShape { lines, servers, mean, interarrival, shared, capacity } = self.open;
        let arrivals = Some(interarrival);
        let generate = GenerateShape::Open { lines, servers, interarrival: None, mean: arrivals, rate: None, shared };
        let network = NetworkShape { generate: Some(generate), mean: Some(mean), capacity, ..NetworkShape::default() };
        NetworkConfig { network, run: self.run.clone() }.experiment().map_err(own_key)
    }
}

/// Replaces the key of a network that an error names.
fn own_key(error: ConfigError) -> ConfigError {
    let ConfigError::Toml(TomlError::Value { key, problem, .. }) = &error else { return error };
    let of_size = |name: &&&str| problem.contains(&format!("'{name}'"));
    let own = match KEYS.iter().find(|(network, _)| network == key) {
        Some((_, own)) => (*own).to_owned(),
        None if key == "network.generate" => {
            format!("open.{}", ["lines", "servers"].iter().find(of_size).unwrap_or(&"lines"))
        }
        None => return error,
    };
    ConfigError::value(&own, problem.clone())
}
