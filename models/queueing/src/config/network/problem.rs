//! Search for the key at fault when a network cannot be built.

use super::super::ConfigError;
use super::GenerateShape;
use super::keys::Keys;
use super::shape::{NetworkShape, OUT};
use crate::engine::EngineError;
use crate::graphml::GraphmlError;
use crate::law::{Law, LawError, tick_of};
use crate::network::NetworkError;

impl NetworkShape {
    /// Describes an error of the network, with the key at fault.
    pub(super) fn problem(&self, error: &NetworkError) -> ConfigError {
        if let (NetworkError::Empty, Some(key)) = (error, self.exit()) {
            let problem = "tokens leave the network here, and none ever come: add a [[network.source]] with a route into the network, or \
                           give 'tokens' for those that are there at the start";
            return ConfigError::value(&key, problem.to_owned());
        }
        let key = match error {
            NetworkError::NoNodes => "network.links".to_owned(),
            NetworkError::Empty | NetworkError::TooManyTokens { .. } => "network.tokens".to_owned(),
            NetworkError::Probabilities { label, class, .. }
            | NetworkError::MixedProbabilities { label, class }
            | NetworkError::RoundRobin { label, class } => self.route(label, Some(class), "probability"),
            NetworkError::Conditions { label, class, .. } => self.route(label, Some(class), "when"),
            NetworkError::DeadEnd { label } => self.node(label, "name"),
            NetworkError::DeadEndForClass { label, .. } | NetworkError::Unreachable { label } => {
                self.node(label, "name")
            }
            NetworkError::NotServed { label, .. } => self.node(label, "service"),
            NetworkError::Behaviour { label, error } => self.node(label, error.key().as_deref().unwrap_or("name")),
            NetworkError::CannotBlock { to, .. } => self.node(to, "overflow"),
            NetworkError::OnlyPassed { nodes } => self.node(nodes.first().map_or("", String::as_str), "pass"),
            NetworkError::Resources { .. } => "network.resource".to_owned(),
            NetworkError::SmallRegion { label, .. } => self.node(label, "bulk"),
            NetworkError::EmptyRegion { .. } | NetworkError::TwoRegions { .. } | NetworkError::ForkedClasses { .. } => {
                "network.region".to_owned()
            }
            NetworkError::Law { label, .. } => self.default_at_fault(error).unwrap_or_else(|| self.durations(label)),
            NetworkError::StartsFull { label, .. } => self.node(label, "tokens"),
            NetworkError::IntoSource { label, .. } => self.into(label),
            _ => "network".to_owned(),
        };
        ConfigError::value(&key, error.to_string())
    }

    /// Names the default at fault in an error of a graph, if it is one.
    pub(super) fn of_graph(&self, error: GraphmlError) -> ConfigError {
        let key = match &error {
            GraphmlError::Network { error, .. } => self.default_at_fault(error),
            _ => None,
        };
        key.map_or(ConfigError::Graph(error.clone()), |key| ConfigError::value(&key, error.to_string()))
    }

    /// Returns the key of the default to which an error of a network is due, if it is one that is given.
    pub(super) fn default_at_fault(&self, error: &NetworkError) -> Option<String> {
        let given = |key: &str, given: bool| given.then(|| format!("network.{key}"));
        match error {
            NetworkError::Empty | NetworkError::TooManyTokens { .. } => given("tokens", self.tokens.is_some()),
            NetworkError::StartsFull { .. } => {
                given("tokens", self.tokens.is_some()).or(given("capacity", self.capacity.is_some()))
            }
            NetworkError::Law { error: LawError::TooShort { units, least, .. }, .. } => {
                // The longest durations make the ticks long.
                let short = Law::Exponential { mean: *units };
                let is_long = |law: &Law| tick_of([law, &short]).units(1) >= *least;
                self.default_laws().into_iter().find(|(_, law)| is_long(law)).map(|(key, _)| key)
            }
            _ => None,
        }
    }

    /// Returns the laws that are not those of single nodes, with their keys.
    fn default_laws(&self) -> Vec<(String, Law)> {
        let service = Keys { law: ("service", self.service.as_ref()), mean: self.mean, rate: self.rate };
        let arrivals = Keys { law: ("graph_interarrival", self.graph_interarrival.as_ref()), mean: None, rate: None };
        let generated = self.generate.as_ref().and_then(GenerateShape::arrivals);
        let of = |keys: Keys<'_>, key: &str| Some((format!("{key}.{}", keys.name()?), keys.law(key).ok().flatten()?));
        let all = [of(service, "network"), of(arrivals, "network")];
        all.into_iter().chain([generated.and_then(|keys| of(keys, "network.generate"))]).flatten().collect()
    }

    /// Returns the key of the first exit of a network that is written down.
    pub(super) fn exit(&self) -> Option<String> {
        let route = self.route.iter().position(|route| route.to == OUT);
        let route = route.map(|number| format!("network.route[{number}].to"));
        let edge = || Some(format!("network.edges[{}]", self.edges.iter().position(|[_, to]| to == OUT)?));
        route.or_else(edge)
    }

    /// Returns the key that gives the law of a node's durations: the node's own, or that of the defaults.
    pub(super) fn durations(&self, label: &str) -> String {
        let key = |of: String, law: &str, given: [bool; 3]| {
            let name = ["mean", "rate", law].into_iter().zip(given).find(|(_, given)| *given);
            name.map(|(name, _)| format!("{of}.{name}"))
        };
        let of_node = self.node.iter().enumerate().find(|(_, node)| node.name == label).and_then(|(number, node)| {
            let given = [node.mean.is_some(), node.rate.is_some(), node.service.is_some()];
            let special = node.class.iter().find(|(_, at)| at.has_law());
            let of_class = special.map(|(class, _)| format!("network.node[{number}].class.{class}"));
            key(format!("network.node[{number}]"), "service", given).or(of_class)
        });
        let source = || self.source.iter().enumerate().find(|(_, source)| source.name == label);
        let of_source = || {
            let (number, source) = source()?;
            let given = [source.mean.is_some(), source.rate.is_some(), source.interarrival.is_some()];
            key(format!("network.source[{number}]"), "interarrival", given)
        };
        let all = [self.mean.is_some(), self.rate.is_some(), self.service.is_some()];
        let of_all = || key("network".to_owned(), "service", all);
        of_node.or_else(of_source).or_else(of_all).unwrap_or_else(|| self.node(label, "service"))
    }

    /// Describes the error of more servers than an engine can have, with the key at fault.
    pub(super) fn too_many_servers(&self, error: &EngineError) -> ConfigError {
        let own = |label: &str| self.node.iter().position(|node| node.name == label && node.servers.is_some());
        let key = match error {
            EngineError::TooManyServers { label, .. } => {
                let elsewhere = if self.servers.is_some() { "network.servers" } else { "network.graph" };
                own(label).map_or(elsewhere.to_owned(), |number| format!("network.node[{number}].servers"))
            }
            _ => "network".to_owned(),
        };
        ConfigError::value(&key, error.to_string())
    }

    /// Returns the entry of a node or source, or the links or edges that first name it.
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

    /// Returns the first route from a node that a class may take, with the requested key if one of the routes has it.
    fn route(&self, from: &str, class: Option<&str>, key: &str) -> String {
        let of_class = |other: &Option<String>| other.is_none() || other.as_deref() == class;
        let mut routes =
            self.route.iter().enumerate().filter(|(_, route)| route.from == from && of_class(&route.class));
        match routes.next() {
            Some((number, _)) => format!("network.route[{number}].{key}"),
            None => self.node(from, "name"),
        }
    }

    /// Returns the entry that leads into a node.
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
