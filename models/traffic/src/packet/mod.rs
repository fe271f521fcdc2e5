//! Traffic packet by packet: a discrete-event simulator of links, queues, TCP Reno and UDP, on the host.
//!
//! Time is whole picoseconds; events of one picosecond happen in the order in which they were scheduled. Whether a packet is dropped or lost at random is a function of the seed, the
//! link and the packet's number among those that came to the link. So a run is the same bits on every machine.
//!
//! A packet that comes to a link is dropped, or its departure and its arrival at the other end are known at once; so a packet makes one event a link. The packets on their way over
//! a link stay in order, and only the first of them is in the list of events. A packet that
//! the link loses takes its place in the queue and its time on the link. It is counted as lost when it comes to the queue.
//!
//! | module | what to know |
//! | --- | --- |
//! | [`clock`] | picoseconds, and the time to send a packet |
//! | [`background`] | what fluids do to packets: drop probabilities and backlogs, supplied from outside |
//! | [`report`] | what flows and queues met: delays, loss, goodput, lengths, utilization |
//!
//! What is simplified: a packet of data counts with all its bytes as payload; connections are not set up or taken down; an acknowledgement says one number (no SACK); windows are
//! kept over idle times.

mod agenda;
pub mod background;
pub mod clock;
mod connection;
mod error;
mod port;
mod red;
pub mod report;
mod roads;
mod simulator;
mod source;
mod tcp;
mod wire;

pub use background::{Alone, Background, Influence, Step};
pub use error::PacketError;
pub use port::QueueCounts;
pub use report::{FlowReport, PacketReport, QueueReport};
pub use simulator::{Settings, Simulator};
pub use tcp::Reno;

#[cfg(test)]
mod tests;
