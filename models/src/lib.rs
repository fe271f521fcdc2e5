//! Simulation models, written once against the kernel language, with the sequential programs that judge them.
//!
//! | module | what to know |
//! | --- | --- |
//! | [`events`] | event models of one's own, many simulations at once: events of all of them as one batch, on a device |
//! | [`queueing`] | queueing networks: exact engines, the papers' clustered engine, oracles, theory |
//! | [`traffic`] | network traffic: links with queues, routes, flows; packets with TCP Reno |
//! | [`study`] | parameter studies: definitions, points and seeds, results that survive a kill |
//! | [`time`] | simulation time is whole ticks, 2^20 to a unit unless a model's durations need others |
//! | [`streams`], [`exponential`] | which random numbers an entity draws, to the bit |
//! | [`estimate`] | a mean over replications and its confidence interval |
//! | [`output`] | output analysis: warm-up, batch means, precision, comparisons, quantiles |
//! | [`free_memory`] | memory that the system still has for a process |
//! | [`graphml`] | GraphML files, whatever they mean to a model |
//! | [`toml_text`] | what is wrong with a configuration, by file, line and key |

pub mod estimate;
pub mod events;
pub mod exponential;
pub mod free_memory;
pub mod graphml;
mod number;
pub mod output;
mod parallel;
pub mod queueing;
pub mod streams;
pub mod study;
pub mod time;
pub mod toml_text;
pub mod traffic;

/// What [`event_model!`] needs wherever it is used.
#[doc(hidden)]
pub use imminent_core;
