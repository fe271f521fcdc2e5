//! Configurations in TOML.
//!
//! A configuration has the sections `[network]`, `[gauss_markov]`, `[manhattan]`, `[beacons]`, `[routing]`, `[aodv]`,
//! `[mac]`, `[traffic]` and `[run]`. Every key has a default, and the defaults together are the first scenario of the
//! dissertation's Table 5-1, with senders that learn of failures. Unknown keys are errors. Lengths are in m, times in
//! s, speeds in m/s, rates in bit/s.

mod aodv;
mod build;
mod error;
mod motion;
mod rate;
mod traffic;
mod units;

pub use aodv::AodvShape;
pub use error::ConfigError;
pub use motion::{GaussMarkovShape, ManhattanShape};
pub use traffic::{FlowShape, NodeKey};

use crate::Arrivals;
use crate::network::{Planar, RETRIES};
use imminent_common::toml_text;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};

/// Configuration of a run.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct ManetConfig {
    /// Nodes, field and motion.
    pub network: NetworkShape,
    /// Motion of nodes whose speeds and directions change gradually.
    pub gauss_markov: GaussMarkovShape,
    /// Motion of nodes along streets.
    pub manhattan: ManhattanShape,
    /// Beacons.
    pub beacons: BeaconShape,
    /// Routing protocol.
    pub routing: RoutingShape,
    /// AODV.
    pub aodv: AodvShape,
    /// Medium access.
    pub mac: MacShape,
    /// Packets.
    pub traffic: TrafficShape,
    /// Engine, times, seed.
    pub run: RunShape,
}

/// Section `[network]`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct NetworkShape {
    /// Number of nodes; by default that of the trace or of the positions, and without these 50.
    #[schemars(range(min = 2))]
    pub nodes: Option<u32>,
    /// Width of the field in m; by default that of Table 5-1 for as many nodes.
    #[schemars(range(min = 0.001, max = 1e6), extend("unit" = "m"))]
    pub width: Option<f64>,
    /// Height of the field in m; by default that of Table 5-1 for as many nodes.
    #[schemars(range(min = 0.001, max = 1e6), extend("unit" = "m"))]
    pub height: Option<f64>,
    /// Transmission range in m.
    #[schemars(range(min = 0.001, max = 1e6), extend("unit" = "m"))]
    pub range: f64,
    /// Motion of the nodes.
    pub mobility: MobilityName,
    /// Least and greatest speed in m/s, of all nodes that move without a trace.
    #[schemars(extend("unit" = "m/s"))]
    pub speed: [f64; 2],
    /// Least and greatest pause in s, at waypoints and at crossings.
    #[schemars(extend("unit" = "s"))]
    pub pause: [f64; 2],
    /// File with movements, of ns-2, SUMO or in CSV, instead of `mobility`, `speed`, `pause` and `positions`.
    #[schemars(extend("format" = "path"))]
    pub trace: Option<PathBuf>,
    /// File in which SUMO tells when the nodes of a trace of ns-2 enter and leave.
    #[schemars(extend("format" = "path"))]
    pub activity: Option<PathBuf>,
    /// Positions at the start in m; by default they are uniformly distributed over the field, or over the streets.
    pub positions: Option<Vec<[f64; 2]>>,
}

/// Motion of the nodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum MobilityName {
    /// Random waypoints.
    Waypoints,
    /// Speeds and directions that change gradually.
    GaussMarkov,
    /// Streets of a grid.
    Manhattan,
    /// None.
    Static,
}

/// Section `[beacons]`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct BeaconShape {
    /// Least and greatest time between two beacons of a node in s.
    #[schemars(extend("unit" = "s"))]
    pub interval: [f64; 2],
    /// Age at which a neighbour is forgotten, in s.
    #[schemars(range(min = 0.0), extend("unit" = "s"))]
    pub timeout: f64,
}

/// Section `[routing]`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct RoutingShape {
    /// Routing protocol.
    pub protocol: ProtocolName,
    /// Planar graph of perimeter mode.
    pub planar: Planar,
    /// Greatest number of hops of a packet.
    #[schemars(range(min = 1))]
    pub ttl: u32,
    /// Greatest number of times that a node routes a packet again after a transmission to a neighbour out of range,
    /// which it deletes from its table. With 0 such packets are lost, as in the dissertation. With AODV at least 1:
    /// the node that has created a packet searches for a route again.
    #[schemars(range(max = 1_048_576))]
    pub retries: u32,
}

/// Routing protocol.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum ProtocolName {
    /// Greedy perimeter stateless routing: beacons and positions.
    Gpsr,
    /// Ad hoc on-demand distance vector routing of RFC 3561, on threads of the host.
    Aodv,
}

/// Section `[mac]`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct MacShape {
    /// Transmission rate in bit/s.
    #[schemars(range(min = 1.0, max = 1e15), extend("unit" = "bit/s"))]
    pub bit_rate: f64,
    /// Least and greatest backoff in s.
    #[schemars(extend("unit" = "s"))]
    pub backoff: [f64; 2],
    /// Greatest number of packets that wait at a node.
    #[schemars(range(min = 1))]
    pub queue: u32,
}

