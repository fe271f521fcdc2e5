//! Configurations of the traffic model in TOML, and their errors.
//!
//! A configuration has the sections `[topology]`, `[traffic]`, `[tcp]`, `[packets]` and `[run]`. Every key has a
//! default, except keys that only the user can know. Unknown keys are errors. Times are in seconds, rates in bits per
//! second, sizes in bytes.

mod codel;
mod demand;
mod error;
mod failure;
mod flow;
mod flows;
mod matrix;
mod packets;
mod run;
mod topology;
mod unit;

pub use super::network::QueueKind;
pub use codel::CodelShape;
pub use demand::DemandShape;
pub use error::ConfigError;
pub use failure::FailureShape;
pub use flow::{FlowKind, FlowShape};
pub use flows::{Demanded, TrafficShape};
pub use packets::PacketShape;
pub use run::{Engine, RunShape, SchemeName, Times};
pub use topology::{Generator, LinkShape, NodeShape, TopologyShape};
pub use unit::{bandwidth_unit, delay_unit};

use super::TrafficError;
use super::coupling::Coupling;
use super::fluid::{Memory, Precision, Rules};
use super::network::files::{Filled, LeftOut};
use super::packet::{PacketError, Paths, Simulator, check_rules, clock};
use super::scenario::{StepSize, Tcp, Traffic};
use super::units::NANOSECONDS;
use imminent_common::graph::is_graph;
use imminent_common::toml_text;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

/// Default step, the paper's 0.5 ms. It is used if no step is given and the delays allow it.
const USUAL_STEP: u64 = NANOSECONDS / 2000;

/// Default time from a change of a link to the routes that take account of it, in seconds.
const CONVERGENCE: f64 = 1.0;

/// Configuration of a run of the traffic model.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct TrafficConfig {
    /// The network.
    pub topology: TopologyShape,
    /// Flows and demands.
    pub traffic: TrafficShape,
    /// Parameters that all TCP sessions share.
    pub tcp: Tcp,
    /// Parameters of the packet simulation.
    pub packets: PacketShape,
    /// Engine, times and seed of the run.
    pub run: RunShape,
}

/// Traffic that a configuration describes, with counts of filled gaps and left-out parts.
#[derive(Debug, Clone, PartialEq)]
pub struct Built {
    /// The traffic.
    pub traffic: Traffic,
    /// Number of values that came from `[topology]` because links do not give them.
    pub filled: Filled,
    /// Parts of the files that were left out.
    pub left_out: LeftOut,
    /// Number of node pairs that the gravity model chose from, if it is used.
    pub pairs: Option<u64>,
    /// Attributes of the file that look like bandwidths or delays and are not read, with the number of their edges.
    pub unread: BTreeMap<String, u64>,
    /// Keys of `[topology]` that no link takes, with the reasons.
    pub unused: Vec<(&'static str, String)>,
}

impl TrafficConfig {
    /// Reads a configuration from a file: TOML, or a graph, or a network in SNDlib's XML with every option at its
    /// default.
    ///
    /// # Errors
    /// [`ConfigError`] for a file that cannot be read or is not valid TOML.
    pub fn from_file(path: &Path) -> Result<Self, ConfigError> {
        let file = path.display().to_string();
        let text = toml_text::read(path)?;
        if is_graph(&text) {
            let topology = TopologyShape { file: Some(path.to_owned()), ..TopologyShape::default() };
            return Ok(Self { topology, ..Self::default() });
        }
        Self::from_toml(&text, &file)
    }

    /// Reads a configuration from TOML text. `file` is the path of the text: errors name it, and relative paths start
    /// from its folder.
    ///
    /// # Errors
    /// [`ConfigError::Toml`], with line and key, for text that is not TOML, unknown keys, and values of the wrong type.
    pub fn from_toml(text: &str, file: &str) -> Result<Self, ConfigError> {
        let mut config: Self = toml_text::parse(text, file)?;
        if let Some(folder) = Path::new(file).parent() {
            for path in [&mut config.topology.file, &mut config.traffic.matrix].into_iter().flatten() {
                *path = folder.join(&*path);
            }
        }
        Ok(config)
    }

