//! Errors of scenarios and their runs.

use crate::engine::Failure;
use crate::engine::kernels::space::NEVER;
use crate::outcome::Cancelled;
use crate::sequential::RuleError;
use crate::space::SpaceError;
use thiserror::Error;

/// The latest end of a run, in milliseconds: about 49 days.
pub const MAX_TIME: u32 = NEVER - 2;

/// Reasons why a scenario cannot be made.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum CellsError {
    /// The space cannot be made.
    #[error(transparent)]
    Space(#[from] SpaceError),
    /// The neighbourhood of the space has more cells than the rule is written for.
    #[error(
        "the neighbourhood has {found} cells, and the rule takes {most}: raise `neighbours` in `cell_model!`, or use a smaller neighbourhood"
    )]
    Neighbours {
        /// Cells of the neighbourhood.
        found: usize,
        /// Cells that the rule takes.
        most: usize,
    },
    /// A list with an entry for each cell has another length.
    #[error("there are {found} {what} for {cells} cells: give each cell one, in the order of cells")]
    Length {
        /// Name of the entries.
        what: &'static str,
        /// Number of entries.
        found: usize,
        /// Cells of the space.
        cells: usize,
    },
    /// An external event comes to a cell outside the space.
    #[error("an event at {time} ms comes to cell {cell}, and the space has {cells} cells: number cells from 0")]
    Outside {
        /// Cell of the event.
        cell: u32,
        /// Time of the event, in milliseconds.
        time: u32,
        /// Cells of the space.
        cells: usize,
    },
    /// Two external events come to one cell at one time.
    #[error(
        "two events come to cell {cell} at {time} ms, and a cell takes one: combine their values, for instance with `Cells::with_merged_events`"
    )]
    Twice {
        /// Cell of the events.
        cell: u32,
        /// Time of the events, in milliseconds.
        time: u32,
    },
}

/// Reasons why a scenario cannot be run.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum RunError {
    /// The device failed.
    #[error(transparent)]
    Device(#[from] imminent_core::Error),
    /// The rule failed, or its delays of 0 go on for ever.
    #[error(transparent)]
    Rule(#[from] RuleError),
    /// The end of the run exceeds the range of a clock of 32 bits.
    #[error("a run can last {most} ms at most, not {horizon}: use a coarser unit of time", most = MAX_TIME)]
    Horizon {
        /// End asked for, in milliseconds.
        horizon: u32,
    },
    /// The run was cancelled by its progress function.
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
}

impl From<Failure> for RunError {
    fn from(failure: Failure) -> Self {
        match failure {
            Failure::Device(error) => RunError::Device(error),
            Failure::Rule(error) => RunError::Rule(error),
            Failure::Cancelled(cancelled) => RunError::Cancelled(cancelled),
        }
    }
}
