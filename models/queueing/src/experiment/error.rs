//! Reasons why an experiment cannot be carried out, or stops before its end.

use crate::analysis::{NotSettled, PlanError};
use crate::scenario::ScenarioError;
use thiserror::Error;

/// Reasons for a run to stop before its end.
#[derive(Debug, Error)]
pub enum ExperimentError<E> {
    /// A replication could not be set up.
    #[error(transparent)]
    Scenario(#[from] ScenarioError),
    /// An engine failed.
    #[error("replication {replication}: {error}")]
    Engine {
        /// Number of the replication, from 0.
        replication: u64,
        /// Error of the engine.
        error: E,
    },
    /// More tokens came than allowed for, so sums of times may have left 64 bits.
    #[error(
        "replication {replication}: so many tokens came that the sums of their times may have overflowed: give a shorter horizon, or fewer replications"
    )]
    Overflow {
        /// Number of the replication, from 0.
        replication: u64,
    },
    /// The statistics of nodes could not be read from the device on which they are.
    #[error("the statistics of the nodes cannot be read: {0}")]
    Unread(#[from] imminent_core::Error),
    /// MSER-5 found no steady state.
    #[error(transparent)]
    NotSettled(#[from] NotSettled),
    /// A run was interrupted before any part of it was complete.
    #[error(
        "interrupted before a part of the run was over, so nothing was found: a run with several replications, batches or \
         observations keeps those that are over"
    )]
    Interrupted,
    /// An engine returned fewer outcomes than scenarios, or outcomes of another length.
    #[error(
        "replication {replication}: the engine stopped before its horizon, a defect of the engine: report it, and use another engine"
    )]
    Incomplete {
        /// Number of the replication, from 0.
        replication: u64,
    },
}

/// Reasons why an experiment cannot be carried out.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum SetUpError {
    /// No replication can be set up.
    #[error(transparent)]
    Scenario(#[from] ScenarioError),
    /// The plan is impossible.
    #[error(transparent)]
    Plan(#[from] PlanError),
    /// Times of visits that started are not known when the run ends, where services wait, share or are interrupted.
    #[error(
        "visits are counted by the start of their service, and node '{label}' has {what}, so their ends are not known before they come: count the visits that 'ended'"
    )]
    UnknownEnds {
        /// Label or number of the node.
        label: String,
        /// Property of the node, in words.
        what: &'static str,
    },
    /// The engine that clusters events does not count visits by their arrival.
    #[error(
        "visits are counted by their arrival, which the engine `interval` does not do: count those that 'ended' or 'started', or choose an exact engine"
    )]
    ClusteredArrivals,
}
