//! Delivery of packets by GPSR on random connected unit-disk graphs.

use crate::Planar;
use crate::delivery::Instance;
use imminent_core::clock::Instant;
use imminent_study::benchmark::Line;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Number and seed of the graphs.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub(super) struct Options {
    /// Number of graphs.
    #[schemars(range(min = 0))]
    instances: u64,
    /// Seed of the graphs.
    #[schemars(range(min = 0))]
    seed: u64,
    /// Largest number of transmissions of a packet.
    #[schemars(range(min = 0))]
    hops: usize,
}

impl Default for Options {
    fn default() -> Self {
        Options { instances: 100_000, seed: 1, hops: 10_000 }
    }
}

/// Packets on all graphs.
#[derive(Debug, Serialize)]
pub(super) struct Delivered {
    planar: String,
    instances: u64,
    nodes: u64,
    hops: u64,
    /// Packets that visited a node more than once.
    detours: u64,
    lost: u64,
    ns_per_hop: f64,
}

impl Line for Delivered {
    const HEAD: &'static [&'static str] = &["planar graph", "packets", "nodes", "hops", "detours", "lost", "ns a hop"];

    fn cells(&self) -> Vec<String> {
        vec![
            self.planar.clone(),
            self.instances.to_string(),
            self.nodes.to_string(),
            self.hops.to_string(),
            self.detours.to_string(),
            self.lost.to_string(),
            format!("{:.0}", self.ns_per_hop),
        ]
    }
}

/// Sends a packet on each graph, by each planar graph.
pub(super) fn measure(options: &Options) -> Vec<Delivered> {
    [Planar::Gabriel, Planar::RelativeNeighbourhood].map(|planar| of(planar, options)).into()
}

fn of(planar: Planar, options: &Options) -> Delivered {
    let mut all = Delivered {
        planar: format!("{planar:?}"),
        instances: options.instances,
        nodes: 0,
        hops: 0,
        detours: 0,
        lost: 0,
        ns_per_hop: 0.0,
    };
    let mut nanoseconds = 0;
    for index in 0..options.instances {
        let instance = Instance::random(options.seed, index);
        let began = Instant::now();
        let mut visited = instance.follow(planar, options.hops);
        nanoseconds += began.elapsed().as_nanos();
        all.nodes += instance.places.len() as u64;
        all.hops += visited.len() as u64 - 1;
        all.lost += u64::from(visited.last() != Some(&instance.to));
        let hops = visited.len();
        visited.sort_unstable();
        visited.dedup();
        all.detours += u64::from(visited.len() < hops);
    }
    all.ns_per_hop = nanoseconds as f64 / all.hops.max(1) as f64;
    all
}
