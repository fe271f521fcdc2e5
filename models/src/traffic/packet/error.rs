//! Why packets cannot be simulated.

use crate::traffic::network::RouteError;
use thiserror::Error;

/// Traffic, or settings, that the packet simulator cannot simulate.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum PacketError {
    /// Acknowledgements have no way back.
    #[error("acknowledgements go back to where their packets come from: {0}")]
    WayBack(#[from] RouteError),
    /// A queue on the way back does not take one acknowledgement.
    #[error(
        "the queue of the link from {link} takes {capacity} bytes, and acknowledgements of {bytes} bytes go through it: give it room for some packets"
    )]
    QueueBelowPacket {
        /// The link.
        link: String,
        /// What the queue takes.
        capacity: u64,
        /// Bytes of an acknowledgement, or of a packet.
        bytes: u32,
    },
    /// There are more sessions than can be numbered.
    #[error("{sessions} sessions are packets, and {most} are possible: simulate more of them as fluids")]
    TooManySessions {
        /// How many there are.
        sessions: u64,
        /// How many are possible.
        most: u32,
    },
    /// A setting makes no sense.
    #[error("'{name}' is {value}: {expected}")]
    Setting {
        /// The setting.
        name: &'static str,
        /// Its value.
        value: u64,
        /// What it should be.
        expected: &'static str,
    },
}
