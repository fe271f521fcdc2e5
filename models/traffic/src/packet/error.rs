//! Errors of the packet simulator.

use crate::network::{FlowError, RouteError};
use imminent_common::free_memory::Bytes;
use thiserror::Error;

/// Error of traffic or settings that the packet simulator cannot handle.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum PacketError {
    /// Acknowledgements have no path back.
    #[error("acknowledgements need a path back to the source of their packets: {0}")]
    WayBack(RouteError),
    /// The paths of packets cannot be stored.
    #[error(transparent)]
    Paths(RouteError),
    /// A queue has less capacity than one packet or acknowledgement.
    #[error(
        "the queue of the link from '{from}' to '{to}' has room for {capacity} bytes, and packets or acknowledgements on it have {bytes}: give it room for several packets"
    )]
    QueueBelowPacket {
        /// Node at which the link begins.
        from: String,
        /// Node at which the link ends.
        to: String,
        /// Capacity of the queue, in bytes.
        capacity: u64,
        /// Size of an acknowledgement or packet, in bytes.
        bytes: u32,
    },
    /// There are more sessions than the largest number.
    #[error(
        "{sessions} sessions are simulated as packets, more than the limit of {most}: simulate more of them as fluids"
    )]
    TooManySessions {
        /// Number of sessions.
        sessions: u64,
        /// Largest number of sessions.
        most: u32,
    },
    /// The sessions take more memory than is free.
    #[error(
        "{sessions} sessions of packets take at least {:.1} GB, and {:.1} GB of memory are free: simulate fewer, or more of them as fluids",
        *needed as f64 / 1e9,
        *free as f64 / 1e9
    )]
    Memory {
        /// Number of sessions.
        sessions: u64,
        /// Memory that the sessions take before the first of them starts, in bytes.
        needed: u64,
        /// Free memory of the system for the process, in bytes.
        free: u64,
    },
    /// The paths through the changes of routes take more memory than is free.
    #[error(
        "the routes after {done} of {changes} changes by failures take {}, and {} of memory are free: let links fail less often, or simulate fewer flows as packets",
        Bytes(*needed),
        Bytes(*free)
    )]
    Changes {
        /// Number of changes whose routes were found.
        done: usize,
        /// Number of changes.
        changes: usize,
        /// Memory of their routes, in bytes.
        needed: u64,
        /// Free memory of the system for the process, in bytes.
        free: u64,
    },
    /// A flow has a parameter that its variant of TCP lacks.
    #[error(transparent)]
    Flow(FlowError),
    /// A setting is out of range.
    #[error("'{name}' is {value}: {expected}")]
    Setting {
        /// Name of the setting.
        name: &'static str,
        /// Value of the setting.
        value: String,
        /// Allowed values.
        expected: &'static str,
    },
}
