//! Sources of datagrams: at a constant rate, at random, or on and off.

use super::clock::{exponential, picoseconds, sending, sending_many};
use crate::network::Kind;
use rand_core::Rng as _;
use rand_pcg::Pcg32;

/// Source of datagrams.
#[derive(Debug, Clone)]
pub(super) struct Source {
    /// Index of the flow among those with packets.
    pub(super) flow: u32,
    /// Index of its paths among the current ones.
    pub(super) paths: u32,
    rate: u64,
    bytes: u32,
    start: u64,
    pattern: Pattern,
    rng: Pcg32,
}

#[derive(Debug, Clone, Copy)]
enum Pattern {
    /// Constant rate, with the number of datagrams sent so far.
    Constant { sent: u64 },
    /// Datagrams at the times of a Poisson process.
    Poisson,
    /// On and off periods, the current on period ending at `off_at`. The means are in picoseconds.
    OnOff { on: u64, off: u64, off_at: u64 },
}

impl Source {
    /// Creates the source of a flow; `None` for kinds without datagrams.
    pub(super) fn new((flow, paths): (u32, u32), kind: Kind, start: u64, bytes: u32, mut rng: Pcg32) -> Option<Self> {
        let (rate, pattern) = match kind {
            Kind::Udp { rate, packets: true } => (rate, Pattern::Constant { sent: 0 }),
            Kind::Poisson { rate } => (rate, Pattern::Poisson),
            Kind::OnOff { rate, on, off } => {
                let (on, off) = (picoseconds(on), picoseconds(off));
                let off_at = start.saturating_add(exponential(rng.next_u32(), on));
                (rate, Pattern::OnOff { on, off, off_at })
            }
            _ => return None,
        };
        Some(Self { flow, paths, rate, bytes, start, pattern, rng })
    }

    /// Returns the time of the first datagram.
    pub(super) fn first(&mut self) -> u64 {
        match self.pattern {
            Pattern::Poisson => self.next(self.start),
            _ => self.start,
        }
    }

    /// Returns the time of the datagram after that of `now`. A constant rate does not drift.
    pub(super) fn next(&mut self, now: u64) -> u64 {
        let gap = sending(self.bytes, self.rate);
        match &mut self.pattern {
            Pattern::Constant { sent } => {
                *sent += 1;
                self.start.saturating_add(sending_many(*sent * u64::from(self.bytes), self.rate))
            }
            Pattern::Poisson => now.saturating_add(exponential(self.rng.next_u32(), gap)),
            Pattern::OnOff { on, off, off_at } => {
                if now.saturating_add(gap) < *off_at {
                    return now + gap;
                }
                let begin = off_at.saturating_add(exponential(self.rng.next_u32(), *off)).max(now + gap);
                *off_at = begin.saturating_add(exponential(self.rng.next_u32(), *on));
                begin
            }
        }
    }

    pub(super) fn bytes(&self) -> u32 {
        self.bytes
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::packet::clock::SECOND;
    use imminent_common::streams::StreamKey;

    fn times(kind: Kind, end: u64) -> Vec<u64> {
        let mut source = Source::new((0, 0), kind, 0, 1000, StreamKey::new(1, 0).node(0).generator()).unwrap();
        let mut now = source.first();
        let mut times = vec![];
        while now < end {
            times.push(now);
            now = source.next(now);
        }
        times
    }

    #[test]
    fn a_constant_rate_is_kept_to_the_packet() {
        // Three packets in eight thousandths of a second: the gap is no whole number of picoseconds.
        let constant = times(Kind::Udp { rate: 3_000_000, packets: true }, 8 * SECOND);
        assert_eq!((constant.len(), constant[1], constant[3]), (3_000, 2_666_666_667, 8_000_000_000));
        assert!(
            Source::new((0, 0), Kind::Tcp { fluid: 1, packets: 0 }, 0, 1, StreamKey::new(1, 0).node(0).generator())
                .is_none()
        );
    }

    #[test]
    fn random_sources_have_their_mean_rates() {
        let poisson = times(Kind::Poisson { rate: 8_000_000 }, 100 * SECOND).len() as f64;
        // 100,000 expected, with a standard deviation of 316.
        assert!((poisson - 1e5).abs() < 4.0 * 316.0, "{poisson}");
        let on_off = times(Kind::OnOff { rate: 8_000_000, on: 50_000_000, off: 150_000_000 }, 1000 * SECOND);
        // 5000 periods of on average 50.5 packets in 200 ms; the count's deviation is about 2 % of it.
        let share = on_off.len() as f64 / 1e6;
        assert!((share - 0.2525).abs() < 0.02, "{share}");
        let gaps = on_off.windows(2).map(|pair| pair[1] - pair[0]);
        assert_eq!(gaps.min(), Some(SECOND / 1000));
    }
}
