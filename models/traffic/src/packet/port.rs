//! A link with its queue, for packets.
//!
//! The state of the queue is the time at which the link will have sent its contents. A packet leaves it bit by bit, as
//! fluid does, so its length is the data still to be sent. The departure of a packet is known when it arrives, so there
//! are no departure events.

use super::background::Influence;
use super::clock::{bytes_in, picoseconds, sending, sending_many};
use super::red::{Average, Distance};
use crate::network::{Discipline, Link, OfPackets, Red};
use serde::{Deserialize, Serialize};

/// Statistics of one queue. Counts are of packets.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct QueueCounts {
    /// Number of packets that arrived, including dropped ones.
    pub arrivals: u64,
    /// Number of packets that did not fit.
    pub overflowed: u64,
    /// Number of packets that were dropped at random.
    pub dropped: u64,
    /// Number of packets that the link lost after its queue.
    pub lost: u64,
    /// Bytes of the packets that the link lost.
    pub lost_bytes: u64,
    /// Bytes that arrived, including those of dropped packets.
    pub offered: u64,
    /// Bytes that the queue accepted.
    pub bytes: u64,
    /// Greatest length in bytes, including the arriving packet.
    pub greatest: u64,
    /// Bytes in the queue when counting began; for a shared queue, with the fluid ahead of them.
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
    /// Time up to which the integral of work is counted.
    counted: u64,
    /// Bytes of packets since the last step; only for a shared queue.
    backlog: u64,
    /// Bytes that left the backlog since it was last taken.
    drained: u64,
    /// `true` if packets have entered the queue while it was shared with fluids.
    pub(super) shared: bool,
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
    Dropped,
    /// The packet was sent, and the link lost it.
    Lost,
}

impl Port {
    pub(super) fn new(link: &Link, packet: u32) -> Self {
        let red = match link.queue.discipline {
            Discipline::Red(red) => Some(red),
            Discipline::DropTail => None,
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
            counted: 0,
            backlog: 0,
            drained: 0,
            shared: false,
            sequence: 0,
            loss: link.loss_threshold(),
            counts: QueueCounts::default(),
        }
    }

    /// Returns the fate of an accepted packet after it was sent. `draw` returns 64 random bits for a packet by its
    /// number at this queue.
    pub(super) fn sent(&mut self, fate: Fate, bytes: u32, draw: impl FnOnce(u64) -> u64) -> Fate {
        if self.loss > 0 && matches!(fate, Fate::Arrives(_)) && draw(self.sequence) < self.loss {
            self.counts.lost += 1;
            self.counts.lost_bytes += u64::from(bytes);
            return Fate::Lost;
        }
        fate
    }