/// Section `[traffic]`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct TrafficShape {
    /// Number of nodes that send; by default all.
    pub senders: Option<u32>,
    /// Packets of each sender, or of each pair, in a second; by default that of Table 5-1 for as many nodes.
    #[schemars(range(min = 0.0), extend("unit" = "1/s"))]
    pub rate: Option<f64>,
    /// Size of packets in bytes.
    #[schemars(range(min = 1), extend("unit" = "bytes"))]
    pub bytes: u32,
    /// Size of responses in bytes: packets are then requests.
    #[schemars(range(min = 1), extend("unit" = "bytes"))]
    pub response_bytes: Option<u32>,
    /// Distribution of the time between two packets of a sender.
    pub arrivals: Arrivals,
    /// Destinations of packets.
    pub destinations: DestinationsName,
    /// Greatest distance of a destination at the start in m; the destination of a sender is then fixed.
    #[schemars(range(min = 0.001, max = 1e6), extend("unit" = "m"))]
    pub within: Option<f64>,
    /// Senders and their destinations, of which a sender may have several, instead of `senders`, `destinations` and
    /// `within`.
    pub pairs: Option<Vec<(u32, u32)>>,
    /// Flows with rates, sizes and times of their own, instead of `senders`, `destinations`, `within` and `pairs`.
    #[serde(skip_serializing_if = "Vec::is_empty", deserialize_with = "traffic::listed")]
    pub flow: Vec<FlowShape>,
    /// Time from which nodes send, in s.
    #[schemars(range(min = 0.0), extend("unit" = "s"))]
    pub start: f64,
}

/// Destinations of packets.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum DestinationsName {
    /// One for each sender.
    Fixed,
    /// Another one for each packet.
    EachPacket,
}

/// Section `[run]`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct RunShape {
    /// Engine.
    pub engine: Engine,
    /// Clock interval of the engine `interval` in s.
    #[schemars(range(min = 0.0), extend("unit" = "s"))]
    pub interval: f64,
    /// Simulated time in s.
    #[schemars(range(min = 0.0), extend("unit" = "s"))]
    pub horizon: f64,
    /// Time from which packets count in statistics, in s.
    #[schemars(range(min = 0.0), extend("unit" = "s"))]
    pub warm_up: f64,
    /// Number of replications.
    #[schemars(range(min = 1))]
    pub replications: u32,
    /// Seed of all random numbers.
    pub seed: u64,
}

/// Engine of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Engine {
    /// Exact times, on a device.
    Exact,
    /// The paper's clock intervals, on a device.
    Interval,
    /// Exact times, event by event on the host.
    Sequential,
}

impl Default for NetworkShape {
    fn default() -> Self {
        NetworkShape {
            nodes: None,
            width: None,
            height: None,
            range: 250.0,
            mobility: MobilityName::Waypoints,
            speed: [0.0, 20.0],
            pause: [0.0, 20.0],
            trace: None,
            activity: None,
            positions: None,
        }
    }
}

impl Default for BeaconShape {
    fn default() -> Self {
        BeaconShape { interval: [0.5, 1.5], timeout: 4.5 }
    }
}

impl Default for RoutingShape {
    fn default() -> Self {
        RoutingShape { protocol: ProtocolName::Gpsr, planar: Planar::Gabriel, ttl: 128, retries: RETRIES }
    }
}

impl Default for MacShape {
    fn default() -> Self {
        MacShape { bit_rate: 1e6, backoff: [1e-6, 0.02], queue: 50 }
    }
}

impl Default for TrafficShape {
    fn default() -> Self {
        TrafficShape {
            senders: None,
            rate: None,
            bytes: 1024,
            response_bytes: None,
            arrivals: Arrivals::Constant,
            destinations: DestinationsName::Fixed,
            within: None,
            pairs: None,
            flow: vec![],
            start: 1.5,
        }
    }
}

impl Default for RunShape {
    fn default() -> Self {
        RunShape { engine: Engine::Exact, interval: 0.001, horizon: 100.0, warm_up: 0.0, replications: 5, seed: 1 }
    }
}

impl ManetConfig {
    /// Reads a configuration from a file.
    ///
    /// # Errors
    /// [`ConfigError`] for a file that cannot be read or is not valid TOML.
    pub fn from_file(path: &Path) -> Result<Self, ConfigError> {
        Self::from_toml(&toml_text::read(path)?, &path.display().to_string())
    }

    /// Reads a configuration from TOML text. `file` is the path of the text: errors name it, and relative paths start
    /// from its folder.
    ///
    /// # Errors
    /// [`ConfigError::Toml`], with line and key, for text that is not TOML, unknown keys, and values of the wrong type.
    pub fn from_toml(text: &str, file: &str) -> Result<Self, ConfigError> {
        let mut config: Self = toml_text::parse(text, file)?;
        if let Some(folder) = Path::new(file).parent() {
            for given in [&mut config.network.trace, &mut config.network.activity].into_iter().flatten() {
                *given = folder.join(&*given);
            }
        }
        Ok(config)
    }
}
