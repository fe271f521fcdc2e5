//! What is wrong with a configuration.

use crate::network::files::ReadError;
use crate::units::{LONGEST, NANOSECONDS, bits_per_second, nanoseconds};
use imminent_common::toml_text::TomlError;
use thiserror::Error;

/// A configuration that cannot be used.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum ConfigError {
    /// The file cannot be read, is not TOML, or gives a key a value that makes no sense.
    #[error(transparent)]
    Toml(#[from] TomlError),
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
    pub(super) fn value(key: &str, problem: String) -> Self {
        Self::Toml(TomlError::value(key, problem))
    }

    /// Adds where the key at fault stands in the TOML text that the configuration was read from.
    #[must_use]
    pub fn located(self, text: &str, file: &str) -> Self {
        match self {
            Self::Toml(error) => Self::Toml(error.located(text, file)),
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
