//! TCP as two state machines without a network: a sender that returns packets to send, and a receiver that returns
//! acknowledgements.
//!
//! | module | contents |
//! | --- | --- |
//! | [`sender`] | numbers, timer, fast retransmit; recovery of Reno, NewReno and SACK |
//! | [`control`] | window: slow start, congestion avoidance, reduction; one function for each event |
//! | [`cubic`] | growth of CUBIC in integers |
//! | [`hystart`] | end of the first slow start by round-trip times |
//! | [`sack`], [`ranges`] | selective acknowledgements and the sender's scoreboard |
//! | [`rtt`] | round-trip times and the retransmission timeout |
//! | [`receiver`] | acknowledgements, at once or delayed; echoes of marks |
//!
//! Sequence numbers count packets. Acknowledgements are cumulative. Connections are neither set up nor closed, and keep
//! their window over idle times.

mod control;
mod cubic;
mod hystart;
mod ranges;
mod receiver;
mod rtt;
mod sack;
mod sender;

pub(super) use receiver::Receiver;
pub(super) use sack::Acknowledgement;
pub(super) use sender::Sender;

use super::clock::{SECOND, picoseconds};
use crate::network::{OwnTcp, Variant};
use serde::{Deserialize, Serialize};

/// Number of packets that arrive after a missing one before it counts as lost.
const DUPLICATES: u32 = 3;

/// Parameters in which TCP implementations differ. Times are in picoseconds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct TcpRules {
    /// Variant of congestion control.
    pub variant: Variant,
    /// `true` for selective acknowledgements; those of CUBIC if not given.
    pub sack: Option<bool>,
    /// Initial window, in packets; if not given, ten of CUBIC and two of the others.
    pub initial_window: Option<u32>,
    /// Retransmission timeout before the first round-trip time is measured; RFC 6298 has a second.
    pub first_timeout: u64,
    /// Smallest retransmission timeout; RFC 6298 has a second.
    pub least_timeout: u64,
    /// Largest retransmission timeout with backoff; RFC 6298 has at least a minute.
    pub greatest_timeout: u64,
    /// `true` for explicit congestion notification (RFC 3168): queues mark packets instead of dropping them.
    pub ecn: bool,
    /// `true` if the first slow start of NewReno and CUBIC ends by growing round-trip times (HyStart++, RFC 9406).
    pub hystart: bool,
    /// Longest time that an acknowledgement waits for a second packet; 0 acknowledges every packet at once.
    pub delayed_ack: u64,
    /// Size of an acknowledgement, in bytes.
    pub ack: u32,
}

impl TcpRules {
    /// Reno with the parameters that RFC 5681 and RFC 6298 propose: an initial window of two packets, timeouts from a
    /// second to about a minute. Every packet is acknowledged at once, by 40 bytes.
    pub const STANDARD: Self = Self {
        variant: Variant::Reno,
        sack: None,
        initial_window: None,
        first_timeout: SECOND,
        least_timeout: SECOND,
        greatest_timeout: 64 * SECOND,
        ecn: false,
        hystart: false,
        delayed_ack: 0,
        ack: 40,
    };

    /// Returns `true` if acknowledgements are selective.
    #[must_use]
    pub fn has_sack(&self) -> bool {
        self.variant != Variant::Reno && self.sack.unwrap_or(self.variant == Variant::Cubic)
    }

    /// Returns `true` if the first slow start ends by growing round-trip times.
    #[must_use]
    pub fn has_hystart(&self) -> bool {
        self.variant != Variant::Reno && self.hystart
    }

    /// Returns the initial window, in packets.
    #[must_use]
    pub fn first_window(&self) -> u32 {
        self.initial_window.unwrap_or(if self.variant == Variant::Cubic { 10 } else { 2 })
    }

    /// Returns the rules of a flow that has some of its own. What depends on the variant follows the flow's variant.
    #[must_use]
    pub fn of_flow(&self, own: &OwnTcp) -> Self {
        Self {
            variant: own.variant.unwrap_or(self.variant),
            sack: own.sack.or(self.sack),
            initial_window: own.initial_window.or(self.initial_window),
            ecn: own.ecn.unwrap_or(self.ecn),
            hystart: own.hystart.unwrap_or(self.hystart),
            delayed_ack: own.delayed_ack.map_or(self.delayed_ack, picoseconds),
            ..*self
        }
    }
}

impl Default for TcpRules {
    fn default() -> Self {
        Self::STANDARD
    }
}
