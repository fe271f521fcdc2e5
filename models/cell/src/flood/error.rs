//! Reasons why a flood cannot be run.

use super::MAX_WATER;
use crate::outcome::Cancelled;
use crate::sequential;
use crate::space::SpaceError;
use thiserror::Error;

/// Reasons why a flood cannot be run.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum FloodError {
    /// The grid is empty or too large.
    #[error(transparent)]
    Space(#[from] SpaceError),
    /// There are more or fewer amounts than cells.
    #[error("a grid of {height} rows and {width} columns has {cells} cells, not {found}")]
    Amounts {
        /// Rows.
        height: u32,
        /// Columns.
        width: u32,
        /// Cells.
        cells: usize,
        /// Amounts given.
        found: usize,
    },
    /// An amount is no number, or all of them are too much together.
    #[error("the cells hold {water:e} units of water, which is no amount up to {MAX_WATER}")]
    TooMuch {
        /// Units given.
        water: f64,
    },
    /// The simulated time is not a number of hours that fits.
    #[error("a flood can run for 0 to {most} hours, not {hours}", most = (u32::MAX - 2) / 3_600_000)]
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
