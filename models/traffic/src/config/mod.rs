//! What a user asks for, as TOML, and what is wrong with it.
//!
//! A configuration has the sections `[topology]`, `[traffic]`, `[tcp]`, `[packets]` and `[run]`. Every key has a default but those that only the user can know; unknown keys are errors.
//! Times are seconds, rates bits per second, sizes bytes.

mod error;
mod flow;
mod flows;
mod matrix;
mod packets;
mod run;
mod topology;

pub use super::network::QueueKind;
pub use error::ConfigError;
pub use flow::{FlowKind, FlowShape};
pub use flows::{DemandShape, Demanded, TrafficShape};
pub use packets::PacketShape;
pub use run::{Engine, RunShape, SchemeName, Times};
pub use topology::{Generator, LinkShape, NodeShape, TopologyShape};

use super::TrafficError;
use super::coupling::Coupling;
use super::fluid::{Memory, Precision, Rules};
use super::network::files::{Filled, LeftOut};
use super::packet::{PacketError, Simulator};
use super::scenario::{StepSize, Tcp, Traffic};
use super::units::{NANOSECONDS, nanoseconds};
use imminent_common::graphml::is_xml;
use imminent_common::toml_text;
use serde::{Deserialize, Serialize};
use std::path::Path;

/// The paper's step, 0.5 ms: the one taken where the delays allow it and none is given.
const USUAL_STEP: u64 = NANOSECONDS / 2000;

/// A run of the traffic model.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct TrafficConfig {
    /// The network.
    pub topology: TopologyShape,
    /// What flows over it.
    pub traffic: TrafficShape,
    /// What sessions of TCP have in common.
    pub tcp: Tcp,
    /// How packets are simulated.
    pub packets: PacketShape,
    /// What is done with it.
    pub run: RunShape,
}

/// Traffic that a configuration describes, and what there is to tell of how it came about.
#[derive(Debug, Clone, PartialEq)]
pub struct Built {
    /// The traffic.
    pub traffic: Traffic,
    /// What was taken from `[topology]` for what links do not say.
    pub filled: Filled,
    /// What was left out.
    pub left_out: LeftOut,
    /// Pairs of nodes that the gravity model could choose from, where it is used.
    pub pairs: Option<u64>,
}

impl TrafficConfig {
    /// The configuration for a file: TOML, or a network in GraphML or SNDlib's XML with every option at its default.
    ///
    /// # Errors
    /// [`ConfigError`] for a file that cannot be read or is not valid TOML.
    pub fn from_file(path: &Path) -> Result<Self, ConfigError> {
        let file = path.display().to_string();
        let text = toml_text::read(path)?;
        if is_xml(&text) {
            let topology = TopologyShape { file: Some(path.to_owned()), ..TopologyShape::default() };
            return Ok(Self { topology, ..Self::default() });
        }
        Self::from_toml(&text, &file)
    }

    /// Reads a configuration from TOML text; `file` is its path, for errors and for finding the files that it names beside it.
    ///
    /// # Errors
    /// [`ConfigError::Toml`], with line and key, for what is not TOML, unknown keys and values of the wrong type.
    pub fn from_toml(text: &str, file: &str) -> Result<Self, ConfigError> {
        let mut config: Self = toml_text::parse(text, file)?;
        if let Some(folder) = Path::new(file).parent() {
            for path in [&mut config.topology.file, &mut config.traffic.matrix].into_iter().flatten() {
                *path = folder.join(&*path);
            }
        }
        Ok(config)
    }

    /// What this configuration describes; reads the files that it names.
    ///
    /// # Errors
    /// [`ConfigError`], which names the key at fault ([`ConfigError::located`] finds its line in a file), or says what is wrong in a file.
    pub fn traffic(&self) -> Result<Traffic, ConfigError> {
        self.build().map(|built| built.traffic)
    }

