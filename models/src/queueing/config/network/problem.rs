//! Which key is at fault when a network cannot be.

use super::super::ConfigError;
use super::shape::NetworkShape;
use crate::queueing::network::NetworkError;

impl NetworkShape {
    /// What is wrong with the network, by the key that says so.
    pub(super) fn problem(&self, error: &NetworkError) -> ConfigError {
        let key = match error {
            NetworkError::NoNodes => "network.links".to_owned(),
            NetworkError::Empty | NetworkError::TooManyTokens { .. } => "network.tokens".to_owned(),
            NetworkError::Probabilities { label, class, .. }
            | NetworkError::MixedProbabilities { label, class }
            | NetworkError::RoundRobin { label, class } => self.route(label, Some(class), "probability"),
            NetworkError::DeadEnd { label } => self.node(label, "name"),
            NetworkError::DeadEndForClass { label, .. } | NetworkError::Unreachable { label } => {
                self.node(label, "name")
            }
            NetworkError::NotServed { label, .. } => self.node(label, "service"),
            NetworkError::StartsFull { label, .. } => self.node(label, "tokens"),
            NetworkError::IntoSource { label, .. } => self.into(label),
            _ => "network".to_owned(),
        };
        ConfigError::value(&key, error.to_string())
    }

    /// The entry of a node or source, or the links or edges that first name it.
    fn node(&self, label: &str, key: &str) -> String {
        if let Some(number) = self.node.iter().position(|node| node.name == label) {
            return format!("network.node[{number}].{key}");
        }
        if let Some(number) = self.source.iter().position(|source| source.name == label) {
            return format!("network.source[{number}].{key}");
        }
        let names = |pair: &[String; 2]| pair.iter().any(|name| name == label);
        if let Some(number) = self.links.iter().position(names) {
            return format!("network.links[{number}]");
        }
        self.edges.iter().position(names).map_or("network".to_owned(), |number| format!("network.edges[{number}]"))
    }

    /// The first route from a node that a class may take, with the key asked for where one of them has it.
    fn route(&self, from: &str, class: Option<&str>, key: &str) -> String {
        let of_class = |other: &Option<String>| other.is_none() || other.as_deref() == class;
        let mut routes =
            self.route.iter().enumerate().filter(|(_, route)| route.from == from && of_class(&route.class));
        match routes.next() {
            Some((number, _)) => format!("network.route[{number}].{key}"),
            None => self.node(from, "name"),
        }
    }

    /// What leads into a node.
    fn into(&self, to: &str) -> String {
        if let Some(number) = self.route.iter().position(|route| route.to == to) {
            return format!("network.route[{number}].to");
        }
        if let Some(number) = self.edges.iter().position(|[_, end]| end == to) {
            return format!("network.edges[{number}]");
        }
        let links = self.links.iter().position(|pair| pair.iter().any(|name| name == to));
        links.map_or_else(|| self.node(to, "tokens"), |number| format!("network.links[{number}]"))
    }
}
