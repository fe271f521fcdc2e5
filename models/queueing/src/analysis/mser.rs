//! MSER-5: the warm-up from a series of observations.

use super::sample::Sample;
use crate::measures::Measure;
use imminent_common::output::{Truncation, mser};
use thiserror::Error;

/// Number of cells of a batch of MSER-5.
pub(super) const BATCH: usize = 5;

/// MSER-5 found no steady state in a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error(
    "MSER-5 finds no steady state of {measure}: it would delete more than half of {}. Give a horizon that is twice as long, or the warm-up as a time",
    if *replications == 1 { "the run".to_owned() } else { format!("the {replications} replications") }
)]
pub struct NotSettled {
    /// Measure of the plan.
    pub measure: Measure,
    /// Number of replications.
    pub replications: u64,
}

/// Applies MSER-5 to some cells. If there are fewer than it needs, they have not settled.
pub(super) fn truncation(cells: &[Sample], measure: Measure) -> Truncation {
    mser(&Sample::series(cells, measure), BATCH).unwrap_or(Truncation { removed: 0, settled: false })
}

/// Returns the half that contains a replication.
pub(crate) const fn half_of(replication: u64) -> usize {
    (replication % 2) as usize
}
