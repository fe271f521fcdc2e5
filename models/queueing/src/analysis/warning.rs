//! Warnings about the reliability of results.

use crate::measures::Measure;
use thiserror::Error;

/// A doubt about a result that was reported nevertheless.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum Warning {
    /// Batches are too short.
    #[error(
        "the batches are correlated (independent ones would look like this with a probability of {probability:.4}), \
         so their interval is too short: give a longer horizon or fewer batches"
    )]
    Correlated {
        /// Probability that independent batches are as correlated.
        probability: f64,
    },
    /// The run ended before the precision was reached.
    #[error(
        "the relative precision of {wanted} was not reached for {measure}{}: \
         give a longer horizon, or more replications", reached.map_or_else(String::new, |reached| format!(", but {reached:.4}"))
    )]
    Imprecise {
        /// Measure of the plan.
        measure: Measure,
        /// Relative precision requested.
        wanted: f64,
        /// Half-width over mean, if there is one.
        reached: Option<f64>,
    },
    /// The run ended before the count was reached.
    #[error(
        "{replications} of the replications reached their horizon before {completions} services were completed: give a longer horizon"
    )]
    TooFewCompleted {
        /// Number of replications concerned.
        replications: u64,
        /// Number of services requested.
        completions: u64,
    },
}
