//! Results of the tables: statistics of queues and flows since the warm-up.

use super::means::{FlowMeans, QueueMeans};
use super::record::Record;
use super::sample::Representation;
use crate::Traffic;
use crate::network::{Flow, Kind};
use crate::packet::{FlowReport, QueueReport};
use imminent_common::estimate::Estimate;
use serde::Serialize;
use std::collections::{BTreeMap, HashMap};

/// Statistics of a queue since the warm-up.
#[derive(Debug, Clone, Serialize)]
pub struct QueueRow {
    /// Number of the link.
    pub link: u32,
    /// Name of the link.
    pub label: String,
    /// Name of the node at which the link begins.
    pub from: String,
    /// Name of the node at which the link ends.
    pub to: String,
    /// Bandwidth of the link, in bits per second.
    pub bandwidth: u64,
    /// Arrivals at the queue, in bits per second.
    pub offered: f64,
    /// Arrivals that were sent, in bits per second.
    pub carried: f64,
    /// Capacity in bytes.
    pub capacity: u64,
    /// Mean length in bytes.
    pub mean_length: f64,
    /// Greatest length in bytes.
    pub greatest_length: f64,
    /// Share of the bandwidth that is used, by what waited at the end of the warm-up too.
    pub utilization: f64,
    /// Share of the arrivals that the queue drops.
    pub loss: f64,
    /// Share of the departures that the link loses.
    pub link_loss: f64,
    /// Losses of the link, in bits per second.
    pub lost: f64,
    /// Number of packets that the queue marked instead of dropping them.
    pub marked: u64,
    /// Number of packets that were lost because the link had failed.
    pub failed: u64,
}

/// Statistics of the fluid or the packets of a flow since the warm-up.
#[derive(Debug, Clone, Serialize)]
pub struct FlowRow {
    /// Number of the flow.
    pub flow: u32,
    /// Name of the flow.
    pub label: String,
    /// Name of the sending node.
    pub from: String,
    /// Name of the receiving node.
    pub to: String,
    /// Kind of traffic.
    pub kind: &'static str,
    /// Part of the flow.
    pub part: Representation,
    /// Number of sessions, sources or clients.
    pub sessions: u32,
    /// Rate in bits per second: of fluids sent, or of packets received for the first time.
    pub rate: f64,
    /// Half-width of the 95 % interval of the rate, over replications.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rate_ci95: Option<f64>,
    /// Mean window in packets, while the flow is active.
    pub window: Option<f64>,
    /// Mean round-trip time in seconds, while the flow is active.
    pub round_trip: Option<f64>,
}

/// Totals of flows of one kind.
#[derive(Debug, Clone, Serialize)]
pub struct Total {
    /// Kind of traffic.
    pub kind: &'static str,
    /// Part of the flows.
    pub part: Representation,
    /// Number of flows.
    pub flows: u64,
    /// Number of sessions, sources and clients.
    pub sessions: u64,
    /// Sum of the rates in bits per second.
    pub rate: f64,
    /// Mean of the windows of flows, in packets.
    pub window: Option<f64>,
    /// Mean of the round-trip times of flows, in seconds.
    pub round_trip: Option<f64>,
}

/// Totals of all flows with packets.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PacketTotal {
    /// Number of flows.
    pub flows: u64,
    /// Number of packets that were sent.
    pub sent: u64,
    /// Number of packets that queues dropped.
    pub dropped: u64,
    /// Number of packets that links lost.
    pub lost: u64,
    /// Number of packets that were lost because links had failed.
    pub failed: u64,
    /// Number of packets that arrived with a mark of a queue.
    pub marked: u64,
    /// Ratio of dropped and lost packets, failures included, to those sent.
    pub loss: Option<f64>,
    /// Half-width of the 95 % interval of that ratio, over replications.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub loss_ci95: Option<f64>,
    /// Sum of the goodputs in bits per second.
    pub goodput: f64,
    /// Half-width of the 95 % interval of that sum, over replications.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub goodput_ci95: Option<f64>,
    /// Mean over the packets received for the first time, in seconds; with replications the mean of their means.
    pub mean_delay: Option<f64>,
    /// Greatest of the flows' 99 % quantiles, in seconds; with replications the mean of the greatest of each.
    pub greatest_p99: Option<f64>,
    /// Mean time of completed transfers, in seconds; with replications the mean of their means.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mean_transfer: Option<f64>,
}

/// Results of all tables.
#[derive(Debug, Default)]
pub struct Results {
    /// Queues, in the order of links.
    pub queues: Vec<QueueRow>,
    /// Parts of flows, in the order of flows.
    pub flows: Vec<FlowRow>,
    /// Packets of flows, in the order of flows.
    pub packets: Vec<FlowReport>,
    /// Packets of all flows in each replication, if there are packets.
    pub replications: Vec<AllPackets>,
}

/// Packets of all flows in a replication. Times are in seconds.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct AllPackets {
    /// Sum of the goodputs of flows, in bits per second.
    pub goodput: f64,
    /// Number of lost packets, by whatever cause.
    pub lost: u64,
    /// Number of packets that were sent.
    pub sent: u64,
    /// Mean delay over the packets that were received for the first time.
    pub delay: Option<f64>,
    /// Greatest of the flows' 99 % quantiles of delays.
    pub p99: Option<f64>,
    /// Mean time of completed transfers.
    pub transfer: Option<f64>,
}

