//! The oracle's own choice of a route.

use crate::queueing::network::{Network, Routing};

/// The class that a source emits.
pub(super) fn emitted(network: &Network, source: u32) -> u32 {
    (0..network.classes() as u32).find(|&class| network.service(source, class).is_some()).unwrap_or(0)
}

/// Where a token goes after service `number` of `node`, and as what class; `None` leaves the network.
pub(super) fn onward(network: &Network, node: u32, class: u32, number: u64, word: u32) -> Option<(u32, u32)> {
    let routes: Vec<_> = network.routes(node, class).iter().collect();
    let count = routes.len() as u64;
    let chosen = match network.routing(node) {
        Routing::RoundRobin => number.checked_rem(count)?,
        Routing::Random if routes.iter().all(|route| route.threshold.is_none()) => (u64::from(word) * count) >> 32,
        Routing::Random => {
            let below = |threshold: Option<u32>| threshold.is_some_and(|threshold| word < threshold);
            routes.iter().position(|route| below(route.threshold)).map_or(count - 1, |route| route as u64)
        }
    };
    let route = routes.get(chosen as usize)?;
    route.to.map(|to| (to, route.class))
}
