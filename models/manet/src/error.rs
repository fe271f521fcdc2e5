//! Errors.

use crate::field::Field;
use crate::kernels::geometry::Position;

/// Error in a [`Network`](crate::Network).
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum NetworkError {
    /// A value is out of its limits.
    #[error("{name} is {value}, and must be from {least} to {most}")]
    OutOfRange {
        /// Name of the value, with its unit.
        name: &'static str,
        /// The value.
        value: u64,
        /// Least allowed value.
        least: u64,
        /// Greatest allowed value.
        most: u64,
    },
    /// A range begins above its end.
    #[error("{name} ranges from {least} to {most}; give the smaller value first")]
    Reversed {
        /// Name of the range, with its unit.
        name: &'static str,
        /// First value.
        least: u64,
        /// Second value.
        most: u64,
    },
    /// More senders than nodes.
    #[error("{senders} senders were asked for, and the network has {nodes} nodes; lower `senders`")]
    Senders {
        /// Number of senders.
        senders: u32,
        /// Number of nodes.
        nodes: u32,
    },
    /// Waypoints without speed and without pause.
    #[error("the greatest speed and the greatest pause are both 0, so time would never pass; use static mobility")]
    Motionless,
    /// Another number of positions than nodes.
    #[error("{given} nodes have a position, and the network has {nodes} nodes")]
    Nodes {
        /// Number of positions.
        given: usize,
        /// Number of nodes.
        nodes: u32,
    },
    /// A position outside of the field.
    #[error("node {node} is at ({} m, {} m), outside of the field of {} m by {} m", metres(place.x), metres(place.y), metres(field.width), metres(field.height))]
    Outside {
        /// Number of the node.
        node: usize,
        /// Position of the node.
        place: Position,
        /// The field.
        field: Field,
    },
    /// A position beside the streets of a grid.
    #[error("node {node} is at ({} m, {} m), beside the streets; they are {} m apart, from 0 m on", metres(place.x), metres(place.y), metres(*block))]
    OffStreet {
        /// Number of the node.
        node: usize,
        /// Position of the node.
        place: Position,
        /// Distance of two streets in mm.
        block: u32,
    },
    /// A sender and its destination that do not exist, or that are one node.
    #[error("{from} cannot send to {to}: nodes are 0 to {}, and a node does not send to itself", nodes - 1)]
    Pair {
        /// Sender.
        from: u32,
        /// Destination.
        to: u32,
        /// Number of nodes.
        nodes: u32,
    },
}

/// Returns millimetres in metres.
fn metres(millimetres: impl Into<f64>) -> f64 {
    millimetres.into() / 1000.0
}

/// Error of an [`Engine`](crate::Engine).
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum EngineError {
    /// Error in a network.
    #[error("network {number}: {source}")]
    Network {
        /// Number of the network among those given.
        number: usize,
        /// The error.
        source: NetworkError,
    },
    /// More nodes, together, than a device can number.
    #[error("{nodes} nodes in all networks and replications; the limit is {most}. Simulate fewer at once")]
    TooMany {
        /// Number of nodes.
        nodes: u64,
        /// The limit.
        most: u64,
    },
    /// More legs of paths, together, than a device holds.
    #[error(
        "{legs} legs of all paths on the device; the limit is {most}. Change directions less often, simulate fewer nodes at once, or a shorter time"
    )]
    TooManyLegs {
        /// Number of legs, at most.
        legs: u64,
        /// The limit.
        most: u64,
    },
    /// A network with AODV was to be simulated by a device.
    #[error(
        "network {number} has AODV, which threads of the host simulate, and no kernels of the backend `{backend}`; \
             choose the backend `cpu` (--backend cpu)"
    )]
    Protocol {
        /// Number of the network among those given.
        number: usize,
        /// Name of the backend.
        backend: String,
    },
    /// The caller ended the run.
    #[error("cancelled after {steps} steps")]
    Cancelled {
        /// Number of rounds of steps; on threads of the host, of events.
        steps: u64,
    },
    /// Error of the device.
    #[error(transparent)]
    Device(#[from] imminent_core::Error),
}
