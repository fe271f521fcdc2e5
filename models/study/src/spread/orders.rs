//! Orders to the workers that execute runs, and their reports.

use crate::laboratory::{Fault, Update};
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// Order to a worker.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) enum Order {
    /// Execute the runs of these numbers.
    CarryOut(Vec<u64>),
    /// Interrupt the runs in progress.
    Stop,
    /// End: no runs are left.
    End,
}

/// Report of a worker.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) enum Report {
    /// Update of the worker's laboratory.
    Update(Update),
    /// The worker has finished or interrupted its runs.
    Idle,
    /// The worker cannot continue, for this reason: it sends no more reports.
    Lost(String),
}

/// Workers by number: threads or ranks.
pub(super) trait Workers {
    /// Sends an order to a worker.
    ///
    /// # Errors
    /// The fault of the connection to the worker. A worker that has ended is reported by `receive`.
    fn order(&mut self, worker: usize, order: Order) -> Result<(), Fault>;

    /// Waits for the next report of any worker. Returns `None` if none arrives within `at_most`.
    ///
    /// # Errors
    /// The fault of the connection from the workers.
    fn receive(&mut self, at_most: Duration) -> Result<Option<(usize, Report)>, Fault>;
}
