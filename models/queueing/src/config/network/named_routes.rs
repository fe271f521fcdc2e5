//! Detection of routes that are listed twice.

use super::super::ConfigError;
use super::shape::RouteShape;
use std::collections::{HashMap, HashSet};

/// A route: start node, class (`None` for all), end node or `out`, and new class.
type NamedRoute<'a> = (&'a str, Option<&'a str>, &'a str, Option<&'a str>);

/// Routes that a configuration has named so far, and the keys that named them.
#[derive(Default)]
pub(super) struct NamedRoutes<'a> {
    keys: HashMap<NamedRoute<'a>, String>,
    in_turn: HashSet<&'a str>,
}

impl<'a> NamedRoutes<'a> {
    /// Allows a node to name a route several times: with round-robin routing this gives it a larger share.
    pub(super) fn in_turn(&mut self, node: &'a str) {
        self.in_turn.insert(node);
    }

    /// Adds a route for every class.
    pub(super) fn add(&mut self, key: &str, from: &'a str, to: &'a str) -> Result<(), ConfigError> {
        self.note(key, (from, None, to, None))
    }

    /// Adds the route of a [[network.route]] entry.
    pub(super) fn add_route(&mut self, key: &str, route: &'a RouteShape) -> Result<(), ConfigError> {
        let class = route.class.as_deref();
        // A change to the same class changes nothing.
        let becomes = route.becomes.as_deref().filter(|becomes| Some(*becomes) != class);
        self.note(key, (&route.from, class, &route.to, becomes))
    }

    fn note(&mut self, key: &str, route: NamedRoute<'a>) -> Result<(), ConfigError> {
        let (from, class, to, _) = route;
        match self.keys.insert(route, key.to_owned()) {
            Some(before) if !self.in_turn.contains(from) => {
                let class = class.map_or_else(String::new, |class| format!(" for class '{class}'"));
                let problem = format!(
                    "'{from}' already leads to '{to}'{class} by {before}: remove one of them, and give probabilities if it is to be the likelier route"
                );
                Err(ConfigError::value(key, problem))
            }
            _ => Ok(()),
        }
    }
}
