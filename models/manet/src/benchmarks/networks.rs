//! Mobile ad hoc networks, beside the sequential program.

use crate::{Destinations, Engine, Execution, Network, NodeCount, Summary, Visits, digest, sequential};
use imminent_core::Device;
use imminent_core::clock::Instant;
use imminent_study::benchmark::Line;
use imminent_study::laboratory::Fault;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::ops::ControlFlow;

/// Networks, and parameters of their simulation.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub(super) struct Options {
    /// Numbers of nodes, separated by commas; the density is that of Table 5-1.
    #[schemars(inner(range(min = 2, max = 4_000_000)))]
    nodes: Vec<u32>,
    /// Simulated time in seconds.
    seconds: f64,
    /// Packets of each node in a second. The default is that of Table 5-1.
    rate: Option<f64>,
    /// Send to nodes that start within this distance, in metres.
    #[schemars(extend("unit" = "m"))]
    within: Option<f64>,
    /// Clock interval in ms.
    #[schemars(extend("unit" = "ms"))]
    interval: f64,
    /// Number of replications at once.
    #[schemars(range(min = 1))]
    replications: u64,
    /// Executor of the networks.
    on: Execution,
    /// Way to visit nodes; the default suits the device.
    visits: Option<Visits>,
    /// Also simulate the first replication sequentially, and compare.
    sequential: bool,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            nodes: vec![50, 200, 800, 3200],
            seconds: 10.0,
            rate: None,
            within: None,
            interval: 0.0,
            replications: 1,
            on: Execution::Auto,
            visits: None,
            sequential: false,
        }
    }
}

/// Measurements of a network.
#[derive(Debug, Serialize)]
pub(super) struct Measured {
    nodes: u32,
    replications: u64,
    simulated_s: f64,
    /// From the call of the run to the statistics of all nodes on the host, after compilation.
    wall_s: f64,
    prepare_s: f64,
    /// Bytes of the device for each node, at the end.
    bytes_per_node: u64,
    epochs: u64,
    created: u64,
    delivered: u64,
    hops: f64,
    attempts: u64,
    transmissions: u64,
    /// Attempts, transmissions that ended, packets that were created, and beacons at their mean interval.
    events_per_s: f64,
    sequential_s: Option<f64>,
    digest: String,
}

impl Line for Measured {
    const HEAD: &'static [&'static str] = &[
        "nodes",
        "runs",
        "prepare s",
        "wall s",
        "x real time",
        "epochs",
        "created",
        "delivered",
        "hops",
        "attempts",
        "transmissions",
        "M events/s",
        "bytes a node",
        "sequential s",
        "as fast",
        "digest",
    ];

    fn cells(&self) -> Vec<String> {
        let of = |seconds: Option<f64>| seconds.map_or_else(String::new, |seconds| format!("{seconds:.3}"));
        let each = self.wall_s / self.replications as f64;
        vec![
            self.nodes.to_string(),
            self.replications.to_string(),
            format!("{:.2}", self.prepare_s),
            format!("{:.4}", self.wall_s),
            format!("{:.2}", self.simulated_s / each),
            self.epochs.to_string(),
            self.created.to_string(),
            self.delivered.to_string(),
            format!("{:.2}", self.hops),
            self.attempts.to_string(),
            self.transmissions.to_string(),
            format!("{:.2}", self.events_per_s / 1e6),
            self.bytes_per_node.to_string(),
            of(self.sequential_s),
            of(self.sequential_s.map(|seconds| seconds / each)),
            self.digest[..8].to_owned(),
        ]
    }
}

/// Simulation of some replications on a device.
pub(crate) struct TimedReplications {
    pub(crate) counts: Vec<Vec<NodeCount>>,
    /// Time of drawing the starts, filling tables and compiling, in seconds.
    prepare_s: f64,
    /// Time from the call of the run to the statistics on the host, in seconds.
    pub(crate) wall_s: f64,
    /// Number of updates of the cells.
    epochs: u64,
    /// Memory of the device at the end, in bytes.
    bytes: u64,
}

/// Simulates replications of a network together. `visits` says how nodes are visited.
pub(crate) fn simulate(
    device: &Device,
    network: &Network,
    replications: u64,
    on: Execution,
    visits: Option<Visits>,
) -> Result<TimedReplications, Fault> {
    let (began, before) = (Instant::now(), device.memory().current);
    let networks = [(network.clone(), 0..replications)];
    let mut engine = match visits {
        Some(visits) => Engine::visiting(visits, device, &networks)?,
        None => Engine::on(on, device, &networks)?,
    };
    engine.compile()?;
    let prepare_s = began.elapsed().as_secs_f64();
    let began = Instant::now();
    engine.run(|_| ControlFlow::Continue(()))?;
    let counts = engine.counts()?;
    let wall_s = began.elapsed().as_secs_f64();
    Ok(TimedReplications { counts, prepare_s, wall_s, epochs: engine.steps(), bytes: device.memory().current - before })
}

/// Measures every network.
pub(super) fn measure(device: &Device, options: &Options) -> Result<Vec<Measured>, Fault> {
    options.nodes.iter().map(|&nodes| one(device, options, nodes)).collect()
}

fn network(options: &Options, nodes: u32) -> Network {
    let mut network = Network::scenario(nodes);
    network.end = (options.seconds * 1e6) as u64;
    network.interval = (options.interval * 1e3) as u64;
    if let Some(rate) = options.rate {
        network.traffic.gap = (1e6 / rate) as u64;
    }
    if let Some(metres) = options.within {
        network.traffic.destinations = Destinations::Within((metres * 1e3) as u32);
    }
    network
}

fn one(device: &Device, options: &Options, nodes: u32) -> Result<Measured, Fault> {
    let network = network(options, nodes);
    let TimedReplications { counts, prepare_s, wall_s, epochs, bytes } =
        simulate(device, &network, options.replications, options.on, options.visits)?;
    let summary = Summary::of(counts.iter().flatten());
    let attempts = summary.total.sent + summary.total.busy;
    let [least, most] = network.beacons.interval.map(f64::from);
    let all_nodes = u64::from(nodes) * options.replications;
    let beacons = all_nodes as f64 * network.end as f64 / ((least + most) / 2.0);
    let events = (attempts + summary.total.sent + summary.created()) as f64 + beacons;
    let sequential_s = match options.sequential {
        false => None,
        true => {
            let began = Instant::now();
            let expected = sequential::simulate(&network, 0)?;
            let seconds = began.elapsed().as_secs_f64();
            if expected != counts[0] {
                return Err("the sequential program has another result; please report this".into());
            }
            Some(seconds)
        }
    };
    Ok(Measured {
        nodes,
        replications: options.replications,
        simulated_s: options.seconds,
        wall_s,
        prepare_s,
        bytes_per_node: bytes / all_nodes,
        epochs,
        created: summary.created(),
        delivered: summary.delivered(),
        hops: summary.mean_hops(),
        attempts,
        transmissions: summary.total.sent,
        events_per_s: events / wall_s,
        sequential_s,
        digest: digest(counts.iter().flatten()),
    })
}
