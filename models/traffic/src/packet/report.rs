//! Statistics of packets: delays, losses and goodput of flows; length, utilization and losses of queues.

pub use super::counts::{Delays, FlowCounts};

use super::clock::{SECOND, seconds};
use super::connection::Role;
use super::simulator::Simulator;
use imminent_common::output::Sketch;
use serde::{Deserialize, Serialize};

/// Results of one flow's packets.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct FlowReport {
    /// Number of the flow.
    pub flow: u32,
    /// Name of the flow.
    pub label: String,
    /// Number of data packets sent, including retransmissions.
    pub sent: u64,
    /// Number of retransmitted data packets.
    pub again: u64,
    /// Number of data packets received for the first time.
    pub delivered: u64,
    /// Number of data packets that queues dropped, of those sent.
    pub dropped: u64,
    /// Number of data packets that links lost after their queues, of those sent.
    pub lost: u64,
    /// Number of data packets that arrived with a mark of a queue (ECN).
    pub marked: u64,
    /// Number of data packets lost because a link had failed, of those sent.
    pub failed: u64,
    /// Ratio of dropped and lost data packets, failures included, to those sent; `None` if none was sent.
    pub loss: Option<f64>,
    /// Half-width of the 95 % interval of that ratio, over replications.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub loss_ci95: Option<f64>,
    /// Rate of data received for the first time, in bits per second.
    pub goodput: f64,
    /// Half-width of the 95 % interval of that rate, over replications.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub goodput_ci95: Option<f64>,
    /// Delays from source to destination; `None` without received packets.
    pub delay: Option<Delays>,
    /// Half-width of the 95 % interval of the mean delay, in seconds, over replications.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mean_delay_ci95: Option<f64>,
    /// Number of expired retransmission timers.
    pub timeouts: u64,
    /// Number of completely received responses.
    pub answers: u64,
    /// Completely received transfers; `None` for a flow whose sessions have unlimited data.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub completion: Option<Completion>,
}

impl FlowReport {
    /// Number of data packets that were lost, by whatever cause.
    #[must_use]
    pub const fn losses(&self) -> u64 {
        self.dropped + self.lost + self.failed
    }
}

/// Transfers of a flow that were completely received. Times are in seconds, from the session's start to the arrival of
/// the last packet.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Completion {
    /// Number of transfers.
    pub transfers: u64,
    /// Mean time; `None` without a complete transfer.
    pub mean: Option<f64>,
    /// Longest time; `None` without a complete transfer.
    pub longest: Option<f64>,
}

/// Results of packets in one queue.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct QueueReport {
    /// Number of the link.
    pub link: u32,
    /// Labels of the link's ends.
    pub label: String,
    /// Number of packets that arrived, including acknowledgements.
    pub arrivals: u64,
    /// Number of packets that did not fit.
    pub overflowed: u64,
    /// Number of packets that the discipline dropped.
    pub dropped: u64,
    /// Number of packets that the discipline marked (ECN).
    pub marked: u64,
    /// Number of packets that the link lost after its queue.
    pub lost: u64,
    /// Number of packets that were lost because the link had failed.
    pub failed: u64,
    /// Loss of the queue: the ratio of packets that did not fit or were dropped to those that arrived.
    pub loss: f64,
    /// Arrivals in bits per second.
    pub offered: f64,
    /// Drops of the queue in bits per second.
    pub dropped_rate: f64,
    /// Data sent in bits per second, at most what the queue accepted. For a queue shared with fluids, the accepted
    /// data.
    pub carried: f64,
    /// Losses of the link after its queue, in bits per second.
    pub lost_rate: f64,
    /// Share of the bandwidth that was used, by data that waited when counting began too. For a queue shared with
    /// fluids, the ratio of accepted data to the bandwidth.
    pub utilization: f64,
    /// Time average of the length, in bytes. `None` for a queue shared with fluids, whose length only the fluid side
    /// knows.
    pub mean_length: Option<f64>,
    /// Greatest length, in bytes.
    pub greatest_length: u64,
}

