//! Counters of the packets of a flow, and statistics of their delays.

use super::clock::SECOND;
use super::wire::Cargo;
use imminent_common::output::{Quantile, Sketch};
use serde::{Deserialize, Serialize};

/// Statistics of the packets of one flow. Counts are of packets; delays are in picoseconds.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct FlowCounts {
    /// Number of data packets sent, including retransmissions.
    pub sent: u64,
    /// Number of retransmitted data packets.
    pub again: u64,
    /// Number of data packets received, including copies.
    pub received: u64,
    /// Number of data packets received for the first time.
    pub delivered: u64,
    /// Bytes received for the first time.
    pub bytes: u64,
    /// Number of data packets that queues dropped, of those sent.
    pub dropped: u64,
    /// Number of data packets that links lost after their queues, of those sent.
    pub lost: u64,
    /// Number of data packets received with a mark of a queue (ECN).
    pub marked: u64,
    /// Number of data packets sent and lost because a link had failed: in its queue, on it, on the way to it, or
    /// without a path.
    pub failed: u64,
    /// Number of acknowledgements sent.
    pub acks: u64,
    /// Number of acknowledgements received.
    pub acks_received: u64,
    /// Number of acknowledgements that queues dropped.
    pub acks_dropped: u64,
    /// Number of acknowledgements that links lost.
    pub acks_lost: u64,
    /// Number of acknowledgements lost because a link had failed.
    pub acks_failed: u64,
    /// Number of expired retransmission timers.
    pub timeouts: u64,
    /// Number of completely received responses.
    pub answers: u64,
    /// Number of completely received transfers.
    pub transfers: u64,
    /// Sum of their times from the session's start to the arrival of the last packet.
    pub transfer_sum: u128,
    /// Longest of these times.
    pub longest_transfer: u64,
    /// Delays of received data packets, from source to destination.
    pub delays: Sketch,
    /// Sum of the delays.
    pub delay_sum: u128,
}

impl FlowCounts {
    pub(super) fn send(&mut self, again: bool) {
        self.sent += 1;
        self.again += u64::from(again);
    }

    /// Records a received data packet; `new` has its bytes if it is the first copy.
    pub(super) fn receive(&mut self, delay: u64, new: Option<u32>) {
        self.received += 1;
        self.delivered += u64::from(new.is_some());
        self.bytes += u64::from(new.unwrap_or(0));
        self.delays.add(delay);
        self.delay_sum += u128::from(delay);
    }

    /// Records a completely received transfer, with the time that it took.
    pub(super) fn complete(&mut self, time: u64) {
        self.transfers += 1;
        self.transfer_sum += u128::from(time);
        self.longest_transfer = self.longest_transfer.max(time);
    }

    pub(super) fn drop(&mut self, cargo: Cargo) {
        match cargo {
            Cargo::Ack(..) => self.acks_dropped += 1,
            Cargo::Data { .. } | Cargo::Datagram => self.dropped += 1,
        }
    }

    pub(super) fn lose(&mut self, cargo: Cargo) {
        match cargo {
            Cargo::Ack(..) => self.acks_lost += 1,
            Cargo::Data { .. } | Cargo::Datagram => self.lost += 1,
        }
    }

    pub(super) fn fail(&mut self, cargo: Cargo) {
        match cargo {
            Cargo::Ack(..) => self.acks_failed += 1,
            Cargo::Data { .. } | Cargo::Datagram => self.failed += 1,
        }
    }

    /// Returns the mean delay, in seconds; `None` without received packets.
    #[must_use]
    pub fn mean_delay(&self) -> Option<f64> {
        Delays::of(&self.delays, self.delay_sum).map(|delays| delays.mean)
    }
}

/// Delays in seconds. Quantiles are within [`RELATIVE_ERROR`](imminent_common::output::sketch::RELATIVE_ERROR) of the
/// true delays, and never outside the extremes.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Delays {
    /// Mean delay.
    pub mean: f64,
    /// Smallest delay.
    pub least: f64,
    /// Median delay.
    pub median: f64,
    /// 90 % quantile.
    pub p90: f64,
    /// 95 % quantile.
    pub p95: f64,
    /// 99 % quantile.
    pub p99: f64,
    /// Greatest delay.
    pub greatest: f64,
}

impl Delays {
    /// Returns the statistics of a distribution of delays in picoseconds and their sum; `None` if it is empty.
    #[must_use]
    pub fn of(delays: &Sketch, sum: u128) -> Option<Self> {
        let (least, greatest) = delays.extremes()?;
        let (unit, within) = (1.0 / SECOND as f64, (least as f64, greatest as f64));
        let quantile = |share| {
            let quantile = Quantile { value: delays.quantile(share), ..Quantile::default() };
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
