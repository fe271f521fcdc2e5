//! Orders to the workers that carry out runs, and their reports.

use crate::laboratory::{Fault, News};
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// Order to a worker.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) enum Order {
    /// To carry out the runs of these numbers.
    CarryOut(Vec<u64>),
    /// To break off what it is at.
    Stop,
    /// That there is nothing more to do.
    End,
}

/// Report of a worker.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) enum Report {
    /// News of runs.
    News(News),
    /// The worker has finished its order, or broke it off.
    Idle,
    /// The worker cannot continue, for this reason: it sends no more reports.
    Lost(String),
}

/// Workers, by number, wherever they are.
pub(super) trait Workers {
    /// Tells a worker what to do.
    ///
    /// # Errors
    /// The fault of the connection to the worker. A worker that has ended is reported by `receive`.
    fn order(&mut self, worker: usize, order: Order) -> Result<(), Fault>;

    /// Waits for the next report of any worker; none if none arrives in this time.
    ///
    /// # Errors
    /// The fault of the connection from the workers.
    fn receive(&mut self, at_most: Duration) -> Result<Option<(usize, Report)>, Fault>;
}
