//! Control law of CoDel, as the pseudocode of RFC 8289 (section 5) has it, in whole picoseconds.
//!
//! The RFC's time of the next drop, t + interval / sqrt(n), is rounded down to a picosecond: the greatest whole number
//! whose square is at most interval² / n. Every machine computes the same integer.

use super::Packet;
use super::lane::Lane;
use super::signals::Signals;

/// Parameters of the law. Times are in picoseconds.
#[derive(Debug, Clone, Copy)]
pub(in super::super) struct Law {
    target: u64,
    interval: u64,
    /// Bytes that may remain without a drop: those of a standard packet.
    least: u64,
}

impl Law {
    pub(super) fn new(target: u64, interval: u64, packet: u32) -> Self {
        Self { target, interval, least: packet.into() }
    }

    /// Returns the time of the next drop after one at `time`, if it is the `count`th.
    fn next(&self, time: u64, count: u64) -> u64 {
        let square = u128::from(self.interval) * u128::from(self.interval);
        time.saturating_add((square / u128::from(count.max(1))).isqrt() as u64)
    }
}

/// State of the law for one lane.
#[derive(Debug, Clone, Default)]
pub(in super::super) struct Controller {
    /// Time at which waits will have been above the target for an interval, while they are.
    above: Option<u64>,
    dropping: bool,
    /// Time of the next drop.
    next: u64,
    /// Number of drops since dropping began, or a higher one if it began soon after the last time.
    count: u64,
    /// Value of `count` at which dropping began.
    began: u64,
}

impl Controller {
    /// Removes the next packet to send, after those that are dropped. A packet of a session with ECN is marked instead,
    /// and sent.
    pub(super) fn take(&mut self, law: &Law, lane: &mut Lane, now: u64, signals: &mut Signals) -> Option<Packet> {
        let (mut packet, mut is_late) = self.look(law, lane, now)?;
        if self.dropping {
            self.dropping = is_late;
            while self.dropping && now >= self.next {
                self.count += 1;
                if signals.mark(&mut packet.1) {
                    self.next = law.next(self.next, self.count);
                    return Some(packet.1);
                }
                signals.dropped.push(packet);
                (packet, is_late) = self.look(law, lane, now).or_else(|| self.stop())?;
                if is_late {
                    self.next = law.next(self.next, self.count);
                } else {
                    self.dropping = false;
                }
            }
        } else if is_late {
            let rest = if signals.mark(&mut packet.1) {
                Some(packet.1)
            } else {
                signals.dropped.push(packet);
                self.look(law, lane, now).map(|((_, packet), _)| packet)
            };
            self.dropping = true;
            // Soon after the last time the rate that controlled the queue then is a good one to begin with.
            let before = self.count - self.began;
            let is_soon = now.saturating_sub(self.next) < law.interval.saturating_mul(16);
            self.count = if before > 1 && is_soon { before } else { 1 };
            self.next = law.next(now, self.count);
            self.began = self.count;
            return rest;
        }
        Some(packet.1)
    }

    fn stop<T>(&mut self) -> Option<T> {
        self.dropping = false;
        None
    }