    /// Returns what this configuration describes, as [`traffic`](Self::traffic) does, with what was filled in and left out.
    ///
    /// # Errors
    /// [`ConfigError`], as for [`traffic`](Self::traffic).
    pub fn build(&self) -> Result<Built, ConfigError> {
        let read = self.topology.network()?;
        let made = self.traffic.flows(&self.topology, &read, self.run.seed)?;
        let traffic = Traffic::new(read.network, made.flows, self.traffic.routing, self.tcp);
        let traffic = traffic.map_err(|error| {
            let key = match &error {
                TrafficError::Tcp { parameter, .. } => format!("tcp.{parameter}"),
                TrafficError::QueueBelowPacket { from, to, .. } => self.key_of_packet((from, to)),
                TrafficError::Flow(error) => self.traffic.key_of(error),
                TrafficError::Route(_) => "traffic".to_owned(),
                _ => "topology".to_owned(),
            };
            ConfigError::value(&key, error.to_string())
        })?;
        Ok(Built { traffic, filled: read.filled, left_out: made.left_out, pairs: made.pairs })
    }

    /// The key at fault where a packet does not fit into the queue of a link: the packet's size, if it is not the usual one, or else the room of the queue.
    fn key_of_packet(&self, ends: (&str, &str)) -> String {
        if self.tcp.packet == Tcp::default().packet { self.topology.key_of_room(ends) } else { "tcp.packet".to_owned() }
    }

    /// The horizon, in nanoseconds.
    ///
    /// # Errors
    /// [`ConfigError::Toml`] for a time that cannot be.
    pub fn horizon(&self) -> Result<u64, ConfigError> {
        Ok(self.run.times()?.horizon)
    }

    /// Which engine simulates some traffic: the one that is given, or the usual one for what there is.
    ///
    /// # Errors
    /// [`ConfigError::Toml`] for one that would have nothing to simulate.
    pub fn engine(&self, traffic: &Traffic) -> Result<Engine, ConfigError> {
        run::engine(self.run.engine, traffic)
    }

    /// The packets of some traffic, at time 0.
    ///
    /// # Errors
    /// [`ConfigError::Toml`] for settings that make no sense, and for flows whose acknowledgements have no way back.
    pub fn simulator(&self, traffic: &Traffic) -> Result<Simulator, ConfigError> {
        Simulator::new(traffic, self.packets.settings(self.run.seed)?).map_err(|error| {
            let key = match &error {
                PacketError::Setting { name, .. } => format!("packets.{name}"),
                PacketError::QueueBelowPacket { from, to, .. } if self.packets.ack == PacketShape::default().ack => {
                    self.key_of_packet((from, to))
                }
                PacketError::QueueBelowPacket { .. } => "packets.ack".to_owned(),
                _ => "traffic".to_owned(),
            };
            ConfigError::value(&key, error.to_string())
        })
    }

    /// How fluids and packets wait for each other.
    ///
    /// # Errors
    /// [`ConfigError::Toml`] for batches that cannot be.
    pub fn coupling(&self) -> Result<Coupling, ConfigError> {
        self.run.coupling()
    }

    /// How much fluids on a device remember.
    ///
    /// # Errors
    /// [`ConfigError::Toml`] for a time that cannot be.
    pub fn memory(&self) -> Result<Memory, ConfigError> {
        self.run.memory()
    }

    /// What a loss does to a fluid's window.
    ///
    /// # Errors
    /// [`ConfigError::Toml`] for rules that make no sense.
    pub fn rules(&self) -> Result<Rules, ConfigError> {
        self.run.rules()
    }

    /// The numbers in which a device simulates fluids.
    #[must_use]
    pub fn precision(&self) -> Precision {
        self.run.precision.unwrap_or_default()
    }

    /// The step of the fluid equations, checked against the delays.
    ///
    /// # Errors
    /// [`ConfigError::Toml`] for one that the delays do not allow.
    pub fn step(&self, traffic: &Traffic) -> Result<StepSize, ConfigError> {
        let key = "run.step";
        let step = match self.run.step {
            Some(seconds) => match nanoseconds(seconds) {
                Some(0) if seconds > 0.0 => {
                    let problem = format!(
                        "{seconds:e} s is less than the nanosecond in which time is counted: give at least 1e-9"
                    );
                    return Err(ConfigError::value(key, problem));
                }
                Some(step @ 1..) => step,
                _ => {
                    let problem = format!("{seconds} s is not a time: give seconds above 0");
                    return Err(ConfigError::value(key, problem));
                }
            },
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
