//! Fires of a point.

use super::grounds::GroundKey;
use crate::laboratory::{Fault, Point};
use imminent_cell::landscape::{WeatherRanges, check_percents};
use thiserror::Error;

/// Percent of a fraction of 1.
const PERCENT: f64 = 100.0;

/// Values of a point that do not go together.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum SettingError {
    /// One of `row` and `column` is given.
    #[error("row = {row}, column = {column}: give both to light a cell, or leave both at -1 to draw one")]
    HalfAPlace {
        /// Row asked for.
        row: i64,
        /// Column asked for.
        column: i64,
    },
    /// Several fires of a run would be lit in one cell.
    #[error(
        "fires = {fires}: all would be lit in row {row}, column {column} and be the same: give `repetitions` instead, or leave `row` and `column` at -1"
    )]
    Same {
        /// Fires asked for.
        fires: u32,
        /// Row asked for.
        row: u32,
        /// Column asked for.
        column: u32,
    },
}

/// Landscape, weather and ignition of a point.
#[derive(Debug)]
pub(super) struct Setting {
    pub(super) ground: GroundKey,
    pub(super) ranges: WeatherRanges,
    /// Cell that is lit; drawn for each fire if `None`.
    pub(super) lit: Option<(u32, u32)>,
    pub(super) fires: u32,
    pub(super) hours: f64,
    /// Hectares above which a fire is large.
    pub(super) large: f64,
}

impl Setting {
    pub(super) fn of(point: &Point) -> Result<Self, Fault> {
        let number = |name: &str| point.number_of(name);
        let around = |name: &str, spread: f64| -> Result<[f64; 2], Fault> {
            let middle = number(name)?;
            Ok([(middle - spread).max(0.0), middle + spread])
        };
        let moisture = |name: &str, spread: f64| Ok::<_, Fault>(around(name, spread)?.map(|percent| percent / PERCENT));
        let percents = ["moisture_1h", "moisture_10h", "moisture_100h", "moisture_herb", "moisture_wood", "foliar"];
        let mut given = [0.0; 6];
        for (to, name) in given.iter_mut().zip(percents) {
            *to = number(name)?;
        }
        check_percents(given)?;
        let (from, turn) = (number("wind_from")?, number("wind_from_spread")?);
        let spread = number("moisture_spread")?;
        let ranges = WeatherRanges {
            wind: around("wind", number("wind_spread")?)?,
            from: [from - turn, from + turn],
            moisture: [
                moisture("moisture_1h", spread)?,
                moisture("moisture_10h", spread)?,
                moisture("moisture_100h", spread)?,
                moisture("moisture_herb", 0.0)?,
                moisture("moisture_wood", 0.0)?,
            ],
            foliar_moisture: moisture("foliar", 0.0)?,
        };
        let (row, column) = (point.integer_of("row")?, point.integer_of("column")?);
        let lit = match (u32::try_from(row), u32::try_from(column)) {
            (Ok(row), Ok(column)) => Some((row, column)),
            (Err(_), Err(_)) => None,
            _ => return Err(SettingError::HalfAPlace { row, column }.into()),
        };
        let fires = u32::try_from(point.integer_of("fires")?)?;
        if let Some((row, column)) = lit
            && fires > 1
        {
            return Err(SettingError::Same { fires, row, column }.into());
        }
        let ground = GroundKey::of(point)?;
        Ok(Self { ground, ranges, lit, fires, hours: number("hours")?, large: number("large")? })
    }
}
