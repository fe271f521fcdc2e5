//! Defaults of a configuration that no node takes.

use super::node_shape::NodeShape;
use super::shape::{NetworkShape, OUT};
use crate::law::{LawName, LawShape};
use crate::network::Taken;
use imminent_study::Unused;
use std::collections::HashSet;
use std::fmt::Display;

impl NetworkShape {
    /// Returns the keys of defaults that nodes of a written network take.
    pub(super) fn taken(&self) -> Taken {
        let mut ends = self.links.iter().chain(&self.edges).flatten().map(String::as_str).filter(|end| *end != OUT);
        let names = self.node.iter().map(|node| &node.name).chain(self.source.iter().map(|source| &source.name));
        let named: HashSet<&str> = names.map(String::as_str).collect();
        let has_others = ends.any(|end| !named.contains(end));
        let mut taken = Taken::default();
        let lacks = |lacks: fn(&NodeShape) -> bool| has_others || self.node.iter().any(|node| lacks(node));
        let serves_by_default = has_others || self.node.iter().any(|node| !node.has_law() && !self.is_by_class(node));
        taken.note("service", serves_by_default);
        taken.note("mean", serves_by_default);
        taken.note("tokens", lacks(|node| node.tokens.is_none()));
        taken.note("servers", lacks(|node| node.servers.is_none()));
        taken.note("discipline", lacks(|node| node.discipline.is_none()));
        taken.note("capacity", lacks(|node| node.capacity.is_none()));
        taken.note("overflow", lacks(|node| node.overflow.is_none()));
        taken.note("routing", lacks(|node| node.routing.is_none()));
        taken
    }

    /// Returns `true` if every class has a law of its own at a node.
    pub(super) fn is_by_class(&self, node: &NodeShape) -> bool {
        let one = ["token".to_owned()];
        let classes = if self.classes.is_empty() { &one } else { self.classes.as_slice() };
        let has_law = |name: &String| node.class.get(name).is_some_and(|at| at.has_law());
        classes.iter().all(has_law)
    }

    /// Returns the keys of defaults that are given and that no node takes.
    pub(super) fn unused(&self, taken: &Taken) -> Vec<Unused> {
        // A law of this form differs from others by its mean alone.
        let is_mean = |law: &LawShape| law.law == LawName::Exponential;
        let service = if self.service.as_ref().is_some_and(is_mean) { "mean" } else { "service" };
        let interarrival = match self.graph_interarrival.as_ref().is_some_and(is_mean) {
            true => "graph_interarrival.mean",
            false => "graph_interarrival",
        };
        let attributes = |of: &str| format!("'{of}_mean', '{of}_rate' or '{of}_law'");
        let of_services = || match self.graph {
            Some(_) => attributes("service"),
            None => "'mean', 'rate' or 'service'".to_owned(),
        };
        let of_sources = || attributes("interarrival");
        let given = [
            ("mean", "mean", self.mean.is_some()),
            ("rate", "mean", self.rate.is_some()),
            ("service", service, self.service.is_some()),
            ("graph_interarrival", interarrival, self.graph_interarrival.is_some()),
            ("tokens", "tokens", self.tokens.is_some()),
            ("servers", "servers", self.servers.is_some()),
            ("discipline", "discipline", self.discipline.is_some()),
            ("capacity", "capacity", self.capacity.is_some()),
            ("overflow", "overflow", self.overflow.is_some()),
            ("routing", "routing", self.routing.is_some()),
        ];
        let why = |key: &str| match key {
            "mean" | "rate" => format!("no station takes it, as each has its own {}", of_services()),
            "service" => {
                let name = self.service.as_ref().and_then(|shape| shape.law().ok()).map_or("", |law| law.name());
                format!("no station takes the law '{name}', as each has its own {}", of_services())
            }
            "graph_interarrival" => format!("no source takes it, as each has its own {}", of_sources()),
            key => format!("no station takes it, as each has its own '{key}'"),
        };
        let unused = given.into_iter().filter(|(_, name, given)| *given && !taken.has(name));
        unused.map(|(key, ..)| Unused::new(&format!("network.{key}"), why(key))).collect()
    }

    /// Returns the key of a node's law if no class takes it.
    pub(super) fn unused_law(&self, key: impl Display, node: &NodeShape) -> Option<Unused> {
        let given = [("mean", node.mean.is_some()), ("rate", node.rate.is_some())];
        let name = given.into_iter().find(|(_, given)| *given).map_or("service", |(name, _)| name);
        let is_unused = node.has_law() && self.is_by_class(node);
        is_unused.then(|| Unused::new(&format!("{key}.{name}"), "no class takes it, as each has a law of its own here"))
    }
}
