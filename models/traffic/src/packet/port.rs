//! A link with its queue, for packets.
//!
//! The state of the queue is the time at which the link will have sent its contents. A packet leaves it bit by bit, as
//! fluid does, so its length is the data still to be sent. The departure of a packet is known when it arrives, so there
//! are no departure events. Only [managed] queues hold their packets, which the link takes one by one.

mod managed;

use super::agenda::Moment;
use super::background::Influence;
use super::clock::{bytes_in, picoseconds, sending, sending_many};
use super::queue::Queue;
use super::red::{Average, Distance};
use super::wire::Packet;
use crate::network::{Discipline, Link, OfPackets, Red};
use serde::{Deserialize, Serialize};
use std::collections::VecDeque;

/// Statistics of one queue. Counts are of packets.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct QueueCounts {
    /// Number of packets that arrived, including dropped ones.
    pub arrivals: u64,
    /// Number of packets that did not fit.
    pub overflowed: u64,
    /// Number of packets that the discipline dropped, of those that arrived.
    pub dropped: u64,
    /// Number of packets that the discipline marked.
    pub marked: u64,
    /// Number of packets that the link lost after its queue.
    pub lost: u64,
    /// Bytes of the packets that the link lost.
    pub lost_bytes: u64,
    /// Bytes that arrived, including those of dropped packets.
    pub offered: u64,
    /// Bytes of the packets that the queue dropped.
    pub dropped_bytes: u64,
    /// Number of packets that were lost because the link had failed.
    pub failed: u64,
    /// Bytes that were not sent because the link had failed.
    pub failed_bytes: u64,
    /// Greatest length in bytes, including the arriving packet.
    pub greatest: u64,
    /// Bytes in the queue when counting began, without those dropped since; for a shared queue, with the fluid ahead of
    /// them.
    pub before: u64,
    /// Integral of the work in the queue over time, in square picoseconds; not counted for shared queues.
    pub work: u128,
}

/// State of one link.
#[derive(Debug, Clone)]
pub(super) struct Port {
    rate: u64,
    delay: u64,
    capacity: u64,
    /// Time to send a full queue.
    room: u64,
    red: Option<Red>,
    /// Time to send a packet of the standard size, which is also the time between two samples of the average.
    sample: u64,
    average: Average,
    /// Distance between drops, for [`OfPackets::Prime`].
    distance: Distance,
    /// Standard size of a packet, in bytes.
    packet: u32,
    /// Time at which the link will have sent all data.
    free_at: u64,
    /// Time at which counting began.
    since: u64,
    /// Time up to which the integral of work is counted.
    counted: u64,
    /// Bytes of packets since the last step; only for a shared queue.
    backlog: u64,
    /// Bytes that left the backlog since it was last taken.
    drained: u64,
    /// `true` if packets have entered the queue while it was shared with fluids.
    pub(super) shared: bool,
    /// Largest number of packets in the queue, if its capacity is in packets.
    limit: Option<u32>,
    /// Departures of the packets in a queue with such a capacity.
    ends: VecDeque<u64>,
    /// Packets that wait, of a managed queue.
    queue: Option<Box<Queue>>,
    /// Moment at which the link will have sent a packet of a managed queue, while it sends one.
    pub(super) sending: Option<Moment>,
    /// `true` while the link has failed.
    pub(super) is_down: bool,
    /// Number of packets that ever arrived.
    sequence: u64,
    /// Threshold for losses: the link loses packets whose draw of 64 bits is below it.
    loss: u64,
    pub(super) counts: QueueCounts,
}

/// Packets that entered a shared queue within a batch of the fluid side, in bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Backlog {
    /// Bytes that still wait. The fluid side adds them to its queue.
    pub waiting: u64,
    /// Bytes that left beside the fluid.
    pub left: u64,
}

/// Fate of a packet.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Fate {
    /// The packet reaches the other end at this time.
    Arrives(u64),
    /// The packet is marked, and reaches the other end at this time.
    Marked(u64),
    Dropped,
    /// The packet was sent, and the link lost it.
    Lost,
}

