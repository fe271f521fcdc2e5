//! The forest fire of `liu-wainer-cell`: eight directions with published rates of spread.
//!
//! A cell is 0 until it ignites, then the minute of its ignition plus 1. It ignites from the burning neighbour that
//! comes first in the order of [`DIRECTIONS`], after the time that the fire takes from there; a better neighbour that
//! ignites meanwhile pre-empts.
//!
//! Ignition times are integers, so the class of all results is exact. Values are kept in units of 2^-40 minutes. A
//! value decides only whether two computed values are equal within the tolerance, and sums of the eight steps that
//! differ by more than rounding differ by much more.

mod burning;
mod calendar;
pub mod cells;
pub(crate) mod device;
mod error;
pub mod kernels;
mod outcome;
mod rule;
mod run;
mod scan;
mod scenario;

pub use error::FireError;
pub use outcome::{NEVER, Outcome};
pub use rule::FireRule;
pub use run::Run;
pub use scenario::Fire;

use imminent_core::{Work, WorkUnit};

/// Unit of the work of fires, at most one for each cell of each fire. One thread carries out 8 M in a second
/// (`run fire`).
pub const IGNITIONS: WorkUnit = WorkUnit::new("ignitions", 8e6);

/// Seconds of a GPU for the tables and results of a cell, beyond those of a host, and for its ignition.
const OF_CELL: f64 = 50e-9;
const OF_IGNITION: f64 = 5e-9;

/// Returns the work of some fires on the same cells, each of which burns once at most.
#[must_use]
pub const fn work(cells: f64, fires: f64) -> Work {
    let ignitions = cells * fires;
    Work::new(IGNITIONS, ignitions).on_gpu(cells * OF_CELL + ignitions * OF_IGNITION).compiling(0.7)
}

/// Number of directions from which fire comes.
pub const DIRECTION_COUNT: usize = 8;

/// Units of a value to a minute.
pub const UNITS: u64 = 1 << 40;

/// Tolerance below which two values are equal: 1e-8 minutes, in units.
pub const TOLERANCE: u64 = 10_995;

/// A way by which fire comes to a cell.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Direction {
    /// Rows from the cell to the burning neighbour, southward.
    pub row: i32,
    /// Columns from the cell to the burning neighbour, eastward.
    pub column: i32,
    /// Distance, in metres.
    pub distance: f64,
    /// Rate of spread, in metres a minute.
    pub rate: f64,
}

/// Side of a cell in metres, 50 feet.
pub const CELL_SIDE: f64 = 15.24;

const fn direction(row: i32, column: i32, rate: f64) -> Direction {
    let distance = if row != 0 && column != 0 { 21.552615 } else { CELL_SIDE };
    Direction { row, column, distance, rate }
}

/// Directions in the order in which the rules are tried. The rates are those of the public `Fire.ma` of CD++: fuel
/// model 1, 10 % moisture, a midflame wind of 440 ft/min toward north-east (MODELS 1.2).
pub const DIRECTIONS: [Direction; DIRECTION_COUNT] = [
    direction(1, -1, 17.967136),
    direction(1, 0, 5.106976),
    direction(0, -1, 5.106976),
    direction(-1, -1, 1.872060),
    direction(1, 1, 1.872060),
    direction(-1, 0, 1.146091),
    direction(0, 1, 1.146091),
    direction(-1, 1, 0.987474),
];

impl Direction {
    /// Returns the minutes that the fire takes.
    #[must_use]
    pub const fn minutes(&self) -> f64 {
        self.distance / self.rate
    }

    /// Returns the milliseconds that the fire takes, truncated as CD++ truncates delays.
    #[must_use]
    pub const fn delay(&self) -> u32 {
        (self.minutes() * 60_000.0) as u32
    }

    /// Returns the minutes that the fire takes, in units of a value.
    #[must_use]
    pub const fn step(&self) -> u64 {
        (self.minutes() * UNITS as f64 + 0.5) as u64
    }
}

/// Delays of all directions, in milliseconds.
pub const DELAYS: [u32; DIRECTION_COUNT] = {
    let mut delays = [0; DIRECTION_COUNT];
    let mut k = 0;
    while k < DIRECTION_COUNT {
        delays[k] = DIRECTIONS[k].delay();
        k += 1;
    }
    delays
};

/// Steps of value of all directions, in units.
pub const STEPS: [u64; DIRECTION_COUNT] = {
    let mut steps = [0; DIRECTION_COUNT];
    let mut k = 0;
    while k < DIRECTION_COUNT {
        steps[k] = DIRECTIONS[k].step();
        k += 1;
    }
    steps
};

/// Smallest delay of all directions, in milliseconds: the length of a time window.
pub const LOOKAHEAD: u32 = DELAYS[0];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn delays_are_those_of_the_specification() {
        assert_eq!(DELAYS, [71_973, 179_049, 179_049, 690_766, 690_766, 797_842, 797_842, 1_309_560]);
        assert!(DELAYS.iter().all(|&delay| delay >= LOOKAHEAD));
    }
}
