//! TCP Reno, as two machines that know nothing of the network: a sender that is asked what to send, and a receiver that is asked what to acknowledge.
//!
//! Sequence numbers count packets. Acknowledgements are cumulative. Connections are not set up or taken down, and keep their window over idle times.

mod receiver;
mod rtt;
mod sender;

pub(super) use receiver::Receiver;
pub(super) use sender::Sender;

use super::clock::SECOND;
use serde::{Deserialize, Serialize};

/// How TCP behaves where implementations differ. Times are in picoseconds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Reno {
    /// The first window, in packets.
    pub first_window: u32,
    /// The retransmission timeout before a round-trip time is known; RFC 6298 has a second.
    pub first_timeout: u64,
    /// The least retransmission timeout; RFC 6298 has a second.
    pub least_timeout: u64,
    /// The greatest retransmission timeout, backed off; RFC 6298 has at least a minute.
    pub greatest_timeout: u64,
    /// For how long an acknowledgement waits for a second packet; 0 acknowledges every packet at once.
    pub delayed_ack: u64,
    /// Bytes of an acknowledgement.
    pub ack: u32,
}

impl Reno {
    /// What RFC 5681 and RFC 6298 propose: two packets at first, timeouts of a second to about a minute. Every packet is acknowledged at once, by 40 bytes.
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
