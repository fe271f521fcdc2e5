//! One flow of a configuration: `[[traffic.flow]]`.

use super::error::{ConfigError, instant, rate, time};
use crate::network::{Flow, Kind, Network};
use crate::units::NEVER;
use serde::{Deserialize, Serialize};

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
    /// UDP at the times of a Poisson process, as packets.
    Poisson,
    /// UDP that is on and off, as packets.
    OnOff,
    /// Requests answered over TCP, as packets; the source of the flow is the server.
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

    /// Refuses keys that belong to another kind.
    fn refuse(&self, index: usize) -> Result<(), ConfigError> {
        use FlowKind::{OnOff, Poisson, Requests, Tcp, Udp};
        let keys: [(&str, bool, &[FlowKind]); 9] = [
            ("sessions", self.sessions.is_some(), &[Tcp, Requests]),
            ("packet_sessions", self.packet_sessions.is_some(), &[Tcp]),
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
