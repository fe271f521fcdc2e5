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
    /// The interval of the clustered engine makes a busy station slower.
    #[error(
        "events are clustered, and servers idle half an interval on average after each service: node '{label}' has a load of {raised:.4} instead of {load:.4}, {}; \
         give a shorter interval, or use the engine `exact`",
        factor.map_or_else(
            || "so its line grows as long as the run lasts".to_owned(),
            |factor| format!("so waits there are {factor:.2} times as long or longer")
        )
    )]
    Slowed {
        /// Label or number of the station.
        label: String,
        /// Load without clustering.
        load: f64,
        /// Load with clustering.
        raised: f64,
        /// Least factor by which waits grow; `None` if they grow without end.
        factor: Option<f64>,
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
