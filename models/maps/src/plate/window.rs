//! Part of a raster that is drawn.

use crate::{Georeference, MapError, Raster};

/// Part of a raster, in cells.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Window {
    /// First row.
    pub row: u32,
    /// First column.
    pub column: u32,
    rows: u32,
    columns: u32,
}

impl Window {
    /// Returns the window of all cells.
    #[must_use]
    pub fn whole(raster: &Raster) -> Self {
        Self { row: 0, column: 0, rows: raster.rows(), columns: raster.columns() }
    }

    /// Returns the window of the cells with data and a margin; all cells if that would be most of them.
    #[must_use]
    pub fn around(raster: &Raster) -> Self {
        let columns = raster.columns().max(1);
        let (mut top, mut left, mut bottom, mut right) = (u32::MAX, u32::MAX, 0, 0);
        for (cell, _) in raster.values().iter().enumerate().filter(|(_, value)| !value.is_nan()) {
            let (row, column) = (cell as u32 / columns, cell as u32 % columns);
            (top, left) = (top.min(row), left.min(column));
            (bottom, right) = (bottom.max(row), right.max(column));
        }
        if top > bottom {
            return Self::whole(raster);
        }
        let side = (bottom - top).max(right - left) + 1;
        // Room for a legend beside it, and for hills to be recognized.
        let reach = (side + side / 2).max(120);
        let along = |first: u32, last: u32, all: u32| {
            let from = ((first + last) / 2).saturating_sub(reach / 2).min(all.saturating_sub(reach));
            (from, reach.min(all))
        };
        let ((row, rows), (column, columns)) = (along(top, bottom, raster.rows()), along(left, right, columns));
        if 2 * rows > raster.rows() && 2 * columns > raster.columns() {
            return Self::whole(raster);
        }
        Self { row, column, rows, columns }
    }

    /// Returns the number that a cell of the window has in the raster.
    #[must_use]
    pub fn cell(&self, cell: usize, columns: u32) -> usize {
        let own = self.columns.max(1) as usize;
        (self.row as usize + cell / own) * columns as usize + self.column as usize + cell % own
    }

    /// Returns the cells of the window as a raster.
    ///
    /// # Errors
    /// [`MapError::Empty`] for a window without cells.
    pub fn cut(&self, raster: &Raster) -> Result<Raster, MapError> {
        let cells = self.rows as usize * self.columns as usize;
        let value = |cell| raster.values().get(self.cell(cell, raster.columns())).copied().unwrap_or(f64::NAN);
        let (west, north) = raster.place.point(f64::from(self.column), f64::from(self.row));
        let place = Georeference { west, north, ..raster.place.clone() };
        Raster::new(self.columns, self.rows, (0..cells).map(value).collect(), place)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn the_window_of_a_small_fire_is_a_part_with_the_fire_in_it() {
        let time =
            |cell: u32| if (cell / 500).abs_diff(7) < 5 && (cell % 500).abs_diff(300) < 20 { 1.0 } else { f64::NAN };
        let raster =
            Raster::new(500, 400, (0..200_000).map(time).collect(), Georeference::square(0.0, 12_000.0, 30.0)).unwrap();
        let window = Window::around(&raster);
        let part = window.cut(&raster).unwrap();
        assert_eq!((window.row, window.column, part.rows(), part.columns()), (0, 240, 120, 120));
        assert_eq!((part.place.west, part.place.north), (7200.0, 12_000.0));
        let burnt = |raster: &Raster| raster.values().iter().filter(|value| !value.is_nan()).count();
        assert_eq!(burnt(&part), burnt(&raster));
        let nothing = raster.with_values(vec![f64::NAN; 200_000]).unwrap();
        assert_eq!(Window::around(&nothing), Window::whole(&raster));
    }
}
