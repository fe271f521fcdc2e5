//! The `[packets]` section.

use super::error::{ConfigError, instant, time};
use super::unit;
use crate::network::Variant;
use crate::packet::{Settings, TcpRules, clock};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The `[packets]` section: parameters of the packet simulation. Times are in seconds.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct PacketShape {
    /// Variant of TCP of flows that do not name one.
    pub tcp: Variant,
    /// `true` for selective acknowledgements; if not given, CUBIC has them, and the other variants do not.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sack: Option<bool>,
    /// Initial TCP window, in packets; if not given, 10 of CUBIC and 2 of the other variants.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1, max = 1048576), extend("unit" = "packets"))]
    pub initial_window: Option<u32>,
    /// `true` for explicit congestion notification (RFC 3168): queues with RED, CoDel or FqCoDel mark packets instead
    /// of dropping them, and a mark has the effect of a loss on the sender.
    pub ecn: bool,
    /// `true` if the first slow start of NewReno and CUBIC ends by growing round-trip times (HyStart++, RFC 9406).
    pub hystart: bool,
    /// Retransmission timeout before the first round-trip time is measured.
    #[serde(deserialize_with = "unit::seconds")]
    #[schemars(range(min = 1e-9, max = 5e6), extend("unit" = "s"))]
    pub first_timeout: f64,
    /// Smallest retransmission timeout.
    #[serde(deserialize_with = "unit::seconds")]
    #[schemars(range(min = 0.0, max = 5e6), extend("unit" = "s"))]
    pub least_timeout: f64,
    /// Largest retransmission timeout.
    #[serde(deserialize_with = "unit::seconds")]
    #[schemars(range(min = 1e-9, max = 5e6), extend("unit" = "s"))]
    pub greatest_timeout: f64,
    /// Longest time that an acknowledgement waits for a second packet; 0 disables delayed acknowledgements.
    #[serde(deserialize_with = "unit::seconds")]
    #[schemars(range(min = 0.0, max = 5e6), extend("unit" = "s"))]
    pub delayed_ack: f64,
    /// Size of an acknowledgement, in bytes.
    #[schemars(range(min = 1), extend("unit" = "B"))]
    pub ack: u32,
    /// Interval after the start of a flow in which its sessions start.
    #[serde(deserialize_with = "unit::seconds")]
    #[schemars(range(min = 0.0, max = 5e6), extend("unit" = "s"))]
    pub stagger: f64,
}

impl Default for PacketShape {
    fn default() -> Self {
        let Settings { tcp, stagger, .. } = Settings::default();
        Self {
            tcp: tcp.variant,
            sack: tcp.sack,
            initial_window: tcp.initial_window,
            ecn: tcp.ecn,
            hystart: tcp.hystart,
            first_timeout: clock::seconds(tcp.first_timeout),
            least_timeout: clock::seconds(tcp.least_timeout),
            greatest_timeout: clock::seconds(tcp.greatest_timeout),
            delayed_ack: clock::seconds(tcp.delayed_ack),
            ack: tcp.ack,
            stagger: clock::seconds(stagger),
        }
    }
}

impl PacketShape {
    /// Returns the settings of a packet simulator.
    pub(super) fn settings(&self, seed: u64) -> Result<Settings, ConfigError> {
        let span = |key, seconds| time(key, seconds).map(clock::picoseconds);
        let maybe = |key, seconds| instant(key, seconds).map(clock::picoseconds);
        let tcp = TcpRules {
            variant: self.tcp,
            sack: self.sack,
            initial_window: self.initial_window,
            ecn: self.ecn,
            hystart: self.hystart,
            first_timeout: span("packets.first_timeout", self.first_timeout)?,
            least_timeout: maybe("packets.least_timeout", self.least_timeout)?,
            greatest_timeout: span("packets.greatest_timeout", self.greatest_timeout)?,
            delayed_ack: maybe("packets.delayed_ack", self.delayed_ack)?,
            ack: self.ack,
        };
        Ok(Settings { seed, tcp, stagger: maybe("packets.stagger", self.stagger)? })
    }
}
