//! Values over a grid of cells.

mod georeference;
mod keys;
mod north;
mod projection;
mod size;
mod system;
mod transform;
mod unit;

pub use georeference::Georeference;
pub use keys::GeoKeys;
pub use size::MAX_CELLS;
pub use system::System;
pub use transform::Transform;
pub use unit::Unit;

use crate::{Difference, MapError};
use std::path::Path;
use std::sync::Arc;

/// Value that stands for no data where a raster has none of its own.
pub const NO_DATA: f64 = -9999.0;

/// Type of the numbers of a raster in its file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Sample {
    /// Unsigned, 8 bits.
    U8,
    /// Signed, 8 bits.
    I8,
    /// Unsigned, 16 bits.
    U16,
    /// Signed, 16 bits.
    I16,
    /// Unsigned, 32 bits.
    U32,
    /// Signed, 32 bits.
    I32,
    /// Floating point, 32 bits.
    F32,
    /// Floating point, 64 bits.
    F64,
}

impl Sample {
    /// Returns the least and the greatest integer of the type; `None` of floating point.
    #[must_use]
    pub fn integers(self) -> Option<(f64, f64)> {
        match self {
            Sample::U8 => Some((0.0, f64::from(u8::MAX))),
            Sample::I8 => Some((f64::from(i8::MIN), f64::from(i8::MAX))),
            Sample::U16 => Some((0.0, f64::from(u16::MAX))),
            Sample::I16 => Some((f64::from(i16::MIN), f64::from(i16::MAX))),
            Sample::U32 => Some((0.0, f64::from(u32::MAX))),
            Sample::I32 => Some((f64::from(i32::MIN), f64::from(i32::MAX))),
            Sample::F32 | Sample::F64 => None,
        }
    }

    /// Returns whether the type can hold a value exactly.
    #[must_use]
    pub fn holds(self, value: f64) -> bool {
        match (self, self.integers()) {
            (_, Some((least, greatest))) => value >= least && value <= greatest && value.fract() == 0.0,
            (Sample::F32, None) => f64::from(value as f32).to_bits() == value.to_bits() || value.is_nan(),
            (_, None) => true,
        }
    }
}

/// Values over a grid of cells, row by row from the north, each row from the west.
#[derive(Debug, Clone, PartialEq)]
pub struct Raster {
    columns: u32,
    rows: u32,
    /// Shared by the clones of a raster.
    values: Arc<Vec<f64>>,
    /// Place of the grid in the world.
    pub place: Georeference,
    /// Number that stands for no data in the file, where there is one.
    pub no_data: Option<f64>,
    /// Type of the numbers in the file.
    pub sample: Sample,
    /// Scale and offset by which the file makes values of its numbers, where it has them.
    pub scaling: Option<(f64, f64)>,
}

impl Raster {
    /// Makes a raster of 32-bit floating point; a NaN is a cell without data.
    ///
    /// # Errors
    /// [`MapError::Values`] if there is not one value for each of `columns` x `rows` cells.
    pub fn new(columns: u32, rows: u32, values: Vec<f64>, place: Georeference) -> Result<Self, MapError> {
        if values.len() as u64 != u64::from(columns) * u64::from(rows) || values.is_empty() {
            return Err(MapError::Values { values: values.len(), columns, rows });
        }
        let values = Arc::new(values);
        Ok(Self { columns, rows, values, place, no_data: Some(NO_DATA), sample: Sample::F32, scaling: None })
    }

    /// Makes a raster of 32-bit floating point over the same cells; a NaN is a cell without data.
    ///
    /// # Errors
    /// [`MapError::Values`] if there is not one value for each cell.
    pub fn with_values(&self, values: Vec<f64>) -> Result<Self, MapError> {
        Self::new(self.columns, self.rows, values, self.place.clone())
    }

    /// Multiplies the numbers in a file by a scale and adds an offset, of which the values are made.
    #[must_use]
    pub(crate) fn scaled(mut self, scale: f64, offset: f64) -> Self {
        if (scale, offset) != (1.0, 0.0) {
            Arc::make_mut(&mut self.values).iter_mut().for_each(|value| *value = *value * scale + offset);
            self.scaling = Some((scale, offset));
            (self.sample, self.no_data) = (Sample::F64, self.no_data.map(|_| NO_DATA));
        }
        self
    }

