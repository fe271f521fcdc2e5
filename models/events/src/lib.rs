//! Event models of one's own, and many simulations of them at once (Kunz et al. 2012).
//!
//! A model says what its modules are, what its events carry, and what happens when an event does: [`event_model!`](crate::event_model). An [`Engine`] runs any number of its
//! simulations together, their lists of events on the device; [`sequential`] runs one of them, event by event, and ends alike to the bit.
//!
//! | what | item |
//! | --- | --- |
//! | declaring a model | [`event_model!`](crate::event_model) |
//! | what a simulation starts with and ends with | [`Start`], [`First`], [`End`] |
//! | many at once; one alone | [`Engine`]; [`sequential`] |
//! | many at once, with lists on the host | [`Coprocessor`] |
//! | which of them a device runs side by side | [`Mapping`] |
//! | where one under way is, to go on elsewhere | [`State`] |
//! | what can go wrong in a simulation | [`Trouble`] |
//! | what they need of a device | [`Room`] |
//! | how much can happen side by side | [`parallelism`] |
//! | the benchmarks | [`lcg`], [`phold`], [`overhead`], [`laden`] |
//! | the paper's case study, a wireless mesh | [`mesh`] |
//!
//! # The order of events
//! Events of a module happen in the order of their times; of those of one time, first those that modules with lower numbers scheduled, and those of one module in the order in which it
//! scheduled them. A module sees its own state, its simulation's parameters and what events carry, so nothing else about order can be observed.

mod alone;
mod chooser;
mod contract;
mod coprocessor;
mod engine;
mod event_contract;
mod event_model;
pub mod kernels;
pub mod laden;
mod layout;
pub mod lcg;
mod mapping;
pub mod mesh;
pub mod overhead;
mod parallelism;
pub mod phold;
mod points;
mod room;
mod sequential;
mod simulation;
mod state;
mod steps;
mod trouble;
mod uploads;

pub use contract::{Events, Pace, Place, Prepared, Scheduled, Standing, Tables};
pub use coprocessor::{Coprocessor, coprocess};
pub use engine::{Engine, EngineError, Outcome};
pub use mapping::{Mapping, MappingChoice, UnknownMapping};
pub use parallelism::{Parallelism, parallelism};
pub use room::Room;
pub use sequential::sequential;
pub use simulation::{End, First, MOST, MOST_CARRIED, Start, StartError};
pub use state::{State, StateError};
pub use trouble::{Trouble, Whereabouts};

/// What [`event_model!`] needs wherever it is used.
#[doc(hidden)]
pub use imminent_core;

#[cfg(test)]
mod tests;
