//! A flood to run.

use super::error::FloodError;
use super::{MAX_WATER, PERIOD, amount, water};
use crate::space::{Border, CellSpace};
use crate::time::MILLISECONDS_PER_HOUR;

/// Water in a grid.
#[derive(Clone, Debug, PartialEq)]
pub struct Flood {
    pub(super) height: u32,
    pub(super) width: u32,
    pub(super) amounts: Vec<i64>,
    pub(super) horizon: u32,
}

impl Flood {
    /// Describes a flood of some hours from the water in each cell, row by row; a negative number is a wall.
    ///
    /// # Errors
    /// [`FloodError::Space`], [`FloodError::Amounts`], [`FloodError::TooMuch`], [`FloodError::Hours`].
    pub fn new(height: u32, width: u32, cells: &[f64], hours: f64) -> Result<Self, FloodError> {
        let milliseconds = hours * MILLISECONDS_PER_HOUR;
        if !(0.0..f64::from(u32::MAX - 1)).contains(&milliseconds) {
            return Err(FloodError::Hours { hours });
        }
        let space = CellSpace::plane(height, width, Border::Open)?;
        if space.cells() != cells.len() {
            let (cells, found) = (space.cells(), cells.len());
            return Err(FloodError::Amounts { height, width, cells, found });
        }
        let sum: f64 = cells.iter().map(|&water| if water < 0.0 { 0.0 } else { water }).sum();
        if !(0.0..=MAX_WATER).contains(&sum) {
            return Err(FloodError::TooMuch { water: sum });
        }
        let amounts = cells.iter().map(|&water| amount(water)).collect();
        Ok(Flood { height, width, amounts, horizon: milliseconds as u32 })
    }

    /// Describes the dense flood: four sources at the quarter points, which would fill the grid to `depth` units when
    /// level (MODELS 1.4).
    ///
    /// # Errors
    /// As for [`Flood::new`].
    pub fn dense(height: u32, width: u32, depth: f64, hours: f64) -> Result<Self, FloodError> {
        let space = CellSpace::plane(height, width, Border::Open)?;
        let mut cells = vec![0.0; space.cells()];
        for row in [height / 4, height - 1 - height / 4] {
            for column in [width / 4, width - 1 - width / 4] {
                if let Some(cell) = space.cell(&[row, column]).and_then(|cell| cells.get_mut(cell as usize)) {
                    *cell = f64::from(height) * f64::from(width) / 4.0 * depth;
                }
            }
        }
        Self::new(height, width, &cells, hours)
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

    /// Returns the initial amounts in steps of 2^-32 units; -1 for walls.
    #[must_use]
    pub fn amounts(&self) -> &[i64] {
        &self.amounts
    }

    /// Returns the last time that is simulated, in milliseconds.
    #[must_use]
    pub const fn horizon(&self) -> u32 {
        self.horizon
    }

    /// Returns the number of steps until the horizon.
    #[must_use]
    pub fn steps(&self) -> u64 {
        u64::from(self.horizon / PERIOD)
    }

    /// Returns the water of each cell at the start, in units; -1 for walls.
    #[must_use]
    pub fn cells(&self) -> Vec<f64> {
        self.amounts.iter().map(|&amount| water(amount)).collect()
    }
}
