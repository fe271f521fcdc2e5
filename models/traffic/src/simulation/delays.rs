//! Distributions of the delays of packets, flow by flow.

use super::record::Record;
use crate::Traffic;
use crate::packet::clock::seconds;
use imminent_common::output::Sketch;

/// Largest number of flows with distributions: those with the most packets.
const MAX_FLOWS: usize = 200;
/// Number of bars per octave of a distribution. A bar is less than 3.2 % wide.
const BARS: usize = 32;

/// Number of packets of a flow with a delay in an interval.
#[derive(Debug, Clone)]
pub struct DelayBar {
    /// Number of the flow.
    pub flow: u32,
    /// Name of the flow.
    pub label: String,
    /// Shortest delay, in seconds.
    pub from: f64,
    /// Longest delay, in seconds.
    pub to: f64,
    /// Number of packets.
    pub packets: u64,
}

/// Returns the flows with received packets and their delays, those with the most first.
#[must_use]
pub fn by_packets(record: &Record) -> Vec<(u32, &Sketch)> {
    let Some(report) = &record.packets else { return vec![] };
    let flows = report.flows.iter().map(|flow| flow.flow).zip(&report.delays);
    let mut flows: Vec<_> = flows.map(|(flow, delays)| (delays.total(), flow, delays)).collect();
    flows.retain(|(packets, ..)| *packets > 0);
    flows.sort_by_key(|(packets, flow, _)| (std::cmp::Reverse(*packets), *flow));
    flows.into_iter().map(|(_, flow, delays)| (flow, delays)).collect()
}

/// Returns the distributions of the flows with the most packets, in the order of flows.
#[must_use]
pub fn bars(traffic: &Traffic, record: &Record) -> Vec<DelayBar> {
    let mut flows = by_packets(record);
    flows.truncate(MAX_FLOWS);
    flows.sort_by_key(|(flow, _)| *flow);
    let of_flow = |(flow, delays): (u32, &Sketch)| {
        let bars = delays.bars(BARS).into_iter();
        let bar = |(from, to, packets): (u64, u64, u64)| DelayBar {
            flow,
            label: traffic.flows().label(flow),
            from: seconds(from),
            to: seconds(to),
            packets,
        };
        bars.map(bar).collect::<Vec<_>>()
    };
    flows.into_iter().flat_map(of_flow).collect()
}
