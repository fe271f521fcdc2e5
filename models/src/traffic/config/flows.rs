//! The `[traffic]` section.

use super::error::{ConfigError, instant, rate, time};
use super::topology::{Built, Generator, TopologyShape};
use crate::traffic::network::demand::{Demand, Demands, gravity};
use crate::traffic::network::{Flow, FlowError, Flows, Kind, Network, routing::Metric, validation};
use crate::traffic::units::{NEVER, bits_per_second};
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};

/// The `[traffic]` section: the flows of a generator, demands, and flows one by one.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct TrafficShape {
    /// Which paths are shortest.
    pub routing: Metric,
    /// Packet sessions of flow 2, for the validation network; 0 if not given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub packet_sessions: Option<u32>,
    /// Share of the flows that are packets, for campuses; 0 if not given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub packet_share: Option<f64>,
    /// Bits per second that the gravity model spreads over all pairs of nodes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub gravity: Option<f64>,
    /// A CSV file with the columns `from`, `to` and `rate`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub matrix: Option<PathBuf>,
    /// Demands one by one.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub demand: Vec<DemandShape>,
    /// What all demands are multiplied by; 1 if not given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub scale: Option<f64>,
    /// What demands become.
    pub demanded: Demanded,
    /// Bits per second of one session, for `demanded = "tcp"`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub session_rate: Option<f64>,
    /// Whether demands become packets.
    pub packets: bool,
    /// Flows one by one.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub flow: Vec<FlowShape>,
}

/// What demands become.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Demanded {
    /// UDP at their rate.
    #[default]
    Udp,
    /// Sessions of TCP.
    Tcp,
}

/// A demand.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DemandShape {
    /// The node that sends.
    pub from: String,
    /// The node that receives.
    pub to: String,
    /// Bits per second.
    pub rate: f64,
}

/// A flow.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FlowShape {
    /// What it is called.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// The node that sends.
    pub from: String,
    /// The node that receives.
    pub to: String,
    /// What it sends.
    #[serde(default)]
    pub kind: FlowKind,
    /// Sessions of TCP (1 if not given), or clients of `requests`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sessions: Option<u32>,
    /// How many of TCP's sessions are packets.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub packet_sessions: Option<u32>,
    /// Bits per second of UDP; while it is on, for `on-off`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rate: Option<f64>,
    /// Whether UDP is packets.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub packets: Option<bool>,
    /// Mean seconds that `on-off` is on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub on: Option<f64>,
    /// Mean seconds that `on-off` is off.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub off: Option<f64>,
    /// Bytes of a request.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub request: Option<u32>,
    /// Bytes of an answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub answer: Option<u32>,
    /// Mean seconds that a client thinks after an answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub think: Option<f64>,
    /// When it begins, in seconds.
    #[serde(default)]
    pub start: f64,
    /// When it ends, in seconds; never if not given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stop: Option<f64>,
}

/// What a flow sends.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum FlowKind {
    /// TCP that always has something to send.
    #[default]
    Tcp,
    /// UDP at a constant rate.
    Udp,
    /// UDP that is on and off, as packets.
    OnOff,
    /// Requests answered over TCP, as packets; the source of the flow is the server.
    Requests,
}

impl TrafficShape {
    /// The flows: first those given one by one, then those of the generator, then demands.
    pub(super) fn flows(&self, topology: &TopologyShape, built: &Built, seed: u64) -> Result<Flows, ConfigError> {
        let mut flows = Flows::new();
        for (index, shape) in self.flow.iter().enumerate() {
            let flow = shape.flow(&built.network, index)?;
            match &shape.name {
                Some(name) => flows.add_named(name.as_str(), flow),
                None => flows.add(flow),
            };
        }
        let generated = self.generated(topology, seed)?;
        generated.all().iter().for_each(|&flow| {
            flows.add(flow);
        });
        let demanded = self.demanded()?;
        demanded.add_to(&mut flows, &self.demands(built)?);
        Ok(flows)
    }

