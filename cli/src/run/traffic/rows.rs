//! Rows of the tables: statistics of queues and flows since the warm-up.

use super::engine::Part;
use super::means::{FlowMeans, QueueMeans};
use super::record::Seen;
use imminent::models::traffic::Traffic;
use imminent::models::traffic::network::{Flow, Kind};
use imminent::models::traffic::packet::{FlowReport, QueueReport};
use serde::Serialize;
use std::collections::{BTreeMap, HashMap};

/// Statistics of a queue since the warm-up.
#[derive(Debug, Clone, Serialize)]
pub(super) struct QueueRow {
    pub(super) link: u32,
    pub(super) label: String,
    pub(super) from: String,
    pub(super) to: String,
    /// Rates in bits per second: of the link, of the arrivals at its queue, and of those of them that were sent.
    pub(super) bandwidth: u64,
    pub(super) offered: f64,
    pub(super) carried: f64,
    /// Capacity and lengths in bytes.
    pub(super) capacity: u64,
    pub(super) mean_length: f64,
    pub(super) greatest_length: f64,
    /// Share of the bandwidth that is used, by what waited at the end of the warm-up too.
    pub(super) utilization: f64,
    /// Share of the arrivals that the queue drops.
    pub(super) loss: f64,
    /// Share of the departures that the link loses.
    pub(super) link_loss: f64,
    /// Losses of the link, in bits per second.
    pub(super) lost: f64,
}

/// Statistics of the fluid or the packets of a flow since the warm-up.
#[derive(Debug, Clone, Serialize)]
pub(super) struct FlowRow {
    pub(super) flow: u32,
    pub(super) label: String,
    pub(super) from: String,
    pub(super) to: String,
    pub(super) kind: &'static str,
    pub(super) part: Part,
    /// Number of sessions, sources or clients.
    pub(super) sessions: u32,
    /// Rate in bits per second: of fluids sent, or of packets received for the first time.
    pub(super) rate: f64,
    /// Mean window in packets, while the flow is active.
    pub(super) window: Option<f64>,
    /// Mean round-trip time in seconds, while the flow is active.
    pub(super) round_trip: Option<f64>,
}

/// Totals of flows of one kind.
#[derive(Debug, Clone, Serialize)]
pub(super) struct Total {
    pub(super) kind: &'static str,
    pub(super) part: Part,
    pub(super) flows: u64,
    pub(super) sessions: u64,
    /// Sum of the rates in bits per second.
    pub(super) rate: f64,
    /// Mean over the flows.
    pub(super) window: Option<f64>,
    pub(super) round_trip: Option<f64>,
}

/// Totals of all flows with packets.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(super) struct PacketTotal {
    pub(super) flows: u64,
    pub(super) sent: u64,
    /// Packets that queues dropped, and packets that links lost.
    pub(super) dropped: u64,
    pub(super) lost: u64,
    /// Ratio of both to the packets sent.
    pub(super) loss: Option<f64>,
    /// Sum of the goodputs in bits per second.
    pub(super) goodput: f64,
    /// Mean over the packets received for the first time, in seconds.
    pub(super) mean_delay: Option<f64>,
    /// Greatest of the flows' 99 % quantiles, in seconds.
    pub(super) greatest_p99: Option<f64>,
}

/// Rows of all tables.
#[derive(Debug)]
pub(super) struct Rows {
    pub(super) queues: Vec<QueueRow>,
    pub(super) flows: Vec<FlowRow>,
    pub(super) packets: Vec<FlowReport>,
}

impl Rows {
    pub(super) fn of(traffic: &Traffic, seen: &Seen) -> Self {
        let packets = seen.packets.as_ref();
        let reports = packets.map_or(&[][..], |report| report.queues.as_slice());
        let reports: HashMap<u32, &QueueReport> = reports.iter().map(|report| (report.link, report)).collect();
        let queue = |&(link, means): &(u32, QueueMeans)| queue(traffic, link, means, reports.get(&link).copied());
        let flow = |&(number, part, means): &(u32, Part, FlowMeans)| flow(traffic, number, part, means);
        Self {
            queues: seen.queues.iter().filter_map(queue).collect(),
            flows: seen.flows.iter().filter_map(flow).collect(),
            packets: packets.map_or_else(Vec::new, |report| report.flows.clone()),
        }
    }

