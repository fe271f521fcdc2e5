//! User-defined event models, and many simulations of them at once (Kunz et al. 2012).
//!
//! [`event_model!`](crate::event_model) declares a model: the state of its modules, the payload of its events, and
//! their handlers. An [`Engine`] runs any number of its simulations together, on a device or on threads of the host.
//! [`sequential`] runs one of them, event by event, with the same result to the bit.
//!
//! | topic | item |
//! | --- | --- |
//! | declaring a model | [`event_model!`](crate::event_model) |
//! | initial and final state of a simulation | [`Start`], [`First`], [`End`] |
//! | least delay of events between modules, for all or for each link | [`Lookahead`] |
//! | many simulations at once; one alone | [`Engine`], [`Execution`]; [`sequential`] |
//! | many at once, with event lists on the host | [`Coprocessor`] |
//! | assignment of modules to warps | [`Mapping`] |
//! | saved state of a simulation, to continue elsewhere | [`State`] |
//! | errors within a simulation | [`Trouble`] |
//! | memory on a device | [`Room`] |
//! | available parallelism | [`parallelism`] |
//! | the benchmarks | [`lcg`], [`phold`], [`overhead`], [`laden`] |
//! | the paper's case study, a wireless mesh | [`mesh`] |
//!
//! # The order of events
//! Events of a module are executed in the order of their times. Events of the same time are ordered by the number of
//! the module that scheduled them, and those of one module by the order of scheduling. A module sees its own state, its
//! simulation's parameters and the payloads of events, so no other order can be observed.

mod alone;
mod benchmarks;
mod contract;
mod device;
mod engine;
mod error;
#[cfg(test)]
mod error_texts;
mod event_contract;
mod event_model;
mod event_types;
#[cfg(test)]
mod fickle;
mod figures;
pub mod graph;
mod horizons;
mod host;
mod host_rows;
pub mod kernels;
pub mod laden;
pub mod lcg;
mod lookahead;
mod mapping;
pub mod mesh;
pub mod overhead;
mod parallelism;
pub mod phold;
mod points;
mod room;
mod sequential;
mod simulation;
mod speculation;
#[cfg(test)]
mod speculation_tests;
mod start_error;
mod state;
pub mod study;
pub mod templates;
mod trouble;

pub use contract::Events;
#[doc(hidden)]
pub use contract::launch_listed;
pub use device::{Coprocessor, Guesses, Links, Prepared, Saved, Side, Tables, Windows, coprocess};
pub use engine::Engine;
pub use error::{EngineError, Outcome};
pub use event_types::{EventTypes, First, Scheduled};
pub use host_rows::HostRows;
pub use imminent_common::execution::Execution;
pub use lookahead::Lookahead;
pub use mapping::{Mapping, MappingChoice, UnknownMapping};
pub use parallelism::{Parallelism, parallelism};
pub use room::Room;
pub use sequential::sequential;
pub use simulation::{End, Start};
pub use speculation::Speculation;
pub use start_error::{MAX_CARRIED, MAX_SCHEDULED, StartError};
pub use state::{State, StateError};
pub use trouble::{Trouble, Whereabouts};

/// Dependency of the code that [`event_model!`] generates.
#[doc(hidden)]
pub use imminent_core;

#[cfg(test)]
mod tests;
