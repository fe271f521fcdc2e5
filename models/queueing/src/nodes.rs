//! Results of a run for single nodes, the busiest first.

use crate::experiment::Findings;
use crate::measures::{Basis, Measure};
use crate::network::Network;
use crate::outcome::Statistics as _;
use imminent_common::estimate::Estimate;
use imminent_common::parallel;
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
    /// Greatest number of tokens that waited at once, warm-up included; `None` if the engine does not know it.
    pub most_waiting: Option<u32>,
    /// Mean of each measure and the half-width of its interval, by name; for a source, only the throughput.
    pub stats: BTreeMap<String, Estimate>,
}

/// Returns the nodes by falling utilization, at most [`MAX_LISTED`]. Equal nodes are ordered by number, and sources
/// come last.
#[must_use]
pub fn busiest(network: &Network, findings: &Findings) -> Vec<NodeReport> {
    let load = |node: usize| {
        let node = node as u32;
        let load = network.station(node).map(|_| mean(network, findings, node, Measure::Utilization).unwrap_or(0.0));
        Some((load, node))
    };
    in_order(findings.nodes.nodes(), load, MAX_LISTED).into_iter().map(|node| report(network, findings, node)).collect()
}

/// Returns the first `most` of `count` items by falling load. `load` returns an item and its load, or `None` for a
/// number without an item. Equal loads are ordered by item, and items without a load come last.
pub(crate) fn in_order<T: Copy + Ord + Send>(
    count: usize,
    load: impl Fn(usize) -> Option<(Option<f64>, T)> + Sync + Send,
    most: usize,
) -> Vec<T> {
    let parts = parallel::ranges(count, |part| first(part.filter_map(&load), most));
    first(parts.into_iter().flatten(), most).into_iter().map(|(_, item)| item).collect()
}

/// Returns the first `most` of items in their order. Keeps no more than twice as many at a time: networks are large.
fn first<T: Copy + Ord>(items: impl Iterator<Item = (Option<f64>, T)>, most: usize) -> Vec<(Option<f64>, T)> {
    let load = |item: &(Option<f64>, T)| item.0.unwrap_or(-1.0);
    let order = |a: &(Option<f64>, T), b: &(Option<f64>, T)| load(b).total_cmp(&load(a)).then(a.1.cmp(&b.1));
    let Some(last) = most.checked_sub(1) else { return vec![] };
    // The last of the first items when they were selected.
    let mut worst = None;
    let mut kept = vec![];
    for item in items {
        if worst.is_some_and(|worst| order(&item, &worst).is_gt()) {
            continue;
        }
        kept.push(item);
        if kept.len() >= most.saturating_mul(2) {
            worst = Some(*kept.select_nth_unstable_by(last, order).1);
            kept.truncate(most);
        }
    }
    kept.sort_by(order);
    kept.truncate(most);
    kept
}

fn report(network: &Network, findings: &Findings, node: u32) -> NodeReport {
    let sums = findings.nodes.of(node as usize).unwrap_or_default();
    let station = network.station(node);
    let measures = Measure::ALL.into_iter().filter(|measure| station.is_some() || *measure == Measure::Throughput);
    let stats = measures.map(|measure| (measure.name().to_owned(), estimate(network, findings, node, measure)));
    NodeReport {
        name: network.label(node),
        node,
        servers: station.map(|station| station.servers),
        completed: sums.completed,
        arrivals: sums.arrivals,
        lost: sums.lost,
        most_waiting: sums.most_waiting.filter(|_| station.is_some()),
        stats: stats.collect(),
    }
}

/// Returns a measure's mean over all observations of a node.
#[must_use]
pub fn mean(network: &Network, findings: &Findings, node: u32, measure: Measure) -> Option<f64> {
    let basis = Basis::of_node(network, node).counting(findings.counted);
    measure.value(&findings.nodes.of(node as usize)?, basis, findings.observed)
}

/// Returns a measure of a node, with its interval. Networks too large to keep the samples of nodes have none.
fn estimate(network: &Network, findings: &Findings, node: u32, measure: Measure) -> Estimate {
    let samples = findings.node_sums.get(node as usize).map(|sums| sums.estimate(measure));
    samples.unwrap_or_else(|| Estimate { mean: mean(network, findings, node, measure), ci95: None })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use proptest::prelude::*;

    proptest! {
        /// Whatever the loads, the first are those of all items in order.
        #[test]
        fn the_first_are_those_of_the_sorted_list(loads in prop::collection::vec(0..20_u32, 0..300), most in 0..40_usize) {
            // Every seventh number has no item, every fifth item no load.
            let load = |item: usize| (item % 7 != 6).then(|| ((item % 5 != 4).then(|| f64::from(loads[item])), item));
            let mut all: Vec<(Option<f64>, usize)> = (0..loads.len()).filter_map(load).collect();
            all.sort_by(|a, b| b.0.unwrap_or(-1.0).total_cmp(&a.0.unwrap_or(-1.0)).then(a.1.cmp(&b.1)));
            let expected: Vec<usize> = all.into_iter().map(|(_, item)| item).take(most).collect();
            prop_assert_eq!(in_order(loads.len(), load, most), expected);
        }
    }
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
        let nodes = busiest(&experiment.network, &findings);
        assert_eq!(nodes.iter().map(|node| node.name.as_str()).collect::<Vec<_>>(), ["slow", "fast", "door"]);
        let [slow, fast, door] = nodes.as_slice() else { panic!("{nodes:?}") };
        let lost = 0.64 / (1.0 + 0.8 + 0.64);
        assert!(slow.stats["loss"].covers(lost, 1.6), "{slow:?}");
        assert!((slow.lost as f64 / slow.arrivals as f64 - lost).abs() < 0.02);
        assert!(fast.stats["throughput"].covers(0.8 * (1.0 - lost), 1.6), "{fast:?}");
        assert!(door.stats["throughput"].covers(0.8, 1.6) && door.stats.len() == 1 && door.servers.is_none());
        assert_eq!(fast.stats["loss"].mean, Some(0.0));
        // A node's mean follows from its sums, with or without samples.
        assert!(
            (slow.stats["sojourn"].mean.unwrap()
                - mean(&experiment.network, &findings, slow.node, Measure::Sojourn).unwrap())
            .abs()
                < 1e-9
        );
        let loads = [None, Some(0.5), Some(0.8), Some(0.5)];
        assert_eq!(in_order(4, |item| Some((loads[item], item)), 3), [2, 1, 3]);
    }
}
