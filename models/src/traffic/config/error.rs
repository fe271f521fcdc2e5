//! What is wrong with a configuration.

use crate::toml_text::{line_of, objection, place};
use crate::traffic::network::files::ReadError;
use crate::traffic::units::{LONGEST, NANOSECONDS, bits_per_second, nanoseconds};
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
    /// The file of a topology cannot be used.
    #[error("topology.file: {0}")]
    Topology(#[from] ReadError),
    /// The file of a traffic matrix cannot be used.
    #[error("traffic.matrix: {file}{}: {problem}", line.map_or_else(String::new, |line| format!(", line {line}")))]
    Matrix {
        /// The file.
        file: String,
        /// The line, from 1, where there is one.
        line: Option<u64>,
        /// What is wrong and what to do.
        problem: String,
    },
}

impl ConfigError {
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

/// A time in seconds as nanoseconds, above 0.
pub(super) fn time(key: &str, seconds: f64) -> Result<u64, ConfigError> {
    nanoseconds(seconds).filter(|time| *time > 0).ok_or_else(|| {
        let most = LONGEST / NANOSECONDS;
        ConfigError::value(key, format!("{seconds} s is not possible: give a number of seconds from 1e-9 to {most}"))
    })
}

/// A time in seconds as nanoseconds, perhaps 0.
pub(super) fn instant(key: &str, seconds: f64) -> Result<u64, ConfigError> {
    if seconds == 0.0 { Ok(0) } else { time(key, seconds) }
}

/// A rate in bits per second, at least 1.
pub(super) fn rate(key: &str, rate: f64) -> Result<u64, ConfigError> {
    bits_per_second(rate).filter(|rate| *rate > 0).ok_or_else(|| {
        ConfigError::value(
            key,
            format!("{rate} bit/s is not possible: give a number of bits per second from 1 to 10^13"),
        )
    })
}
