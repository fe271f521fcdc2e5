//! Networks that the lean engines run.

use super::lists::group_slice;
use super::{Discipline, Network, Role, Routing, Station};
use crate::law::Sampler;

/// View of a network that the lean engines can run. It has one class and no sources or exits. All nodes are single
/// exponential servers with unbounded first-come, first-served lines and equally likely out-edges.
#[derive(Debug, Clone, Copy)]
pub struct Simple<'a> {
    network: &'a Network,
}

impl Network {
    /// Returns the network in the form of the lean engines; `None` if they cannot run it.
    #[must_use]
    pub fn simple(&self) -> Option<Simple<'_>> {
        self.simple.then_some(Simple { network: self })
    }
}

impl<'a> Simple<'a> {
    /// Returns `true` if the lean engines can run the network.
    pub(super) fn is_simple(network: &Network) -> bool {
        let plain = |station: &Station| {
            station.servers == 1 && station.discipline == Discipline::Fifo && station.capacity.is_none()
        };
        let profiles = network.profiles.iter().all(|profile| {
            matches!(&profile.role, Role::Station(station) if plain(station)) && profile.routing == Routing::Random
        });
        profiles
            && network.classes() == 1
            && network.samplers.iter().all(|sampler| matches!(sampler, Sampler::Exponential(_)))
            && network.routes.threshold.is_empty()
            && !network.routes.to.contains(&super::routes::OUT)
            && (0..network.len() as u32).all(|node| network.service(node, 0).is_some())
    }

    /// Returns the network.
    #[must_use]
    pub fn network(&self) -> &'a Network {
        self.network
    }

    /// Returns the mean service time of a node in ticks.
    #[must_use]
    pub fn mean_service(&self, node: u32) -> u32 {
        self.network.mean_service(node)
    }

    /// Returns the targets of `node`'s out-edges, in their order; empty for a node that does not exist.
    #[must_use]
    pub fn out_edges(&self, node: u32) -> &'a [u32] {
        group_slice(&self.network.routes.start, &self.network.routes.to, node)
    }

    /// Returns the start of each node's out-edges in [`targets`](Self::targets), and one more entry for the end of the
    /// last.
    #[must_use]
    pub fn out_start(&self) -> &'a [u32] {
        &self.network.routes.start
    }

    /// Returns the targets of all edges, grouped by the node they leave.
    #[must_use]
    pub fn targets(&self) -> &'a [u32] {
        &self.network.routes.to
    }
}