    fn generated(&self, topology: &TopologyShape, seed: u64) -> Result<Flows, ConfigError> {
        let stray = |key: &str, generator: &str| {
            let problem = format!("only 'generate = \"{generator}\"' has such flows: remove it");
            Err(ConfigError::value(&format!("traffic.{key}"), problem))
        };
        match topology.generate {
            Some(Generator::Validation) if self.packet_share.is_some() => stray("packet_share", "campus"),
            Some(Generator::Validation) => validation::flows(self.packet_sessions.unwrap_or(0))
                .map_err(|error| ConfigError::value("traffic.packet_sessions", error.to_string())),
            Some(Generator::Campus) if self.packet_sessions.is_some() => stray("packet_sessions", "validation"),
            Some(Generator::Campus) => {
                let mut campus = topology.campus()?;
                (campus.seed, campus.packet_share) = (seed, self.packet_share.unwrap_or(0.0));
                campus.flows().map_err(|error| ConfigError::value("traffic.packet_share", error.to_string()))
            }
            None if self.packet_share.is_some() => stray("packet_share", "campus"),
            None if self.packet_sessions.is_some() => stray("packet_sessions", "validation"),
            None => Ok(Flows::new()),
        }
    }

    fn demanded(&self) -> Result<Demands, ConfigError> {
        let packets = self.packets;
        match (self.demanded, self.session_rate) {
            (Demanded::Udp, None) => Ok(Demands::Udp { packets }),
            (Demanded::Tcp, Some(session)) => {
                Ok(Demands::Tcp { session: rate("traffic.session_rate", session)?, packets })
            }
            (Demanded::Udp, Some(_)) => {
                let problem = "UDP has no sessions: remove it, or give 'demanded = \"tcp\"'".to_owned();
                Err(ConfigError::value("traffic.session_rate", problem))
            }
            (Demanded::Tcp, None) => {
                let problem = "it takes 'session_rate', the bits per second of one session: give it".to_owned();
                Err(ConfigError::value("traffic.demanded", problem))
            }
        }
    }

    /// The demands: those of the file of the topology, of the gravity model, of the matrix, and those given one by one.
    fn demands(&self, built: &Built) -> Result<Vec<Demand>, ConfigError> {
        let mut demands = built.demands.clone();
        if let Some(total) = self.gravity {
            let spread = gravity(&built.network, total);
            demands.extend(spread.map_err(|error| ConfigError::value("traffic.gravity", error.to_string()))?);
        }
        if let Some(path) = &self.matrix {
            demands.extend(matrix(path, &built.network)?);
        }
        for (index, demand) in self.demand.iter().enumerate() {
            let node = |end: &'static str, name: &str| {
                built
                    .network
                    .node(name)
                    .ok_or_else(|| unknown(&format!("traffic.demand[{index}].{end}"), name, &built.network))
            };
            let (from, to) = (node("from", &demand.from)?, node("to", &demand.to)?);
            demands.push(Demand { from, to, rate: rate(&format!("traffic.demand[{index}].rate"), demand.rate)? });
        }
        let scale = self.scale.unwrap_or(1.0);
        for demand in &mut demands {
            demand.rate = bits_per_second(demand.rate as f64 * scale).ok_or_else(|| {
                let problem =
                    format!("{scale} times a demand of {} bit/s is not possible: together at most 10^13", demand.rate);
                ConfigError::value("traffic.scale", problem)
            })?;
        }
        Ok(demands)
    }

    /// The key at fault for a flow that cannot be.
    pub(super) fn key_of(&self, error: &FlowError) -> String {
        let (label, key) = match error {
            FlowError::UnknownNode { flow, .. } => (flow, "from"),
            FlowError::SameEnds { flow, .. } => (flow, "to"),
            FlowError::Times { flow, .. } => (flow, "stop"),
            FlowError::Kind { flow, .. } => (flow, "kind"),
            FlowError::TooMany { .. } => return "traffic".to_owned(),
        };
        let named = |(index, flow): (usize, &FlowShape)| {
            let number = index.to_string();
            flow.name.as_ref().unwrap_or(&number) == label
        };
        let index = self.flow.iter().enumerate().position(named);
        index.map_or("traffic".to_owned(), |index| format!("traffic.flow[{index}].{key}"))
    }
}

