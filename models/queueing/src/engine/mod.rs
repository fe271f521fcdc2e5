//! The engines that run on a [`Device`](imminent_core::Device): the exact one and the clustered one.
//!
//! The exact engine has a lean form for [simple](crate::Network::simple) networks, and a general form, [`Simulation`], for all others, for many networks at
//! once, and for runs that are looked at on their way.
//!
//! Both engines take a [`Scenario`](crate::Scenario) and give an [`Outcome`](crate::Outcome), integers all the way, so the same bits on every backend. The exact
//! engine has two schedules for one handler: [`Schedule::Tiles`], for devices with many lanes, relaxes the nodes' bounds in groups and then
//! serves every token that may be served; [`Schedule::Events`], for a host, visits one node at a time in the order of events. Any
//! conservative order gives the same outcome.

mod clustered;
mod events;
mod exact;
mod general;
mod placement;
mod reach;
mod sharing;
mod side_by_side;
mod tables;
mod tiles;
mod watched;

pub use clustered::{Clustered, clustered};
pub use exact::{Exact, Schedule, exact};
pub use general::Simulation;
pub use side_by_side::side_by_side;
pub use watched::watched;

use crate::network::Network;
use thiserror::Error;

/// What can go wrong while an engine runs.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum EngineError {
    /// The device failed.
    #[error(transparent)]
    Device(#[from] imminent_core::Error),
    /// The run was cancelled by its progress function.
    #[error("the run was cancelled after {steps} steps")]
    Cancelled {
        /// Steps done.
        steps: u64,
    },
    /// A waiting line would need more room than a device table can have.
    #[error(
        "a waiting line of this network would need {lanes} places, more than a line on a device can have: use the engine `sequential`"
    )]
    LineTooLong {
        /// Places needed.
        lanes: u64,
    },
    /// A station has more servers than a device table can have.
    #[error(
        "node '{label}' has {servers} servers, more than the {limit} that the engine `exact` can have: give it fewer, or use the engine `sequential`"
    )]
    TooManyServers {
        /// The node's label or number.
        label: String,
        /// Its servers.
        servers: u32,
        /// The most that are possible.
        limit: u32,
    },
    /// The events schedule was asked of a device that has no native rows.
    #[error(
        "device `{device}` cannot run the schedule `events`, which is for hosts: use the schedule `auto`, or the backend `cpu`"
    )]
    NotNative {
        /// The device.
        device: String,
    },
    /// A network that only the general engine runs was given to one that is for simple networks.
    #[error(
        "this engine is for closed networks of one class and single exponential servers, first come, first served, without limit and with equally \
         likely routes: use the engine `exact` with the schedule `auto`, or the engine `sequential`"
    )]
    NotSimple,
    /// A network with blocking after service.
    #[error(
        "node '{label}' makes tokens wait in the servers that they come from, which only the engine `sequential` simulates exactly: use it, or let the node \
         lose tokens"
    )]
    Blocking {
        /// The node's label or number.
        label: String,
    },
    /// A network that the clustered engine cannot simulate.
    #[error(transparent)]
    Unsupported(#[from] crate::interval::Unsupported),
    /// More of something than a device's tables can count.
    #[error("the networks have more {what} than 32 bits can count: simulate fewer at a time")]
    TooLarge {
        /// Of what there are too many.
        what: &'static str,
    },
}

impl EngineError {
    /// [`TooManyServers`](Self::TooManyServers) for the first station of a network that has too many for a device.
    #[must_use]
    pub fn too_many_servers(network: &Network) -> Option<Self> {
        let limit = general::MAX_SERVERS;
        let too_many = |node| network.station(node).map(|station| station.servers).filter(|&servers| servers > limit);
        let (node, servers) = (0..network.len() as u32).find_map(|node| Some((node, too_many(node)?)))?;
        Some(Self::TooManyServers { label: network.label(node), servers, limit })
    }
}