impl Port {
    pub(super) fn new(link: &Link, packet: u32) -> Self {
        let red = match link.queue.discipline {
            Discipline::Red(red) => Some(red),
            _ => None,
        };
        Self {
            rate: link.bandwidth,
            delay: picoseconds(link.delay),
            capacity: link.queue.capacity,
            room: sending_many(link.queue.capacity, link.bandwidth),
            red,
            sample: sending(packet, link.bandwidth).max(1),
            average: Average::default(),
            distance: Distance::default(),
            packet,
            free_at: 0,
            since: 0,
            counted: 0,
            backlog: 0,
            drained: 0,
            shared: false,
            limit: link.queue.packets,
            ends: VecDeque::new(),
            queue: Queue::new(link.queue.discipline, packet).map(Box::new),
            sending: None,
            is_down: false,
            sequence: 0,
            loss: link.loss_threshold(),
            counts: QueueCounts::default(),
        }
    }

    /// Returns the fate of an accepted packet after it was sent. `draw` returns 64 random bits for a packet by its
    /// number at this queue.
    pub(super) fn sent(&mut self, fate: Fate, bytes: u32, draw: impl FnOnce(u64) -> u64) -> Fate {
        if self.loss > 0 && matches!(fate, Fate::Arrives(_) | Fate::Marked(_)) && draw(self.sequence) < self.loss {
            self.counts.lost += 1;
            self.counts.lost_bytes += u64::from(bytes);
            return Fate::Lost;
        }
        fate
    }

    /// Processes a packet that enters a queue without fluids. `is_capable` packets are marked where RED alone would
    /// drop them. `uniform` returns the draw from [0, 1) of a packet by its number at this queue.
    pub(super) fn alone(
        &mut self,
        now: u64,
        (bytes, is_capable): (u32, bool),
        drop: f64,
        uniform: impl FnOnce(u64) -> f64,
    ) -> Fate {
        self.count_arrival(now, bytes);
        let start = self.free_at.max(now);
        let end = start.saturating_add(sending(bytes, self.rate));
        let early = self.red.map_or(0.0, |red| self.early(red, now, bytes));
        // The packet is dropped by one cause or the other.
        let probability = early + drop - early * drop;
        let is_chosen = probability > 0.0 && uniform(self.sequence) < probability;
        // RFC 3168, section 7: where RED would drop every packet, marks no longer help.
        let is_marked = is_chosen && is_capable && drop == 0.0 && early < 1.0;
        if is_chosen {
            self.distance.begin();
        }
        if is_chosen && !is_marked {
            self.counts.dropped += 1;
            self.counts.dropped_bytes += u64::from(bytes);
            return Fate::Dropped;
        }
        if !self.has_room(now, end) {
            self.counts.overflowed += 1;
            self.counts.dropped_bytes += u64::from(bytes);
            self.distance.begin();
            return Fate::Dropped;
        }
        self.free_at = end;
        if self.limit.is_some() {
            self.ends.push_back(end);
        }
        self.count_length(now);
        self.counts.marked += u64::from(is_marked);
        if is_marked { Fate::Marked(end + self.delay) } else { Fate::Arrives(end + self.delay) }
    }

    /// Counts a packet that comes to the queue.
    fn count_arrival(&mut self, now: u64, bytes: u32) {
        self.count_work(now);
        self.counts.arrivals += 1;
        self.counts.offered += u64::from(bytes);
        self.sequence += 1;
    }

    /// Counts the length of the queue after an arrival.
    fn count_length(&mut self, now: u64) {
        self.counts.greatest = self.counts.greatest.max(self.bytes(now));
    }

    /// Returns `true` if the queue has room for a packet that would leave at `end`.
    fn has_room(&mut self, now: u64, end: u64) -> bool {
        let Some(limit) = self.limit else { return end - now <= self.room };
        while self.ends.front().is_some_and(|end| *end <= now) {
            self.ends.pop_front();
        }
        self.ends.len() < limit as usize
    }

