//! Roles and properties of nodes.

use super::routing::Routing;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::fmt;

/// Order in which tokens are served.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Discipline {
    /// First come, first served.
    #[default]
    Fifo,
    /// Last come, first served.
    Lifo,
    /// Random order: each waiting token is equally likely.
    Random,
    /// Smallest [`priority`](super::Network::priority) first; first come, first served among equals.
    Priority,
    /// Smallest priority first, which interrupts services of a larger one.
    PriorityPreemptive,
    /// Last come, first served, which interrupts services.
    LifoPreemptive,
    /// Shortest service first.
    ShortestJob,
    /// Shortest service that is left first, which interrupts longer ones.
    ShortestRemaining,
    /// All tokens at once, which share the servers.
    ProcessorSharing,
    /// The first token of each class at once, which share the server by the weights of their classes.
    GeneralizedSharing,
}

impl Discipline {
    /// All disciplines.
    pub const ALL: [Self; 10] = [
        Self::Fifo,
        Self::Lifo,
        Self::Random,
        Self::Priority,
        Self::PriorityPreemptive,
        Self::LifoPreemptive,
        Self::ShortestJob,
        Self::ShortestRemaining,
        Self::ProcessorSharing,
        Self::GeneralizedSharing,
    ];

    /// Returns the name used in configurations.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Fifo => "fifo",
            Self::Lifo => "lifo",
            Self::Random => "random",
            Self::Priority => "priority",
            Self::PriorityPreemptive => "priority-preemptive",
            Self::LifoPreemptive => "lifo-preemptive",
            Self::ShortestJob => "shortest-job",
            Self::ShortestRemaining => "shortest-remaining",
            Self::ProcessorSharing => "processor-sharing",
            Self::GeneralizedSharing => "generalized-sharing",
        }
    }

    /// Returns `true` if a token that arrives may interrupt a service.
    #[must_use]
    pub const fn interrupts(self) -> bool {
        matches!(self, Self::PriorityPreemptive | Self::LifoPreemptive | Self::ShortestRemaining)
    }

    /// Returns `true` if tokens of several classes share the servers.
    #[must_use]
    pub const fn shares(self) -> bool {
        matches!(self, Self::ProcessorSharing | Self::GeneralizedSharing)
    }

    /// Returns `true` if tokens are served by their priority.
    #[must_use]
    pub const fn is_by_priority(self) -> bool {
        matches!(self, Self::Priority | Self::PriorityPreemptive)
    }

    /// Returns `true` if the exact engines serve by this discipline.
    #[must_use]
    pub const fn is_exact(self) -> bool {
        matches!(self, Self::Fifo | Self::Lifo | Self::Random | Self::Priority)
    }
}

impl fmt::Display for Discipline {
    /// Writes the name used in configurations.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Treatment of a token that finds a node full.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Overflow {
    /// Loss: the token is counted and removed.
    #[default]
    Lose,
    /// Blocking after service: the token stays in its previous server, and blocks it, until there is room.
    Block,
}

/// Properties of a node where tokens are served.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Station {
    /// Number of servers, at least 1.
    pub servers: u32,
    /// Order in which waiting tokens are served.
    pub discipline: Discipline,
    /// Largest number of tokens waiting and in service, at least the number of servers; `None` for no limit.
    pub capacity: Option<u32>,
    /// Treatment of a token that finds `capacity` tokens.
    pub overflow: Overflow,
}

impl Default for Station {
    /// Returns a station with one server, first come, first served, without limit.
    fn default() -> Self {
        Self { servers: 1, discipline: Discipline::Fifo, capacity: None, overflow: Overflow::Lose }
    }
}

impl Station {
    /// Number of servers of a station where every token has one of its own, so that none waits: a delay.
    pub const INFINITE: u32 = u32::MAX;

    /// Creates a station of `servers` servers with defaults for the rest.
    #[must_use]
    pub fn with_servers(servers: u32) -> Self {
        Self { servers, ..Self::default() }
    }
}

/// Role of a node.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Role {
    /// Station, which serves tokens.
    Station(Station),
    /// Source, which emits tokens of one class without end; its service law is the law of the times between them.
    Source,
}

/// Role and routing; many nodes share a profile.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Profile {
    pub(super) role: Role,
    pub(super) routing: Routing,
}
