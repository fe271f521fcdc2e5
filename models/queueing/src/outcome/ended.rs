//! Results of a replication without the state of its nodes.

use super::Outcome;
use super::digest::Digest;
use super::results::NodeResults;

/// Results of a replication that is over, without the state of its nodes: a run keeps no more.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ended {
    /// Horizon, in ticks.
    pub horizon: u64,
    /// Number of events: one for every service started.
    pub events: u64,
    /// [Digest](Outcome::digest) of the outcome.
    pub digest: Digest,
    /// Statistics, by node.
    pub nodes: NodeResults,
}

impl From<Outcome> for Ended {
    fn from(outcome: Outcome) -> Self {
        let (events, digest) = (outcome.events(), outcome.digest());
        Self { horizon: outcome.horizon, events, digest, nodes: outcome.statistics.into() }
    }
}
