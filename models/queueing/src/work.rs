//! Estimates of the work of a run, before it begins.

use crate::bounds;
use crate::experiment::{EVENTS, Experiment};
use crate::theory::Load;
use imminent_core::Work;

/// Events of simple and of other networks that a GPU executes in a second: tori of 1024 x 1024 stations, 1,000 call
/// centres.
const GPU_SIMPLE_EVENTS: f64 = 1.2e9;
const GPU_EVENTS: f64 = 150e6;

/// Seconds of a GPU for the tables and results of a node of a simple and of another network: 1,000 replications of
/// 1,056 nodes take 0.8 s.
const OF_SIMPLE_NODE: f64 = 0.05e-6;
const OF_NODE: f64 = 0.8e-6;

/// Seconds of a GPU for the steps of a short run of a network that is not simple.
const OF_STEPS: f64 = 0.1;

impl Experiment {
    /// Returns the work of all replications.
    #[must_use]
    pub fn work(&self) -> Work {
        let events = self.expected_events();
        let nodes = self.network.len() as f64 * self.replications as f64;
        match self.network.simple() {
            Some(_) => {
                Work::new(EVENTS, events).on_gpu(events / GPU_SIMPLE_EVENTS + nodes * OF_SIMPLE_NODE).compiling(1.3)
            }
            None => Work::new(EVENTS, events).on_gpu(events / GPU_EVENTS + nodes * OF_NODE).in_steps(OF_STEPS),
        }
    }

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
}
