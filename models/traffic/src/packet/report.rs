//! What packets met: of each flow its delays, losses and goodput, of each queue its length, utilization and losses.

use super::clock::{SECOND, seconds};
use super::simulator::Simulator;
use super::wire::Cargo;
use imminent_common::output::{Quantile, Sketch};
use serde::{Deserialize, Serialize};

/// What happened to the packets of one flow. Counts are of packets; delays are in picoseconds.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct FlowCounts {
    /// Packets of data sent, again or for the first time.
    pub sent: u64,
    /// Of these, those sent again.
    pub again: u64,
    /// Packets of data that came, copies included.
    pub received: u64,
    /// Of these, the first copies.
    pub delivered: u64,
    /// Bytes of the first copies.
    pub bytes: u64,
    /// Packets of data that queues dropped.
    pub dropped: u64,
    /// Packets of data that links lost after their queues.
    pub lost: u64,
    /// Acknowledgements sent.
    pub acks: u64,
    /// Acknowledgements that came.
    pub acks_received: u64,
    /// Acknowledgements that queues dropped.
    pub acks_dropped: u64,
    /// Acknowledgements that links lost.
    pub acks_lost: u64,
    /// Retransmission timers that were over.
    pub timeouts: u64,
    /// Answers that came whole.
    pub answers: u64,
    /// Delays of the packets of data that came, from source to destination.
    pub delays: Sketch,
    /// Their sum.
    pub delay_sum: u128,
}

impl FlowCounts {
    pub(super) fn send(&mut self, again: bool) {
        self.sent += 1;
        self.again += u64::from(again);
    }

    /// A packet of data came; `new` has its bytes if it is the first copy.
    pub(super) fn receive(&mut self, delay: u64, new: Option<u32>) {
        self.received += 1;
        self.delivered += u64::from(new.is_some());
        self.bytes += u64::from(new.unwrap_or(0));
        self.delays.add(delay);
        self.delay_sum += u128::from(delay);
    }

    pub(super) fn drop(&mut self, cargo: Cargo) {
        match cargo {
            Cargo::Ack(_) => self.acks_dropped += 1,
            Cargo::Data(_) | Cargo::Datagram => self.dropped += 1,
        }
    }

    pub(super) fn lose(&mut self, cargo: Cargo) {
        match cargo {
            Cargo::Ack(_) => self.acks_lost += 1,
            Cargo::Data(_) | Cargo::Datagram => self.lost += 1,
        }
    }

    /// Returns the mean delay, in seconds; `None` if nothing came.
    #[must_use]
    pub fn mean_delay(&self) -> Option<f64> {
        Delays::of(&self.delays, self.delay_sum).map(|delays| delays.mean)
    }
}

/// Delays, in seconds. Quantiles are within [`RELATIVE_ERROR`](imminent_common::output::sketch::RELATIVE_ERROR) of the delays that packets had, and never outside of the
/// extremes.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Delays {
    /// The mean.
    pub mean: f64,
    /// The least.
    pub least: f64,
    /// Half of the packets took no longer.
    pub median: f64,
    /// 90 of 100 took no longer.
    pub p90: f64,
    /// 95 of 100 took no longer.
    pub p95: f64,
    /// 99 of 100 took no longer.
    pub p99: f64,
    /// The greatest.
    pub greatest: f64,
}

impl Delays {
    /// Returns what is told of a distribution of delays in picoseconds, and of their sum; `None` without any.
    #[must_use]
    pub fn of(delays: &Sketch, sum: u128) -> Option<Self> {
        let (least, greatest) = delays.extremes()?;
        let (unit, within) = (1.0 / SECOND as f64, (least as f64, greatest as f64));
        let quantile = |share| {
            let quantile = Quantile { value: delays.quantile(share), ci95: None };
            quantile.in_units(unit, within).value.unwrap_or(0.0)
        };
        Some(Self {
            mean: sum as f64 / delays.total() as f64 * unit,
            least: within.0 * unit,
            median: quantile(0.5),
            p90: quantile(0.9),
            p95: quantile(0.95),
            p99: quantile(0.99),
            greatest: within.1 * unit,
        })
    }
}

