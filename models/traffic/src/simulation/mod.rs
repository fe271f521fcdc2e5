//! Simulation of a configuration's traffic by one of four engines, which is sampled at regular times.
//!
//! | module | contents |
//! | --- | --- |
//! | [`record`] | results: means since the warm-up, and samples over time |
//! | [`results`] | statistics of queues, flows and packets, with names |
//! | [`delays`] | distributions of the delays of packets |
//! | [`assumed`] | assumptions about a network that is named alone |
//! | [`warnings`] | warnings about a run |
//!
//! ```
//! use imminent_traffic::TrafficConfig;
//! use imminent_traffic::simulation::{Kept, Results, Setup};
//! use std::ops::ControlFlow;
//!
//! let text = "[topology]\ngenerate = 'validation'\n[run]\nengine = 'sequential'\nhorizon = 1.0\n";
//! let config = TrafficConfig::from_toml(text, "validation.toml")?;
//! let traffic = config.traffic()?;
//! let simulation = Setup::new(&config, &traffic)?.begin(None)?;
//! let record = simulation.run(Kept::MeansAlone, &mut |_| ControlFlow::Continue(()))?;
//! let results = Results::of(&traffic, &record);
//! assert_eq!(results.flows.len(), 4);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod assumed;
pub mod delays;
pub mod record;
pub mod results;
pub mod warnings;

mod digest;
mod error;
mod fluid;
mod hybrid;
mod load;
mod means;
mod packets;
mod recorder;
mod replications;
mod sample;
mod schedule;
mod sequential;
mod setup;
mod stepper;

pub use error::SimulationError;
pub use means::{FlowMeans, QueueMeans};
pub use record::Record;
pub use recorder::{Kept, Progress, Simulation};
pub use results::Results;
pub use sample::{FlowSample, QueueSample, Representation, SpentTime};
pub use schedule::Schedule;
pub use setup::Setup;
