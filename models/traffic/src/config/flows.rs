//! The `[traffic]` section.

use super::demand::DemandShape;
use super::error::{ConfigError, rate};
use super::flow::{FlowShape, unknown};
use super::matrix;
use super::topology::{Generator, TopologyShape};
use super::unit;
use crate::network::demand::{Demand, Demands};
use crate::network::files::{LeftOut, Read};
use crate::network::{FlowError, Flows, Gravity, OwnTcp, QueueRule, routing::Metric, validation};
use crate::units::bits_per_second;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

/// The `[traffic]` section: generated flows, demands, and single flows.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct TrafficShape {
    /// Metric of the shortest paths.
    pub routing: Metric,
    /// `true` if each packet session takes one of the shortest paths, by a hash (ECMP). Otherwise all take the same.
    pub ecmp: bool,
    /// Time from a failure of a link, or its end, to the routes that take account of it, in seconds; 1 s if not given.
    #[serde(skip_serializing_if = "Option::is_none", deserialize_with = "unit::some_seconds")]
    #[schemars(range(min = 0.0, max = 5e6), extend("unit" = "s"))]
    pub convergence: Option<f64>,
    /// Number of packet sessions of flow 2 of the validation network; 0 if not given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub packet_sessions: Option<u32>,
    /// Share of the flows of campuses that are packets; 0 if not given.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0.0, max = 1.0))]
    pub packet_share: Option<f64>,
    /// Total demand of the gravity model, in bits per second. It is spread over the pairs of nodes that have paths in
    /// both directions.
    #[serde(skip_serializing_if = "Option::is_none", deserialize_with = "unit::some_bits")]
    #[schemars(range(min = 1.0), extend("unit" = "bit/s"))]
    pub gravity: Option<f64>,
    /// Largest number of node pairs that `gravity` uses, drawn with the seed. All pairs if not given.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1))]
    pub pairs: Option<u32>,
    /// CSV file with the columns `from`, `to` and `rate`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("format" = "path"))]
    pub matrix: Option<PathBuf>,
    /// Demands that are listed one by one.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub demand: Vec<DemandShape>,
    /// Factor that multiplies all demands; 1 if not given.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0.0))]
    pub scale: Option<f64>,
    /// Kind of flow that each demand becomes.
    pub demanded: Demanded,
    /// Bits per second of one TCP session, for `demanded = "tcp"`.
    #[serde(skip_serializing_if = "Option::is_none", deserialize_with = "unit::some_bits")]
    #[schemars(range(min = 1.0, max = 1e13), extend("unit" = "bit/s"))]
    pub session_rate: Option<f64>,
    /// `true` if demands, and all sessions of a generator, become packets.
    pub packets: bool,
    /// Flows that are listed one by one.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub flow: Vec<FlowShape>,
}

/// Kind of flow that a demand becomes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Demanded {
    /// UDP at the rate of the demand.
    #[default]
    Udp,
    /// TCP sessions.
    Tcp,
}

/// Flows of a configuration, with counts for the report.
pub(super) struct Made {
    pub(super) flows: Flows,
    pub(super) left_out: LeftOut,
    /// Number of node pairs that the gravity model chose from, if it is used.
    pub(super) pairs: Option<u64>,
}

impl TrafficShape {
    /// Creates the flows: first those listed one by one, then generated ones, then those of demands.
    pub(super) fn flows(&self, topology: &TopologyShape, built: &Read, seed: u64) -> Result<Made, ConfigError> {
        let mut flows = Flows::new();
        for (index, shape) in self.flow.iter().enumerate() {
            let flow = shape.flow(&built.network, index)?;
            let number = match &shape.name {
                Some(name) => flows.add_named(name.as_str(), flow),
                None => flows.add(flow),
            };
            let own = shape.own_tcp(index)?;
            if own != OwnTcp::default() {
                flows.set_tcp(number, own);
            }
        }
        let generated = self.generated(topology, seed)?;
        generated.all().iter().for_each(|&flow| {
            flows.add(flow);
        });
        let demanded = self.demanded()?;
        let mut made = Made { flows, left_out: built.left_out, pairs: None };
        let demands = self.demands(built, seed, &mut made)?;
        if demands.is_empty() && !made.flows.all().is_empty() {
            self.refuse_of_demands(topology.generate.is_some())?;
        }
        demanded.add_to(&mut made.flows, &demands);
        Ok(made)
    }

