//! The `[packets]` section.

use super::error::{ConfigError, instant, time};
use crate::packet::{Reno, Settings, clock};
use serde::{Deserialize, Serialize};

/// The `[packets]` section: how packets are simulated. Times are in seconds.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct PacketShape {
    /// The first window of TCP, in packets.
    pub first_window: u32,
    /// The retransmission timeout before a round-trip time is known.
    pub first_timeout: f64,
    /// The least retransmission timeout.
    pub least_timeout: f64,
    /// The greatest retransmission timeout.
    pub greatest_timeout: f64,
    /// For how long an acknowledgement waits for a second packet; 0 for not at all.
    pub delayed_ack: f64,
    /// Bytes of an acknowledgement.
    pub ack: u32,
    /// Within which time after their flow sessions start.
    pub stagger: f64,
}

impl Default for PacketShape {
    fn default() -> Self {
        let Settings { reno, stagger, .. } = Settings::default();
        Self {
            first_window: reno.first_window,
            first_timeout: clock::seconds(reno.first_timeout),
            least_timeout: clock::seconds(reno.least_timeout),
            greatest_timeout: clock::seconds(reno.greatest_timeout),
            delayed_ack: clock::seconds(reno.delayed_ack),
            ack: reno.ack,
            stagger: clock::seconds(stagger),
        }
    }
}

impl PacketShape {
    /// The settings of a simulator.
    pub(super) fn settings(&self, seed: u64) -> Result<Settings, ConfigError> {
        let span = |key, seconds| time(key, seconds).map(clock::picoseconds);
        let maybe = |key, seconds| instant(key, seconds).map(clock::picoseconds);
        let reno = Reno {
            first_window: self.first_window,
            first_timeout: span("packets.first_timeout", self.first_timeout)?,
            least_timeout: maybe("packets.least_timeout", self.least_timeout)?,
            greatest_timeout: span("packets.greatest_timeout", self.greatest_timeout)?,
            delayed_ack: maybe("packets.delayed_ack", self.delayed_ack)?,
            ack: self.ack,
        };
        Ok(Settings { seed, reno, stagger: maybe("packets.stagger", self.stagger)? })
    }
}
