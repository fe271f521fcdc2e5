//! Engines that run on a [`Device`](imminent_core::Device): the exact one and the clustered one.
//!
//! The exact engine has a lean form for [simple](crate::Network::simple) networks. Its general form, [`Simulation`], is
//! for all others, for many networks at once, and for runs that are observed before their end.
//!
//! Both engines take a [`Scenario`](crate::Scenario) and return an [`Outcome`](crate::Outcome). They compute with
//! integers only, so every backend gives the same bits. The exact engine has two schedules. [`Schedule::Tiles`], for
//! devices with many lanes, relaxes the nodes' bounds in groups and then serves every token that may be served.
//! [`Schedule::Events`], for a host, executes one event at a time in the order of events. Any conservative order gives
//! the same outcome.

mod clustered;
mod error;
mod events;
mod exact;
mod general;
#[cfg(test)]
mod left_results;
mod limits;
mod placement;
mod reach;
mod resident;
mod schedule;
mod simulated;
mod tables;
mod tiles;
mod together;
mod torus;
mod watched;

pub use clustered::clustered;
pub use error::EngineError;
pub use exact::exact;
pub use general::Simulation;
pub use schedule::Schedule;
pub use simulated::Simulated;
pub use together::{MAX_TOGETHER, Room, together};
pub use watched::{Observer, Seen, Watching, watched, watched_each};
