//! Results of a run for single nodes, the busiest first.

use crate::experiment::Findings;
use crate::measures::{Basis, Measure, Measures};
use crate::network::{Network, Station};
use crate::outcome::{NodeStatistics, Statistics as _};
use crate::ranking::in_order;
use crate::theory::known;
use imminent_common::estimate::Estimate;
use imminent_core::Error;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Largest number of nodes that a report lists.
pub const MAX_LISTED: usize = 40;

/// Results of one node for a report. Sums are over all replications, after their warm-ups.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct NodeReport {
    /// Name of the node, or its number if it has none.
    pub name: String,
    /// Number of the node, from 0.
    pub node: u32,
    /// Number of servers; `None` for a source.
    pub servers: Option<u32>,
    /// Number of services completed; for a source, of tokens emitted.
    pub completed: u64,
    /// Number of tokens that arrived.
    pub arrivals: u64,
    /// Number of arrived tokens that found no room and were lost.
    pub lost: u64,
    /// Number of arrived tokens that lost patience and left the line.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub reneged: u64,
    /// Greatest number of tokens that waited at once, warm-up included; `None` if the engine does not know it.
    pub most_waiting: Option<u32>,
    /// Mean of each measure and the half-width of its interval, by name; for a source, only the throughput.
    pub stats: BTreeMap<String, Estimate>,
    /// Exact values of measures in a stationary run, by name, where [theory](crate::theory::known) has them.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub theory: BTreeMap<String, f64>,
    /// Mean time between two completions of the same token here, where all tokens [circulate](Network::circulates).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cycle_time: Option<Estimate>,
}

/// Returns `true` for a count that reports leave out.
#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes fields by reference")]
const fn is_zero(count: &u64) -> bool {
    *count == 0
}

/// The busiest nodes of a run with their statistics, by falling utilization, at most [`MAX_LISTED`]. Equal nodes are
/// ordered by number, and sources come last.
#[derive(Debug, Clone, PartialEq)]
pub struct Busiest(Vec<(u32, NodeStatistics)>);

impl Busiest {
    /// Finds the busiest nodes of a run. Of a network that was left on a device only these are read.
    ///
    /// # Errors
    /// Errors of the device on which the statistics of the nodes are.
    pub fn of(network: &Network, findings: &Findings) -> Result<Self, Error> {
        let load = |node: u32, of_node: &NodeStatistics| {
            let utilization = || mean(network, findings, (node, of_node), Measure::Utilization).unwrap_or(0.0);
            network.station(node).map(|_| utilization())
        };
        if let Some(candidates) = findings.nodes.busiest(MAX_LISTED)? {
            let ranked = |place: usize| {
                let (node, of_node) = candidates.get(place)?;
                Some((load(*node, of_node), (*node, place)))
            };
            let first = in_order(candidates.len(), ranked, MAX_LISTED).into_iter();
            return Ok(Self(first.filter_map(|(_, place)| candidates.get(place).copied()).collect()));
        }
        let nodes = findings.nodes.read()?;
        let ranked = |node: usize| Some((load(node as u32, &nodes.of(node)?), node as u32));
        let first = in_order(nodes.nodes(), ranked, MAX_LISTED).into_iter();
        Ok(Self(first.filter_map(|node| Some((node, nodes.of(node as usize)?))).collect()))
    }

    /// Iterates over the numbers of the nodes.
    pub fn numbers(&self) -> impl Iterator<Item = u32> + '_ {
        self.0.iter().map(|(node, _)| *node)
    }

    /// Returns the statistics of a node; `None` if it is not among the busiest.
    #[must_use]
    pub fn get(&self, node: u32) -> Option<NodeStatistics> {
        self.0.iter().find(|(other, _)| *other == node).map(|(_, of_node)| *of_node)
    }

    /// Returns the results of these nodes for a report.
    #[must_use]
    pub fn reports(&self, network: &Network, findings: &Findings) -> Vec<NodeReport> {
        let (cycles, theory) = (Cycles::of(network), known(network));
        let theory = |node: u32| theory.get(node as usize).copied().flatten();
        self.0
            .iter()
            .map(|(node, of_node)| {
                let report = report(network, findings, (*node, of_node), cycles);
                let has_servers = report.servers.is_some();
                NodeReport { theory: of_theory(theory(*node), has_servers), ..report }
            })
            .collect()
    }
}

/// Returns the measures that have a value, by name. A delay has no utilization.
fn of_theory(measures: Option<Measures>, has_servers: bool) -> BTreeMap<String, f64> {
    let named = measures.iter().flat_map(Measures::named);
    let named = named.filter(|(name, _)| has_servers || *name != Measure::Utilization.name());
    named.filter_map(|(name, value)| Some((name.to_owned(), value?))).collect()
}

/// Number of tokens of a network in which all of them [circulate](Network::circulates).
#[derive(Debug, Clone, Copy)]
pub struct Cycles(Option<u64>);

impl Cycles {
    /// Finds out whether the tokens of a network circulate.
    #[must_use]
    pub fn of(network: &Network) -> Self {
        Self(network.circulates().then(|| network.total_tokens()))
    }

