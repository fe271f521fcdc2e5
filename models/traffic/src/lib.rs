//! Network traffic: TCP and UDP over links with queues, as fluids and as packets.
//!
//! The model of J. Liu, Y. Liu, Z. Du and T. Li, "GPU-assisted hybrid network traffic model": most flows are fluids, whose rates follow
//! differential equations, and a few are simulated packet by packet; both share the queues of the links.
//!
//! | module | what to know |
//! | --- | --- |
//! | [`fluid`] | rates that follow differential equations; a sequential simulation of them |
//! | [`coupling`] | both together, sharing queues |
//! | [`network`] | nodes, links, queues, routes, flows, and the generators of the paper's networks |
//! | [`packet`] | the packet simulator: FIFO queues, RED, TCP Reno, UDP |
//! | [`config`] | a run from its TOML file |
//! | [`units`] | times are whole nanoseconds, rates whole bits per second, sizes whole bytes |
//!
//! A [`Traffic`] has everything that a simulation needs to know: the network, what flows over it, and by which links.

pub mod config;
pub mod coupling;
pub mod fluid;
pub mod network;
pub mod packet;
pub mod units;

mod error;
mod offered;
mod scenario;

pub use config::TrafficConfig;
pub use error::TrafficError;
pub use offered::Overload;
pub use scenario::{Metric, StepSize, Tcp, Traffic};