    /// Builds the traffic of this configuration. It reads the files that the configuration names.
    ///
    /// # Errors
    /// [`ConfigError`], which names the key at fault ([`ConfigError::located`] finds its line), or reports an error in
    /// a file.
    pub fn traffic(&self) -> Result<Traffic, ConfigError> {
        self.build().map(|built| built.traffic)
    }

    /// Builds the traffic like [`traffic`](Self::traffic), and also reports filled gaps and left-out parts.
    ///
    /// # Errors
    /// [`ConfigError`], as for [`traffic`](Self::traffic).
    pub fn build(&self) -> Result<Built, ConfigError> {
        let read = self.topology.network(self.tcp.packet)?;
        let made = self.traffic.flows(&self.topology, &read, self.run.seed)?;
        let traffic = Traffic::new(read.network, made.flows, self.traffic.routing, self.tcp);
        let traffic = traffic.map_err(|error| {
            let key = match &error {
                TrafficError::Tcp { parameter, .. } => format!("tcp.{parameter}"),
                TrafficError::QueueBelowPacket { from, to, capacity, .. } => {
                    return self.blame_packet((from, to), *capacity, error.to_string());
                }
                TrafficError::Flow(error) => self.traffic.key_of(error),
                TrafficError::Route(_) => "traffic".to_owned(),
                _ => "topology".to_owned(),
            };
            ConfigError::value(&key, error.to_string())
        })?;
        let unused = self.topology.unused(&read.filled);
        let convergence = self.traffic.convergence.unwrap_or(CONVERGENCE);
        let failures = failure::failures(&self.topology.failure, convergence, traffic.network())?;
        let traffic = if self.traffic.ecmp { traffic.with_ecmp() } else { traffic };
        let traffic = traffic.with_failures(failures);
        Ok(Built {
            traffic: traffic.map_err(|error| ConfigError::value("topology.failure", error.to_string()))?,
            filled: read.filled,
            left_out: made.left_out,
            pairs: made.pairs,
            unread: read.unread,
            unused,
        })
    }

    /// Returns the error for a packet that does not fit into a queue: the packet size is at fault, unless it is the
    /// default, or else the queue's capacity.
    fn blame_packet(&self, ends: (&str, &str), capacity: u64, problem: String) -> ConfigError {
        if self.tcp.packet == Tcp::default().packet {
            self.topology.blame_room(ends, capacity, self.tcp.packet, problem)
        } else {
            ConfigError::value("tcp.packet", problem)
        }
    }

    /// Returns the horizon in nanoseconds.
    ///
    /// # Errors
    /// [`ConfigError::Toml`] for an invalid time.
    pub fn horizon(&self) -> Result<u64, ConfigError> {
        Ok(self.run.times()?.horizon)
    }

    /// Chooses the engine: the one given, or the default for this traffic.
    ///
    /// # Errors
    /// [`ConfigError::Toml`] for an engine that would have nothing to simulate.
    pub fn engine(&self, traffic: &Traffic) -> Result<Engine, ConfigError> {
        // Values of other engines are checked too.
        self.run.coupling()?;
        self.run.step()?;
        self.run.replications()?;
        self.packets.settings(self.run.seed)?;
        run::engine(self.run.engine, traffic)
    }

    /// Creates the packet simulator of some traffic at time 0.
    ///
    /// # Errors
    /// [`ConfigError::Toml`] for invalid settings, and for flows whose acknowledgements have no path back.
    pub fn simulator(&self, traffic: &Traffic) -> Result<Simulator, ConfigError> {
        let settings = self.packets.settings(self.run.seed)?;
        Simulator::new(traffic, settings).map_err(|error| self.blame_packets(&error))
    }

    /// Finds the paths of packets before `end` (nanoseconds). With ECMP they depend on the seed.
    pub(crate) fn paths(&self, traffic: &Traffic, seed: u64, end: u64) -> Result<Paths, ConfigError> {
        let settings = self.packets.settings(seed)?;
        Paths::of(traffic, &settings.tcp, seed, clock::picoseconds(end)).map_err(|error| self.blame_packets(&error))
    }

