//! What is wrong with a configuration.

use crate::queueing::graphml::GraphmlError;
use crate::toml_text::{line_of, objection, place};
use thiserror::Error;

/// A configuration that cannot be used.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum ConfigError {
    /// The file cannot be read.
    #[error("{file}: cannot be read: {reason}; check the path and that the file is text in UTF-8")]
    Unreadable {
        /// The file.
        file: String,
        /// What the system says.
        reason: String,
    },
    /// The text is not TOML, or has an unknown key or a value of the wrong type.
    #[error("{}{reason}", place(Some(file), *line))]
    Toml {
        /// The file.
        file: String,
        /// The line, where the parser tells one.
        line: Option<usize>,
        /// What is written there, what the parser says of it, and which key may have been meant.
        reason: String,
    },
    /// A key has a value of the right type that makes no sense.
    #[error("{}{key}: {problem}", place(file.as_deref(), *line))]
    Value {
        /// The file, if the value came from one.
        file: Option<String>,
        /// The line of the key, if it is in the file.
        line: Option<usize>,
        /// The key, with its section.
        key: String,
        /// What is wrong, and what to do.
        problem: String,
    },
    /// The graph of a network cannot be read.
    #[error("network.graph: {0}")]
    Graph(#[from] GraphmlError),
}

impl ConfigError {
    /// What the parser says of a TOML text.
    pub(super) fn toml(error: &toml::de::Error, text: &str, file: &str) -> Self {
        let (line, reason) = objection(error, text);
        Self::Toml { file: file.to_owned(), line, reason }
    }

    pub(super) fn value(key: &str, problem: String) -> Self {
        Self::Value { file: None, line: None, key: key.to_owned(), problem }
    }

    /// Adds where the key at fault stands in the TOML text that the configuration was read from.
    #[must_use]
    pub fn located(self, text: &str, file: &str) -> Self {
        match self {
            Self::Value { key, problem, .. } => {
                Self::Value { file: Some(file.to_owned()), line: line_of(text, &key), key, problem }
            }
            other => other,
        }
    }
}
