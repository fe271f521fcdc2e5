//! Values of each replication, by which configurations are compared.

use super::finished::FinishedRun;
use crate::costs::Part;
use crate::measures::{Basis, Measure};
use crate::tally::WaitCounts;
use std::collections::BTreeMap;

/// Measures of single stations.
const AT_STATIONS: [Measure; 8] = [
    Measure::Utilization,
    Measure::Throughput,
    Measure::QueueLength,
    Measure::NumberInSystem,
    Measure::Waiting,
    Measure::Sojourn,
    Measure::Loss,
    Measure::Reneging,
];

/// Returns the values of all measures in each replication. Those of single stations, of a small network, have names
/// such as `waiting@desk`.
pub(super) fn replications(run: &FinishedRun) -> Vec<(String, Vec<Option<f64>>)> {
    let (network, findings) = (&run.experiment.network, &run.findings);
    let kept: Vec<_> = findings.replications.iter().map(|replication| replication.kept()).collect();
    let values = |measure: Measure| kept.iter().map(|sample| sample.value(measure)).collect::<Vec<_>>();
    let mut all: Vec<_> =
        Measure::ALL.into_iter().map(|measure| (measure.name().to_owned(), values(measure))).collect();
    for part in Part::ALL {
        let values: Vec<_> = kept.iter().map(|sample| sample.spent(part)).collect();
        if values.iter().any(|value| value.is_some_and(|money| money != 0.0)) {
            all.push((format!("cost_{}", part.name()), values));
        }
    }
    // Replications of a large network keep no statistics of its stations.
    let kept_nodes = findings.replications.iter().map(|replication| replication.nodes.len()).max().unwrap_or(0);
    for node in (0..kept_nodes as u32).filter(|node| network.station(*node).is_some()) {
        let basis = Basis::of_node(network, node).counting(findings.counted);
        for measure in AT_STATIONS {
            let value = |(replication, kept): (&crate::analysis::Replication, &crate::analysis::Sample)| {
                measure.value(replication.nodes.get(node as usize)?, basis, kept.span)
            };
            let values = findings.replications.iter().zip(&kept).map(value).collect();
            all.push((format!("{}@{}", measure.name(), network.label(node)), values));
        }
    }
    all.extend(waits(run));
    all.extend(loads(run));
    // Most measures of the whole network are not defined for a closed one.
    all.retain(|(_, values)| values.iter().any(Option::is_some));
    all
}

/// Returns the load of each pool of servers in each replication, such as `utilization@desk/pool 1`.
fn loads(run: &FinishedRun) -> impl Iterator<Item = (String, Vec<Option<f64>>)> {
    let replications = &run.findings.replications;
    let mut all = BTreeMap::<(u32, u32), Vec<Option<f64>>>::new();
    for (place, replication) in replications.iter().enumerate() {
        for (key, load) in replication.pools.loads() {
            let row = all.entry(key).or_insert_with(|| vec![None; replications.len()]);
            row.iter_mut().skip(place).take(1).for_each(|slot| *slot = load);
        }
    }
    let network = &run.experiment.network;
    let name =
        |(node, pool): (u32, u32)| format!("{}@{}/pool {}", Measure::Utilization.name(), network.label(node), pool + 1);
    all.into_iter().map(move |(key, loads)| (name(key), loads))
}

/// Returns the shares of visits that wait, and of tokens that are served within a time, in each replication, at all
/// stations and at each, where they were gathered.
fn waits(run: &FinishedRun) -> impl Iterator<Item = (String, Vec<Option<f64>>)> {
    let (network, wanted) = (&run.experiment.network, &run.experiment.plan.wanted);
    let named = |name: &'static str| wanted.beyond.iter().map(move |time| format!("{name}_{}", time.units));
    let names = ["waits".to_owned()].into_iter().chain(named("waits_beyond")).chain(named("served_within"));
    let names: Vec<String> = names.collect();
    let replications = &run.findings.replications;
    let mut shares = BTreeMap::<(Option<u32>, Option<u32>), Vec<Vec<Option<f64>>>>::new();
    for (place, replication) in replications.iter().enumerate() {
        let mut counts = BTreeMap::<_, WaitCounts>::new();
        for (&(node, class), of_node) in &replication.waits {
            for key in [Some((Some(node), class)), class.is_none().then_some((None, None))].into_iter().flatten() {
                *counts.entry(key).or_default() += of_node;
            }
        }
        for (key, counts) in counts {
            let rows = shares.entry(key).or_insert_with(|| vec![vec![None; replications.len()]; names.len()]);
            for (row, share) in rows.iter_mut().zip(counts.shares()) {
                row.iter_mut().skip(place).take(1).for_each(|slot| *slot = share);
            }
        }
    }
    shares.into_iter().flat_map(move |((node, class), rows)| {
        let place = match (node, class) {
            (Some(node), Some(class)) => format!("@{}/{}", network.label(node), network.class_name(class)),
            (Some(node), None) => format!("@{}", network.label(node)),
            (None, _) => String::new(),
        };
        names.iter().map(move |name| format!("{name}{place}")).zip(rows).collect::<Vec<_>>()
    })
}
