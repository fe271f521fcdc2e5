//! Replications of one scenario on any engine, with the observations that a plan asks for.

mod error;
mod input;
mod replications;

pub use crate::analysis::Findings;
pub use crate::spent::Timed;
pub use error::{ExperimentError, SetUpError};
pub use input::Experiment;

use imminent_core::WorkUnit;

/// Unit of the work of queueing networks: services and arrivals. One thread carries out 12 to 45 M in a second.
pub const EVENTS: WorkUnit = WorkUnit::new("events", 12e6);

#[cfg(test)]
mod tests;
