//! Choice of the next node of a token.

use super::facility::Facility;
use super::serving::Onward;
use super::streams::Purpose;
use crate::network::{Route, Routing};

/// Returns where a token of a class goes whose service at node `node` ends, for the random word of its route.
///
/// Rules that look at other nodes see them as they are when the service ends: in one tick, after the ends of nodes and
/// services with lower numbers.
pub(super) fn onward(facilities: &mut [Facility<'_>], node: u32, class: u32, word: u32, now: u64) -> Onward {
    let Some(facility) = facilities.get_mut(node as usize) else { return Onward::Out };
    let network = facility.network;
    let routes = network.routes(node, class);
    let number = routes.len();
    let chosen = match network.routing(node) {
        Routing::Random => match network.weights(node, class) {
            None => routes.by_word(word),
            Some(weights) => {
                let number = |node: u32| facilities.get(node as usize).map_or(0, Facility::present);
                weights.choose(word, number).unwrap_or(0)
            }
        },
        Routing::RoundRobin => (facility.turn(class) % number.max(1) as u64) as usize,
        Routing::Fork => return Onward::All,
        Routing::PowerOf(choices) => {
            let mut best = ((u64::from(word) * number as u64) >> 32) as usize;
            let mut others: Vec<usize> = (1..number).map(|step| (best + step) % number).collect();
            let chosen = (1..choices.routes().min(number)).map(|_| {
                let other = facility.streams.below(Purpose::Routes, others.len());
                others.remove(other)
            });
            let chosen: Vec<usize> = chosen.collect();
            let tokens = |route: usize| routes.get(route).map_or(0, |route| present(facilities, route));
            for other in chosen {
                best = if tokens(other) < tokens(best) { other } else { best };
            }
            best
        }
        Routing::ShortestQueue => {
            least(number, word, |route| routes.get(route).map_or(0, |route| u128::from(present(facilities, route))))
        }
        Routing::LeastWork => least(number, word, |route| {
            let to = routes.get(route).and_then(|route| facilities.get(route.to? as usize));
            to.map_or(0, |facility| facility.work(now))
        }),
    };
    match routes.get(chosen) {
        Some(Route { to: Some(to), class, .. }) => Onward::To(to, class),
        _ => Onward::Out,
    }
}

/// Returns the number of tokens where a route leads; none outside.
fn present(facilities: &[Facility<'_>], route: Route) -> u64 {
    route.to.and_then(|to| facilities.get(to as usize)).map_or(0, Facility::present)
}

/// Returns the route with the least cost, by chance among equals.
fn least(routes: usize, word: u32, cost: impl Fn(usize) -> u128) -> usize {
    let costs: Vec<u128> = (0..routes).map(cost).collect();
    let Some(least) = costs.iter().min() else { return 0 };
    let equal: Vec<usize> = (0..routes).filter(|route| costs.get(*route) == Some(least)).collect();
    equal.get(((u64::from(word) * equal.len() as u64) >> 32) as usize).copied().unwrap_or(0)
}