    /// Removes the first packet, with its time of arrival. Returns whether waits have been above the target for an
    /// interval.
    fn look(&mut self, law: &Law, lane: &mut Lane, now: u64) -> Option<((u64, Packet), bool)> {
        let Some(packet) = lane.remove_first() else {
            self.above = None;
            return None;
        };
        if now - packet.0 < law.target || lane.bytes() <= law.least {
            self.above = None;
            return Some((packet, false));
        }
        let above = *self.above.get_or_insert(now.saturating_add(law.interval));
        Some((packet, now >= above))
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::packet;
    use super::*;
    use crate::packet::clock::SECOND;

    const MS: u64 = SECOND / 1000;

    #[test]
    fn the_time_between_drops_is_the_interval_over_the_root_of_their_number() {
        let law = Law::new(5 * MS, 100 * MS, 1000);
        // 100 ms / sqrt(2) is 70.710678118654752... ms, and so on, rounded down to a picosecond.
        let gaps = [1, 2, 3, 4, 100].map(|count| law.next(7, count) - 7);
        assert_eq!(gaps, [100_000_000_000, 70_710_678_118, 57_735_026_918, 50_000_000_000, 10_000_000_000]);
        let longest = Law::new(1, 1000 * SECOND, 1000);
        assert_eq!(longest.next(0, 3), 577_350_269_189_625, "the square of 10^15 fits");
    }

    /// A link of 1 ms a packet whose lane is never short: the times of drops by hand from the RFC's arithmetic.
    #[test]
    fn drops_come_at_the_times_of_the_law() {
        let law = Law::new(5 * MS, 100 * MS, 1000);
        let (mut lane, mut controller, mut signals) = (Lane::default(), Controller::default(), Signals::default());
        (0..1000).for_each(|_| lane.add(packet(0, 1000), 0));
        let mut times = vec![];
        for now in (0..400).map(|time| time * MS) {
            controller.take(&law, &mut lane, now, &mut signals).unwrap();
            times.extend(signals.dropped.drain(..).map(|_| now / MS));
        }
        // Waits are above 5 ms from 5 ms on, for an interval at 105 ms. The next drops are due at 105 + 100 = 205,
        // 205 + 70.71 = 275.71, + 57.73 = 333.44, and + 50 = 383.44 ms.
        assert_eq!(times, [105, 205, 276, 334, 384]);
    }

    #[test]
    fn dropping_ends_with_a_short_wait_and_begins_again_at_the_former_rate() {
        let law = Law::new(5 * MS, 100 * MS, 1000);
        let mut controller = Controller { dropping: true, next: 500 * MS, count: 9, began: 1, above: Some(MS) };
        let (mut lane, mut signals) = (Lane::default(), Signals::default());
        // A packet that waited for 4 ms ends it.
        (0..3).for_each(|_| lane.add(packet(0, 1000), 496 * MS));
        assert!(controller.take(&law, &mut lane, 500 * MS, &mut signals).is_some() && signals.dropped.is_empty());
        assert!(!controller.dropping && controller.above.is_none());
        (0..500).for_each(|_| lane.add(packet(0, 1000), 501 * MS));
        controller.take(&law, &mut lane, 510 * MS, &mut signals).unwrap();
        assert_eq!(controller.above, Some(610 * MS));
        controller.take(&law, &mut lane, 610 * MS, &mut signals).unwrap();
        // Eight drops since dropping had begun, 110 ms ago: the next is due after 100 / sqrt(8) ms.
        assert_eq!((signals.dropped.len(), controller.count, controller.next), (1, 8, 610 * MS + 35_355_339_059));
        // 16 intervals after the last drop it begins with one.
        let mut late = Controller { dropping: false, next: 500 * MS, count: 9, began: 1, above: Some(MS) };
        late.take(&law, &mut lane, 2_100 * MS, &mut signals).unwrap();
        assert_eq!((late.count, late.next), (1, 2_200 * MS));
    }

    #[test]
    fn the_last_packet_is_never_dropped_and_several_may_be_due_at_once() {
        let law = Law::new(5 * MS, 100 * MS, 1000);
        let due = Controller { dropping: true, next: 0, count: 1, began: 1, above: Some(1) };
        let (mut lane, mut signals) = (Lane::default(), Signals::default());
        // Drops are due at 0, 70.71, 128.44 and 178.44 ms: four by 200 ms.
        (0..20).for_each(|_| lane.add(packet(0, 1000), 0));
        let mut controller = due.clone();
        assert!(controller.take(&law, &mut lane, 200 * MS, &mut signals).is_some());
        assert_eq!((signals.dropped.len(), lane.len(), controller.count), (4, 15, 5));
        // Of two packets, the second remains alone behind the first.
        let mut pair = Lane::default();
        (0..2).for_each(|_| pair.add(packet(0, 1000), 0));
        signals.dropped.clear();
        assert!(due.clone().take(&law, &mut pair, 200 * MS, &mut signals).is_some());
        assert_eq!((signals.dropped.len(), pair.len()), (0, 1));
    }

    #[test]
    fn packets_with_ecn_are_marked_one_at_a_time() {
        let law = Law::new(5 * MS, 100 * MS, 1000);
        let mut controller = Controller { dropping: true, next: 0, count: 1, began: 1, above: Some(1) };
        let (mut lane, mut signals) = (Lane::default(), Signals::default());
        (0..20).for_each(|_| lane.add(packet(0, 1000).with_ecn(), 0));
        let marked = (0..6).map(|_| controller.take(&law, &mut lane, 200 * MS, &mut signals).unwrap().is_marked());
        assert_eq!(marked.collect::<Vec<_>>(), [true, true, true, true, false, false]);
        assert_eq!((signals.dropped.len(), signals.marked), (0, 4));
    }
}
