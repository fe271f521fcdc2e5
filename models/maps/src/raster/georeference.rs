//! Place of a grid in the world.

use super::System;

/// Place of a north-up grid in the world.
#[derive(Debug, Clone, PartialEq)]
pub struct Georeference {
    /// Western edge of the first column, in units of the map.
    pub west: f64,
    /// Northern edge of the first row, in units of the map.
    pub north: f64,
    /// Width of a cell, in units of the map; positive.
    pub cell_width: f64,
    /// Height of a cell, in units of the map; positive.
    pub cell_height: f64,
    /// Coordinate system.
    pub system: System,
}

impl Georeference {
    /// Makes the place of a grid with square cells and an unknown coordinate system.
    #[must_use]
    pub fn square(west: f64, north: f64, cell: f64) -> Self {
        Self { west, north, cell_width: cell, cell_height: cell, system: System::Unknown }
    }

    /// Returns the map coordinates of a point that is given in columns from the western and rows from the northern
    /// edge.
    #[must_use]
    pub fn point(&self, column: f64, row: f64) -> (f64, f64) {
        (self.west + column * self.cell_width, self.north - row * self.cell_height)
    }

    /// Returns whether width and height of cells agree within a millionth.
    #[must_use]
    pub fn is_square(&self) -> bool {
        (self.cell_width - self.cell_height).abs() <= 1e-6 * self.cell_width
    }

    /// Returns the width of a cell in metres; `None` if the map is in degrees.
    ///
    /// A map without a unit is taken to be in metres.
    #[must_use]
    pub fn cell_metres(&self) -> Option<f64> {
        Some(self.cell_width * self.system.unit().metres()?)
    }
}
