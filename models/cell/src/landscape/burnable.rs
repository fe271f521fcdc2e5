//! Cells of a landscape that can burn, among which ignitions are drawn.

use super::layers::Landscape;
use imminent_common::streams::{StreamKey, below};

/// Cells of a landscape that can burn, in the order of their numbers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BurnableCells {
    columns: u32,
    cells: Vec<u32>,
}

impl BurnableCells {
    /// Lists the cells of a landscape that can burn.
    #[must_use]
    pub fn of(landscape: &Landscape) -> Self {
        let burns = |cell: &usize| landscape.site(*cell).is_some();
        let cells = (0..landscape.cells()).filter(burns).map(|cell| cell as u32).collect();
        BurnableCells { columns: landscape.columns(), cells }
    }

    /// Returns the number of cells that can burn.
    #[must_use]
    pub fn count(&self) -> usize {
        self.cells.len()
    }

    /// Draws the row and column of the cell in which fire number `fire` of a seed is lit, uniform over all cells;
    /// `None` if no cell can burn. [`Ensemble::drawn`](super::Ensemble::drawn) lights the same cells. Determinism
    /// class: exact.
    #[must_use]
    pub fn draw(&self, seed: u64, fire: u32) -> Option<(u32, u32)> {
        let (cell, _) = self.draw_with(seed, fire, 1)?;
        Some((cell / self.columns, cell % self.columns))
    }

    /// Draws the number of the cell in which a fire is lit, and then a number below `choices`, from the fire's own
    /// PCG32 stream of the seed.
    pub(super) fn draw_with(&self, seed: u64, fire: u32, choices: u32) -> Option<(u32, u32)> {
        let mut stream = StreamKey::new(seed, u64::from(fire)).start().generator();
        let at = below(&mut stream, self.cells.len() as u64) as usize;
        Some((*self.cells.get(at)?, below(&mut stream, u64::from(choices)) as u32))
    }
}
