//! Fires on real landscapes: rasters of fuel, terrain and trees, weather over time, one fire or thousands.
//!
//! | item | contents |
//! | --- | --- |
//! | [`Layers`], [`Canopy`], [`Landscape`] | rasters, checked |
//! | [`Declination`], [`Corners`] | true north on the grid; fire through corners of barriers |
//! | [`Weather`], [`WeatherRanges`] | wind and moistures at hours; ranges from which they are drawn |
//! | [`Winds`] | winds of the cells by the hour, in place of the one wind of the weather |
//! | [`Air`] | moistures of dead fuel by temperature, humidity and rain |
//! | [`Wildfire`], [`Outcome`], [`Behaviour`] | one fire: ignition times, and rates, intensities and flames at them |
//! | [`Potential`] | rates, intensities and flames of a fire's head in every cell, without an ignition |
//! | [`BurnableCells`] | cells among which ignitions are drawn |
//! | [`Ensemble`], [`Report`], [`Burnt`] | many fires: how often and when each cell burns, sizes of fires |
//! | [`synthetic`] | a seeded landscape for tests |
//!
//! # Model
//!
//! A cell is unburnt until fire reaches it. Fire follows straight segments from the middle of a burning cell to that of
//! another one. The fuel, slope, trees and weather of each cell that a segment crosses give a rate of spread `R` in its
//! direction. The delay is the sum of `distance / R` over these cells, in whole milliseconds. `R` is the horizontal
//! rate: the one on Rothermel's ellipse along the ground, including crown fire (see [`behaviour`]), times the cosine of
//! the slope in that direction. A cell has segments of at most 15 rows and columns, chosen by its ellipse, so that
//! fires on uniform ground are within 3 % of it. Fire does not pass through a corner between two unburnable cells.
//!
//! With [`Directions::Eight`] fire comes from each burning neighbour in one of eight [`DIRECTIONS`], at the rate of the
//! *cell's own* fuel, slope, trees and weather, as in the rules of `liu-wainer-cell`.
//!
//! Weather is constant within *bands*, by default of an hour. Fire between two cells progresses at the speed of the
//! current band: `e` milliseconds at a delay `d` reduce the remaining way, 2^32 at first, by `e * 2^32 / d`, rounded
//! down. It arrives when the last milliseconds, rounded up, cover the rest. Consecutive bands of one delay count as
//! one, so if the delay does not change, fire takes exactly `d`.
//!
//! In terms of Cell-DEVS the delay is inertial: a neighbour whose fire arrives earlier pre-empts the pending ignition.
//! Fire that leaves a cell later never arrives earlier, so ignition times are the least over all segments, and there
//! is one consistent set of them. All engines find this set: the class of all results is
//! [`Exact`](imminent_core::Determinism::Exact). Delays are computed on the host, in `f64` and by functions of `libm`
//! alone, so they have the same bits on every host.

pub mod behaviour;
mod burnable;
mod burnt;
mod crown;
mod dead_moisture;
mod declination;
mod delays;
mod details;
mod device;
mod directions;
mod ensemble;
mod error;
mod heads;
mod host;
pub mod kernels;
mod layers;
mod local;
mod metric;
mod oracle;
mod outcome;
mod plan;
mod potential;
mod ranges;
mod rows;
mod stand;
mod stencil;
mod synthetic;
mod travel;
mod weather;
mod wildfire;
mod wind;
mod winds;

pub use burnable::BurnableCells;
pub use burnt::{BINS, Burnt, Report};
pub use crown::{CrownFire, initiation};
pub use dead_moisture::{Air, DEAD_CLASSES};
pub use declination::Declination;
pub(crate) use delays::RATE_BYTES;
pub use details::{FLAME_BOUNDS, FLAME_CLASSES};
pub use directions::Directions;
pub use ensemble::{Ensemble, EnsembleRun, Ignition};
pub use error::WildfireError;
pub(crate) use kernels::most_words;
pub use layers::{Canopy, Corners, Landscape, LandscapeError, Layers, Site};
pub use outcome::{Behaviour, Outcome};
pub use potential::Potential;
pub use ranges::WeatherRanges;
pub use stand::Stand;
pub use synthetic::synthetic;
pub use weather::{Bands, State, Weather, WeatherError, check_percents};
pub use wildfire::{Run, Wildfire};
pub use wind::factor as wind_factor;
pub use winds::{HourlyWind, Winds, WindsError};

pub use crate::fire::NEVER;

/// Number of directions to the neighbours of a cell.
pub const DIRECTION_COUNT: usize = 8;

/// A direction in which fire travels to a neighbour.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Direction {
    /// Rows that fire goes, southward.
    pub row: i32,
    /// Columns that fire goes, eastward.
    pub column: i32,
    /// Unit vector, northward and eastward of the grid.
    pub toward: [f64; 2],
    /// Distance between the two cells, in sides of a cell.
    pub steps: f64,
}

const fn direction(row: i32, column: i32) -> Direction {
    let is_diagonal = row != 0 && column != 0;
    let part = if is_diagonal { std::f64::consts::FRAC_1_SQRT_2 } else { 1.0 };
    let steps = if is_diagonal { std::f64::consts::SQRT_2 } else { 1.0 };
    Direction { row, column, toward: [-(row as f64) * part, column as f64 * part], steps }
}

/// Directions clockwise from north: direction `k` has azimuth 45° `k`.
pub const DIRECTIONS: [Direction; DIRECTION_COUNT] = [
    direction(-1, 0),
    direction(-1, 1),
    direction(0, 1),
    direction(1, 1),
    direction(1, 0),
    direction(1, -1),
    direction(0, -1),
    direction(-1, -1),
];
