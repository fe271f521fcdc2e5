//! TCP Reno as two state machines without a network: a sender that returns packets to send, and a receiver that returns
//! acknowledgements.
//!
//! Sequence numbers count packets. Acknowledgements are cumulative. Connections are neither set up nor closed, and keep
//! their window over idle times.

mod receiver;
mod rtt;
mod sender;

pub(super) use receiver::Receiver;
pub(super) use sender::Sender;

use super::clock::SECOND;
use serde::{Deserialize, Serialize};

/// Parameters in which TCP implementations differ. Times are in picoseconds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Reno {
    /// Initial window, in packets.
    pub first_window: u32,
    /// Retransmission timeout before the first round-trip time is measured; RFC 6298 has a second.
    pub first_timeout: u64,
    /// Smallest retransmission timeout; RFC 6298 has a second.
    pub least_timeout: u64,
    /// Largest retransmission timeout with backoff; RFC 6298 has at least a minute.
    pub greatest_timeout: u64,
    /// Longest time that an acknowledgement waits for a second packet; 0 acknowledges every packet at once.
    pub delayed_ack: u64,
    /// Size of an acknowledgement, in bytes.
    pub ack: u32,
}

impl Reno {
    /// Parameters that RFC 5681 and RFC 6298 propose: an initial window of two packets, timeouts from a second to about
    /// a minute. Every packet is acknowledged at once, by 40 bytes.
    pub const STANDARD: Self = Self {
        first_window: 2,
        first_timeout: SECOND,
        least_timeout: SECOND,
        greatest_timeout: 64 * SECOND,
        delayed_ack: 0,
        ack: 40,
    };
}

impl Default for Reno {
    fn default() -> Self {
        Self::STANDARD
    }
}
