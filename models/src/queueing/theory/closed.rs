//! Closed networks of product form with several classes and servers.

use super::TheoryError;
use super::jackson::objection;
use super::traffic::{MAX_TRAFFIC_NODES, stationary};
use crate::queueing::measures::Measures;
use crate::queueing::network::Network;

/// The most numbers that the analysis keeps, populations times servers and chains: 2^25, a few hundred megabytes.
const MAX_STEPS: u64 = 1 << 25;

/// A chain: tokens that never turn into those of another chain, and what they do.
struct Chain {
    tokens: u64,
    /// Visits to each node for one visit anywhere.
    visits: Vec<f64>,
}

/// A station, as it is with some population of each chain.
#[derive(Clone)]
struct Population {
    /// Mean number of tokens of each chain, by node and chain.
    number: Vec<f64>,
    /// By node: the probabilities of 0, 1, ... tokens there, as many as there are servers.
    marginal: Vec<Vec<f64>>,
    /// Throughput of each chain.
    cycles: Vec<f64>,
}

/// The exact steady state of every node of a closed network of product form, by mean value analysis over all populations of its chains.
///
/// A chain is a set of classes that turn into each other. The product form holds where each station has no limit, one exponential law for all classes, any number of servers, and a
/// discipline that does not look at classes, and where routing is by chance. Measures are those of all classes together; utilization is that of each server.
///
/// # Errors
/// [`TheoryError::NoProductForm`] where it does not hold, or where tokens come to a node at the start alone, and the errors of [`mean_value_analysis`](super::mean_value_analysis).
pub fn closed_product_form(network: &Network) -> Result<Vec<Measures>, TheoryError> {
    let nodes = network.len();
    for node in 0..nodes as u32 {
        if let Some(reason) = objection(network, node) {
            return Err(TheoryError::NoProductForm { label: network.label(node), reason });
        }
        if network.station(node).is_none() || (0..network.classes() as u32).any(|class| leaves(network, node, class)) {
            let reason = "tokens come from outside or leave, and the analysis is for closed networks";
            return Err(TheoryError::NoProductForm { label: network.label(node), reason });
        }
    }
    let chains = chains(network)?;
    let servers: Vec<usize> =
        (0..nodes as u32).map(|node| network.station(node).map_or(1, |s| s.servers as usize)).collect();
    let means: Vec<f64> = (0..nodes as u32).map(|node| super::jackson::mean(network, node).unwrap_or(0.0)).collect();
    let populations =
        chains.iter().try_fold(1_u64, |product, chain| product.checked_mul(chain.tokens + 1)).unwrap_or(u64::MAX);
    let work = servers.iter().sum::<usize>() as u64 * chains.len() as u64;
    let steps = populations.saturating_mul(work);
    if steps > MAX_STEPS {
        return Err(TheoryError::TooManySteps { steps, limit: MAX_STEPS });
    }
    let last = recursion(&chains, &servers, &means, populations as usize);
    let measures = |node: usize| {
        let throughput: f64 = chains
            .iter()
            .zip(&last.cycles)
            .map(|(chain, cycles)| chain.visits.get(node).copied().unwrap_or(0.0) * cycles)
            .sum();
        let number: f64 = last.number.iter().skip(node * chains.len()).take(chains.len()).sum();
        let (mean, servers) = (means.get(node).copied().unwrap_or(0.0), servers.get(node).copied().unwrap_or(1) as f64);
        let busy = throughput * mean;
        let any = throughput > 0.0;
        let (waiting, sojourn) = ((number - busy) / throughput, number / throughput);
        Measures {
            utilization: busy / servers,
            throughput,
            queue_length: number - busy,
            number_in_system: number,
            waiting: any.then_some(waiting),
            sojourn: any.then_some(sojourn),
            completed_waiting: any.then_some(waiting),
            completed_sojourn: any.then_some(sojourn),
        }
    };
    Ok((0..nodes).map(measures).collect())
}

fn leaves(network: &Network, node: u32, class: u32) -> bool {
    network.routes(node, class).iter().any(|route| route.to.is_none())
}

