//! Queueing networks, simulated exactly: same bits from every engine on every device.
//!
//! A [`Network`] defines the routes of tokens and the service at each node. A [`Scenario`] adds tokens, seed and
//! horizon. An engine computes an [`Outcome`], which consists of integers; its [`Digest`] is the same for every exact
//! engine.
//!
//! | module | contents |
//! | --- | --- |
//! | [`law`] | service and inter-arrival laws, and how they are drawn from |
//! | [`network`], [`graphml`], [`jsimg`] | topologies: generators, edge lists, files of GraphML and JSIMgraph |
//! | [`scenario`] | the complete input of one replication, and the rules of the model |
//! | [`outcome`] | the complete result of one replication, and its digest |
//! | [`sequential`] | the oracle: an event list, as plain as possible |
//! | [`host`] | the engine that has everything: sharing, interruptions, shifts, impatience, forks, regions |
//! | [`calendar`] | a fast sequential simulator, the reference speed for parallel engines |
//! | [`interval`] | the clustered-time engine: definition, reference implementation, error correction |
//! | [`engine`], [`kernels`] | the engines that run on a device, and their kernels |
//! | [`measures`], [`theory`] | measures of queueing theory, from simulation and from formulas |
//! | [`costs`] | costs of servers, waiting and losses, from the sums of a run |
//! | [`trace`] | samples of single visits of tokens to nodes |
//! | [`tally`] | what is gathered of visits and numbers: quantiles, shares of waits, end-to-end times, distributions |
//! | [`analysis`] | warm-up, batches and precision: estimates from observations of a run |
//! | [`memory`] | estimates of memory and work before a run |
//! | [`bounds`] | bounds on the length of runs that keep sums within 64 bits |
//! | [`config`], [`experiment`], [`report`], [`system`], [`nodes`] | a run from its TOML file to its JSON object |
//! | [`study`], [`run`] | models of a catalogue: their studies, and their runs with everything that is told of them |

pub mod analysis;
pub mod bounds;
pub mod calendar;
pub mod config;
pub mod costs;
mod deadlock;
pub mod engine;
#[cfg(test)]
mod error_texts;
pub mod experiment;
mod figures;
pub mod graphml;
pub mod host;
pub mod interval;
pub mod jsimg;
pub mod kernels;
pub mod law;
pub mod measures;
pub mod memory;
pub mod network;
pub mod nodes;
pub mod outcome;
mod ranking;
pub mod report;
pub mod run;
pub mod scenario;
pub mod sequential;
pub mod spent;
mod stepping;
pub mod study;
pub mod system;
pub mod tally;
pub mod theory;
pub mod trace;
mod work;

pub use law::{Law, LawError, Sampler};
pub use network::{
    Builder, Discipline, Network, NetworkError, Node, Onward, Overflow, Role, Route, Routes, Routing, Simple, Station,
    Template, Topology, Warning,
};
pub use outcome::{Digest, Ended, NodeResults, NodeTable, Outcome, Statistics};
pub use report::Report;
pub use scenario::{Scenario, ScenarioError, Start};
