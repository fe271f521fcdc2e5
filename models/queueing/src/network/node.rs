//! What stands at a node.

use serde::{Deserialize, Serialize};
use std::fmt;

/// In which order waiting tokens are served. None interrupts a service.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Discipline {
    /// First come, first served.
    #[default]
    Fifo,
    /// Last come, first served.
    Lifo,
    /// Each waiting token alike.
    Random,
    /// The least [`priority`](super::Network::priority) first, and first come, first served among equals.
    Priority,
}

impl fmt::Display for Discipline {
    /// As in configurations.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Fifo => "fifo",
            Self::Lifo => "lifo",
            Self::Random => "random",
            Self::Priority => "priority",
        })
    }
}

/// What happens to a token that finds a node full.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Overflow {
    /// It is lost: counted, and gone.
    #[default]
    Lose,
    /// It stays in the server that it comes from, and blocks it, until there is room: blocking after service.
    Block,
}

/// A node where tokens are served.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Station {
    /// Servers, at least 1.
    pub servers: u32,
    /// Who is served next.
    pub discipline: Discipline,
    /// The most tokens waiting and in service, at least as many as servers; `None` has no limit.
    pub capacity: Option<u32>,
    /// What happens to a token that finds `capacity` tokens.
    pub overflow: Overflow,
}

impl Default for Station {
    /// One server, first come, first served, without limit.
    fn default() -> Self {
        Self { servers: 1, discipline: Discipline::Fifo, capacity: None, overflow: Overflow::Lose }
    }
}

impl Station {
    /// A station of `servers` servers that is otherwise the default.
    #[must_use]
    pub fn with_servers(servers: u32) -> Self {
        Self { servers, ..Self::default() }
    }
}

/// What a node does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Role {
    /// Serves tokens.
    Station(Station),
    /// Emits tokens of one class for ever; its service law is the law of the times between them.
    Source,
}

/// How a node chooses among its routes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Routing {
    /// By chance.
    #[default]
    Random,
    /// In turn, in the order of departures. Classes that go to the same nodes in the same order share the turns.
    RoundRobin,
}

/// Role and routing, which many nodes share.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Profile {
    pub(super) role: Role,
    pub(super) routing: Routing,
}
