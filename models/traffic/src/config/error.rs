//! Errors of configurations.

use crate::network::files::ReadError;
use crate::units::{LONGEST, NANOSECONDS, bits_per_second, nanoseconds};
use imminent_common::free_memory::MemoryError;
use imminent_common::toml_text::TomlError;
use thiserror::Error;

/// A configuration that cannot be used.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum ConfigError {
    /// The file cannot be read, is not TOML, or gives a key an invalid value.
    #[error("{0}")]
    Toml(#[from] TomlError),
    /// The network does not fit into the memory.
    #[error(transparent)]
    Memory(#[from] MemoryError),
    /// The topology file cannot be used.
    #[error("topology.file: {0}")]
    Topology(#[from] ReadError),
    /// The file with the traffic matrix cannot be used.
    #[error("traffic.matrix: {file}{}: {problem}", line.map_or_else(String::new, |line| format!(", line {line}")))]
    Matrix {
        /// Path of the file.
        file: String,
        /// Line number, from 1, if the error is in one line.
        line: Option<u64>,
        /// The error and its remedy.
        problem: String,
    },
}

impl ConfigError {
    pub(crate) fn value(key: &str, problem: String) -> Self {
        Self::Toml(TomlError::value(key, problem))
    }

    /// Adds the line of the key at fault in `text`, the TOML text of the configuration.
    #[must_use]
    pub fn located(self, text: &str, file: &str) -> Self {
        match self {
            Self::Toml(error) => Self::Toml(error.located(text, file)),
            other => other,
        }
    }
}

/// Converts a time above 0 from seconds to nanoseconds.
pub(super) fn time(key: &str, seconds: f64) -> Result<u64, ConfigError> {
    nanoseconds(seconds).filter(|time| *time > 0).ok_or_else(|| {
        let most = LONGEST / NANOSECONDS;
        ConfigError::value(key, format!("{seconds} s is not possible: give a number of seconds from 1e-9 to {most}"))
    })
}

/// Converts a time of at least 0 from seconds to nanoseconds.
pub(super) fn instant(key: &str, seconds: f64) -> Result<u64, ConfigError> {
    if seconds == 0.0 { Ok(0) } else { time(key, seconds) }
}

/// Converts a rate of at least 1 bit per second to a whole number.
pub(super) fn rate(key: &str, rate: f64) -> Result<u64, ConfigError> {
    bits_per_second(rate).filter(|rate| *rate > 0).ok_or_else(|| {
        ConfigError::value(
            key,
            format!("{rate} bit/s is not possible: give a number of bits per second from 1 to 10^13"),
        )
    })
}
