//! The oracle's own choice of a route.

use crate::network::{Network, Routing};
use std::collections::BTreeMap;

/// Returns the class that a source emits.
pub(super) fn emitted(network: &Network, source: u32) -> u32 {
    (0..network.classes() as u32).find(|&class| network.service(source, class).is_some()).unwrap_or(0)
}

/// Number of times each list of routes has been used, for round-robin routing.
pub(super) type Turns = BTreeMap<Vec<Option<u32>>, u64>;

/// Returns the next node and class of a token whose service at `node` ends; `None` leaves the network.
pub(super) fn onward(network: &Network, node: u32, class: u32, turns: &mut Turns, word: u32) -> Option<(u32, u32)> {
    let routes: Vec<_> = network.routes(node, class).iter().collect();
    let count = routes.len() as u64;
    let chosen = match network.routing(node) {
        Routing::RoundRobin => {
            let turn = turns.entry(routes.iter().map(|route| route.to).collect()).or_default();
            *turn += 1;
            (*turn - 1).checked_rem(count)?
        }
        Routing::Random if routes.iter().all(|route| route.threshold.is_none()) => (u64::from(word) * count) >> 32,
        Routing::Random => {
            let below = |threshold: Option<u32>| threshold.is_some_and(|threshold| word < threshold);
            routes.iter().position(|route| below(route.threshold)).map_or(count - 1, |route| route as u64)
        }
        // Networks with other rules are the host engine's.
        _ => 0,
    };
    let route = routes.get(chosen as usize)?;
    route.to.map(|to| (to, route.class))
}