    /// Returns the indices of queues, the most loaded first; equally loaded ones by loss.
    pub(super) fn busiest(&self) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.queues.len()).collect();
        let key = |place: usize| self.queues.get(place).map_or((0.0, 0.0), |row| (row.utilization, row.loss));
        order.sort_by(|&a, &b| {
            let (a, b) = (key(a), key(b));
            b.0.total_cmp(&a.0).then(b.1.total_cmp(&a.1))
        });
        order
    }

    /// Returns the totals of all packets; `None` without packets.
    pub(super) fn packet_total(&self) -> Option<PacketTotal> {
        let sent: u64 = self.packets.iter().map(|row| row.sent).sum();
        let delivered: u64 = self.packets.iter().map(|row| row.delivered).sum();
        let dropped: u64 = self.packets.iter().map(|row| row.dropped).sum();
        let lost: u64 = self.packets.iter().map(|row| row.lost).sum();
        let delays = || self.packets.iter().filter_map(|row| Some((row.delivered as f64, row.delay?)));
        (!self.packets.is_empty()).then(|| PacketTotal {
            flows: self.packets.len() as u64,
            sent,
            dropped,
            lost,
            loss: (sent > 0).then(|| (dropped + lost) as f64 / sent as f64),
            goodput: self.packets.iter().map(|row| row.goodput).sum(),
            mean_delay: (delivered > 0)
                .then(|| delays().map(|(count, delay)| count * delay.mean).sum::<f64>() / delivered as f64),
            greatest_p99: delays().map(|(_, delay)| delay.p99).max_by(f64::total_cmp),
        })
    }

    /// Returns the totals of all flows by kind and part.
    pub(super) fn totals(&self) -> Vec<Total> {
        let mut totals = BTreeMap::<_, (Total, u64, u64)>::new();
        for row in &self.flows {
            let new = Total::none(row.kind, row.part);
            let (total, windows, trips) = totals.entry((row.kind, row.part)).or_insert((new, 0, 0));
            total.flows += 1;
            total.sessions += u64::from(row.sessions);
            total.rate += row.rate;
            add(&mut total.window, windows, row.window);
            add(&mut total.round_trip, trips, row.round_trip);
        }
        let mean = |sum: Option<f64>, count: u64| sum.map(|sum| sum / count as f64);
        let total = |(total, windows, trips): (Total, u64, u64)| Total {
            window: mean(total.window, windows),
            round_trip: mean(total.round_trip, trips),
            ..total
        };
        totals.into_values().map(total).collect()
    }
}

impl Total {
    fn none(kind: &'static str, part: Part) -> Self {
        Self { kind, part, flows: 0, sessions: 0, rate: 0.0, window: None, round_trip: None }
    }
}

fn add(sum: &mut Option<f64>, count: &mut u64, value: Option<f64>) {
    if let Some(value) = value {
        *sum = Some(sum.unwrap_or(0.0) + value);
        *count += 1;
    }
}

/// Computes the row of a queue. Fluids are measured at every step; packets have counters.
fn queue(traffic: &Traffic, link: u32, means: QueueMeans, packets: Option<&QueueReport>) -> Option<QueueRow> {
    let ends = traffic.network().link(link)?;
    let bandwidth = ends.bandwidth as f64;
    let [came, dropped, lost] =
        packets.map_or([0.0; 3], |report| [report.offered, report.dropped_rate, report.lost_rate]);
    // A queue that only packets enter knows its mean length and its utilization.
    let own = packets.and_then(|report| Some((report.mean_length?, report.utilization)));
    let (mean_length, utilization) = own.unwrap_or((means.length, means.used));
    let (offered, dropped_in_all) = (means.arrivals + came, means.lost + dropped);
    // What waited when counting began uses the link too, but it was not offered since.
    let carried = (utilization * bandwidth).min(offered - dropped_in_all).max(0.0);
    let of_fluid = (carried - (came - dropped)).max(0.0);
    Some(QueueRow {
        link,
        label: traffic.network().link_label(link),
        from: traffic.network().label(ends.from).to_owned(),
        to: traffic.network().label(ends.to).to_owned(),
        bandwidth: ends.bandwidth,
        offered,
        carried,
        capacity: ends.queue.capacity,
        mean_length,
        greatest_length: packets.map_or(0.0, |report| report.greatest_length as f64).max(means.greatest),
        utilization,
        loss: if offered > 0.0 { dropped_in_all / offered } else { 0.0 },
        link_loss: ends.loss,
        lost: (of_fluid * ends.loss + lost).min(carried),
    })
}

fn flow(traffic: &Traffic, number: u32, part: Part, means: FlowMeans) -> Option<FlowRow> {
    let flow = traffic.flows().all().get(number as usize)?;
    let (kind, sessions) = described(flow, part);
    Some(FlowRow {
        flow: number,
        label: traffic.flows().label(number),
        from: traffic.network().label(flow.from).to_owned(),
        to: traffic.network().label(flow.to).to_owned(),
        kind,
        part,
        sessions,
        rate: means.rate,
        window: means.window,
        round_trip: means.round_trip,
    })
}

/// Returns the kind of a part of a flow, and its number of sessions.
fn described(flow: &Flow, part: Part) -> (&'static str, u32) {
    match flow.kind {
        Kind::Tcp { fluid, packets } => ("tcp", if part == Part::Fluid { fluid } else { packets }),
        Kind::Udp { .. } => ("udp", 1),
        Kind::Poisson { .. } => ("poisson", 1),
        Kind::OnOff { .. } => ("on-off", 1),
        Kind::Requests { clients, .. } => ("requests", clients),
    }
}

#[cfg(test)]
mod tests;