    /// Returns the number of columns.
    #[must_use]
    pub fn columns(&self) -> u32 {
        self.columns
    }

    /// Returns the number of rows.
    #[must_use]
    pub fn rows(&self) -> u32 {
        self.rows
    }

    /// Returns the values, row by row from the north; NaN where there is no data.
    #[must_use]
    pub fn values(&self) -> &[f64] {
        &self.values
    }

    /// Returns the value of a cell; `None` outside of the raster and where there is no data.
    #[must_use]
    pub fn at(&self, row: u32, column: u32) -> Option<f64> {
        if row >= self.rows || column >= self.columns {
            return None;
        }
        let place = row as usize * self.columns as usize + column as usize;
        self.values.get(place).copied().filter(|value| !value.is_nan())
    }

    /// Returns the least and the greatest value; `None` if no cell has data.
    #[must_use]
    pub fn range(&self) -> Option<(f64, f64)> {
        let data = || self.values.iter().copied().filter(|value| !value.is_nan());
        let least = data().reduce(f64::min)?;
        data().reduce(f64::max).map(|greatest| (least, greatest))
    }

    /// Returns row and column of the cell that a point lies in; `None` outside of the raster.
    #[must_use]
    pub fn cell_at(&self, x: f64, y: f64) -> Option<(u32, u32)> {
        let column = ((x - self.place.west) / self.place.cell_width).floor();
        let row = ((self.place.north - y) / self.place.cell_height).floor();
        let inside = column >= 0.0 && row >= 0.0 && column < f64::from(self.columns) && row < f64::from(self.rows);
        inside.then_some((row as u32, column as u32))
    }

    /// Checks that another raster covers the same cells in the same coordinate system; an unknown system fits every
    /// other.
    ///
    /// # Errors
    /// [`MapError::Different`] names both files and the difference.
    pub fn fits(&self, file: &Path, other: &Raster, other_file: &Path) -> Result<(), MapError> {
        match self.difference(other) {
            None => Ok(()),
            Some(difference) => {
                Err(MapError::Different { first: file.to_owned(), second: other_file.to_owned(), difference })
            }
        }
    }

    /// Checks that another raster is in the same coordinate system; an unknown system fits every other.
    ///
    /// # Errors
    /// [`MapError::Different`] names both files and systems.
    pub fn shares_system(&self, file: &Path, other: &Raster, other_file: &Path) -> Result<(), MapError> {
        let Some((first, second)) = self.place.system.conflict(&other.place.system) else { return Ok(()) };
        let difference = Difference::System { first, second };
        Err(MapError::Different { first: file.to_owned(), second: other_file.to_owned(), difference })
    }

    fn difference(&self, other: &Raster) -> Option<Difference> {
        let (a, b) = (&self.place, &other.place);
        if let Some((first, second)) = a.system.conflict(&b.system) {
            return Some(Difference::System { first, second });
        }
        if (self.columns, self.rows) != (other.columns, other.rows) {
            return Some(Difference::Size { first: (self.columns, self.rows), second: (other.columns, other.rows) });
        }
        // Cell sizes may be rounded in a file, by less than a hundredth of a cell over the whole raster.
        let slack = 0.01 / f64::from(self.columns.max(self.rows));
        let differs = |a: f64, b: f64| (a - b).abs() > slack * a.abs();
        if differs(a.cell_width, b.cell_width) || differs(a.cell_height, b.cell_height) {
            let of = |place: &Georeference| (place.cell_width, place.cell_height);
            return Some(Difference::CellSize { first: of(a), second: of(b) });
        }
        let off = |a: f64, b: f64, cell: f64| (a - b).abs() > 0.01 * cell;
        if off(a.west, b.west, a.cell_width) || off(a.north, b.north, a.cell_height) {
            return Some(Difference::Corner { first: (a.west, a.north), second: (b.west, b.north) });
        }
        None
    }
}