    /// Returns the probability that RED drops a packet.
    fn early(&mut self, red: Red, now: u64, bytes: u32) -> f64 {
        let share = self.average.advance(now, self.free_at, self.sample, red.weight) / self.room as f64;
        match red.packets {
            OfPackets::AsFluid => red.share_probability(share),
            OfPackets::Prime => {
                let probability = if self.free_at > now { red.gentle_probability(share) } else { 0.0 };
                self.distance.probability(probability, bytes, self.packet)
            }
        }
    }

    /// Processes a packet that enters a queue shared with fluids.
    pub(super) fn shared(
        &mut self,
        now: u64,
        bytes: u32,
        influence: Influence,
        uniform: impl FnOnce(u64) -> f64,
    ) -> Fate {
        self.shared = true;
        self.count_arrival(now, bytes);
        self.drain(influence.drained);
        if influence.drop > 0.0 && uniform(self.sequence) < influence.drop {
            self.counts.dropped += 1;
            self.counts.dropped_bytes += u64::from(bytes);
            return Fate::Dropped;
        }
        let queue = influence.backlog.saturating_add(self.backlog).saturating_add(u64::from(bytes));
        if queue > self.capacity {
            self.counts.overflowed += 1;
            self.counts.dropped_bytes += u64::from(bytes);
            return Fate::Dropped;
        }
        self.backlog += u64::from(bytes);
        self.counts.greatest = self.counts.greatest.max(queue);
        self.free_at = self.free_at.max(now + sending_many(queue, self.rate));
        Fate::Arrives(self.free_at + self.delay)
    }

    /// Removes up to `bytes` from the backlog.
    fn drain(&mut self, bytes: u64) {
        let drained = bytes.min(self.backlog);
        self.backlog -= drained;
        self.drained += drained;
    }

    /// Returns and resets the backlog of packets since the last call, less `drained` bytes since the last arrival; only
    /// for shared queues.
    pub(super) fn take_backlog(&mut self, drained: u64) -> Backlog {
        self.drain(drained);
        Backlog { waiting: std::mem::take(&mut self.backlog), left: std::mem::take(&mut self.drained) }
    }

    /// Returns the bytes that are still to be sent.
    pub(super) fn bytes(&self, now: u64) -> u64 {
        bytes_in(self.free_at.saturating_sub(now) + self.rounding(), self.rate)
    }

    /// Returns the time needed to send the contents of the queue.
    pub(super) fn work(&self, now: u64) -> u64 {
        self.free_at.saturating_sub(now)
    }

    /// Half the time of one byte, which turns rounded times into whole bytes again.
    fn rounding(&self) -> u64 {
        sending(1, self.rate) / 2
    }

    /// Adds the work since the last call: it shrinks by one second per second. For a shared queue only the fluid side
    /// knows it.
    pub(super) fn count_work(&mut self, now: u64) {
        if self.shared {
            return;
        }
        let square = |time: u64| u128::from(self.work(time)) * u128::from(self.work(time));
        self.counts.work += (square(self.counted) - square(now)) / 2;
        self.counted = now;
    }

    /// Counts a packet that comes to a failed link.
    pub(super) fn refuse(&mut self, now: u64, bytes: u32) {
        self.count_arrival(now, bytes);
        self.counts.failed += 1;
        self.counts.failed_bytes += u64::from(bytes);
    }

    /// Fails with the contents of the queue, and with a number of packets that are on the link or in a queue that knows
    /// their departures. Returns the packets of a managed queue.
    pub(super) fn fail(&mut self, now: u64, under_way: u64) -> Vec<Packet> {
        self.count_work(now);
        let waiting = self.queue.as_mut().map_or_else(Vec::new, |queue| queue.empty());
        self.counts.failed += under_way + waiting.len() as u64;
        self.counts.failed_bytes += self.bytes(now);
        (self.free_at, self.sending, self.is_down) = (now, None, true);
        self.ends.clear();
        waiting
    }

    /// Resets the counts.
    pub(super) fn forget(&mut self, now: u64) {
        (self.since, self.counted) = (now, now);
        self.counts = QueueCounts { before: self.bytes(now), ..QueueCounts::default() };
    }
}

#[cfg(test)]
mod tests;
