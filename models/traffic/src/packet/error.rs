//! Why packets cannot be simulated.

use crate::network::RouteError;
use thiserror::Error;

/// Traffic, or settings, that the packet simulator cannot simulate.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum PacketError {
    /// Acknowledgements have no way back.
    #[error("acknowledgements go back to where their packets come from: {0}")]
    WayBack(#[from] RouteError),
    /// A queue on the way back does not take one acknowledgement.
    #[error(
        "the queue of the link from '{from}' to '{to}' takes {capacity} bytes, and acknowledgements of {bytes} bytes go through it: give it room for some packets"
    )]
    QueueBelowPacket {
        /// Where the link begins.
        from: String,
        /// Where it ends.
        to: String,
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
    /// Sessions take more memory than there is.
    #[error(
        "{sessions} sessions of packets take at least {:.1} GB, and {:.1} GB of memory are left: simulate more of them as fluids, or fewer",
        *needed as f64 / 1e9,
        *free as f64 / 1e9
    )]
    Memory {
        /// Number of sessions.
        sessions: u64,
        /// Bytes that they take before the first of them gets going.
        needed: u64,
        /// Bytes that the system has left for the process.
        free: u64,
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
