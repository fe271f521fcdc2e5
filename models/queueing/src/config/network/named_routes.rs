//! Detection of routes that are listed twice.

use super::super::ConfigError;
use super::entry::Entry;
use std::collections::{HashMap, HashSet};

/// A route of a configuration, by the numbers of nodes and classes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct NamedRoute {
    /// Node where the route begins.
    pub(super) from: u32,
    /// Class that takes the route; `None` for all.
    pub(super) class: Option<u32>,
    /// Node where the route ends; `None` outside.
    pub(super) to: Option<u32>,
    /// New class of the token; `None` if it keeps its class.
    pub(super) becomes: Option<u32>,
}

/// Names of a route, for errors.
#[derive(Debug, Clone, Copy)]
pub(super) struct Names<'a> {
    pub(super) from: &'a str,
    pub(super) class: Option<&'a str>,
    pub(super) to: &'a str,
}

/// Routes that a configuration has named so far, and the entries that named them.
#[derive(Default)]
pub(super) struct NamedRoutes {
    entries: HashMap<NamedRoute, Entry>,
    several: HashSet<u32>,
}

impl NamedRoutes {
    /// Allows a node to name a route several times: in round-robin routing this gives it a larger share, and a fork
    /// sends a part each time.
    pub(super) fn several(&mut self, node: u32) {
        self.several.insert(node);
    }

    /// Adds a route.
    pub(super) fn add(&mut self, entry: Entry, route: NamedRoute, names: Names<'_>) -> Result<(), ConfigError> {
        // A change to the same class changes nothing.
        let becomes = route.becomes.filter(|becomes| Some(*becomes) != route.class);
        match self.entries.insert(NamedRoute { becomes, ..route }, entry) {
            Some(before) if !self.several.contains(&route.from) => {
                let Names { from, class, to } = names;
                let class = class.map_or_else(String::new, |class| format!(" for class '{class}'"));
                let problem = format!(
                    "'{from}' already leads to '{to}'{class} by {before}: remove one of them, and give probabilities if it is to be the likelier route"
                );
                Err(ConfigError::value(&entry.to_string(), problem))
            }
            _ => Ok(()),
        }
    }
}
