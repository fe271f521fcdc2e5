//! A fire to run.

use super::error::FireError;
use super::outcome::NEVER;
use crate::space::{Border, CellSpace};
use crate::time::MILLISECONDS_PER_HOUR;

/// A grid of one fuel and the cells that are lit.
#[derive(Clone, Debug, PartialEq)]
pub struct Fire {
    pub(super) height: u32,
    pub(super) width: u32,
    pub(super) ignitions: Vec<(u32, u32)>,
    pub(super) horizon: u32,
}

impl Fire {
    /// Describes a fire of some hours in a grid whose cells at `ignitions` (row, column) are lit at the start.
    ///
    /// # Errors
    /// [`FireError::Space`], [`FireError::Outside`], [`FireError::Hours`].
    pub fn new(height: u32, width: u32, ignitions: &[(u32, u32)], hours: f64) -> Result<Self, FireError> {
        let milliseconds = hours * MILLISECONDS_PER_HOUR;
        if !(0.0..f64::from(NEVER - 1)).contains(&milliseconds) {
            return Err(FireError::Hours { hours });
        }
        let space = CellSpace::plane(height, width, Border::Open)?;
        if let Some(&(row, column)) = ignitions.iter().find(|&&(row, column)| space.cell(&[row, column]).is_none()) {
            return Err(FireError::Outside { row, column, height, width });
        }
        Ok(Fire { height, width, ignitions: ignitions.to_vec(), horizon: milliseconds as u32 })
    }

    /// Returns the number of rows of the grid.
    #[must_use]
    pub const fn height(&self) -> u32 {
        self.height
    }

    /// Returns the number of columns of the grid.
    #[must_use]
    pub const fn width(&self) -> u32 {
        self.width
    }

    /// Returns the last time that is simulated, in milliseconds.
    #[must_use]
    pub const fn horizon(&self) -> u32 {
        self.horizon
    }

    /// Returns the cells that are lit at the start, by row and column.
    #[must_use]
    pub fn ignitions(&self) -> &[(u32, u32)] {
        &self.ignitions
    }
}
