//! World files: six lines with the place of a raster.

use crate::raster::Georeference;
use crate::{MapError, System};
use std::path::Path;

/// A world file of a north-up raster.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct WorldFile {
    /// Width of a cell, in units of the map.
    pub cell_width: f64,
    /// Height of a cell, in units of the map.
    pub cell_height: f64,
    /// Centre of the north-western cell, in units of the map.
    pub centre: (f64, f64),
}

impl WorldFile {
    /// Reads a world file; its name stands in errors.
    ///
    /// # Errors
    /// [`MapError::Syntax`] marks a line that is no number, [`MapError::Rotated`] and [`MapError::CellSize`] name the
    /// file.
    pub fn parse(file: &Path, text: &str) -> Result<Self, MapError> {
        let mut numbers = [0.0; 6];
        let mut lines = text.lines();
        for (place, number) in numbers.iter_mut().enumerate() {
            let found = lines.next().unwrap_or_default().trim();
            *number = found.parse().ok().filter(|number: &f64| number.is_finite()).ok_or_else(|| MapError::Syntax {
                file: file.to_owned(),
                line: place + 1,
                found: found.to_owned(),
                expected: "a number; a world file has six, one on each line".to_owned(),
            })?;
        }
        let [cell_width, row_turn, column_turn, down, x, y] = numbers;
        if row_turn != 0.0 || column_turn != 0.0 || cell_width < 0.0 || down > 0.0 {
            return Err(MapError::Rotated { file: file.to_owned() });
        }
        for size in [cell_width, -down] {
            if size == 0.0 {
                return Err(MapError::CellSize { file: file.to_owned(), size });
            }
        }
        Ok(Self { cell_width, cell_height: -down, centre: (x, y) })
    }

    /// Returns the world file that describes the location of a raster.
    #[must_use]
    pub fn of(place: &Georeference) -> Self {
        Self { cell_width: place.cell_width, cell_height: place.cell_height, centre: place.point(0.5, 0.5) }
    }

    /// Returns the location of the raster in a coordinate system, which a world file does not name.
    #[must_use]
    pub fn place(&self, system: System) -> Georeference {
        Georeference {
            west: self.centre.0 - 0.5 * self.cell_width,
            north: self.centre.1 + 0.5 * self.cell_height,
            cell_width: self.cell_width,
            cell_height: self.cell_height,
            system,
        }
    }

    /// Returns the six lines of the file.
    #[must_use]
    pub fn text(&self) -> String {
        let Self { cell_width, cell_height, centre: (x, y) } = self;
        format!("{cell_width}\n0\n0\n-{cell_height}\n{x}\n{y}\n")
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn a_world_file_tells_the_centre_of_the_first_cell() {
        let text = "30.0000000000\n0.0\n0.0\n-30.0000000000\n1833840.0\n2617590.0\n";
        let world = WorldFile::parse("a.tfw".as_ref(), text).unwrap();
        let place = world.place(System::Unknown);
        assert_eq!((place.west, place.north), (1_833_825.0, 2_617_605.0));
        assert_eq!(WorldFile::parse("a.tfw".as_ref(), &WorldFile::of(&place).text()).unwrap(), world);
    }

    #[test]
    fn faults_name_the_line() {
        let fault = |text| WorldFile::parse("a.tfw".as_ref(), text).unwrap_err().to_string();
        assert!(fault("30\n0\n0\n-30\nx\n1").starts_with("a.tfw:5: found `x`, expected a number"));
        assert!(fault("30\n0\n0").starts_with("a.tfw:4: found ``"));
        assert!(fault("30\n1\n0\n-30\n0\n0").contains("rotated"));
        assert!(fault("0\n0\n0\n-30\n0\n0").contains("cell size"));
    }
}
