//! Closed networks of product form with several classes and servers.

use super::TheoryError;
use super::chains::{Chain, chains};
use super::objection::{Objection, is_symmetric, objection};
use crate::measures::Measures;
use crate::network::{Network, Station};

/// Largest number of values that the analysis keeps, populations times servers and chains: 2^25, a few hundred
/// megabytes.
const MAX_STEPS: u64 = 1 << 25;

/// State of all stations for some population of each chain.
#[derive(Clone)]
struct Population {
    /// Mean number of tokens, by node and chain.
    number: Vec<f64>,
    /// Probabilities of 0, 1, ... tokens by node, as many as there are servers.
    marginal: Vec<Vec<f64>>,
    /// Throughput of each chain.
    cycles: Vec<f64>,
}

/// Computes the exact steady state of every node of a closed network of product form, by mean value analysis over all
/// populations of its chains.
///
/// A chain is a set of classes that turn into each other. Measures are those of all classes together; utilization is
/// that of each server.
///
/// # Conditions
///
/// No station has a limit, and routing is random. A delay, shared servers, or a single one that every arrival takes has
/// any laws, which may differ between classes: the second to fourth type of Baskett, Chandy, Muntz and Palacios. Nobody
/// waits there, so there is no waiting time, and a delay has no utilization. Any other station has any number of
/// servers, and one exponential law for all classes that come there. Its discipline is one of these:
///
/// * *First come, first served*, also as priorities that are all equal: a station of the first type of Baskett, Chandy,
///   Muntz and Palacios.
/// * *Last come, first served* and *random order*, if no token comes back at once, or only one class comes there. Such
///   a station is one of Kelly's (Reversibility and Stochastic Networks, section 3.1). Number the places `1` to `n`.
///   The first `c` are those in service, each at the same rate. When a token leaves, its successors move up one place.
///   A newcomer that finds all servers busy takes place `c + 1` under last come, first served. In random order it takes
///   any of the places `c + 1` to `n + 1` with equal probability; a line that tokens join at random places is in random
///   order. Kelly's theorem requires that the rate at a place and the place of a newcomer depend on `n` alone, not on
///   classes. Each order of `n` tokens then has a probability that is the product of their classes' flows, times a
///   function of `n`. The law of numbers is therefore that of first come, first served, for each class too.
/// * *Any*, if only one class comes there: the number of tokens has the same law for every order, since services have
///   no memory.
///
/// Under those two disciplines, a token that comes back at once does not take a newcomer's place. It is among the
/// waiting tokens when its server chooses, so under last come, first served it is served again at once. A class that
/// comes back more often is then like one with longer services, for which there is no product form. There is none
/// either if some classes are preferred. Both are refused.
///
/// Some orders of tokens may never turn into others (no token overtakes on a ring of single servers). Theory then gives
/// the mean over them, each by its weight.
///
/// # Errors
/// [`TheoryError::NoProductForm`] with the [`Objection`] if a condition is not met, or if tokens come to a node only at
/// the start; and the errors of [`mean_value_analysis`](super::mean_value_analysis).
pub fn closed_product_form(network: &Network) -> Result<Vec<Measures>, TheoryError> {
    let nodes = network.len();
    for node in 0..nodes as u32 {
        if let Some(reason) = objection(network, node) {
            return Err(TheoryError::NoProductForm { label: network.label(node), reason });
        }
        if network.station(node).is_none() || (0..network.classes() as u32).any(|class| leaves(network, node, class)) {
            return Err(TheoryError::NoProductForm { label: network.label(node), reason: Objection::Open });
        }
    }
    let chains = chains(network)?;
    // At a delay, each token has a server, whatever the population.
    let most = usize::try_from(network.total_tokens()).unwrap_or(usize::MAX).max(1);
    let servers_of =
        |station: Station| if station.servers == Station::INFINITE { most } else { station.servers as usize };
    let servers: Vec<usize> = (0..nodes as u32).map(|node| network.station(node).map_or(1, servers_of)).collect();
    let populations =
        chains.iter().try_fold(1_u64, |product, chain| product.checked_mul(chain.tokens + 1)).unwrap_or(u64::MAX);
    let all = servers.iter().fold(0_u64, |sum, &servers| sum.saturating_add(servers as u64));
    let work = all.saturating_mul(chains.len() as u64);
    let steps = populations.saturating_mul(work);
    if steps > MAX_STEPS {
        return Err(TheoryError::TooManySteps { steps, limit: MAX_STEPS });
    }
    let last = recursion(&chains, &servers, populations as usize);
    let measures = |node: usize| {
        let sum = |of: fn(&Chain) -> &Vec<f64>| -> f64 {
            let by_chain = chains.iter().zip(&last.cycles);
            by_chain.map(|(chain, cycles)| of(chain).get(node).copied().unwrap_or(0.0) * cycles).sum()
        };
        let (throughput, busy) = (sum(|chain| &chain.visits), sum(|chain| &chain.demands));
        let number: f64 = last.number.iter().skip(node * chains.len()).take(chains.len()).sum();
        let station = network.station(node as u32).unwrap_or_default();
        let servers = servers.get(node).copied().unwrap_or(1) as f64;
        let any = throughput > 0.0;
        let waits = any && !is_symmetric(station);
        let number = if station.servers == Station::INFINITE { busy } else { number };
        let (waiting, sojourn) = ((number - busy) / throughput, number / throughput);
        Measures {
            utilization: if station.servers == Station::INFINITE { 0.0 } else { busy / servers },
            throughput,
            queue_length: number - busy,
            number_in_system: number,
            waiting: waits.then_some(waiting),
            sojourn: any.then_some(sojourn),
            waiting_by_little: any.then_some(waiting),
            sojourn_by_little: any.then_some(sojourn),
        }
    };
    Ok((0..nodes).map(measures).collect())
}

