//! Mobile ad hoc networks: nodes that move, find their neighbours by beacons, and relay packets by GPSR over a shared
//! medium (Park's dissertation, section 5.3.2), or find routes on demand by AODV.
//!
//! A [`Network`] is one scenario. An [`Engine`] simulates any number of networks and replications together on a device,
//! with exact times or on the paper's clock of intervals. [`sequential`](sequential::simulate) is the oracle: an
//! event-driven program without code of the engine, with the same result to the bit.
//!
//! | topic | item |
//! | --- | --- |
//! | a scenario | [`Network`], [`Mobility`], [`Traffic`] |
//! | a scenario in TOML | [`config`] |
//! | movements of nodes, from files of ns-2, SUMO or in CSV | [`trace`] |
//! | simulation on a device, or on threads of the host | [`Engine`], [`Execution`], [`Report`] |
//! | simulation event by event | [`sequential`] |
//! | delivery on graphs that do not change | [`delivery`] |
//! | statistics of nodes and of a network | [`NodeCount`], [`Summary`] |
//!
//! Times are in µs, positions in mm, speeds in µm/s. Determinism class: exact, all decisions are taken in integers.

mod aodv;
mod benchmarks;
mod checks;
pub mod config;
mod count;
mod delays;
pub mod delivery;
mod device;
mod engine;
mod error;
mod experiment;
mod field;
mod figures;
mod host;
pub mod kernels;
mod memory;
pub mod mobility;
mod network;
mod presence;
mod report;
pub mod sequential;
mod start;
pub mod study;
mod summary;
pub mod trace;
mod traffic;
mod visits;

pub use aodv::Aodv;
pub use count::{Digest, FlowCount, Loss, NodeCount, Statistics, digest};
pub use engine::Engine;
pub use error::{EngineError, NetworkError};
pub use experiment::NODE_SECONDS;
pub use field::{Field, MAX_SIDE};
pub use imminent_common::execution::Execution;
pub use kernels::geometry::Position;
pub use mobility::{GaussMarkov, Manhattan, Mobility, Waypoints};
pub use network::{Beacons, Medium, Network, Placement, Planar, Protocol, RETRIES};
pub use report::Report;
pub use start::{FlowStart, NodeStart, Start};
pub use summary::Summary;
pub use traffic::{Arrivals, Destinations, Exchange, Flow, Traffic};
pub use visits::Visits;

#[cfg(test)]
mod tests;