impl FlowShape {
    fn flow(&self, network: &Network, index: usize) -> Result<Flow, ConfigError> {
        let key = |name: &str| format!("traffic.flow[{index}].{name}");
        let node = |end: &str, name: &str| network.node(name).ok_or_else(|| unknown(&key(end), name, network));
        let (from, to) = (node("from", &self.from)?, node("to", &self.to)?);
        let needed = |name: &str| {
            let problem = format!("a flow of this kind needs '{name}': give it");
            ConfigError::value(&key("kind"), problem)
        };
        self.refuse(index)?;
        let kind = match self.kind {
            FlowKind::Tcp => {
                let (sessions, packets) = (self.sessions.unwrap_or(1), self.packet_sessions.unwrap_or(0));
                let fluid = sessions.checked_sub(packets).ok_or_else(|| {
                    let problem = format!("{packets} of {sessions} sessions cannot be packets: give at most that many");
                    ConfigError::value(&key("packet_sessions"), problem)
                })?;
                Kind::Tcp { fluid, packets }
            }
            FlowKind::Udp => Kind::Udp {
                rate: rate(&key("rate"), self.rate.ok_or_else(|| needed("rate"))?)?,
                packets: self.packets.unwrap_or(false),
            },
            FlowKind::OnOff => Kind::OnOff {
                rate: rate(&key("rate"), self.rate.ok_or_else(|| needed("rate"))?)?,
                on: time(&key("on"), self.on.ok_or_else(|| needed("on"))?)?,
                off: instant(&key("off"), self.off.ok_or_else(|| needed("off"))?)?,
            },
            FlowKind::Requests => Kind::Requests {
                clients: self.sessions.unwrap_or(1),
                request: self.request.ok_or_else(|| needed("request"))?,
                answer: self.answer.ok_or_else(|| needed("answer"))?,
                think: instant(&key("think"), self.think.ok_or_else(|| needed("think"))?)?,
            },
        };
        let start = instant(&key("start"), self.start)?;
        let stop = self.stop.map(|stop| time(&key("stop"), stop)).transpose()?.unwrap_or(NEVER);
        Ok(Flow { from, to, kind, start, stop })
    }

    /// Refuses keys that belong to another kind.
    fn refuse(&self, index: usize) -> Result<(), ConfigError> {
        use FlowKind::{OnOff, Requests, Tcp, Udp};
        let keys: [(&str, bool, &[FlowKind]); 9] = [
            ("sessions", self.sessions.is_some(), &[Tcp, Requests]),
            ("packet_sessions", self.packet_sessions.is_some(), &[Tcp]),
            ("rate", self.rate.is_some(), &[Udp, OnOff]),
            ("packets", self.packets.is_some(), &[Udp]),
            ("on", self.on.is_some(), &[OnOff]),
            ("off", self.off.is_some(), &[OnOff]),
            ("request", self.request.is_some(), &[Requests]),
            ("answer", self.answer.is_some(), &[Requests]),
            ("think", self.think.is_some(), &[Requests]),
        ];
        match keys.iter().find(|(_, given, kinds)| *given && !kinds.contains(&self.kind)) {
            None => Ok(()),
            Some((name, ..)) => {
                let problem = "a flow of this kind has no such key: remove it, or give another 'kind'".to_owned();
                Err(ConfigError::value(&format!("traffic.flow[{index}].{name}"), problem))
            }
        }
    }
}

fn unknown(key: &str, name: &str, network: &Network) -> ConfigError {
    let example = network.label(0);
    ConfigError::value(key, format!("'{name}' is no node of the network: name one that is, for instance '{example}'"))
}

/// The demands of a CSV file.
fn matrix(path: &Path, network: &Network) -> Result<Vec<Demand>, ConfigError> {
    let wrong =
        |line: Option<u64>, problem: String| ConfigError::Matrix { file: path.display().to_string(), line, problem };
    let mut reader = csv::ReaderBuilder::new()
        .trim(csv::Trim::All)
        .from_path(path)
        .map_err(|error| wrong(None, format!("cannot be read: {error}; check the path")))?;
    let mut demands = vec![];
    let mut record = csv::StringRecord::new();
    let headers = reader.headers().map_err(|error| wrong(Some(1), error.to_string()))?.clone();
    loop {
        let line = reader.position().line();
        match reader.read_record(&mut record) {
            Ok(false) => return Ok(demands),
            Ok(true) => {}
            Err(error) => return Err(wrong(Some(line), format!("{error}; give three columns, from, to and rate"))),
        }
        let line = record.position().map(csv::Position::line);
        let row: DemandShape = record
            .deserialize(Some(&headers))
            .map_err(|error| wrong(line, format!("{error}; give the columns from, to and rate (bits per second)")))?;
        let node = |name: &str| {
            let example = network.label(0);
            let problem = format!("'{name}' is no node of the network: name one that is, for instance '{example}'");
            network.node(name).ok_or_else(|| wrong(line, problem))
        };
        let rate = bits_per_second(row.rate)
            .ok_or_else(|| wrong(line, format!("a rate of {} bit/s is not possible: give 0 to 10^13", row.rate)))?;
        let (from, to) = (node(&row.from)?, node(&row.to)?);
        if from != to {
            demands.push(Demand { from, to, rate });
        }
    }
}
