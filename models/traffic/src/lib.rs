//! Network traffic: TCP and UDP over links with queues, as fluids and as packets.
//!
//! This is the model of J. Liu, Y. Liu, Z. Du and T. Li, "GPU-assisted hybrid network traffic model". Most flows are
//! fluids, whose rates follow differential equations. A few are simulated packet by packet. Both share the queues of
//! the links.
//!
//! | module | contents |
//! | --- | --- |
//! | [`fluid`] | rates that follow differential equations; a sequential simulation of them |
//! | [`coupling`] | fluids and packets that share queues |
//! | [`network`] | nodes, links, queues, routes, flows, and the generators of the paper's networks |
//! | [`packet`] | the packet simulator: FIFO queues, RED, TCP (Reno, NewReno, CUBIC), UDP |
//! | [`config`] | configuration of a run in TOML |
//! | [`simulation`] | simulation of a configuration's traffic: engines, samples, statistics |
//! | [`study`] | the model of a catalogue, whose keys and measures a study takes |
//! | [`text`] | rates, sizes, times and counts for people |
//! | [`units`] | units: whole nanoseconds, whole bits per second, whole bytes |
//!
//! A [`Traffic`] contains all input of a simulation: the network, the flows, and their routes.

pub mod config;
pub mod coupling;
pub mod fluid;
pub mod network;
pub mod packet;
pub mod simulation;
pub mod study;
pub mod text;
pub mod units;

mod benchmarks;
mod error;
#[cfg(test)]
mod error_texts;
mod experiment;
mod figures;
mod offered;
mod scenario;

pub use config::TrafficConfig;
pub use error::TrafficError;
pub use offered::Overload;
pub use scenario::{Metric, StepSize, Tcp, Traffic};

use imminent_core::WorkUnit;

/// Unit of the work of fluids: the fluid equations of one flow on one link. Two threads carry out 72 M in a second
/// (`run traffic --generate campus --campuses 2`), 16 threads 130 to 190 M (1 to 4 campuses).
pub const FLUID_STEPS: WorkUnit = WorkUnit::new("steps of fluids", 25e6);
