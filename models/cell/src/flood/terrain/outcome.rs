//! Result of a flood on a terrain.

use super::{UNITS_PER_METRE, metres};
use crate::outcome::Digest;
use serde::Serialize;

/// Arrival step of a cell that water does not reach.
pub const NEVER: u32 = u32::MAX;

/// Water of a run, in units of 2^-32 m of depth of one cell. All numbers are exact.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Balance {
    /// Water in the cells at the start.
    pub initial: i128,
    /// Water that rain and springs brought.
    pub received: i128,
    /// Water in the cells at the end.
    pub stored: i128,
    /// Water that left by open edges.
    pub left: i128,
}

impl Balance {
    /// Returns whether `initial + received = stored + left`.
    #[must_use]
    pub const fn is_exact(&self) -> bool {
        self.initial + self.received == self.stored + self.left
    }

    /// Returns the volume in m³ of a number of the balance, for square cells of a size in metres.
    #[must_use]
    pub fn cubic_metres(units: i128, cell_size: f64) -> f64 {
        units as f64 / UNITS_PER_METRE as f64 * cell_size * cell_size
    }
}

/// Depths, peaks and arrivals of all cells, row by row, and the balance of the water.
#[derive(Clone, Debug, PartialEq)]
pub struct Outcome {
    /// Rows of the grid.
    pub rows: u32,
    /// Columns of the grid.
    pub columns: u32,
    /// Length of a step, in seconds.
    pub step: f64,
    /// Steps simulated.
    pub steps: u32,
    /// Depth of each cell at the end, in units of 2^-32 m; -1 outside of the terrain.
    pub depths: Vec<i64>,
    /// Greatest depth of each cell at the end of any step, in units; -1 outside.
    pub peaks: Vec<i64>,
    /// First step after which a cell is at least 1 cm deep, counted from 1; 0 if it is so at the start, [`NEVER`] if it
    /// never is.
    pub arrivals: Vec<u32>,
    /// Balance of the water.
    pub balance: Balance,
}

fn in_metres(units: &[i64]) -> Vec<f64> {
    units.iter().map(|&units| if units < 0 { f64::NAN } else { metres(units) }).collect()
}

impl Outcome {
    /// Returns the depth of each cell at the end, in metres; NaN outside of the terrain.
    #[must_use]
    pub fn depths_in_metres(&self) -> Vec<f64> {
        in_metres(&self.depths)
    }

    /// Returns the greatest depth of each cell, in metres; NaN outside of the terrain.
    #[must_use]
    pub fn peaks_in_metres(&self) -> Vec<f64> {
        in_metres(&self.peaks)
    }

    /// Returns the seconds until the water of each cell is 1 cm deep; NaN where it never is.
    #[must_use]
    pub fn arrivals_in_seconds(&self) -> Vec<f64> {
        let seconds = |&step: &u32| if step == NEVER { f64::NAN } else { f64::from(step) * self.step };
        self.arrivals.iter().map(seconds).collect()
    }

    /// Returns the number of cells that water reached.
    #[must_use]
    pub fn cells_reached(&self) -> u64 {
        self.arrivals.iter().filter(|&&step| step != NEVER).count() as u64
    }

    /// Returns the greatest depth of all cells at any time, in metres.
    #[must_use]
    pub fn deepest(&self) -> f64 {
        metres(self.peaks.iter().copied().max().unwrap_or(0).max(0))
    }

    /// Returns the digest of depths, peaks, arrivals and balance.
    #[must_use]
    pub fn digest(&self) -> Digest {
        let shape = [u64::from(self.rows), u64::from(self.columns), self.step.to_bits(), u64::from(self.steps)];
        let Balance { initial, received, stored, left } = self.balance;
        let balance: Vec<u64> =
            [initial, received, stored, left].iter().flat_map(|&units| [units as u64, (units >> 64) as u64]).collect();
        let numbers = |units: &[i64]| units.iter().map(|&units| units as u64).collect::<Vec<_>>();
        let arrivals: Vec<u64> = self.arrivals.iter().map(|&step| u64::from(step)).collect();
        Digest::of([&shape[..], &balance, &numbers(&self.depths), &numbers(&self.peaks), &arrivals])
    }
}