fn leaves(network: &Network, node: u32, class: u32) -> bool {
    network.routes(node, class).iter().any(|route| route.to.is_none())
}

/// Goes through all populations, from none to all tokens, the first chain's number changing fastest; returns the last.
fn recursion(chains: &[Chain], servers: &[usize], populations: usize) -> Population {
    let (nodes, count) = (servers.len(), chains.len());
    let empty = Population {
        number: vec![0.0; nodes * count],
        marginal: servers
            .iter()
            .map(|&servers| (0..servers).map(|n| if n == 0 { 1.0 } else { 0.0 }).collect())
            .collect(),
        cycles: vec![0.0; count],
    };
    // Distances to the populations with one token of a chain less.
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
                // A token finds the population without itself: it waits if all servers are busy.
                let idle: f64 = before
                    .marginal
                    .get(node)
                    .into_iter()
                    .flatten()
                    .enumerate()
                    .take(servers - 1)
                    .map(|(tokens, probability)| (servers - 1 - tokens) as f64 * probability)
                    .sum();
                // Of all visits of a cycle together.
                let sojourn = chain.demands.get(node).copied().unwrap_or(0.0) / servers as f64 * (1.0 + waiting + idle);
                cycle += sojourn;
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
            let mut busy = 0.0;
            let mut marginal = vec![0.0; servers];
            for (number, (chain, stride)) in chains.iter().zip(&strides).enumerate() {
                let cycles = now.cycles.get(number).copied().unwrap_or(0.0);
                let work = chain.demands.get(node).copied().unwrap_or(0.0) * cycles;
                if work == 0.0 {
                    continue;
                }
                busy += work;
                if let Some(entry) = now.number.get_mut(node * count + number) {
                    *entry = cycles * sojourns.get(node * count + number).copied().unwrap_or(0.0);
                }
                let Some(before) = found.get(index.wrapping_sub(*stride)).and_then(|before| before.marginal.get(node))
                else {
                    continue;
                };
                for (tokens, (entry, fewer)) in (1_u32..).zip(marginal.iter_mut().skip(1).zip(before)) {
                    *entry += work / f64::from(tokens) * fewer;
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
