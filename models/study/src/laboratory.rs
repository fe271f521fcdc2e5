//! Laboratories, which execute runs.

pub use super::point::{Point, PointError, Run};

use super::runs::Runs;
use serde::{Deserialize, Serialize};
use std::ops::ControlFlow;
use thiserror::Error;

/// Executor of runs of a model.
///
/// A run's result depends only on its parameters and its seed: not on other runs, on their order, or on the device.
pub trait Laboratory {
    /// Executes runs, in any order and number at a time. Calls `observer` as soon as a run is finished or has failed,
    /// and with progress in between. If `observer` breaks, the execution ends early, without an error.
    ///
    /// # Errors
    /// A fault that prevents all further runs. The failure of a single run is an [update](Update::Failed) instead.
    /// Updates from before the fault remain valid.
    fn run(&mut self, runs: &Runs<'_>, observer: &mut dyn FnMut(Update) -> ControlFlow<()>) -> Result<(), Fault>;
}

/// Reason why runs could not be executed.
pub type Fault = Box<dyn std::error::Error + Send + Sync>;

/// Report of a laboratory to its observer.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum Update {
    /// Share of the requested runs that is done, from 0 to 1.
    Progress {
        /// The share.
        share: f64,
    },
    /// A run is finished.
    Finished(Finished),
    /// A run failed. Other runs are not affected.
    Failed(Failed),
}

/// A run that failed.
#[derive(Debug, Clone, PartialEq, Eq, Error, Serialize, Deserialize)]
#[error("run {run}: {why}")]
pub struct Failed {
    /// The number of the run.
    pub run: u64,
    /// Error, its place, and the remedy.
    pub why: String,
}

/// A run that is finished.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Finished {
    /// The number of the run.
    pub run: u64,
    /// Number of events that the run took.
    pub events: u64,
    /// The value of each measure, in the order of the description; `None` if the run has no value of it. Values that
    /// are not finite count as `None`.
    pub values: Vec<Option<f64>>,
}
