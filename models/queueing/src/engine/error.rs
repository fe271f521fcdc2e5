//! Errors of engines on a device.

use super::limits::MAX_SERVERS;
use crate::network::Network;
use imminent_common::sharing::Stopped;
use thiserror::Error;

/// Reasons for an engine to fail.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum EngineError {
    /// The device failed.
    #[error(transparent)]
    Device(#[from] imminent_core::Error),
    /// The run was cancelled by its progress function.
    #[error("the run was cancelled after {steps} steps")]
    Cancelled {
        /// Number of steps done.
        steps: u64,
    },
    /// A waiting line needs more places than a device table can have.
    #[error(
        "a waiting line of this network would need {lanes} places, more than a line on a device can have: use the engine `sequential`"
    )]
    LineTooLong {
        /// Number of places needed.
        lanes: u64,
    },
    /// A station has more servers than a device table can have.
    #[error(
        "node '{label}' has {servers} servers, more than the {limit} that the engine `exact` can have: give it fewer, or use the engine `sequential`"
    )]
    TooManyServers {
        /// Label or number of the node.
        label: String,
        /// Number of servers of the node.
        servers: u32,
        /// Largest number of servers.
        limit: u32,
    },
    /// The events schedule was requested for a device without native rows.
    #[error(
        "device `{device}` cannot run the schedule `events`, which is for hosts: use the schedule `auto`, or the backend `cpu`"
    )]
    NotNative {
        /// Name of the device.
        device: String,
    },
    /// An engine for simple networks was given another network.
    #[error(
        "this engine is for closed networks of one class and single exponential servers, first come, first served, without limit and with equally \
         likely routes: use the engine `exact` with the schedule `auto`, or the engine `sequential`"
    )]
    NotSimple,
    /// A network has something that needs an engine of the host.
    #[error("node '{label}' has {what}, which the engine `exact` does not carry out: use the engine `auto` or `host`")]
    Beyond {
        /// Label or number of the node.
        label: String,
        /// Property of the node, in words.
        what: &'static str,
    },
    /// A network that the clustered engine cannot simulate.
    #[error(transparent)]
    Unsupported(#[from] crate::interval::Unsupported),
    /// A quantity exceeds the range of a device's tables.
    #[error("the networks have more {what} than 32 bits can count: simulate fewer at a time")]
    TooLarge {
        /// Name of the quantity.
        what: &'static str,
    },
}

impl From<Stopped<EngineError>> for EngineError {
    fn from(stopped: Stopped<EngineError>) -> Self {
        match stopped {
            Stopped::Cancelled { events } => EngineError::Cancelled { steps: events },
            Stopped::Failed(error) => error,
        }
    }
}

impl EngineError {
    /// Returns [`TooManyServers`](Self::TooManyServers) for the first station of a network with too many servers for a
    /// device.
    #[must_use]
    pub fn too_many_servers(network: &Network) -> Option<Self> {
        let limit = MAX_SERVERS;
        if network.most_servers() <= limit {
            return None;
        }
        let too_many = |node| network.station(node).map(|station| station.servers).filter(|&servers| servers > limit);
        let (node, servers) = (0..network.len() as u32).find_map(|node| Some((node, too_many(node)?)))?;
        Some(Self::TooManyServers { label: network.label(node), servers, limit })
    }
}
