//! Open networks of product form.

use super::{Load, TheoryError, mmc};
use crate::queueing::law::Law;
use crate::queueing::measures::Measures;
use crate::queueing::network::{Discipline, Network, Role, Routing};

/// The exact steady state of every node of an open network of product form, by Jackson's theorem: each station is as an M/M/c queue with
/// the rate of the traffic equations, whatever the others do. `None` for sources.
///
/// The theorem holds where sources are Poisson, stations have no limit and one exponential law for all classes and a discipline that does not look at
/// classes, routing is by chance, and no tokens are there at the start that never leave. Waiting and sojourn are those of every class that comes to the node.
///
/// # Errors
/// [`TheoryError::NoProductForm`] where the theorem says nothing, [`TheoryError::Unstable`] where a line grows for ever, and those of [`Load::of`].
pub fn jackson(network: &Network) -> Result<Vec<Option<Measures>>, TheoryError> {
    for node in 0..network.len() as u32 {
        if let Some(reason) = objection(network, node) {
            return Err(TheoryError::NoProductForm { label: network.label(node), reason });
        }
    }
    let load = Load::of(network)?;
    (0..network.len() as u32)
        .map(|node| {
            let Some(station) = network.station(node) else { return Ok(None) };
            let mean = mean(network, node).unwrap_or(0.0);
            let rate = load.total_rate(node);
            if rate == 0.0 {
                return Err(TheoryError::NoProductForm {
                    label: network.label(node),
                    reason: "no tokens from a source come to it",
                });
            }
            let measures = mmc(rate, mean, station.servers);
            measures
                .map(Some)
                .ok_or_else(|| TheoryError::Unstable { label: network.label(node), load: load.offered(node) })
        })
        .collect()
}

/// Why the network has no product form, as far as one node tells.
pub(super) fn objection(network: &Network, node: u32) -> Option<&'static str> {
    let laws = || (0..network.classes() as u32).filter_map(|class| network.service(node, class));
    let exponential = laws().all(|law| matches!(network.laws().get(law as usize), Some(Law::Exponential { .. })));
    match network.role(node) {
        _ if !exponential => Some("its law is not exponential"),
        _ if network.routing(node) == Routing::RoundRobin => Some("it takes its routes in turn"),
        Role::Source => None,
        Role::Station(station) if station.capacity.is_some() => Some("it has a limited capacity"),
        Role::Station(station) if station.discipline == Discipline::Priority && laws().count() > 1 => {
            Some("it serves by priority")
        }
        Role::Station(_) => laws().any(|law| Some(law) != laws().next()).then_some("its classes have different laws"),
    }
}

pub(super) fn mean(network: &Network, node: u32) -> Option<f64> {
    let law = (0..network.classes() as u32).find_map(|class| network.service(node, class))?;
    Some(network.laws().get(law as usize)?.mean())
}
