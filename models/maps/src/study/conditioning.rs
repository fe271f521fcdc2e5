//! Moistures of dead fuel under weather of a station.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Method by which a weather stream changes the moistures of dead fuel.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Conditioning {
    /// None: moistures stay as the keys give them.
    #[default]
    None,
    /// Time lags of 1, 10 and 100 h to the equilibrium with temperature, humidity and rain.
    TimeLag,
}
