//! One flow of a configuration: `[[traffic.flow]]`.

use super::error::{ConfigError, instant, rate, time};
use super::unit;
use crate::network::{Flow, Kind, Network, OwnTcp, Variant};
use crate::units::NEVER;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// One flow between two nodes.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct FlowShape {
    /// Name of the flow.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Name of the sending node.
    pub from: String,
    /// Name of the receiving node.
    pub to: String,
    /// Kind of traffic that the flow sends.
    #[serde(default)]
    pub kind: FlowKind,
    /// Number of TCP sessions (1 if not given), or number of clients of `requests`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sessions: Option<u32>,
    /// Number of TCP sessions that are simulated as packets. If not given: all if the flow gives `tcp`, `sack`,
    /// `initial_window`, `ecn`, `hystart`, `delayed_ack` or `bytes`, and none otherwise.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub packet_sessions: Option<u32>,
    /// Variant of TCP of the packet sessions; `packets.tcp` if not given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tcp: Option<Variant>,
    /// `true` if the packet sessions have selective acknowledgements; `packets.sack` if not given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sack: Option<bool>,
    /// Initial window of the packet sessions; `packets.initial_window` if not given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1, max = 1048576), extend("unit" = "packets"))]
    pub initial_window: Option<u32>,
    /// `true` if the packet sessions have explicit congestion notification (RFC 3168); `packets.ecn` if not given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ecn: Option<bool>,
    /// `true` if the first slow start of the packet sessions ends by growing round-trip times (HyStart++);
    /// `packets.hystart` if not given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hystart: Option<bool>,
    /// Longest time that an acknowledgement waits for a second packet, in seconds; `packets.delayed_ack` if not given.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "unit::some_seconds")]
    #[schemars(range(min = 0.0, max = 5e6), extend("unit" = "s"))]
    pub delayed_ack: Option<f64>,
    /// Number of bytes that each packet session sends. Without it a session always has data to send.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "unit::some_bytes")]
    #[schemars(range(min = 1, max = 1125899906842624_u64), extend("unit" = "B"))]
    pub bytes: Option<u64>,
    /// Rate of UDP in bits per second. For `on-off`, the rate while the source is on.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "unit::some_bits")]
    #[schemars(range(min = 1.0, max = 1e13), extend("unit" = "bit/s"))]
    pub rate: Option<f64>,
    /// `true` if UDP is simulated as packets.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub packets: Option<bool>,
    /// Mean length of the on periods of `on-off`, in seconds.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "unit::some_seconds")]
    #[schemars(range(min = 1e-9, max = 5e6), extend("unit" = "s"))]
    pub on: Option<f64>,
    /// Mean length of the off periods of `on-off`, in seconds.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "unit::some_seconds")]
    #[schemars(range(min = 0.0, max = 5e6), extend("unit" = "s"))]
    pub off: Option<f64>,
    /// Size of a request, in bytes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("unit" = "B"))]
    pub request: Option<u32>,
    /// Size of a response, in bytes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("unit" = "B"))]
    pub answer: Option<u32>,
    /// Mean time that a client waits between a response and its next request, in seconds.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "unit::some_seconds")]
    #[schemars(range(min = 0.0, max = 5e6), extend("unit" = "s"))]
    pub think: Option<f64>,
    /// Time at which the flow begins, in seconds.
    #[serde(default, deserialize_with = "unit::seconds")]
    #[schemars(range(min = 0.0, max = 5e6), extend("unit" = "s"))]
    pub start: f64,
    /// Time at which the flow ends, in seconds. Without it the flow never ends.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "unit::some_seconds")]
    #[schemars(range(min = 1e-9, max = 5e6), extend("unit" = "s"))]
    pub stop: Option<f64>,
}

/// Kind of traffic that a flow sends.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum FlowKind {
    /// TCP with an unlimited amount of data.
    #[default]
    Tcp,
    /// UDP at a constant rate.
    Udp,
    /// UDP with datagrams at the times of a Poisson process, as packets.
    Poisson,
    /// UDP that alternates between on and off periods, as packets.
    OnOff,
    /// Requests with responses over TCP, as packets. The source of the flow is the server.
    Requests,
}

impl FlowShape {
    pub(super) fn flow(&self, network: &Network, index: usize) -> Result<Flow, ConfigError> {
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
                let sessions = self.sessions.unwrap_or(1);
                let usual = if self.own_tcp(index)? == OwnTcp::default() { 0 } else { sessions };
                let packets = self.packet_sessions.unwrap_or(usual);
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
            FlowKind::Poisson => Kind::Poisson { rate: rate(&key("rate"), self.rate.ok_or_else(|| needed("rate"))?)? },
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

    /// Returns the parameters of TCP that the flow's packet sessions have of their own.
    pub(super) fn own_tcp(&self, index: usize) -> Result<OwnTcp, ConfigError> {
        let key = format!("traffic.flow[{index}].delayed_ack");
        let delayed_ack = self.delayed_ack.map(|seconds| instant(&key, seconds)).transpose()?;
        let Self { tcp, sack, initial_window, ecn, hystart, bytes, .. } = *self;
        Ok(OwnTcp { variant: tcp, sack, initial_window, ecn, hystart, delayed_ack, bytes })
    }

    /// Rejects keys that belong to another kind.
    fn refuse(&self, index: usize) -> Result<(), ConfigError> {
        use FlowKind::{OnOff, Poisson, Requests, Tcp, Udp};
        let keys: [(&str, bool, &[FlowKind]); 16] = [
            ("sessions", self.sessions.is_some(), &[Tcp, Requests]),
            ("packet_sessions", self.packet_sessions.is_some(), &[Tcp]),
            ("tcp", self.tcp.is_some(), &[Tcp, Requests]),
            ("sack", self.sack.is_some(), &[Tcp, Requests]),
            ("initial_window", self.initial_window.is_some(), &[Tcp, Requests]),
            ("hystart", self.hystart.is_some(), &[Tcp, Requests]),
            ("ecn", self.ecn.is_some(), &[Tcp, Requests]),
            ("delayed_ack", self.delayed_ack.is_some(), &[Tcp, Requests]),
            ("bytes", self.bytes.is_some(), &[Tcp]),
            ("rate", self.rate.is_some(), &[Udp, Poisson, OnOff]),
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

pub(super) fn unknown(key: &str, name: &str, network: &Network) -> ConfigError {
    let example = network.label(0);
    ConfigError::value(key, format!("'{name}' is no node of the network: name one that is, for instance '{example}'"))
}