    /// Returns `true` if the tokens circulate.
    #[must_use]
    pub const fn are_defined(self) -> bool {
        self.0.is_some()
    }

    /// Returns the mean time between two completions of the same token at a node: the number of tokens over the
    /// throughput of the node, by Little's law for the whole network.
    #[must_use]
    pub fn time(self, findings: &Findings, node: u32, throughput: Option<f64>) -> Option<Estimate> {
        let tokens = self.0?;
        if let Some(sums) = findings.node_sums.get(node as usize) {
            return Some(sums.cycle_time(tokens, findings.confidence));
        }
        let throughput = throughput.filter(|throughput| *throughput > 0.0);
        let mean = throughput.map(|throughput| tokens as f64 / throughput);
        Some(Estimate { mean, ..findings.confidence.of(&[]) })
    }
}

fn report(network: &Network, findings: &Findings, (node, sums): (u32, &NodeStatistics), cycles: Cycles) -> NodeReport {
    let station = network.station(node);
    let throughput = mean(network, findings, (node, sums), Measure::Throughput);
    let has = |measure: &Measure| match station {
        Some(_) => measure.is_of(network),
        None => *measure == Measure::Throughput,
    };
    let measures = Measure::STATION.into_iter().filter(has);
    let stats = measures.map(|measure| (measure.name().to_owned(), estimate(network, findings, (node, sums), measure)));
    NodeReport {
        name: network.label(node),
        node,
        servers: station.map(|station| station.servers).filter(|servers| *servers != Station::INFINITE),
        completed: sums.completed,
        arrivals: sums.arrivals,
        lost: sums.lost,
        reneged: sums.reneged,
        most_waiting: sums.most_waiting.filter(|_| station.is_some()),
        stats: stats.collect(),
        theory: BTreeMap::new(),
        cycle_time: cycles.time(findings, node, throughput),
    }
}

/// Returns a measure of a node with its interval; `None` if its statistics are not in host memory.
pub(crate) fn estimate_of(network: &Network, findings: &Findings, node: u32, measure: Measure) -> Option<Estimate> {
    let sums = findings.nodes.on_host()?.of(node as usize)?;
    Some(estimate(network, findings, (node, &sums), measure))
}

/// Returns a measure's mean over all observations of a node with these sums.
fn mean(network: &Network, findings: &Findings, (node, sums): (u32, &NodeStatistics), measure: Measure) -> Option<f64> {
    let basis = Basis::of_node(network, node).counting(findings.counted);
    measure.value(sums, basis, findings.observed)
}

/// Returns a measure of a node, with its interval. Networks too large to keep the samples of nodes have none.
fn estimate(network: &Network, findings: &Findings, node: (u32, &NodeStatistics), measure: Measure) -> Estimate {
    let samples = findings.node_sums.get(node.0 as usize).map(|sums| sums.estimate(measure, findings.confidence));
    samples.unwrap_or_else(|| Estimate { mean: mean(network, findings, node, measure), ..findings.confidence.of(&[]) })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::config::NetworkConfig;
    use crate::sequential;

    /// M/M/1/2 at load 0.8, which loses 0.64 / 2.44 of its tokens, before a faster station.
    #[test]
    fn nodes_are_in_the_order_of_their_loads_with_what_they_lost() {
        let text = "[network]
edges = [['fast', 'out']]
[[network.source]]
name = 'door'
mean = 1.25
[[network.node]]
name = 'fast'
mean = 0.1
[[network.node]]
name = 'slow'
mean = 1.0
capacity = 2
[[network.route]]
from = 'door'
to = 'slow'
[[network.route]]
from = 'slow'
to = 'fast'
[run]
horizon = 5000.0
replications = 8
warm_up = 50.0
";
        let experiment = NetworkConfig::from_toml(text, "t").unwrap().experiment().unwrap();
        let findings = experiment.run_watched(sequential::watched, drop).unwrap();
        let busiest = Busiest::of(&experiment.network, &findings).unwrap();
        let nodes = busiest.reports(&experiment.network, &findings);
        assert_eq!(nodes.iter().map(|node| node.name.as_str()).collect::<Vec<_>>(), ["slow", "fast", "door"]);
        let [slow, fast, door] = nodes.as_slice() else { panic!("{nodes:?}") };
        let lost = 0.64 / (1.0 + 0.8 + 0.64);
        assert!(slow.stats["loss"].covers(lost, 1.6), "{slow:?}");
        assert!((slow.lost as f64 / slow.arrivals as f64 - lost).abs() < 0.02);
        assert!(fast.stats["throughput"].covers(0.8 * (1.0 - lost), 1.6), "{fast:?}");
        assert!(door.stats["throughput"].covers(0.8, 1.6) && door.stats.len() == 1 && door.servers.is_none());
        assert_eq!(fast.stats["loss"].mean, Some(0.0));
        // A node's mean follows from its sums, with or without samples.
        let sums = busiest.get(slow.node).unwrap();
        let sojourn = mean(&experiment.network, &findings, (slow.node, &sums), Measure::Sojourn).unwrap();
        assert!((slow.stats["sojourn"].mean.unwrap() - sojourn).abs() < 1e-9);
    }
}
