//! Errors in a study file.

use super::FORMAT;
use imminent_common::toml_text::TomlError;
use thiserror::Error;

/// A study that cannot be.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum DefinitionError {
    /// The file cannot be read, is not TOML, or gives a key a value that makes no sense.
    #[error("{0}")]
    Toml(#[from] TomlError),
    /// The file is of another version, or does not say of which it is.
    #[error("{file}{}: {}", line.map_or_else(String::new, |line| format!(", line {line}")), other_format(*found))]
    Format {
        /// The file.
        file: String,
        /// The line of the key `format`, if it is there.
        line: Option<usize>,
        /// The version of the file, if it says so.
        found: Option<i64>,
    },
}

fn other_format(found: Option<i64>) -> String {
    match found {
        None => format!("does not say which version of study files it is: write `format = {FORMAT}` on its first line"),
        Some(newer) if newer > FORMAT => format!(
            "format: is of version {newer}, and this program reads version {FORMAT}: use a newer program, or rewrite the file for version {FORMAT}"
        ),
        Some(older) => format!(
            "format: is of version {older}, which is no longer read: rewrite the file for version {FORMAT}, as the chapter on studies has it"
        ),
    }
}

impl DefinitionError {
    pub(crate) fn value(key: &str, problem: impl Into<String>) -> Self {
        Self::Toml(TomlError::value(key, problem.into()))
    }

    /// Adds where the key at fault stands in the TOML text that the study was read from.
    #[must_use]
    pub fn located(self, text: &str, file: &str) -> Self {
        match self {
            Self::Toml(error) => Self::Toml(error.located(text, file)),
            other => other,
        }
    }
}