/// All populations, from none to all tokens, the first chain's number changing fastest; gives the last.
fn recursion(chains: &[Chain], servers: &[usize], means: &[f64], populations: usize) -> Population {
    let (nodes, count) = (servers.len(), chains.len());
    let empty = Population {
        number: vec![0.0; nodes * count],
        marginal: servers
            .iter()
            .map(|&servers| (0..servers).map(|n| if n == 0 { 1.0 } else { 0.0 }).collect())
            .collect(),
        cycles: vec![0.0; count],
    };
    // How far back the population with one token of a chain less lies.
    let mut strides = vec![1_usize];
    for chain in chains {
        strides.push(strides.last().copied().unwrap_or(1) * (chain.tokens as usize + 1));
    }
    let mut found = vec![empty.clone()];
    for index in 1..populations {
        let mut now = empty.clone();
        let mut sojourns = vec![0.0; nodes * count];
        for (number, (chain, stride)) in chains.iter().zip(&strides).enumerate() {
            let present = index / stride % (chain.tokens as usize + 1);
            let Some(before) = found.get(index.wrapping_sub(*stride)).filter(|_| present > 0) else { continue };
            let mut cycle = 0.0;
            for node in 0..nodes {
                let waiting: f64 = before.number.iter().skip(node * count).take(count).sum();
                let servers = servers.get(node).copied().unwrap_or(1);
                // A token finds what is there without it: it waits where all servers are busy.
                let idle: f64 = before
                    .marginal
                    .get(node)
                    .into_iter()
                    .flatten()
                    .enumerate()
                    .take(servers - 1)
                    .map(|(tokens, probability)| (servers - 1 - tokens) as f64 * probability)
                    .sum();
                let sojourn = means.get(node).copied().unwrap_or(0.0) / servers as f64 * (1.0 + waiting + idle);
                cycle += chain.visits.get(node).copied().unwrap_or(0.0) * sojourn;
                if let Some(entry) = sojourns.get_mut(node * count + number) {
                    *entry = sojourn;
                }
            }
            if let Some(cycles) = now.cycles.get_mut(number) {
                *cycles = present as f64 / cycle;
            }
        }
        for node in 0..nodes {
            let servers = servers.get(node).copied().unwrap_or(1);
            let mean = means.get(node).copied().unwrap_or(0.0);
            let mut busy = 0.0;
            let mut marginal = vec![0.0; servers];
            for (number, (chain, stride)) in chains.iter().zip(&strides).enumerate() {
                let flow =
                    chain.visits.get(node).copied().unwrap_or(0.0) * now.cycles.get(number).copied().unwrap_or(0.0);
                if flow == 0.0 {
                    continue;
                }
                busy += flow * mean;
                if let Some(entry) = now.number.get_mut(node * count + number) {
                    *entry = flow * sojourns.get(node * count + number).copied().unwrap_or(0.0);
                }
                let Some(before) = found.get(index.wrapping_sub(*stride)).and_then(|before| before.marginal.get(node))
                else {
                    continue;
                };
                for (tokens, (entry, fewer)) in (1_u32..).zip(marginal.iter_mut().skip(1).zip(before)) {
                    *entry += flow * mean / f64::from(tokens) * fewer;
                }
            }
            let some: f64 = marginal
                .iter()
                .enumerate()
                .skip(1)
                .map(|(tokens, probability)| (servers - tokens) as f64 * probability)
                .sum();
            if let Some(none) = marginal.first_mut() {
                *none = (1.0 - (busy + some) / servers as f64).max(0.0);
            }
            if let Some(entry) = now.marginal.get_mut(node) {
                *entry = marginal;
            }
        }
        found.push(now);
    }
    found.pop().unwrap_or(empty)
}

/// The chains of a network: pairs of node and class that routes join, with the visits to each node.
fn chains(network: &Network) -> Result<Vec<Chain>, TheoryError> {
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
            let ways = routes.iter().enumerate();
            ways.filter_map(|(index, route)| Some((number((route.to?, route.class)), routes.probability(index))))
                .collect()
        })
        .collect();
    let mut backward = vec![vec![]; pairs.len()];
    for (from, ways) in onward.iter().enumerate() {
        for &(to, _) in ways {
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
            return Err(TheoryError::NoProductForm {
                label,
                reason: "tokens that leave it never come back, or those that come never return",
            });
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
        let mut chain = Chain { tokens: 0, visits: vec![0.0; network.len()] };
        for (&at, ratio) in members.iter().zip(ratios) {
            if let (Some(&(node, class)), Some(mark)) = (pairs.get(at), assigned.get_mut(at)) {
                *mark = true;
                chain.tokens += u64::from(network.tokens(node, class));
                if let Some(visits) = chain.visits.get_mut(node as usize) {
                    *visits += ratio;
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
