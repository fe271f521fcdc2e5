//! Winds over a landscape by the hour, in place of the one wind of the weather.

use super::weather::{Between, FROM_RANGE, MAX_WIND, between, blowing, mixed};
use std::sync::Arc;
use thiserror::Error;

/// Largest hour that is accepted.
const MAX_HOUR: f64 = 1e6;

/// A cell of the rasters that no cell which burns has.
const UNUSED: u32 = u32::MAX;

const SPEED: &str = "speed of the wind";
const FROM: &str = "direction of the wind";

/// Reasons why winds cannot be used.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum WindsError {
    /// There is no hour.
    #[error("there are no winds: give rasters of at least one hour")]
    Empty,
    /// Hours are not in ascending order.
    #[error("winds {index} are of hour {hour}: give ascending hours from -{MAX_HOUR} to {MAX_HOUR}")]
    Hour {
        /// Position in the list, from 0.
        index: usize,
        /// The hour.
        hour: f64,
    },
    /// A raster has another number of values than the first one.
    #[error("the {what} of hour {hour} has {found} values, and the first raster {expected}: give rasters of one grid")]
    Size {
        /// Speed or direction.
        what: &'static str,
        /// Hour of the raster.
        hour: f64,
        /// Values that it has.
        found: usize,
        /// Values of the first raster.
        expected: usize,
    },
    /// The landscape has another number of cells than have a place in the rasters.
    #[error("{found} cells have a place in the rasters of wind, and the landscape has {expected}: give each cell one")]
    Cells {
        /// Cells that have a place.
        found: usize,
        /// Cells of the landscape.
        expected: usize,
    },
    /// A cell that burns has no wind, or an impossible one.
    #[error(
        "row {row}, column {column} of the landscape has a {what} of {value} at hour {hour}: cells that burn need one of {least} to {most}"
    )]
    Value {
        /// Speed or direction.
        what: &'static str,
        /// Hour of the raster.
        hour: f64,
        /// Row of the cell.
        row: u32,
        /// Column of the cell.
        column: u32,
        /// Value of the raster; NaN where it has none.
        value: f64,
        /// Least value that can be.
        least: f64,
        /// Greatest value that can be.
        most: f64,
    },
}

/// Winds of one hour, by the cells of a raster.
#[derive(Clone, Debug, PartialEq)]
pub struct HourlyWind {
    /// Hours since the start of the fire; below 0 before it.
    pub hour: f64,
    /// Speed at 20 ft above the vegetation, in m/s; NaN where it is not known.
    pub speed: Vec<f64>,
    /// Direction from which the wind blows, in degrees clockwise from true north; NaN where it is not known.
    pub from: Vec<f64>,
}

/// Winds over a landscape at some hours.
///
/// Rasters may be coarser than the landscape: each cell of it has the wind of one of their cells. Between two hours the
/// northward and the eastward part of the wind are interpolated linearly, as those of [`Weather`](super::Weather) are.
/// The wind is constant before the first hour and after the last one.
///
/// ```
/// use imminent_cell::landscape::{HourlyWind, synthetic};
///
/// let landscape = synthetic(20, 30, 1)?;
/// // Rasters of two cells: the western and the eastern half of each row.
/// let cell_of: Vec<Option<u32>> = (0..600).map(|cell| Some(cell % 30 / 15)).collect();
/// let morning = HourlyWind { hour: 0.0, speed: vec![2.0, 3.0], from: vec![270.0, 250.0] };
/// let noon = HourlyWind { hour: 3.0, speed: vec![8.0, 12.0], from: vec![300.0, 280.0] };
/// let winds = landscape.winds_of(2, &cell_of)?.with_hour(morning)?.with_hour(noon)?;
/// let landscape = landscape.with_winds(winds)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Winds {
    /// Cell of the rasters for each cell of the landscape.
    cell_of: Arc<[u32]>,
    /// For each cell of the rasters, the first cell of the landscape that burns in its wind, or [`UNUSED`].
    used_by: Arc<[u32]>,
    columns: u32,
    /// Hours in ascending order, with the numbers of their grids.
    hours: Vec<(f64, usize)>,
    /// Northward and eastward parts of where the wind blows to, in m/s, by the cells of the rasters. Consecutive hours
    /// of equal winds have one grid.
    grids: Vec<Arc<[[f64; 2]]>>,
}