    /// Creates the packet simulator of some traffic at time 0, by a seed and along paths of that traffic.
    pub(crate) fn simulator_along(
        &self,
        paths: Arc<Paths>,
        traffic: &Traffic,
        seed: u64,
    ) -> Result<Simulator, ConfigError> {
        Ok(Simulator::along(paths, traffic, self.packets.settings(seed)?))
    }

    /// Checks the settings of packets against the sessions of some traffic.
    pub(crate) fn check_packets(&self, traffic: &Traffic) -> Result<(), ConfigError> {
        let settings = self.packets.settings(self.run.seed)?;
        check_rules(traffic, &settings.tcp).map_err(|error| self.blame_packets(&error))
    }

    /// Returns an error of packets with the key at fault.
    fn blame_packets(&self, error: &PacketError) -> ConfigError {
        let key = match error {
            PacketError::Setting { name, .. } => format!("packets.{name}"),
            PacketError::Flow(error) => self.traffic.key_of(error),
            PacketError::Changes { .. } => "topology.failure".to_owned(),
            PacketError::QueueBelowPacket { from, to, capacity, .. }
                if self.packets.ack == PacketShape::default().ack =>
            {
                return self.blame_packet((from, to), *capacity, error.to_string());
            }
            PacketError::QueueBelowPacket { .. } => "packets.ack".to_owned(),
            _ => "traffic".to_owned(),
        };
        ConfigError::value(&key, error.to_string())
    }

    /// Returns how fluids and packets are synchronized.
    ///
    /// # Errors
    /// [`ConfigError::Toml`] for an invalid batch.
    pub fn coupling(&self) -> Result<Coupling, ConfigError> {
        self.run.coupling()
    }

    /// Returns the length of the history that fluids on a device keep.
    ///
    /// # Errors
    /// [`ConfigError::Toml`] for an invalid time.
    pub fn memory(&self) -> Result<Memory, ConfigError> {
        self.run.memory()
    }

    /// Returns the rules for the effect of losses on a fluid's window.
    ///
    /// # Errors
    /// [`ConfigError::Toml`] for invalid rules.
    pub fn rules(&self) -> Result<Rules, ConfigError> {
        self.run.rules()
    }

    /// Returns the floating-point type in which a device simulates fluids.
    #[must_use]
    pub fn precision(&self) -> Precision {
        self.run.precision.unwrap_or_default()
    }

    /// Returns the step of the fluid equations, checked against the delays.
    ///
    /// # Errors
    /// [`ConfigError::Toml`] for a step that the delays do not allow.
    pub fn step(&self, traffic: &Traffic) -> Result<StepSize, ConfigError> {
        let key = "run.step";
        let step = match self.run.step()? {
            Some(step) => step,
            None => match traffic.step(USUAL_STEP, false) {
                Err(TrafficError::StepTooLong { longest, .. }) => longest,
                _ => USUAL_STEP,
            },
        };
        let accept = self.run.accept_step;
        traffic.step(step, accept).map_err(|error| {
            if let TrafficError::NoDelay { from, to } = &error {
                return ConfigError::value(&self.topology.key_of_delay((from, to)), error.to_string());
            }
            if let TrafficError::FluidDiscipline { from, to, discipline } = &error {
                return self.topology.blame_discipline((from, to), discipline, error.to_string());
            }
            if let TrafficError::FluidRoutes { .. } = &error {
                let key = if traffic.failures().is_empty() { "traffic.ecmp" } else { "topology.failure" };
                return ConfigError::value(key, error.to_string());
            }
            let hint = if matches!(error, TrafficError::StepTooLong { .. }) {
                " ('accept_step = true' in [run], or --accept-step)"
            } else {
                ""
            };
            ConfigError::value(key, format!("{error}{hint}"))
        })
    }
}

#[cfg(test)]
mod tests;
