//! Winds over a landscape by the hour, in place of the one wind of the weather.

use super::weather::{MAX_WIND, blowing, mixed, neighbours};
use std::sync::Arc;
use thiserror::Error;

/// Largest hour that is accepted.
const MAX_HOUR: f64 = 1e6;

/// Reasons why winds cannot be used.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum WindsError {
    /// There is no raster.
    #[error("there are no winds: give rasters of at least one hour")]
    Empty,
    /// Hours are not in ascending order.
    #[error("winds {index} are of hour {hour}: give ascending hours from 0 to {MAX_HOUR}")]
    Hour {
        /// Position in the list, from 0.
        index: usize,
        /// The hour.
        hour: f64,
    },
    /// A raster has another number of values than the others.
    #[error("the {what} of hour {hour} has {found} values, and the first raster has {expected}: give all rasters of one grid")]
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
    /// The landscape has another number of cells than there are cells with a place in the rasters.
    #[error("{found} cells have a place in the rasters of wind, and the landscape has {expected}: give one for each cell")]
    Cells {
        /// Cells that have a place.
        found: usize,
        /// Cells of the landscape.
        expected: usize,
    },
    /// A cell that burns has no wind, or an impossible one.
    #[error(
        "row {row}, column {column} of the landscape has a {what} of {value} at hour {hour}: values are {least} to {most}, and cells that burn need one"
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

/// Winds of one hour over the cells of a raster.
#[derive(Clone, Debug, PartialEq)]
pub struct HourlyWind {
    /// Hours since the start of the fire.
    pub hour: f64,
    /// Speed at 20 ft above the vegetation, in m/s; NaN where it is not known.
    pub speed: Vec<f64>,
    /// Direction from which the wind blows, in degrees clockwise from true north; NaN where it is not known.
    pub from: Vec<f64>,
}

/// Winds over a landscape at some hours.
///
/// The rasters may be coarser than the landscape: each cell of it has the wind of one cell of the rasters. Between two
/// hours the northward and the eastward part of the wind are interpolated linearly, as those of
/// [`Weather`](super::Weather) are; the wind is constant before the first hour and after the last one.
#[derive(Clone, Debug, PartialEq)]
pub struct Winds {
    /// Cell of the rasters for each cell of the landscape; any number where none is.
    cell_of: Arc<[u32]>,
    hours: Vec<f64>,
    /// Northward and eastward parts of where the wind blows to, in m/s, for each hour. Equal neighbours are shared.
    winds: Vec<Arc<[[f64; 2]]>>,
}

/// Place of an hour among those of winds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct WindTime {
    before: usize,
    after: usize,
    /// Share of the later winds.
    share: f64,
}

impl Winds {
    /// Checks winds and prepares them for a landscape. `cell_of` has for each of its cells the number of the cell of
    /// the rasters whose wind it has. Where a cell does not burn, the number may be any.
    ///
    /// # Errors
    /// [`WindsError`]. Values are checked when a landscape [takes](super::Landscape::with_winds) the winds.
    pub fn new(cell_of: Vec<u32>, hourly: impl IntoIterator<Item = HourlyWind>) -> Result<Self, WindsError> {
        let mut winds = Winds { cell_of: cell_of.into(), hours: Vec::new(), winds: Vec::new() };
        for (index, wind) in hourly.into_iter().enumerate() {
            winds.add(index, &wind)?;
        }
        if winds.hours.is_empty() { Err(WindsError::Empty) } else { Ok(winds) }
    }

    fn add(&mut self, index: usize, HourlyWind { hour, speed, from }: &HourlyWind) -> Result<(), WindsError> {
        let hour = *hour;
        let follows = self.hours.last().is_none_or(|before| hour > *before);
        if !follows || !(0.0..=MAX_HOUR).contains(&hour) {
            return Err(WindsError::Hour { index, hour });
        }
        let expected = self.winds.first().map_or(speed.len(), |first| first.len());
        for (what, found) in [(SPEED, speed.len()), (FROM, from.len())] {
            if found != expected {
                return Err(WindsError::Size { what, hour, found, expected });
            }
        }
        let wind = |(&speed, &from): (&f64, &f64)| {
            let fits = (0.0..=MAX_WIND).contains(&speed) && FROM_RANGE.contains(&from);
            // What is impossible is told when it is known whether a cell that burns has it.
            if fits { blowing(speed, from) } else { [speed, f64::NAN] }
        };
        let parts: Vec<[f64; 2]> = speed.iter().zip(from).map(wind).collect();
        let same = self.winds.last().filter(|before| ***before == *parts);
        let parts = same.map_or_else(|| parts.as_slice().into(), Arc::clone);
        self.hours.push(hour);
        self.winds.push(parts);
        Ok(())
    }
}
