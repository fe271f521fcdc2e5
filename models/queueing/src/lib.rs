//! Queueing networks, simulated exactly: same bits from every engine on every device.
//!
//! A [`Network`] says where tokens may go and how fast each node serves; a [`Scenario`] adds the tokens, the seed and
//! the horizon; an engine turns it into an [`Outcome`], integers all the way, whose [`Digest`] is the same for every
//! exact engine.
//!
//! | module | what to know |
//! | --- | --- |
//! | [`law`] | service and inter-arrival laws, and how they are drawn from |
//! | [`network`], [`graphml`] | topologies: generators, edge lists, GraphML files |
//! | [`scenario`] | everything an engine needs for one replication, and the rules |
//! | [`outcome`] | everything an engine must report, and its digest |
//! | [`sequential`] | the oracle: an event list, as plain as possible |
//! | [`calendar`] | a fast sequential simulator, the mark for parallel engines |
//! | [`interval`] | the clustered-time engine's meaning, its reference, its error correction |
//! | [`engine`], [`kernels`] | the engines that run on a device, and their kernels |
//! | [`measures`], [`theory`] | the numbers of queueing theory, measured and expected |
//! | [`trace`] | single visits: what a token met at a node, sampled |
//! | [`end_to_end`] | times from source to way out |
//! | [`analysis`] | warm-up, batches, precision: from looks at a run to estimates |
//! | [`bounds`] | how long runs may be, so that no sum leaves 64 bits |
//! | [`config`], [`experiment`], [`report`], [`nodes`] | a run from its TOML file to its JSON object |

pub mod analysis;
pub mod bounds;
pub mod calendar;
pub mod config;
pub mod end_to_end;
pub mod engine;
pub mod experiment;
pub mod graphml;
pub mod interval;
pub mod kernels;
pub mod law;
pub mod measures;
pub mod network;
pub mod nodes;
pub mod outcome;
pub mod report;
pub mod scenario;
pub mod sequential;
pub mod spent;
pub mod theory;
pub mod trace;

pub use law::{Law, LawError, Sampler};
pub use network::{
    Builder, Discipline, Network, NetworkError, Node, Onward, Overflow, Role, Route, Routes, Routing, Simple, Station,
    Template, Topology, Warning,
};
pub use outcome::{Digest, Outcome};
pub use report::Report;
pub use scenario::{Scenario, ScenarioError, Start};
