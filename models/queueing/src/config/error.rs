//! Errors in a configuration.

use crate::graphml::GraphmlError;
use crate::jsimg::JsimgError;
use imminent_common::toml_text::TomlError;
use thiserror::Error;

/// Reasons why a configuration cannot be used.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum ConfigError {
    /// The file cannot be read, is not TOML, or has an invalid value.
    #[error("{0}")]
    Toml(#[from] TomlError),
    /// The graph of a network cannot be read.
    #[error("network.graph: {0}")]
    Graph(#[from] GraphmlError),
    /// The model of JSIMgraph cannot be read, or has no counterpart.
    #[error("network.jsimg: {0}")]
    Jsimg(#[from] JsimgError),
}

impl ConfigError {
    pub(super) fn value(key: &str, problem: String) -> Self {
        Self::Toml(TomlError::value(key, problem))
    }

    /// Returns the key of the value at fault, as `run.horizon`.
    #[must_use]
    pub fn key(&self) -> Option<&str> {
        match self {
            Self::Toml(TomlError::Value { key, .. }) => Some(key),
            _ => None,
        }
    }

    /// Returns the key of the value at fault, and the problem.
    pub(super) fn key_and_problem(&self) -> Option<(&str, &str)> {
        match self {
            Self::Toml(TomlError::Value { key, problem, .. }) => Some((key, problem)),
            _ => None,
        }
    }

    /// Adds the position of the key at fault in the TOML text from which the configuration was read.
    #[must_use]
    pub fn located(self, text: &str, file: &str) -> Self {
        match self {
            Self::Toml(error) => Self::Toml(error.located(text, file)),
            other => other,
        }
    }
}
