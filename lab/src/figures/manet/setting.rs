//! One scenario in one place.

use crate::bench::manet::{invalid, run};
use imminent::models::estimate::Estimate;
use imminent::models::manet::{Execution, Network, Summary, digest, sequential};
use imminent::{Device, Result};
use std::time::Instant;

/// Scenario of Table 5-1 on a clock.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Setting {
    pub(super) nodes: u32,
    /// `true` for half of the printed width.
    pub(super) is_halved: bool,
    /// Clock interval in ms; 0 for exact times.
    pub(super) interval_ms: f64,
}

/// Simulated time, and number of replications.
#[derive(Debug, Clone, Copy)]
pub(super) struct Times {
    pub(super) seconds: f64,
    pub(super) replications: u32,
}

/// Results of a scenario.
#[derive(Debug, Clone)]
pub(super) struct Found {
    /// In s.
    pub(super) delay: Estimate,
    pub(super) hops: Estimate,
    pub(super) delivered: Estimate,
    pub(super) transmissions: u64,
    /// Wall time of all replications, without compilation.
    pub(super) seconds: f64,
    pub(super) digest: String,
}

impl Setting {
    pub(super) fn name(&self) -> String {
        let Self { nodes, interval_ms, .. } = self;
        format!("{nodes} nodes, {}, {interval_ms} ms", self.field())
    }

    pub(super) fn field(&self) -> &'static str {
        if self.is_halved { "half width" } else { "printed width" }
    }

    /// Simulates the scenario: all replications together on a device, or one after the other on the host.
    pub(super) fn measure(&self, device: Option<&Device>, times: Times) -> Result<Found> {
        let mut network = Network::scenario(self.nodes);
        if self.is_halved {
            network.field.width /= 2;
        }
        network.interval = (self.interval_ms * 1e3) as u64;
        network.end = (times.seconds * 1e6) as u64;
        let replications = u64::from(times.replications);
        let (counts, seconds) = match device {
            Some(device) => {
                let ran = run(device, &network, replications, Execution::Device, None)?;
                (ran.counts, ran.wall_s)
            }
            None => {
                let began = Instant::now();
                let counts = (0..replications).map(|of| sequential::simulate(&network, of).map_err(invalid));
                let counts = counts.collect::<Result<Vec<_>>>()?;
                (counts, began.elapsed().as_secs_f64())
            }
        };
        let each: Vec<_> = counts.iter().map(Summary::of).collect();
        let estimate = |of: fn(&Summary) -> f64| Estimate::of(&each.iter().map(of).collect::<Vec<_>>());
        Ok(Found {
            delay: estimate(Summary::mean_delay),
            hops: estimate(Summary::mean_hops),
            delivered: estimate(Summary::delivery_ratio),
            transmissions: each.iter().map(|summary| summary.total.sent).sum(),
            seconds,
            digest: digest(counts.iter().flatten()),
        })
    }
}
