//! Reasons why a terrain flood cannot be run.

use crate::outcome::Cancelled;
use crate::space::SpaceError;
use thiserror::Error;

/// Reasons why a terrain flood cannot be described or run.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum TerrainError {
    /// The grid is empty or too large.
    #[error(transparent)]
    Space(#[from] SpaceError),
    /// There are more or fewer numbers than cells.
    #[error("a grid of {rows} rows and {columns} columns has {cells} cells, not {found} {what}")]
    Cells {
        /// Rows.
        rows: u32,
        /// Columns.
        columns: u32,
        /// Cells.
        cells: usize,
        /// Numbers given.
        found: usize,
        /// Meaning of the numbers.
        what: &'static str,
    },
    /// An elevation is infinite or out of range.
    #[error(
        "the elevation of the cell in row {row}, column {column} is {metres} m; give -100000 to 100000 m, or NaN for a cell outside"
    )]
    Elevation {
        /// Row.
        row: u32,
        /// Column.
        column: u32,
        /// Elevation given.
        metres: f64,
    },
    /// A number is negative, too large or no number.
    #[error("{what} is {value}: give a number from {least} to {most}")]
    Number {
        /// The quantity, with its unit.
        what: &'static str,
        /// Value given.
        value: f64,
        /// Least that it can be.
        least: f64,
        /// Most that it can be.
        most: f64,
    },
    /// A spring or a zone lies outside the grid.
    #[error(
        "row {row}, column {column} is outside the grid of {rows} rows and {columns} columns: rows and columns count from 0"
    )]
    Outside {
        /// Row asked for.
        row: u32,
        /// Column asked for.
        column: u32,
        /// Rows that there are.
        rows: u32,
        /// Columns that there are.
        columns: u32,
    },
    /// A spring is in a cell without an elevation.
    #[error("the spring in row {row}, column {column} is in a cell without an elevation: move it onto the terrain")]
    NoGround {
        /// Row of the spring.
        row: u32,
        /// Column of the spring.
        column: u32,
    },
    /// More water comes than numbers can hold.
    #[error("{metres:e} m of water over one cell come together, more than {most:e}: shorten the run or let less water in", most = super::MAX_WATER as f64 / super::UNITS_PER_METRE as f64)]
    TooMuch {
        /// Water of the run, in metres of depth of one cell.
        metres: f64,
    },
    /// The device failed.
    #[error(transparent)]
    Device(#[from] imminent_core::Error),
    /// The run was cancelled by its progress function.
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
}

/// A number within bounds, or the error that says so.
pub(super) fn within(what: &'static str, value: f64, least: f64, most: f64) -> Result<f64, TerrainError> {
    if (least..=most).contains(&value) { Ok(value) } else { Err(TerrainError::Number { what, value, least, most }) }
}