/// Results of all packets since counting began.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PacketReport {
    /// Start of the counts, in seconds.
    pub since: f64,
    /// End of the counts, in seconds.
    pub until: f64,
    /// Number of events since time 0.
    pub events: u64,
    /// Results of flows with packets.
    pub flows: Vec<FlowReport>,
    /// Results of queues that packets entered.
    pub queues: Vec<QueueReport>,
    /// Delays of received data packets of each flow, in picoseconds.
    #[serde(skip)]
    pub delays: Vec<Sketch>,
}

impl Simulator {
    /// Returns the statistics since counting began.
    #[must_use]
    pub fn report(&self) -> PacketReport {
        let span = seconds(self.now - self.since);
        let flows = (0..self.flows.len()).map(|index| self.flow_report(index, span)).collect();
        let queues = (0..self.ports.len() as u32).filter_map(|link| self.queue_report(link, span)).collect();
        let delays = self.counts.iter().map(|counts| counts.delays.clone()).collect();
        PacketReport {
            since: seconds(self.since),
            until: seconds(self.now),
            events: self.events,
            flows,
            queues,
            delays,
        }
    }

    fn flow_report(&self, index: usize, span: f64) -> FlowReport {
        let counts = &self.counts[index];
        FlowReport {
            flow: self.paths.flows[index],
            label: self.labels[index].clone(),
            sent: counts.sent,
            again: counts.again,
            delivered: counts.delivered,
            dropped: counts.dropped,
            lost: counts.lost,
            marked: counts.marked,
            failed: counts.failed,
            loss: (counts.sent > 0).then(|| (counts.dropped + counts.lost + counts.failed) as f64 / counts.sent as f64),
            loss_ci95: None,
            goodput_ci95: None,
            mean_delay_ci95: None,
            goodput: if span > 0.0 { 8.0 * counts.bytes as f64 / span } else { 0.0 },
            delay: Delays::of(&counts.delays, counts.delay_sum),
            timeouts: counts.timeouts,
            answers: counts.answers,
            completion: self.has_transfers(index).then(|| completion(counts)),
        }
    }

    /// Returns `true` if the sessions of a flow have a number of bytes to send.
    fn has_transfers(&self, index: usize) -> bool {
        let first = self.connections.partition_point(|connection| (connection.flow as usize) < index);
        let session = self.connections.get(first).filter(|connection| connection.flow as usize == index);
        session.is_some_and(|session| matches!(session.role, Role::Transfer { .. }))
    }

    fn queue_report(&self, link: u32, span: f64) -> Option<QueueReport> {
        let counts = self.queue_counts(link);
        let shared = self.ports.get(link as usize)?.shared;
        let rate = self.network.link(link)?.bandwidth as f64;
        let per_second = |bytes: u64| if span > 0.0 { 8.0 * bytes as f64 / span } else { 0.0 };
        // Only the fluid side knows what a shared queue sent.
        let accepted = counts.offered.saturating_sub(counts.dropped_bytes);
        let all = (counts.before + accepted).saturating_sub(counts.failed_bytes);
        let sent = if shared { accepted } else { all.saturating_sub(self.backlog(link)) };
        let used = (per_second(sent) / rate).min(1.0);
        (counts.arrivals > 0).then(|| QueueReport {
            link,
            label: self.network.link_label(link),
            arrivals: counts.arrivals,
            overflowed: counts.overflowed,
            dropped: counts.dropped,
            marked: counts.marked,
            lost: counts.lost,
            failed: counts.failed,
            loss: (counts.overflowed + counts.dropped) as f64 / counts.arrivals as f64,
            offered: per_second(counts.offered),
            dropped_rate: per_second(counts.dropped_bytes),
            carried: per_second(accepted).min(if shared { f64::INFINITY } else { used * rate }),
            lost_rate: per_second(counts.lost_bytes),
            utilization: used,
            // The work in seconds, averaged over time, times the rate.
            mean_length: (!shared && span > 0.0)
                .then(|| counts.work as f64 / (SECOND as f64 * SECOND as f64) / span * rate / 8.0),
            greatest_length: counts.greatest,
        })
    }
}

fn completion(counts: &FlowCounts) -> Completion {
    let transfers = counts.transfers;
    let of_some = |time: f64| (transfers > 0).then_some(time);
    Completion {
        transfers,
        mean: of_some(counts.transfer_sum as f64 / transfers as f64 / SECOND as f64),
        longest: of_some(seconds(counts.longest_transfer)),
    }
}
