//! Results of a replication without the state of its nodes.

use super::Outcome;
use super::digest::Digest;
use super::results::NodeResults;
use super::statistics::NodeStatistics;
use imminent_core::Error;

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

impl Ended {
    /// Takes the sums over [arrived](NodeStatistics::arrived) visits from statistics by node and class.
    pub(crate) fn add_arrived(&mut self, by_class: &[NodeStatistics]) -> Result<(), Error> {
        let classes = by_class.len() / self.nodes.nodes().max(1);
        self.nodes.update(|number, node| {
            let of_classes = by_class.get(number * classes..(number + 1) * classes).unwrap_or_default();
            of_classes.iter().for_each(|of_class| node.arrived += of_class.arrived);
        })
    }
}

impl From<Outcome> for Ended {
    fn from(outcome: Outcome) -> Self {
        let (events, digest) = (outcome.events(), outcome.digest());
        Self { horizon: outcome.horizon, events, digest, nodes: outcome.statistics.into() }
    }
}
