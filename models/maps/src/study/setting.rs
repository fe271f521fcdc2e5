//! Fires of a point.

use super::grounds::GroundKey;
use super::wind;
use super::{Conditioning, WildfireConfig};
use imminent_cell::landscape::{WeatherError, WeatherRanges, check_percents};
use imminent_study::laboratory::Fault;
use thiserror::Error;

/// Percent of a fraction of 1.
pub(super) const PERCENT: f64 = 100.0;

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
    /// A key that studies do not have is given.
    #[error(
        "`{key}` is for `imminent run`: runs of a study have constant weather, and light `row` and `column` or a cell that is drawn: leave it out"
    )]
    OfRuns {
        /// The key.
        key: &'static str,
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
    pub(super) fn of(config: WildfireConfig) -> Result<Self, Fault> {
        let of_runs = [
            ("weather", config.weather.is_empty()),
            ("start", config.start.is_empty()),
            ("conditioning", config.conditioning == Conditioning::None),
            ("weathers", config.weathers.is_none()),
            ("ignite", config.ignite.is_empty()),
            ("ignite_at", config.ignite_at.is_empty()),
            ("ignite_file", config.ignite_file.is_empty()),
            ("at", config.at.is_empty()),
            ("flame_probabilities", !config.flame_probabilities),
            ("behaviour", config.behaviour.is_none()),
        ];
        if let Some((key, _)) = of_runs.into_iter().find(|(_, is_left_out)| !is_left_out) {
            return Err(SettingError::OfRuns { key }.into());
        }
        let ranges = ranges(&config)?;
        let (row, column, fires) = (config.row, config.column, config.fires.unwrap_or(1));
        let lit = match (u32::try_from(row), u32::try_from(column)) {
            (Ok(row), Ok(column)) => Some((row, column)),
            (Err(_), Err(_)) => None,
            _ => return Err(SettingError::HalfAPlace { row, column }.into()),
        };
        if let Some((row, column)) = lit
            && fires > 1
        {
            return Err(SettingError::Same { fires, row, column }.into());
        }
        let (hours, large) = (config.horizon, config.large);
        Ok(Self { ground: GroundKey::of(&config)?, ranges, lit, fires, hours, large })
    }
}

/// Returns the ranges from which weathers are drawn.
pub(super) fn ranges(c: &WildfireConfig) -> Result<WeatherRanges, WeatherError> {
    check_percents([c.moisture_1h, c.moisture_10h, c.moisture_100h, c.moisture_herb, c.moisture_wood, c.foliar])?;
    let around = |middle: f64, spread: f64| [(middle - spread).max(0.0), middle + spread];
    let moisture = |middle: f64, spread: f64| around(middle, spread).map(|percent| percent / PERCENT);
    let dead = |middle: f64, spread: Option<f64>| moisture(middle, spread.unwrap_or(c.moisture_spread));
    Ok(WeatherRanges {
        wind: around(c.wind, c.wind_spread).map(|wind| wind * wind::factor(c.wind_units, c.wind_height)),
        from: [c.wind_from - c.wind_from_spread, c.wind_from + c.wind_from_spread],
        moisture: [
            dead(c.moisture_1h, c.moisture_1h_spread),
            dead(c.moisture_10h, c.moisture_10h_spread),
            dead(c.moisture_100h, c.moisture_100h_spread),
            moisture(c.moisture_herb, c.moisture_herb_spread),
            moisture(c.moisture_wood, c.moisture_wood_spread),
        ],
        foliar_moisture: moisture(c.foliar, c.foliar_spread),
    })
}
