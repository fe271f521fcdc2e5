//! Keys without effect.

use super::key::is_within;

/// A key without effect.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unused {
    /// The key, or the beginning of keys of a list.
    pub key: String,
    /// Reason why nothing takes its value.
    pub why: String,
}

impl Unused {
    /// Creates the description of a key without effect.
    #[must_use]
    pub fn new(key: &str, why: impl Into<String>) -> Self {
        Self { key: key.to_owned(), why: why.into() }
    }

    /// Returns `true` if a key is this one, or an element of it.
    #[must_use]
    pub fn covers(&self, key: &str) -> bool {
        is_within(key, &self.key)
    }
}
