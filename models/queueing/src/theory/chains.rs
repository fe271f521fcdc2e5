//! Chains: classes that turn into each other, and the visits of their tokens to nodes.

use super::TheoryError;
use super::objection::Objection;
use super::traffic::{MAX_TRAFFIC_NODES, stationary};
use crate::law::Law;
use crate::network::Network;

/// A chain of classes: its tokens never turn into those of another chain.
pub(super) struct Chain {
    /// Number of tokens of all classes of the chain, at all nodes.
    pub(super) tokens: u64,
    /// Visits to each node, relative to visits to all nodes.
    pub(super) visits: Vec<f64>,
    /// Work that these visits bring to each node: visits times mean service, summed over classes, in time units.
    pub(super) demands: Vec<f64>,
}

/// Returns the chains of a network: pairs of node and class that are joined by routes, with the visits to each node.
pub(super) fn chains(network: &Network) -> Result<Vec<Chain>, TheoryError> {
    let classes = network.classes() as u32;
    let all = (0..network.len() as u32).flat_map(|node| (0..classes).map(move |class| (node, class)));
    let pairs: Vec<(u32, u32)> = all.filter(|&(node, class)| network.service(node, class).is_some()).collect();
    if pairs.len() > MAX_TRAFFIC_NODES {
        return Err(TheoryError::TooLarge { nodes: pairs.len(), limit: MAX_TRAFFIC_NODES });
    }
    let number = |pair: (u32, u32)| pairs.binary_search(&pair).unwrap_or(usize::MAX);
    let onward: Vec<Vec<(usize, f64)>> = pairs
        .iter()
        .map(|&(node, class)| {
            let routes = network.routes(node, class);
            let transitions = routes.iter().enumerate();
            transitions
                .filter_map(|(index, route)| Some((number((route.to?, route.class)), routes.probability(index))))
                .collect()
        })
        .collect();
    let mut backward = vec![vec![]; pairs.len()];
    for (from, transitions) in onward.iter().enumerate() {
        for &(to, _) in transitions {
            if let Some(list) = backward.get_mut(to) {
                list.push(from);
            }
        }
    }
    let mut assigned = vec![false; pairs.len()];
    let mut chains = vec![];
    for first in 0..pairs.len() {
        if assigned.get(first) == Some(&true) {
            continue;
        }
        let forward = reach(first, |at| onward.get(at).into_iter().flatten().map(|&(to, _)| to).collect(), pairs.len());
        let back = reach(first, |at| backward.get(at).cloned().unwrap_or_default(), pairs.len());
        if forward != back {
            let odd = forward.iter().zip(&back).position(|(forward, back)| forward != back).unwrap_or(first);
            let label = pairs.get(odd).map_or_else(String::new, |&(node, _)| network.label(node));
            return Err(TheoryError::NoProductForm { label, reason: Objection::Transient });
        }
        let members: Vec<usize> = (0..pairs.len()).filter(|&at| forward.get(at) == Some(&true)).collect();
        let place = |at: usize| members.binary_search(&at).unwrap_or(usize::MAX);
        let matrix = members.iter().map(|&at| {
            let mut row = vec![0.0; members.len()];
            for &(to, probability) in onward.get(at).into_iter().flatten() {
                if let Some(entry) = row.get_mut(place(to)) {
                    *entry += probability;
                }
            }
            row
        });
        let ratios = stationary(matrix.collect());
        let nothing = vec![0.0; network.len()];
        let mut chain = Chain { tokens: 0, visits: nothing.clone(), demands: nothing };
        for (&at, ratio) in members.iter().zip(ratios) {
            if let (Some(&(node, class)), Some(mark)) = (pairs.get(at), assigned.get_mut(at)) {
                *mark = true;
                chain.tokens += u64::from(network.tokens(node, class));
                let law = network.service(node, class).and_then(|law| network.laws().get(law as usize));
                let place = node as usize;
                if let (Some(visits), Some(demand)) = (chain.visits.get_mut(place), chain.demands.get_mut(place)) {
                    *visits += ratio;
                    *demand += ratio * law.map_or(0.0, Law::mean);
                }
            }
        }
        chains.push(chain);
    }
    Ok(chains)
}

fn reach(first: usize, next: impl Fn(usize) -> Vec<usize>, count: usize) -> Vec<bool> {
    let mut reached = vec![false; count];
    let mut open = vec![first];
    while let Some(at) = open.pop() {
        if reached.get_mut(at).is_some_and(|mark| !std::mem::replace(mark, true)) {
            open.extend(next(at));
        }
    }
    reached
}