/// Winds at a time: two grids, and the share of the second one.
pub(super) type WindTime = Between;

impl Winds {
    /// Prepares winds in rasters of some cells for a landscape of some columns. `cell_of` has for each of its cells
    /// that of the rasters, and `burns` tells which cells burn.
    pub(super) fn new(cells: u32, cell_of: &[Option<u32>], columns: u32, burns: impl Fn(usize) -> bool) -> Self {
        // One cell more for what has no place, which has no wind.
        let mut used_by = vec![UNUSED; cells as usize + 1];
        let cell_of: Vec<u32> = cell_of.iter().map(|of| of.filter(|of| *of < cells).unwrap_or(cells)).collect();
        for (cell, &of) in cell_of.iter().enumerate() {
            let used = used_by.get_mut(of as usize).filter(|used| **used == UNUSED);
            if let Some(used) = used.filter(|_| burns(cell)) {
                *used = cell as u32;
            }
        }
        let (cell_of, used_by) = (cell_of.into(), used_by.into());
        Winds { cell_of, used_by, columns, hours: Vec::new(), grids: Vec::new() }
    }

    /// Adds the winds of an hour after those before.
    ///
    /// # Errors
    /// [`WindsError`].
    pub fn with_hour(mut self, HourlyWind { hour, mut speed, mut from }: HourlyWind) -> Result<Self, WindsError> {
        if self.hours.last().is_some_and(|(before, _)| hour <= *before) || !(-MAX_HOUR..=MAX_HOUR).contains(&hour) {
            return Err(WindsError::Hour { index: self.hours.len(), hour });
        }
        let expected = self.used_by.len() - 1;
        for (what, values, (least, most)) in [(SPEED, &mut speed, (0.0, MAX_WIND)), (FROM, &mut from, FROM_RANGE)] {
            if values.len() != expected {
                return Err(WindsError::Size { what, hour, found: values.len(), expected });
            }
            values.push(f64::NAN);
            let is_bad = |(value, by): (&f64, &u32)| *by != UNUSED && !(least..=most).contains(value);
            if let Some(at) = values.iter().zip(self.used_by.iter()).position(is_bad) {
                let (cell, value) = (self.used_by.get(at).copied().unwrap_or(0), values.get(at).copied());
                let (row, column) = (cell / self.columns.max(1), cell % self.columns.max(1));
                let value = value.unwrap_or(f64::NAN);
                return Err(WindsError::Value { what, hour, row, column, value, least, most });
            }
        }
        let winds = speed.iter().zip(&from).zip(self.used_by.iter());
        // A wind that no cell has is none, so that grids of equal winds are equal.
        let parts = |((&speed, &from), &by): ((&f64, &f64), &u32)| {
            if by == UNUSED { [0.0; 2] } else { blowing(speed, from) }
        };
        let grid: Arc<[[f64; 2]]> = winds.map(parts).collect();
        if self.grids.last().is_none_or(|before| *before != grid) {
            self.grids.push(grid);
        }
        self.hours.push((hour, self.grids.len() - 1));
        Ok(self)
    }

    /// Returns the hours in ascending order.
    pub fn hours(&self) -> impl DoubleEndedIterator<Item = f64> {
        self.hours.iter().map(|(hour, _)| *hour)
    }

    /// Returns the number of cells of the landscape that they are for.
    pub(super) fn cells(&self) -> usize {
        self.cell_of.len()
    }

    /// Returns the winds at an hour.
    pub(super) fn at(&self, hour: f64) -> WindTime {
        let place = between(&self.hours, |(hour, _)| *hour, hour).unwrap_or_default();
        let grid = |at: usize| self.hours.get(at).map_or(0, |(_, grid)| *grid);
        let (before, after) = (grid(place.before), grid(place.after));
        Between { before, after, share: if before == after { 0.0 } else { place.share } }
    }

    /// Returns the northward and eastward part of the wind in a cell of the landscape.
    pub(super) fn in_cell(&self, time: WindTime, cell: usize) -> [f64; 2] {
        let wind = |grid: usize| {
            let at = self.cell_of.get(cell).copied().unwrap_or(UNUSED);
            self.grids.get(grid).and_then(|grid| grid.get(at as usize)).copied().unwrap_or_default()
        };
        if time.before == time.after {
            wind(time.before)
        } else {
            mixed(wind(time.before), wind(time.after), time.share)
        }
    }
}