/// What one flow's packets met.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct FlowReport {
    /// The flow's number.
    pub flow: u32,
    /// Its name.
    pub label: String,
    /// Packets of data sent, those sent again included.
    pub sent: u64,
    /// Those sent again.
    pub again: u64,
    /// Packets of data that came for the first time.
    pub delivered: u64,
    /// Packets of data that queues dropped.
    pub dropped: u64,
    /// Packets of data that links lost after their queues.
    pub lost: u64,
    /// Packets of data that were dropped or lost over those sent; `None` if none was sent.
    pub loss: Option<f64>,
    /// Bits per second that came for the first time.
    pub goodput: f64,
    /// Delays from source to destination; `None` if nothing came.
    pub delay: Option<Delays>,
    /// Retransmission timers that were over.
    pub timeouts: u64,
    /// Answers that came whole.
    pub answers: u64,
}

/// What packets met in one queue.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct QueueReport {
    /// The link's number.
    pub link: u32,
    /// Its ends.
    pub label: String,
    /// Packets that came, acknowledgements included.
    pub arrivals: u64,
    /// Those that did not fit.
    pub overflowed: u64,
    /// Those that were dropped at random.
    pub dropped: u64,
    /// Those that were taken in, and that the link lost after its queue.
    pub lost: u64,
    /// Those that did not fit or were dropped over those that came: the loss of the queue.
    pub loss: f64,
    /// Bits per second that came.
    pub offered: f64,
    /// Bits per second taken in.
    pub carried: f64,
    /// Bits per second that the link lost after its queue.
    pub lost_rate: f64,
    /// Bytes taken in over what the link could have sent. Above 1 only by what is still in the queue.
    pub utilization: f64,
    /// Time average of the length, in bytes; `None` where the queue is shared with fluids, whose lengths only the fluid side knows.
    pub mean_length: Option<f64>,
    /// The greatest length, in bytes.
    pub greatest_length: u64,
}

/// What all packets met since counting began.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PacketReport {
    /// When counting began, in seconds.
    pub since: f64,
    /// Until when was simulated, in seconds.
    pub until: f64,
    /// Events since time 0.
    pub events: u64,
    /// The flows with packets.
    pub flows: Vec<FlowReport>,
    /// The queues into which packets came.
    pub queues: Vec<QueueReport>,
    /// Delays of the packets of data that came, in picoseconds, of each of the flows.
    #[serde(skip)]
    pub delays: Vec<Sketch>,
}

impl Simulator {
    /// What happened since counting began.
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
            flow: self.roads.flows[index],
            label: self.labels[index].clone(),
            sent: counts.sent,
            again: counts.again,
            delivered: counts.delivered,
            dropped: counts.dropped,
            lost: counts.lost,
            loss: (counts.sent > 0).then(|| (counts.dropped + counts.lost) as f64 / counts.sent as f64),
            goodput: if span > 0.0 { 8.0 * counts.bytes as f64 / span } else { 0.0 },
            delay: Delays::of(&counts.delays, counts.delay_sum),
            timeouts: counts.timeouts,
            answers: counts.answers,
        }
    }

    fn queue_report(&self, link: u32, span: f64) -> Option<QueueReport> {
        let counts = self.queue_counts(link);
        let shared = self.ports.get(link as usize)?.shared;
        let rate = self.network.link(link)?.bandwidth as f64;
        let per_second = |bytes: u64| if span > 0.0 { 8.0 * bytes as f64 / span } else { 0.0 };
        (counts.arrivals > 0).then(|| QueueReport {
            link,
            label: self.network.link_label(link),
            arrivals: counts.arrivals,
            overflowed: counts.overflowed,
            dropped: counts.dropped,
            lost: counts.lost,
            loss: (counts.overflowed + counts.dropped) as f64 / counts.arrivals as f64,
            offered: per_second(counts.offered),
            carried: per_second(counts.bytes),
            lost_rate: per_second(counts.lost_bytes),
            utilization: per_second(counts.bytes) / rate,
            // Seconds of work, averaged over time, times the rate.
            mean_length: (!shared && span > 0.0)
                .then(|| counts.work as f64 / (SECOND as f64 * SECOND as f64) / span * rate / 8.0),
            greatest_length: counts.greatest,
        })
    }
}
