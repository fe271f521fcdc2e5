//! Defaults of nodes that nodes take.

use std::collections::BTreeSet;

/// Keys of defaults, such as `servers`, that at least one node takes because it has no value of its own.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Taken(BTreeSet<&'static str>);

impl Taken {
    /// Notes whether a node takes the default of a key.
    pub(crate) fn note(&mut self, key: &'static str, takes: bool) {
        if takes {
            self.0.insert(key);
        }
    }

    /// Returns `true` if a node takes the default of a key.
    pub(crate) fn has(&self, key: &str) -> bool {
        self.0.contains(key)
    }
}
