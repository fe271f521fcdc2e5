//! Values of each replication, by which configurations are compared.

use super::finished::FinishedRun;
use crate::measures::{Basis, Measure};

/// Measures of single stations.
const AT_STATIONS: [Measure; 7] = [
    Measure::Utilization,
    Measure::Throughput,
    Measure::QueueLength,
    Measure::NumberInSystem,
    Measure::Waiting,
    Measure::Sojourn,
    Measure::Loss,
];

/// Returns the values of all measures in each replication. Those of single stations, of a small network, have names
/// such as `waiting@desk`.
pub(super) fn replications(run: &FinishedRun) -> Vec<(String, Vec<Option<f64>>)> {
    let (network, findings) = (&run.experiment.network, &run.findings);
    let kept: Vec<_> = findings.replications.iter().map(|replication| replication.kept()).collect();
    let values = |measure: Measure| kept.iter().map(|sample| sample.value(measure)).collect::<Vec<_>>();
    let mut all: Vec<_> =
        Measure::ALL.into_iter().map(|measure| (measure.name().to_owned(), values(measure))).collect();
    for node in (0..network.len() as u32).filter(|node| network.station(*node).is_some()) {
        let basis = Basis::of_node(network, node).counting(findings.counted);
        for measure in AT_STATIONS {
            let value = |(replication, kept): (&crate::analysis::Replication, &crate::analysis::Sample)| {
                measure.value(replication.nodes.get(node as usize)?, basis, kept.span)
            };
            let values = findings.replications.iter().zip(&kept).map(value).collect();
            all.push((format!("{}@{}", measure.name(), network.label(node)), values));
        }
    }
    // Most measures of the whole network are not defined for a closed one.
    all.retain(|(_, values)| values.iter().any(Option::is_some));
    all
}