impl AllPackets {
    fn of(flows: &[FlowReport]) -> Self {
        let delays = || flows.iter().filter_map(|row| Some((row.delivered as f64, row.delay?)));
        let transfers = flows.iter().filter_map(|row| row.completion);
        let transfers = transfers.filter_map(|done| Some((done.transfers as f64, done.mean?)));
        Self {
            goodput: flows.iter().map(|row| row.goodput).sum(),
            lost: flows.iter().map(FlowReport::losses).sum(),
            sent: flows.iter().map(|row| row.sent).sum(),
            delay: weighted(delays().map(|(count, delay)| (count, delay.mean))),
            p99: delays().map(|(_, delay)| delay.p99).max_by(f64::total_cmp),
            transfer: weighted(transfers),
        }
    }
}

/// Returns the mean of values with weights; `None` if all weights are 0.
fn weighted(values: impl Iterator<Item = (f64, f64)>) -> Option<f64> {
    let (weights, sum) =
        values.fold((0.0, 0.0), |(weights, sum), (weight, value)| (weights + weight, sum + weight * value));
    (weights > 0.0).then(|| sum / weights)
}

impl Results {
    /// Returns the statistics of a record of some traffic.
    #[must_use]
    pub fn of(traffic: &Traffic, record: &Record) -> Self {
        let packets = record.packets.as_ref();
        let reports = packets.map_or(&[][..], |report| report.queues.as_slice());
        let reports: HashMap<u32, &QueueReport> = reports.iter().map(|report| (report.link, report)).collect();
        let queue = |&(link, means): &(u32, QueueMeans)| queue(traffic, link, means, reports.get(&link).copied());
        let flow = |&(number, part, means): &(u32, Representation, FlowMeans)| flow(traffic, number, part, means);
        Self {
            replications: packets.map(|report| AllPackets::of(&report.flows)).into_iter().collect(),
            queues: record.queues.iter().filter_map(queue).collect(),
            flows: record.flows.iter().filter_map(flow).collect(),
            packets: packets.map_or_else(Vec::new, |report| report.flows.clone()),
        }
    }

    /// Returns the indices of queues, the most loaded first; equally loaded ones by loss.
    #[must_use]
    pub fn busiest(&self) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.queues.len()).collect();
        let key = |place: usize| self.queues.get(place).map_or((0.0, 0.0), |row| (row.utilization, row.loss));
        order.sort_by(|&a, &b| {
            let (a, b) = (key(a), key(b));
            b.0.total_cmp(&a.0).then(b.1.total_cmp(&a.1))
        });
        order
    }

    /// Returns the totals of all packets; `None` without packets.
    #[must_use]
    pub fn packet_total(&self) -> Option<PacketTotal> {
        let sent: u64 = self.packets.iter().map(|row| row.sent).sum();
        let dropped: u64 = self.packets.iter().map(|row| row.dropped).sum();
        let lost: u64 = self.packets.iter().map(|row| row.lost).sum();
        let failed: u64 = self.packets.iter().map(|row| row.failed).sum();
        let each = |of: fn(&AllPackets) -> Option<f64>| self.replications.iter().filter_map(of).collect::<Vec<_>>();
        let goodput = Estimate::of(&each(|all| Some(all.goodput)));
        let losses: Vec<_> = self.replications.iter().map(|all| (all.lost as f64, all.sent as f64)).collect();
        (!self.packets.is_empty()).then(|| PacketTotal {
            flows: self.packets.len() as u64,
            sent,
            dropped,
            lost,
            marked: self.packets.iter().map(|row| row.marked).sum(),
            failed,
            loss: (sent > 0).then(|| (dropped + lost + failed) as f64 / sent as f64),
            loss_ci95: Estimate::of_ratios(&losses).half_width(),
            goodput: goodput.mean.unwrap_or(0.0),
            goodput_ci95: goodput.half_width(),
            mean_delay: Estimate::of(&each(|all| all.delay)).mean,
            greatest_p99: Estimate::of(&each(|all| all.p99)).mean,
            mean_transfer: Estimate::of(&each(|all| all.transfer)).mean,
        })
    }

    /// Returns the totals of all flows by kind and part.
    #[must_use]
    pub fn totals(&self) -> Vec<Total> {
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
    fn none(kind: &'static str, part: Representation) -> Self {
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
        marked: packets.map_or(0, |report| report.marked),
        failed: packets.map_or(0, |report| report.failed),
    })
}

fn flow(traffic: &Traffic, number: u32, part: Representation, means: FlowMeans) -> Option<FlowRow> {
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
        rate_ci95: None,
        window: means.window,
        round_trip: means.round_trip,
    })
}

/// Returns the kind of a part of a flow, and its number of sessions.
fn described(flow: &Flow, part: Representation) -> (&'static str, u32) {
    match flow.kind {
        Kind::Tcp { fluid, packets } => ("tcp", if part == Representation::Fluid { fluid } else { packets }),
        Kind::Udp { .. } => ("udp", 1),
        Kind::Poisson { .. } => ("poisson", 1),
        Kind::OnOff { .. } => ("on-off", 1),
        Kind::Requests { clients, .. } => ("requests", clients),
    }
}

#[cfg(test)]
mod tests;
