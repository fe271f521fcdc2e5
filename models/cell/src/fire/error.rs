//! Reasons why a fire cannot be run.

use crate::outcome::Cancelled;
use crate::sequential;
use crate::space::SpaceError;
use thiserror::Error;

/// Reasons why a fire cannot be run.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum FireError {
    /// The grid is empty or too large.
    #[error(transparent)]
    Space(#[from] SpaceError),
    /// An ignition lies outside the grid.
    #[error(
        "ignition {row},{column} is outside the grid of {height} rows and {width} columns: rows and columns count from 0"
    )]
    Outside {
        /// Row asked for.
        row: u32,
        /// Column asked for.
        column: u32,
        /// Rows that there are.
        height: u32,
        /// Columns that there are.
        width: u32,
    },
    /// The simulated time is not a number of hours that fits.
    #[error("a fire can burn for 0 to {most} hours, not {hours}", most = (u32::MAX - 2) / 3_600_000)]
    Hours {
        /// Hours asked for.
        hours: f64,
    },
    /// The device failed.
    #[error(transparent)]
    Device(#[from] imminent_core::Error),
    /// A rule failed, in the sequential engine.
    #[error(transparent)]
    Rule(#[from] sequential::RuleError),
    /// The run was cancelled by its progress function.
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
}
