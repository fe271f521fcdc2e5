//! Packet-level traffic: a discrete-event simulator of links, queues, TCP (Reno, NewReno, CUBIC) and UDP, on the host.
//!
//! Time is in whole picoseconds; events of the same picosecond keep the order in which they were scheduled. Random
//! drops and losses are a function of the seed, the link, and the packet's number among the arrivals at the link. A run
//! thus gives the same bits on every machine.
//!
//! When a packet reaches a link, it is dropped, or its departure and arrival times are known at once. A packet
//! therefore needs one event per link. The packets on a link stay in order, and only the first of them is in the future
//! event list. A packet that the link loses uses the queue and the link like any other. It is counted as lost when it
//! reaches the queue.
//!
//! | module | contents |
//! | --- | --- |
//! | [`clock`] | picoseconds, and the time to send a packet |
//! | [`background`] | influence of fluids on packets: drop probabilities and backlogs, supplied from outside |
//! | [`report`] | statistics of flows and queues: delays, loss, goodput, lengths, utilization |
//!
//! Simplifications: all bytes of a data packet count as payload; connections are neither set up nor closed; windows
//! persist over idle times.

mod agenda;
pub mod background;
pub mod clock;
mod connection;
mod counts;
mod error;
mod paths;
mod port;
mod queue;
mod red;
pub mod report;
mod rules;
mod sessions;
mod simulator;
mod source;
mod tcp;
mod wire;

pub use background::{Alone, Background, Influence, Step};
pub use error::PacketError;
pub(crate) use paths::Paths;
pub use port::{Backlog, QueueCounts};
pub use report::{Completion, Delays, FlowReport, PacketReport, QueueReport};
pub(crate) use rules::check_rules;
pub use simulator::{Settings, Simulator};
pub use tcp::TcpRules;

#[cfg(test)]
mod tests;
