//! What a run keeps of a replication that is over.

use super::Outcome;
use super::digest::Digest;
use super::table::NodeTable;

/// What a run keeps of a replication that is over: not the state of its nodes, but the digest of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ended {
    /// Horizon, in ticks.
    pub horizon: u64,
    /// Number of events: one for every service started.
    pub events: u64,
    /// [Digest](Outcome::digest) of the outcome.
    pub digest: Digest,
    /// Statistics, by node.
    pub nodes: NodeTable,
}

impl From<Outcome> for Ended {
    fn from(outcome: Outcome) -> Self {
        let (events, digest) = (outcome.events(), outcome.digest());
        Self { horizon: outcome.horizon, events, digest, nodes: outcome.statistics.into() }
    }
}
