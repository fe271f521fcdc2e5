//! Properties of networks that the exact engines do not carry out.

use super::{Conduct, Network, Overflow, Role, Routing, Station, Weights};
use std::sync::Arc;

/// A property of a node that only the engines of the host carry out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Beyond {
    /// Node that has it.
    pub node: u32,
    /// Name of the property in words, such as `shifts`.
    pub what: &'static str,
}

impl Network {
    /// Returns the first property of the network that the exact engines do not carry out; `None` if they simulate it.
    #[must_use]
    pub fn beyond_exact(&self) -> Option<Beyond> {
        let blocking =
            self.blocking_node().map(|node| Beyond { node, what: "tokens that wait in the servers they come from" });
        blocking.or_else(|| self.beyond_sequential())
    }

    /// Returns the first property of the network that only the [engine of the host](crate::host) carries out; `None` if
    /// the [oracle](crate::sequential) does, too.
    #[must_use]
    pub fn beyond_sequential(&self) -> Option<Beyond> {
        let ordinary = |profile: &super::Profile| {
            let discipline = match profile.role {
                Role::Station(station) => station.discipline.is_exact() && station.servers != Station::INFINITE,
                Role::Source => true,
            };
            discipline && profile.routing.is_exact()
        };
        let of_profiles = || {
            let node = (0..self.len() as u32).find(|&node| !ordinary(&self.profile(node)))?;
            let profile = self.profile(node);
            let what = match profile.role {
                Role::Station(station) if station.servers == Station::INFINITE => "servers without number",
                Role::Station(station) if !station.discipline.is_exact() => match station.discipline.interrupts() {
                    true => "a discipline that interrupts services",
                    false => "a discipline that needs the lengths of services ahead or shares servers",
                },
                _ => "routes that depend on the state, or a fork",
            };
            Some(Beyond { node, what })
        };
        let conduct = self.conducts.iter().next();
        let of_conduct = conduct.map(|(&node, conduct)| Beyond { node, what: conduct.beyond });
        let of_weights = self.weights.keys().next();
        let of_weights = of_weights.map(|&(node, _)| Beyond { node, what: "routes with conditions" });
        let of_regions = self.regions.first().and_then(|region| region.nodes.first());
        of_conduct
            .or_else(|| of_regions.map(|&node| Beyond { node, what: "a region of limited capacity" }))
            .or(of_weights)
            .or_else(|| if self.profiles.iter().all(ordinary) { None } else { of_profiles() })
    }

    /// Returns `true` if tokens go other ways, come at other times, or leave otherwise than by the laws and routes: the
    /// traffic equations say nothing then.
    #[must_use]
    pub fn flows_otherwise(&self) -> bool {
        !self.regions.is_empty()
            || !self.weights.is_empty()
            || self.profiles.iter().any(|profile| !profile.routing.is_exact())
            || self.conducts.values().any(|conduct| conduct.changes_flow())
    }

    /// Returns `true` if tokens may lose patience somewhere.
    pub(crate) fn has_impatience(&self) -> bool {
        self.conducts.values().any(|conduct| conduct.patience.iter().any(Option::is_some))
    }

    /// Returns `true` if tokens are forked or joined, or wait outside of regions: numbers of tokens at nodes then say
    /// nothing of those that left the network.
    pub(crate) fn divides_tokens(&self) -> bool {
        self.profiles.iter().any(|profile| profile.routing == Routing::Fork)
            || self.conducts.values().any(|conduct| conduct.join.is_some())
            || self.regions.iter().any(|region| region.overflow == Overflow::Block)
    }

    /// Returns the weights of the routes of a class at a node if they depend on numbers of tokens.
    pub(crate) fn weights(&self, node: u32, class: u32) -> Option<&Weights> {
        self.weights.get(&(node, class))
    }

    /// Returns the behaviour of a node; `None` for an ordinary one.
    pub(crate) fn conduct(&self, node: u32) -> Option<&Arc<Conduct>> {
        self.conducts.get(&node)
    }
}
