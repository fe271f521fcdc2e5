//! Packets of a configuration.

use super::rate::gap;
use super::units::{length, refused, time};
use super::{ConfigError, DestinationsName, ManetConfig};
use crate::mobility::Mobility;
use crate::traffic::{Arrivals, Destinations, Exchange, Flow, Traffic};
use schemars::JsonSchema;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize};

/// Flow of packets: `[[traffic.flow]]`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct FlowShape {
    /// Node that sends: its number, or its name in the file of `trace`.
    pub from: NodeKey,
    /// Node that receives.
    pub to: NodeKey,
    /// Packets in a second; `traffic.rate` if not given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0.0), extend("unit" = "1/s"))]
    pub rate: Option<f64>,
    /// Size of packets in bytes; `traffic.bytes` if not given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1), extend("unit" = "bytes"))]
    pub bytes: Option<u32>,
    /// Time from which the node sends, in s; `traffic.start` if not given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0.0), extend("unit" = "s"))]
    pub start: Option<f64>,
    /// Time from which it sends no more, in s; the end of the run if not given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0.0), extend("unit" = "s"))]
    pub stop: Option<f64>,
}

/// Number of a node, or its name.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged, expecting = "give the number of a node, or its name in the file of `trace`")]
pub enum NodeKey {
    /// Number of a node.
    Number(u32),
    /// Name of a node.
    Name(String),
}

impl NodeKey {
    /// Returns the number of the node. Where nodes have numbers as names, a number is a name.
    fn number(&self, key: &str, mobility: &Mobility) -> Result<u32, ConfigError> {
        let trace = match mobility {
            Mobility::Trace(trace) => Some(trace),
            _ => None,
        };
        let name = match self {
            NodeKey::Number(number) if trace.is_none_or(|trace| !trace.has_numbers_as_names()) => return Ok(*number),
            NodeKey::Number(number) => &number.to_string(),
            NodeKey::Name(name) => name,
        };
        if let Some(node) = trace.and_then(|trace| trace.find(name)) {
            return Ok(node);
        }
        let named = trace.and_then(|trace| trace.tracks().iter().find_map(|track| track.name.as_ref()));
        Err(refused(
            key,
            match named {
                Some(first) => format!("the trace has no node `{name}`; its nodes have names such as `{first}`"),
                None => format!("the nodes have no names, so `{name}` is not one; give a number from 0"),
            },
        ))
    }
}

impl FlowShape {
    /// Returns the flow that is listed at a place. `usual` is the start of flows without one, in µs.
    fn flow(&self, place: usize, usual: u64, arrivals: Arrivals, mobility: &Mobility) -> Result<Flow, ConfigError> {
        let key = |name: &str| format!("traffic.flow[{place}].{name}");
        let seconds = |name: &str, value: Option<f64>| value.map(|value| time(&key(name), value)).transpose();
        let (start, stop) = (seconds("start", self.start)?, seconds("stop", self.stop)?);
        let begin = start.unwrap_or(usual);
        if let Some(stop) = stop.filter(|stop| *stop <= begin) {
            let [begin, stop] = [begin, stop].map(|time| time as f64 / 1e6);
            let problem =
                format!("{stop} s is not after the start at {begin} s, so no packet would be created; raise it");
            return Err(refused(&key("stop"), problem));
        }
        if self.bytes == Some(0) {
            return Err(refused(&key("bytes"), "packets of 0 bytes are not possible; give at least 1".into()));
        }
        let gap = self.rate.map(|rate| gap(&key("rate"), rate, arrivals, "leave the flow out")).transpose()?;
        let node = |name: &str, node: &NodeKey| node.number(&key(name), mobility);
        Ok(Flow { from: node("from", &self.from)?, to: node("to", &self.to)?, gap, bytes: self.bytes, start, stop })
    }
}

/// Reads flows, of which there is at least one.
pub(super) fn listed<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<FlowShape>, D::Error> {
    let flows = Vec::deserialize(deserializer)?;
    match flows.is_empty() {
        true => Err(D::Error::custom("lists no flow; give one, or `senders = 0` in place of the list for no packets")),
        false => Ok(flows),
    }
}

impl ManetConfig {
    pub(super) fn packets(&self, mobility: &Mobility, nodes: u32, usual_gap: u64) -> Result<Traffic, ConfigError> {
        let shape = &self.traffic;
        let arrivals = shape.arrivals;
        let gap = shape.rate.map_or(Ok(usual_gap), |rate| gap("traffic.rate", rate, arrivals, "`senders = 0`"))?;
        let exchange =
            shape.response_bytes.map_or(Exchange::Data, |response_bytes| Exchange::Requests { response_bytes });
        let each = shape.destinations == DestinationsName::EachPacket;
        let listed = match (&shape.pairs, shape.flow.is_empty()) {
            (_, false) => Some("`flow`"),
            (Some(_), true) => Some("`pairs`"),
            (None, true) => None,
        };
        let has = |what: &str| format!("{} has the {what}", listed.unwrap_or_default());
        let is_listed = listed.is_some();
        let ignored = [
            ("traffic.pairs", shape.pairs.is_some() && !shape.flow.is_empty(), has("flows")),
            ("traffic.senders", is_listed && shape.senders.is_some(), has("senders")),
            ("traffic.within", is_listed && shape.within.is_some(), has("destinations")),
            ("traffic.destinations", is_listed && each, has("destinations")),
            (
                "traffic.destinations",
                shape.within.is_some() && each,
                "'within' gives each sender one destination".into(),
            ),
        ];
        if let Some((key, _, why)) = ignored.into_iter().find(|(_, is_ignored, _)| *is_ignored) {
            return Err(refused(key, format!("{why}; leave one out")));
        }
        let start = time("traffic.start", shape.start)?;
        let flows = shape.flow.iter().enumerate().map(|(place, flow)| flow.flow(place, start, arrivals, mobility));
        let ends = |&(from, to): &(u32, u32)| {
            let number = |node: u32| NodeKey::Number(node).number("traffic.pairs", mobility);
            Ok::<_, ConfigError>((number(from)?, number(to)?))
        };
        let destinations = match (&shape.pairs, shape.within, each) {
            _ if !shape.flow.is_empty() => Destinations::Flows(flows.collect::<Result<_, _>>()?),
            (Some(pairs), ..) => Destinations::pairs(pairs.iter().map(ends).collect::<Result<Vec<_>, _>>()?),
            (None, Some(metres), _) => Destinations::Within(length("traffic.within", metres, 1)?),
            (None, None, false) => Destinations::Fixed,
            (None, None, true) => Destinations::EachPacket,
        };
        Ok(Traffic {
            senders: shape.senders.unwrap_or(nodes),
            bytes: shape.bytes,
            exchange,
            gap,
            arrivals,
            destinations,
            start,
        })
    }
}
