//! Result of a flood.

use super::water;
use crate::outcome::Digest;

/// Amounts of all cells and the statistics of the run.
#[derive(Clone, Debug, PartialEq)]
pub struct Outcome {
    /// Rows of the grid.
    pub height: u32,
    /// Columns of the grid.
    pub width: u32,
    /// Simulated time, in milliseconds.
    pub horizon: u32,
    /// Amount of water of each cell, in steps of 2^-32 units, row by row; -1 for walls.
    pub amounts: Vec<i64>,
    /// Number of distinct times at which cells changed.
    pub distinct_times: u64,
    /// Changes of cells.
    pub outputs: u64,
}

impl Outcome {
    /// Returns the volume of water in all cells, in steps of 2^-32 units.
    #[must_use]
    pub fn volume(&self) -> i64 {
        self.amounts.iter().filter(|&&amount| amount > 0).sum()
    }

    /// Returns the volume of water in all cells, in units of water.
    #[must_use]
    pub fn water(&self) -> f64 {
        water(self.volume())
    }

    /// Returns the digest of the amounts and the statistics.
    #[must_use]
    pub fn digest(&self) -> Digest {
        let shape = [u64::from(self.height), u64::from(self.width), u64::from(self.horizon)];
        let counts = [self.distinct_times, self.outputs];
        let amounts: Vec<u64> = self.amounts.iter().map(|&amount| amount as u64).collect();
        Digest::of([&shape[..], &counts[..], &amounts[..]])
    }
}
