//! The flood of `liu-wainer-cell`: water that levels out between neighbouring cells once a second, around walls.
//!
//! A cell with water gives each of its eight neighbours a ninth of the difference. Amounts are whole numbers of 2^-32
//! units, so results are exact and equal on all devices. The ninth is taken of each cell's own amount and rounded down,
//! so what one cell gives is what the other gets. As in CD++, a cell whose amount would change by at most 1e-8 keeps
//! it. That is the only way in which water is lost or gained: at most 1e-8 units for each cell and second.

mod device;
mod error;
mod host;
pub mod kernels;
mod outcome;
mod rule;
mod run;
mod scenario;
pub mod terrain;

pub use error::FloodError;
pub use outcome::Outcome;
pub use rule::FloodRule;
pub use run::Run;
pub use scenario::Flood;

use imminent_core::{Work, WorkUnit};

/// Unit of the work of floods. One thread carries out 726 M in a second (a simulated hour of 1024 x 1024 cells).
pub const CELL_STEPS: WorkUnit = WorkUnit::new("steps of cells", 700e6);

/// Steps of cells that a GPU carries out in a second: 1024 x 1024 cells take 0.029 s for 3,600 steps.
const GPU_CELL_STEPS: f64 = 120e9;

/// Seconds of a GPU for a step of few cells: 128 x 128 cells take 0.013 s for 3,600 steps.
const OF_STEP: f64 = 3.5e-6;

/// Returns the work of a flood.
#[must_use]
pub const fn work(cells: f64, steps: f64) -> Work {
    let amount = cells * steps;
    Work::new(CELL_STEPS, amount).on_gpu(amount / GPU_CELL_STEPS).in_steps(steps * OF_STEP).compiling(1.2)
}

/// Steps of an amount to one unit of water.
pub const STEPS_PER_UNIT: i64 = 1 << 32;

/// Largest difference of amounts that are equal: 1e-8 units, in steps.
pub const TOLERANCE: u64 = 42;

/// Amount that marks a wall.
pub const WALL: i64 = -1;

/// Parts that a difference is divided into: eight neighbours and the cell itself.
pub const PARTS: i64 = 9;

/// Milliseconds between two steps: the delay of every rule.
pub const PERIOD: u32 = 1000;

/// Largest amount that all cells may hold together, in units.
pub const MAX_WATER: f64 = (1_u64 << 29) as f64;

/// Returns the amount of water in steps of 2^-32 units, rounded to nearest; [`WALL`] for negative values.
#[must_use]
pub fn amount(water: f64) -> i64 {
    if water < 0.0 { WALL } else { (water.min(MAX_WATER) * STEPS_PER_UNIT as f64).round_ties_even() as i64 }
}

/// Returns the units of water of an amount; -1 for a wall.
#[must_use]
pub fn water(amount: i64) -> f64 {
    if amount < 0 { -1.0 } else { amount as f64 / STEPS_PER_UNIT as f64 }
}
