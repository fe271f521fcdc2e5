//! Results of a simulation: means since the warm-up, and samples over time.

use super::means::{FlowMeans, QueueMeans};
use super::sample::{FlowSample, QueueSample, Representation, SpentTime};
use crate::packet::PacketReport;
use std::time::Duration;

/// Sample of a queue in a series.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct QueuePoint {
    /// Time in seconds.
    pub time: f64,
    /// The sample.
    pub sample: QueueSample,
}

/// Sample of a flow in a series.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FlowPoint {
    /// Time in seconds.
    pub time: f64,
    /// The sample.
    pub sample: FlowSample,
}

/// Total rates of all flows at one time, in bits per second.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RatePoint {
    /// Time in seconds.
    pub time: f64,
    /// Sending rate of fluids; `None` if there are none.
    pub fluid: Option<f64>,
    /// Received first copies of packets; `None` if there are none.
    pub packets: Option<f64>,
}

/// All samples and statistics of a run.
#[derive(Debug)]
pub struct Record {
    /// Number of samples since the warm-up; 0 if all means were measured at every step, and no series were kept.
    pub samples: u64,
    /// Link and means of each queue.
    pub queues: Vec<(u32, QueueMeans)>,
    /// Flow, part and means of each part of a flow.
    pub flows: Vec<(u32, Representation, FlowMeans)>,
    /// Samples of queues, by time and then by queue.
    pub queue_series: Vec<QueuePoint>,
    /// Samples of flows, by time and then by flow.
    pub flow_series: Vec<FlowPoint>,
    /// Total rates by time.
    pub rates: Vec<RatePoint>,
    /// Statistics of packets, if there are packets.
    pub packets: Option<PacketReport>,
    /// Time of the host by activity, if fluids and packets share it.
    pub spent: Option<SpentTime>,
    /// Time that the simulation took.
    pub wall: Duration,
    /// Simulated seconds: less than the horizon if the run was interrupted.
    pub simulated_s: f64,
}

impl Record {
    /// Adds the time and the events of another replication.
    pub(crate) fn count(&mut self, other: Self) {
        self.wall += other.wall;
        if let (Some(packets), Some(more)) = (&mut self.packets, other.packets) {
            packets.events += more.events;
        }
    }
}
