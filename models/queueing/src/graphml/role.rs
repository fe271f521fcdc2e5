//! Roles of the nodes of a graph: station, source or sink.

use serde::Deserialize;
use std::fmt;

/// Role of a node of the graph.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Role {
    /// Place where tokens are served.
    Station,
    /// Origin of tokens.
    Source,
    /// Exit from the network; not a node of the network.
    Sink,
}

impl fmt::Display for Role {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Role::Station => "station",
            Role::Source => "source",
            Role::Sink => "sink",
        })
    }
}
