//! Visits of tokens to nodes.

use imminent_common::streams::split_mix;
use thiserror::Error;

/// A token's stay at a node, from its arrival until it left. For a source: the emission of a token.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Visit {
    /// Number of the node.
    pub node: u32,
    /// Class of the token during the visit.
    pub class: u32,
    /// Number of the service among those of the node, from 0, in the order in which they started.
    pub number: u64,
    /// Time at which the token arrived, in ticks.
    pub arrived: u64,
    /// Time at which the service started, in ticks.
    pub started: u64,
    /// Time at which the token left, in ticks: the end of its service, or later if it was blocked.
    pub left: u64,
    /// Next node of the token; `None` if it left the network, and for a token that is forked.
    pub to: Option<u32>,
    /// `true` if the token is forked: parts of it go on.
    pub forked: bool,
    /// Source of the token, possibly this node; `None` for a token of the start.
    pub source: Option<u32>,
    /// Time at which the token left its source, in ticks; 0 for a token of the start.
    pub entered: u64,
}

/// Choice of the visits that are kept: a share of them, chosen by node, number and replication alone.
///
/// The choice does not depend on the engine, the order, or the share of others. A smaller share is a subset of a larger
/// one.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Sampling {
    below: u64,
}

/// A share is not in the range of possible shares.
#[derive(Debug, Clone, Copy, PartialEq, Error)]
#[error("a share of {given} is not possible: give a number above 0 and at most 1, for instance 0.01")]
pub struct SamplingError {
    /// Share given.
    pub given: f64,
}

impl Sampling {
    /// Sampling that keeps every visit.
    pub const ALL: Self = Self { below: u64::MAX };

    /// Creates a sampling that keeps a share of the visits.
    ///
    /// # Errors
    /// [`SamplingError`] unless `share` is above 0 and at most 1.
    pub fn new(share: f64) -> Result<Self, SamplingError> {
        if share > 0.0 && share <= 1.0 {
            Ok(Self { below: (share * u64::MAX as f64) as u64 })
        } else {
            Err(SamplingError { given: share })
        }
    }

    /// Returns `true` if a visit is kept.
    #[must_use]
    pub fn keeps(&self, replication: u64, visit: &Visit) -> bool {
        split_mix(split_mix(replication, u64::from(visit.node)), visit.number) <= self.below
    }
}