    fn generated(&self, topology: &TopologyShape, seed: u64) -> Result<Flows, ConfigError> {
        let stray = |key: &str, generator: &str| {
            let problem = format!("only 'generate = \"{generator}\"' has such flows: remove it");
            Err(ConfigError::value(&format!("traffic.{key}"), problem))
        };
        let twice = |key: &str| {
            let problem = "'packets = true' makes packets of all sessions: remove one of the two".to_owned();
            Err(ConfigError::value(&format!("traffic.{key}"), problem))
        };
        match topology.generate {
            Some(Generator::Validation) if self.packets && self.packet_sessions.is_some() => twice("packet_sessions"),
            Some(Generator::Campus) if self.packets && self.packet_share.is_some() => twice("packet_share"),
            Some(Generator::Validation) if self.packet_share.is_some() => stray("packet_share", "campus"),
            Some(Generator::Validation) if self.packets => {
                validation::packet_flows().map_err(|error| ConfigError::value("traffic", error.to_string()))
            }
            Some(Generator::Validation) => validation::flows(self.packet_sessions.unwrap_or(0))
                .map_err(|error| ConfigError::value("traffic.packet_sessions", error.to_string())),
            Some(Generator::Campus) if self.packet_sessions.is_some() => stray("packet_sessions", "validation"),
            Some(Generator::Campus) => {
                let mut campus = topology.campus(QueueRule::default().packet)?;
                (campus.seed, campus.packet_share) =
                    (seed, self.packet_share.unwrap_or(f64::from(u8::from(self.packets))));
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

    /// Returns the demands of the topology file, the gravity model and the matrix, and those listed one by one.
    fn demands(&self, built: &Read, seed: u64, made: &mut Made) -> Result<Vec<Demand>, ConfigError> {
        let mut demands = built.demands.clone();
        match (self.gravity, self.pairs) {
            (Some(_), Some(0)) => {
                let problem = "0 pairs send nothing: give at least 1".to_owned();
                return Err(ConfigError::value("traffic.pairs", problem));
            }
            (None, Some(_)) => {
                let problem = "the gravity model alone draws pairs: give 'gravity', or remove it".to_owned();
                return Err(ConfigError::value("traffic.pairs", problem));
            }
            (Some(total), pairs) => {
                let spread = Gravity { total, pairs, seed }.spread(&built.network);
                let spread = spread.map_err(|error| ConfigError::value("traffic.gravity", error.to_string()))?;
                (made.left_out.pairs, made.pairs) = (spread.apart, Some(spread.joined));
                demands.extend(spread.demands);
            }
            (None, None) => {}
        }
        if let Some(path) = &self.matrix {
            demands.extend(matrix::demands(path, &built.network, &mut made.left_out)?);
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
        if !(scale > 0.0 && scale.is_finite()) {
            return Err(ConfigError::value(
                "traffic.scale",
                format!("a factor of {scale} is not possible: give one above 0"),
            ));
        }
        for demand in &mut demands {
            demand.rate = bits_per_second(demand.rate as f64 * scale).ok_or_else(|| {
                let problem =
                    format!("{scale} times a demand of {} bit/s is not possible: together at most 10^13", demand.rate);
                ConfigError::value("traffic.scale", problem)
            })?;
        }
        Ok(demands)
    }

    /// Refuses values that demands have, where there are flows and no demands.
    fn refuse_of_demands(&self, generated: bool) -> Result<(), ConfigError> {
        let stray = [
            ("scale", self.scale.is_some()),
            ("demanded", self.demanded != Demanded::default()),
            // The sessions of a generator become packets too.
            ("packets", self.packets && !generated),
        ];
        stray.iter().find(|(_, given)| *given).map_or(Ok(()), |(key, _)| {
            let problem = "there are no demands that it could change: give 'gravity', 'matrix' or [[traffic.demand]], or remove it";
            Err(ConfigError::value(&format!("traffic.{key}"), problem.to_owned()))
        })
    }

    /// Returns the key at fault for a flow error.
    pub(super) fn key_of(&self, error: &FlowError) -> String {
        let (label, key) = match error {
            FlowError::UnknownNode { flow, .. } => (flow, "from"),
            FlowError::SameEnds { flow, .. } => (flow, "to"),
            FlowError::Times { flow, .. } => (flow, "stop"),
            FlowError::Kind { flow, .. } => (flow, "kind"),
            FlowError::Tcp { flow, parameter, .. } => (flow, *parameter),
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
