//! Simulation models, written once against the kernel language, with the sequential programs that judge them.
//!
//! So far: **closed queueing networks** over any directed graph. A [`Network`] says where tokens may go and how fast
//! each node serves; a [`Scenario`] adds the tokens, the seed and the horizon; an engine turns it into an [`Outcome`],
//! integers all the way, whose [`Digest`] is the same for every exact engine.
//!
//! | module | what to know |
//! | --- | --- |
//! | [`time`] | simulation time is whole ticks, 2^20 to a unit |
//! | [`network`], [`graphml`] | topologies: generators, edge lists, GraphML files |
//! | [`streams`], [`exponential`] | which random numbers a node draws, to the bit |
//! | [`scenario`] | everything an engine needs for one replication |
//! | [`outcome`] | everything an engine must report, and its digest |
//! | [`sequential`] | the oracle: an event list, as plain as possible |
//! | [`calendar`] | a fast sequential simulator, the mark for parallel engines |
//! | [`interval`] | the clustered-time engine's meaning, its reference, its error correction |
//! | [`engine`], [`kernels`] | the engines that run on a device, and their kernels |
//! | [`statistics`], [`theory`] | estimates with intervals, and what queueing theory expects |
//! | [`config`], [`experiment`], [`report`] | a run from its TOML file to its JSON object |
//!
//! # The model
//! Each node is one server with an unbounded first-come, first-served line; its service times are exponential. A token
//! that has been served leaves at once over one of the node's out-edges, each as likely as the others, and arrives in
//! the same instant at the other end. [`scenario`] states the rules that make this exact to the bit.

pub mod calendar;
pub mod config;
pub mod engine;
pub mod experiment;
pub mod exponential;
pub mod graphml;
pub mod interval;
pub mod kernels;
pub mod network;
pub mod outcome;
pub mod report;
pub mod scenario;
pub mod sequential;
pub mod statistics;
pub mod streams;
pub mod theory;
pub mod time;

pub use network::{Network, NetworkError, Node};
pub use outcome::{Digest, Outcome};
pub use report::Report;
pub use scenario::{Scenario, ScenarioError, Start};
