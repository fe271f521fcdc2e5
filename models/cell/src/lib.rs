//! Cell-DEVS on any device: spaces of cells that change at instants of their own.
//!
//! | module | contents |
//! | --- | --- |
//! | [`space`] | dimensions, border and neighbourhood |
//! | [`sequential`] | the event-list simulator to which engines are compared |
//! | [`fire`] | the forest fire of `liu-wainer-cell` |
//! | [`landscape`] | fires on rasters of fuel, terrain and trees, by the hour's weather; ensembles |
//! | [`flood`] | the flood of `liu-wainer-cell` |
//! | [`flood::terrain`] | rain and springs on a terrain |
//! | [`model`] | models with a rule of the user's own, a function of a kernel module |
//! | [`rules`] | rule files in the `.ma` language of CD++ |
//! | [`rothermel`] | rate of spread of surface fires, 53 fuel models |
//! | [`engine`] | queues, tournaments and schedules that rule files and models of cells share |
//! | [`memory`] | bytes that runs take, by their sizes |
//! | [`outcome`] | engines, digests, wall times and runs |
//! | [`runner`] | the one runner of fires and floods: by engine and device |
//! | [`time`] | units of time |
//!
//! ```
//! use imminent_cell::{Engine, Simulation, fire::Fire};
//! use imminent_core::Device;
//! use imminent_cpu::{CpuBackend, Options};
//! use std::ops::ControlFlow;
//!
//! let device = Device::open(CpuBackend::open(&Options::default())?)?;
//! // Thirty rows and columns, one cell that is lit, four hours.
//! let fire = Fire::new(30, 30, &[(19, 10)], 4.0)?;
//! let windows = fire.run(&device, Engine::Auto, &mut |_| ControlFlow::Continue(()))?;
//! let steps = fire.run(&device, Engine::Step, &mut |_| ControlFlow::Continue(()))?;
//! assert_eq!(windows.outcome.digest(), steps.outcome.digest());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod engine;
mod figures;
pub mod fire;
pub mod flood;
pub mod landscape;
pub mod memory;
pub mod model;
pub mod outcome;
pub mod rothermel;
pub mod rules;
pub mod runner;
pub mod sequential;
pub mod space;
pub mod study;
pub mod time;

#[doc(hidden)]
pub use imminent_core as __core;
pub use outcome::{Cancelled, Digest, Engine, Run, Spent};
pub use runner::Simulation;
pub use space::{Border, CellSpace};
