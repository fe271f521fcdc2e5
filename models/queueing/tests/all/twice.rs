//! Comparison of random networks with theory: a number that misses is simulated again.

use super::observed::Observed;
use imminent_queueing::measures::Measures;
use imminent_queueing::{Network, Station};
use proptest::test_runner::TestCaseError;

/// Simulates a network, and once more if a measure misses its expected value at a node.
pub(crate) fn compare(network: &Network, expected: &[Option<Measures>], seed: u64) -> Result<(), TestCaseError> {
    let misses = |replications, seed| -> Vec<(u32, &str, String)> {
        let observed = Observed::of(network, replications, 300.0, 2_300.0, seed);
        let stations =
            (0..).zip(expected).filter_map(|(node, expected)| Some((node, (*expected)?, network.station(node)?)));
        let of_node = |(node, expected, station): (u32, Measures, Station)| {
            let misses = observed.misses(node, station.servers, &expected, 1.0 - 1e-6);
            misses.into_iter().map(move |(name, how)| (node, name, how))
        };
        stations.flat_map(of_node).collect()
    };
    let first = misses(20, seed);
    if first.is_empty() {
        return Ok(());
    }
    let again = misses(80, !seed);
    let twice = again.iter().find(|(node, name, _)| first.iter().any(|first| (first.0, first.1) == (*node, *name)));
    twice.map_or(Ok(()), |(node, name, how)| Err(TestCaseError::fail(format!("node {node}, {name}: {how}"))))
}
