//! Samples of queues and flows at one time.

use serde::Serialize;

/// Sample of queues and flows at one time.
#[derive(Debug, Clone, Default)]
pub(super) struct Sample {
    pub(super) queues: Vec<QueueSample>,
    pub(super) flows: Vec<FlowSample>,
}

/// Sample of a queue.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct QueueSample {
    /// Number of the link at which the queue is.
    pub link: u32,
    /// Length in bytes.
    pub length: f64,
    /// Arrivals in bits per second, and the share of them that is lost. `None` for packets, for which neither has a
    /// value at one time.
    pub passing: Option<(f64, f64)>,
}

/// Sample of the fluid or the packets of a flow.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FlowSample {
    /// Number of the flow.
    pub flow: u32,
    /// Representation of this part of the flow.
    pub part: Representation,
    /// Mean window of its sessions, in packets; `None` for UDP, and for an inactive flow.
    pub window: Option<f64>,
    /// Mean round-trip time of its sessions, in seconds, if known.
    pub round_trip: Option<f64>,
    /// Rate in bits per second: for fluids the sending rate, for packets the first copies received since the last
    /// sample.
    pub rate: f64,
}

/// Representation in which some sessions or sources of a flow are simulated.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Representation {
    /// Sessions and sources that are simulated as fluids.
    Fluid,
    /// Sessions and sources that are simulated as packets.
    Packets,
}

impl Representation {
    /// Returns the name in tables.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Fluid => "fluid",
            Self::Packets => "packets",
        }
    }
}

/// Time of the host by activity, in seconds.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct SpentTime {
    /// Time for simulating packets.
    pub packets_s: f64,
    /// Time for enqueueing work of the fluids.
    pub fluids_s: f64,
    /// Time spent waiting for the fluids.
    pub waiting_s: f64,
}
