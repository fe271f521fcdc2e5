//! Defaults for what the nodes of a file do not give.

use super::role::Role;
use crate::law::Law;
use crate::network::{Routing, Station, Template};

/// Defaults for attributes that a file does not give.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Defaults {
    /// Default station.
    pub station: Station,
    /// Default service law. Without one, a closed network none of whose nodes gives its own uses an exponential law of
    /// mean 10. In all other networks each node needs its own then.
    pub service: Option<Law>,
    /// Default rule by which nodes choose among their out-edges.
    pub routing: Routing,
    /// Number of tokens that stations start with. Without it, stations of a closed network none of which gives its own
    /// number start with 1, all others with 0.
    pub tokens: Option<u32>,
    /// Ids or labels of nodes that are sources; a `role` of theirs has to be the same.
    pub sources: Vec<String>,
    /// Ids or labels of nodes that are sinks; a `role` of theirs has to be the same.
    pub sinks: Vec<String>,
    /// Default law of the times between the tokens of a source.
    pub interarrival: Option<Law>,
}

impl From<Template> for Defaults {
    fn from(template: Template) -> Self {
        let Template { station, service, routing, tokens } = template;
        Self { station, service: Some(service), routing, tokens: Some(tokens), ..Self::default() }
    }
}

impl Defaults {
    /// Returns the role for which a node is named, if it is, with the name.
    pub(super) fn role(&self, id: &str, label: &str) -> Option<(&str, Role)> {
        let sources = self.sources.iter().map(|name| (name.as_str(), Role::Source));
        let sinks = self.sinks.iter().map(|name| (name.as_str(), Role::Sink));
        sources.chain(sinks).find(|(name, _)| [id, label].contains(name))
    }
}

/// Properties that stations of a closed network have by default, unless one of the stations gives its own.
#[derive(Debug, Clone, Copy)]
pub(super) struct Implicit {
    /// `true` if stations without a service law have an exponential one.
    pub(super) service: bool,
    /// `true` if stations without a number of tokens have one.
    pub(super) token: bool,
}
