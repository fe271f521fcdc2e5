//! HyStart++ (RFC 9406): the end of the first slow start by growing round-trip times, before packets are lost.
//!
//! Once the shortest round trip of a round is an eighth longer than that of the round before, the window grows at a
//! quarter of its pace. It returns to slow start if round trips become shorter again, and otherwise ends slow start
//! after five rounds.

use crate::packet::clock::SECOND;

const MILLISECOND: u64 = SECOND / 1000;

/// Number of samples that a round needs (`N_RTT_SAMPLE`).
const SAMPLES: u32 = 8;

/// Least and greatest growth of the shortest round trip (`MIN_RTT_THRESH`, `MAX_RTT_THRESH`), in picoseconds.
const THRESHOLDS: [u64; 2] = [4 * MILLISECOND, 16 * MILLISECOND];

/// Part of the shortest round trip by which it has to grow (`MIN_RTT_DIVISOR`).
const PART: u64 = 8;

/// Number of rounds of slower growth (`CSS_ROUNDS`), and its pace (`CSS_GROWTH_DIVISOR`).
const ROUNDS: u32 = 5;
const PACE: u64 = 4;

/// State of the first slow start of a session.
#[derive(Debug, Clone, Default)]
pub(super) struct HyStart {
    /// Number of the packet whose acknowledgement ends the round.
    end: Option<u64>,
    /// Shortest round trips of the last round and of this one, in picoseconds.
    last: Option<u64>,
    current: Option<u64>,
    samples: u32,
    slower: Option<Slower>,
}

/// Slower growth (RFC 9406: conservative slow start).
#[derive(Debug, Clone)]
struct Slower {
    /// Shortest round trip of the round in which it began.
    baseline: u64,
    /// Number of rounds that it has lasted, with the one in which it began.
    rounds: u32,
    /// Acknowledged packets for which the window has not grown yet.
    credits: u64,
}

/// Acknowledgement in slow start.
#[derive(Debug, Clone, Copy)]
pub(super) struct Step {
    /// Number of packets by which slow start would open the window.
    pub(super) packets: u64,
    /// Number of the first unacknowledged packet, and of the next one to send.
    pub(super) first: u64,
    pub(super) next: u64,
    /// Round trip of the packet that was acknowledged, in picoseconds.
    pub(super) round_trip: u64,
}

impl HyStart {
    /// Returns the number of packets by which the window grows; `None` once slow start is over.
    pub(super) fn grow(&mut self, of: Step) -> Option<u64> {
        let end = *self.end.get_or_insert(of.next);
        self.current = Some(self.current.map_or(of.round_trip, |least| least.min(of.round_trip)));
        self.samples += 1;
        self.judge();
        let grown = match &mut self.slower {
            None => of.packets,
            Some(slower) => {
                slower.credits += of.packets;
                let grown = slower.credits / PACE;
                slower.credits %= PACE;
                grown
            }
        };
        if of.first >= end {
            (self.end, self.last) = (Some(of.next.max(of.first + 1)), self.current.take());
            self.samples = 0;
            if let Some(slower) = &mut self.slower {
                slower.rounds += 1;
                if slower.rounds > ROUNDS {
                    return None;
                }
            }
        }
        Some(grown)
    }

    /// Begins slower growth, or ends it, by the shortest round trip of this round.
    fn judge(&mut self) {
        let Some(current) = self.current.filter(|_| self.samples >= SAMPLES) else { return };
        match (&self.slower, self.last) {
            (Some(slower), _) if current < slower.baseline => self.slower = None,
            (None, Some(last)) => {
                let threshold = (last / PART).clamp(THRESHOLDS[0], THRESHOLDS[1]);
                if current >= last + threshold {
                    self.slower = Some(Slower { baseline: current, rounds: 1, credits: 0 });
                }
            }
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Acknowledges rounds of packets one by one. Each round has a size and a shortest round trip in milliseconds,
    /// which all its packets have but the first. Returns the growth of each round.
    fn rounds(rounds: &[(u64, u64)]) -> Vec<Option<u64>> {
        let (mut hystart, mut first, mut grown) = (HyStart::default(), 0, vec![]);
        for (number, &(size, round_trip)) in rounds.iter().enumerate() {
            let end = first + size;
            // The packets of the next round are sent by the end of this one.
            let following = rounds.get(number + 1).map_or(1, |round| round.0);
            let mut sum = Some(0);
            for place in 1..=size {
                first += 1;
                let late = if place == 1 { 30 } else { 0 };
                let next = if place == size { end + following } else { end };
                let step = Step { packets: 1, first, next, round_trip: (round_trip + late) * MILLISECOND };
                sum = sum.and_then(|sum| Some(sum + hystart.grow(step)?));
            }
            grown.push(sum);
        }
        grown
    }

    #[test]
    fn growth_slows_down_with_longer_round_trips_and_ends_after_five_rounds() {
        // An eighth of 40 ms is 5 ms: 44 ms is not long enough. Of 44 ms it is 5.5 ms: 50 ms is. Of the 40 packets of
        // the third round seven have the window grow as before.
        let found = rounds(&[(10, 40), (20, 44), (40, 50), (48, 50), (60, 51), (76, 52), (96, 53)]);
        assert_eq!(found[..3], [Some(10), Some(20), Some(7 + 33 / 4)]);
        // The round in which it began counts: four more are slower, and with the last of them it is over.
        assert_eq!(found[3..], [Some(12), Some(15), Some(19), None]);
    }

    #[test]
    fn a_shorter_round_trip_resumes_slow_start() {
        // The eighth sample of the second round begins, and that of the third ends it.
        let found = rounds(&[(10, 40), (20, 46), (24, 45), (48, 45)]);
        assert_eq!(found, [Some(10), Some(7 + 13 / 4), Some((13 % 4 + 7) / 4 + 17), Some(48)]);
    }

    #[test]
    fn short_rounds_and_small_changes_say_nothing() {
        assert_eq!(rounds(&[(7, 40), (7, 90), (7, 200)]), [Some(7); 3]);
        // The least change is 4 ms, whatever the round trip, and the greatest 16 ms.
        assert_eq!(rounds(&[(10, 1), (20, 4), (40, 8)]), [Some(10), Some(20), Some(7 + 33 / 4)]);
        assert_eq!(rounds(&[(10, 400), (20, 415), (40, 431)]), [Some(10), Some(20), Some(7 + 33 / 4)]);
    }
}