    /// Processes a packet that enters a queue without fluids. `uniform` returns the draw from [0, 1) of a packet by its
    /// number at this queue.
    pub(super) fn alone(&mut self, now: u64, bytes: u32, drop: f64, uniform: impl FnOnce(u64) -> f64) -> Fate {
        self.count_work(now);
        self.counts.arrivals += 1;
        self.counts.offered += u64::from(bytes);
        self.sequence += 1;
        let start = self.free_at.max(now);
        let end = start.saturating_add(sending(bytes, self.rate));
        let early = self.red.map_or(0.0, |red| self.early(red, now, bytes));
        // The packet is dropped by one cause or the other.
        let probability = early + drop - early * drop;
        if probability > 0.0 && uniform(self.sequence) < probability {
            self.counts.dropped += 1;
            self.distance.begin();
            return Fate::Dropped;
        }
        if end - now > self.room {
            self.counts.overflowed += 1;
            self.distance.begin();
            return Fate::Dropped;
        }
        self.free_at = end;
        self.counts.bytes += u64::from(bytes);
        self.counts.greatest = self.counts.greatest.max(bytes_in(end - now + self.rounding(), self.rate));
        Fate::Arrives(end + self.delay)
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
        self.counts.arrivals += 1;
        self.counts.offered += u64::from(bytes);
        self.sequence += 1;
        self.drain(influence.drained);
        if influence.drop > 0.0 && uniform(self.sequence) < influence.drop {
            self.counts.dropped += 1;
            return Fate::Dropped;
        }
        let queue = influence.backlog.saturating_add(self.backlog).saturating_add(u64::from(bytes));
        if queue > self.capacity {
            self.counts.overflowed += 1;
            return Fate::Dropped;
        }
        self.backlog += u64::from(bytes);
        self.counts.bytes += u64::from(bytes);
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

    /// Resets the counts.
    pub(super) fn forget(&mut self, now: u64) {
        self.counted = now;
        self.counts = QueueCounts { before: self.bytes(now), ..QueueCounts::default() };
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::network::Queue;

    /// Creates a link of one byte per microsecond, with a delay of 1 ms.
    fn port(capacity: u64, discipline: Discipline) -> Port {
        let queue = Queue { capacity, discipline };
        Port::new(&Link { from: 0, to: 1, delay: 1_000_000, bandwidth: 8_000_000, queue, loss: 0.0 }, 100)
    }

    const MICROSECOND: u64 = 1_000_000;
    const DELAY: u64 = 1_000 * MICROSECOND;

    fn no_draw(_: u64) -> f64 {
        panic!("nothing is drawn where nothing is dropped at random")
    }

    #[test]
    fn packets_queue_and_drop_off_the_tail() {
        let mut port = port(250, Discipline::DropTail);
        assert_eq!(port.alone(0, 100, 0.0, no_draw), Fate::Arrives(100 * MICROSECOND + DELAY));
        assert_eq!(port.alone(0, 100, 0.0, no_draw), Fate::Arrives(200 * MICROSECOND + DELAY));
        // 200 bytes are in the queue, then 150.
        assert_eq!(port.alone(0, 51, 0.0, no_draw), Fate::Dropped);
        assert_eq!(port.alone(50 * MICROSECOND, 100, 0.0, no_draw), Fate::Arrives(300 * MICROSECOND + DELAY));
        assert_eq!((port.bytes(50 * MICROSECOND), port.bytes(299 * MICROSECOND), port.bytes(DELAY)), (250, 1, 0));
        port.count_work(DELAY);
        // Work falls from 200 to 150 us in 50 us, then from 250 to 0: 8750 + 31250 square microseconds.
        let square = u128::from(MICROSECOND) * u128::from(MICROSECOND);
        let expected = QueueCounts {
            arrivals: 4,
            overflowed: 1,
            dropped: 0,
            lost: 0,
            lost_bytes: 0,
            offered: 351,
            bytes: 300,
            greatest: 250,
            before: 0,
            work: 40_000 * square,
        };
        assert_eq!(port.counts, expected);
    }

    #[test]
    fn red_drops_by_its_average() {
        let red = Red { weight: 1.0, least: 0.1, most: 0.5, probability: 0.4, ..Red::default() };
        let mut port = port(1_000, Discipline::Red(red));
        for _ in 0..3 {
            port.alone(0, 100, 0.0, no_draw);
        }
        // The sample at 100 us finds 200 bytes: a fifth of the capacity, a quarter of the way from 'least' to 'most'.
        assert_eq!(port.clone().alone(100 * MICROSECOND, 100, 0.0, |_| 0.0999), Fate::Dropped);
        assert!(matches!(port.alone(100 * MICROSECOND, 100, 0.0, |_| 0.1001), Fate::Arrives(_)));
        assert_eq!(port.clone().alone(150 * MICROSECOND, 100, 0.5, |_| 0.5499), Fate::Dropped);
        assert!(matches!(port.alone(150 * MICROSECOND, 100, 0.5, |_| 0.5501), Fate::Arrives(_)));
    }

    #[test]
    fn a_link_loses_what_its_queue_has_sent() {
        let queue = Queue { capacity: 250, discipline: Discipline::DropTail };
        let link = Link { from: 0, to: 1, delay: 1_000_000, bandwidth: 8_000_000, queue, loss: 0.25 };
        let mut port = Port::new(&link, 100);
        let mut come = |draw: u64| {
            let fate = port.alone(0, 100, 0.0, no_draw);
            port.sent(fate, 100, |_| draw)
        };
        assert_eq!(come((1 << 62) - 1), Fate::Lost);
        // The lost packet was sent first.
        assert_eq!(come(1 << 62), Fate::Arrives(200 * MICROSECOND + DELAY));
        // A packet that the queue drops is not lost on the link as well.
        assert_eq!(come(0), Fate::Dropped);
        let QueueCounts { lost, lost_bytes, overflowed, bytes, .. } = port.counts;
        assert_eq!((lost, lost_bytes, overflowed, bytes), (1, 100, 1, 200));
    }

    #[test]
    fn a_shared_queue_follows_algorithm_1() {
        let mut port = port(1_000, Discipline::DropTail);
        let fluid = Influence { drop: 0.25, backlog: 600, drained: 0 };
        assert_eq!(port.shared(0, 100, fluid, |_| 0.2499), Fate::Dropped);
        assert_eq!(port.shared(0, 100, fluid, |_| 0.25), Fate::Arrives(700 * MICROSECOND + DELAY));
        assert_eq!(port.shared(10 * MICROSECOND, 300, fluid, |_| 0.5), Fate::Arrives(1010 * MICROSECOND + DELAY));
        assert_eq!(port.shared(10 * MICROSECOND, 1, fluid, |_| 0.5), Fate::Dropped);
        let drained = Influence { drained: 50, ..fluid };
        assert_eq!(port.shared(10 * MICROSECOND, 1, drained, |_| 0.5), Fate::Arrives(1010 * MICROSECOND + DELAY));
        assert_eq!(port.take_backlog(1), Backlog { waiting: 350, left: 51 });
        assert_eq!(port.take_backlog(1), Backlog::default());
        assert_eq!((port.counts.dropped, port.counts.overflowed, port.counts.greatest), (1, 1, 1_000));
        // A step later no fluid is ahead, and still no packet overtakes another.
        let empty = Influence::default();
        assert_eq!(port.shared(20 * MICROSECOND, 1, empty, no_draw), Fate::Arrives(1010 * MICROSECOND + DELAY));
    }
}
