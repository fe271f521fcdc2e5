//! Water on a terrain: rain and springs, flow to lower neighbours, and edges that hold water back or let it out.
//!
//! Elevations and depths are whole numbers of 2^-32 m. Once a step every cell gives each of its eight neighbours with a
//! lower water level a ninth of the difference of levels, or of its depth where that is less, rounded down. Both cells
//! of a pair compute the same amount, so no water is lost or gained: `initial + received = stored + left`, exactly.
//!
//! ```
//! use imminent_cell::flood::terrain::{Edge, Rain, TerrainFlood};
//! use imminent_cell::{Engine, Simulation};
//! use imminent_core::Device;
//! use imminent_cpu::{CpuBackend, Options};
//! use std::ops::ControlFlow;
//!
//! let device = Device::open(CpuBackend::open(&Options::default())?)?;
//! // A plane that falls by 1 m for each column of 10 m, an hour of rain, and an edge that water leaves by.
//! let ground: Vec<f64> = (0..20 * 30).map(|cell| f64::from(30 - cell % 30)).collect();
//! let flood = TerrainFlood::new(20, 30, 10.0, &ground, 0.5)?
//!     .rain(Rain::everywhere(36.0))?
//!     .edge(Edge::Open);
//! let run = flood.run(&device, Engine::Auto, &mut |_| ControlFlow::Continue(()))?;
//! assert!(run.outcome.balance.is_exact() && run.outcome.balance.left > 0);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod device;
mod error;
mod host;
mod inflow;
pub mod kernels;
mod outcome;
mod run;
mod state;

pub use error::TerrainError;
pub use inflow::{Rain, Spring, Zone};
pub use outcome::{Balance, NEVER, Outcome};
pub use run::{Edge, Run, TerrainFlood};

/// Units of elevation and depth to one metre.
pub const UNITS_PER_METRE: i64 = 1 << 32;

/// Depth from which a cell counts as reached by water: 1 cm, in units.
pub const ARRIVAL_DEPTH: i64 = UNITS_PER_METRE / 100;

/// Most water that a run may hold, in units of depth over all cells together.
pub const MAX_WATER: i128 = 1 << 62;

/// Elevation that marks a cell outside of the terrain, in units.
pub(crate) const OUTSIDE: i64 = i64::MIN;

/// Returns the units of a length in metres, rounded to nearest.
fn units(metres: f64) -> i64 {
    (metres * UNITS_PER_METRE as f64).round_ties_even() as i64
}

/// Returns the metres of a number of units.
#[must_use]
pub fn metres(units: i64) -> f64 {
    units as f64 / UNITS_PER_METRE as f64
}
