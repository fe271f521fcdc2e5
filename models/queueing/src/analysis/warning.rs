//! What a reader of the results should know before believing them.

use crate::measures::Measure;
use thiserror::Error;

/// A doubt about a result that was given all the same.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum Warning {
    /// Batches are too short.
    #[error(
        "the batches are correlated (independent ones would look like this with a probability of {probability:.4}), \
         so their interval is too short: give a longer horizon or fewer batches"
    )]
    Correlated {
        /// Probability that independent batches would be as correlated.
        probability: f64,
    },
    /// The run ended before the precision was reached.
    #[error(
        "the relative precision of {wanted} was not reached for {measure}{}: \
         give a longer horizon, or more replications", reached.map_or_else(String::new, |reached| format!(", but {reached:.4}"))
    )]
    Imprecise {
        /// The measure.
        measure: Measure,
        /// What was asked for.
        wanted: f64,
        /// Half-width over mean, if there is one.
        reached: Option<f64>,
    },
    /// The run ended before the count was reached.
    #[error("{replications} of the replications reached their horizon before {completions} services were completed")]
    TooFewCompleted {
        /// How many.
        replications: u64,
        /// Services asked for.
        completions: u64,
    },
}
