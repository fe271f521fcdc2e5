//! Shape of the tables of tiles.

use super::super::kernels::SIDE;
use super::super::kernels::tiles::Grid;
use super::super::plan::Plan;

/// Cells of a tile.
pub(super) const CELLS: usize = (SIDE * SIDE) as usize;

/// Shape of the tables.
#[derive(Clone, Copy)]
pub(super) struct Shape {
    /// Tiles of all colours side by side, and one above the other.
    pub(super) columns: usize,
    pub(super) lines: usize,
    /// Tiles of a colour side by side, and one above the other.
    pub(super) across: usize,
    pub(super) down: usize,
    /// Fires of a round.
    pub(super) fires: usize,
}

impl Shape {
    pub(super) fn new(plan: &Plan, fires: usize) -> Self {
        let side = SIDE as usize;
        let columns = (plan.landscape.columns() as usize).div_ceil(side);
        let lines = (plan.landscape.rows() as usize).div_ceil(side);
        Shape { columns, lines, across: columns.div_ceil(2), down: lines.div_ceil(2), fires }
    }

    pub(super) fn tiles(&self) -> usize {
        self.columns * self.lines
    }

    /// Returns the number of tiles of a colour.
    pub(super) fn places(&self) -> usize {
        self.across * self.down
    }

    /// Parameters of the kernels for a colour; `cells` is the place of the first cell's word.
    pub(super) fn grid(&self, plan: &Plan, cells: u32, colour: usize) -> Grid {
        Grid {
            fires: self.fires as u32,
            across: self.across as u32,
            columns: self.columns as u32,
            lines: self.lines as u32,
            odd_x: (colour % 2) as u32,
            odd_y: (colour / 2) as u32,
            cells,
            stride: (self.tiles() * CELLS) as u32,
            band: plan.bands.length,
            bands: plan.bands.count,
            horizon: plan.horizon,
        }
    }

    /// Returns the number of the cell at a place of a tile of a colour; `None` beyond the edge of the landscape.
    pub(super) fn cell(&self, plan: &Plan, colour: usize, place: usize, at: usize) -> Option<usize> {
        let side = SIDE as usize;
        let (x, y) = (2 * (place % self.across) + colour % 2, 2 * (place / self.across) + colour / 2);
        plan.landscape.cell((y * side + at / side) as u32, (x * side + at % side) as u32)
    }
}
