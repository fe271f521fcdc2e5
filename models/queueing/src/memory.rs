//! Estimates of the host memory and of the work of a run, before it begins.

use crate::analysis::{Look, Plan, Sample};
use crate::bounds;
use crate::experiment::Experiment;
use crate::theory::Load;

/// Bytes of a node of a large network that is only observed at the end: network, engine, outcome and findings.
/// Measured: 460 to 540 bytes on tori of 2^20 and 2^22 nodes.
const BYTES_OF_NODE: u64 = 500;

/// Further bytes of a node that is observed on the way, or that the general engine simulates. Measured: 690 bytes.
const BYTES_OF_OBSERVED: u64 = 700;

/// Bytes of a replication in the findings besides its observations.
const BYTES_OF_REPLICATION: u64 = 512;

/// Returns the approximate bytes of host memory that a run of a network with `nodes` nodes needs. With `observed`, it
/// is observed on the way or not simple.
#[must_use]
pub const fn of_nodes(nodes: u64, observed: bool) -> u64 {
    nodes.saturating_mul(if observed { BYTES_OF_NODE + BYTES_OF_OBSERVED } else { BYTES_OF_NODE })
}

/// Returns the approximate bytes that the findings of some replications need, each of `horizon` ticks.
#[must_use]
pub fn of_replications(plan: &Plan, horizon: u64, replications: u64) -> u64 {
    let looks = (plan.most_cells(horizon) + 1).saturating_mul(size_of::<Look>() as u64);
    let samples = u64::from(plan.batches.unwrap_or(1)).saturating_mul(size_of::<Sample>() as u64);
    replications.saturating_mul(looks.saturating_add(samples).saturating_add(BYTES_OF_REPLICATION))
}

impl Experiment {
    /// Estimates the number of events of all replications: services that start before the horizon. Open networks by the
    /// traffic equations, closed ones as if every server with a token were always busy.
    #[must_use]
    pub fn expected_events(&self) -> f64 {
        let network = &self.network;
        let nodes = 0..network.len() as u32;
        let horizon = network.tick().units(self.horizon);
        let each = match Load::of(network) {
            Ok(load) if network.has_sources() => {
                // Each emission of a source is an event too.
                let emitted = bounds::emitted(network) * self.horizon as f64;
                nodes.map(|node| load.total_rate(node)).sum::<f64>() * horizon + emitted
            }
            _ => {
                let mean = |node: u32| {
                    let law = network.service(node, 0).and_then(|law| network.samplers().get(law as usize))?;
                    Some((law.mean_ticks().max(1.0), f64::from(network.station(node)?.servers)))
                };
                let (rate, servers) = nodes
                    .filter_map(mean)
                    .fold((0.0, 0.0), |(rate, all), (ticks, servers)| (rate + servers / ticks, all + servers));
                let busy = (network.total_tokens() as f64 / servers.max(1.0)).min(1.0);
                rate * busy * self.horizon as f64
            }
        };
        each * self.replications as f64
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::config::NetworkConfig;

    fn experiment(text: &str) -> Experiment {
        NetworkConfig::from_toml(text, "t").unwrap().experiment().unwrap()
    }

    #[test]
    fn events_are_those_of_rates_times_horizon() {
        let run = "[run]\nhorizon = 1000.0\nreplications = 20\n";
        // Two arrivals in a time unit, and as many services at each of two stations.
        let open = "[network]\nmean = 0.1\nedges = [['s', 'a'], ['a', 'b'], ['b', 'out']]\n[[network.source]]\nname = 's'\nrate = 2.0\n";
        assert!((experiment(&format!("{open}{run}")).expected_events() / 120_000.0 - 1.0).abs() < 1e-3);
        // One token for two servers.
        let closed = "[network]\nmean = 0.5\nlinks = [['a', 'b']]\n[[network.node]]\nname = 'a'\ntokens = 1\n";
        assert!((experiment(&format!("{closed}{run}")).expected_events() / 40_000.0 - 1.0).abs() < 1e-3);
    }

    #[test]
    fn memory_grows_with_what_is_kept() {
        assert_eq!((of_nodes(10, false), of_nodes(10, true), of_nodes(u64::MAX, true)), (5_000, 12_000, u64::MAX));
        let batches = Plan { batches: Some(10_000), ..Plan::default() };
        let [some, many] = [1, 1_000_000].map(|replications| of_replications(&batches, 1 << 40, replications));
        assert!(some > 10_000 * 2 * 100 && many == 1_000_000 * some);
        assert!(of_replications(&Plan::default(), 1 << 40, 1_000_000) < 2_000_000_000);
    }
}
