//! Round-trip times and the retransmission timeout: Jacobson's estimates, Karn's rule, exponential backoff (RFC 6298).

use super::TcpRules;

#[derive(Debug, Clone, Copy)]
pub(super) struct RoundTrips {
    /// Smoothed round-trip time and its mean deviation, once there is a sample.
    estimate: Option<(u64, u64)>,
    backoff: u32,
}

impl RoundTrips {
    pub(super) const fn new() -> Self {
        Self { estimate: None, backoff: 0 }
    }

    /// Adds a sample, which ends a backoff. The packet must have been sent once; the sender applies Karn's rule.
    pub(super) fn sample(&mut self, time: u64) {
        self.estimate = Some(match self.estimate {
            None => (time, time / 2),
            Some((smoothed, deviation)) => {
                let error = smoothed.abs_diff(time);
                (smoothed - smoothed / 8 + time / 8, deviation - deviation / 4 + error / 4)
            }
        });
        self.backoff = 0;
    }

    /// Returns the smoothed round-trip time, once there is a sample.
    pub(super) fn smoothed(&self) -> Option<u64> {
        self.estimate.map(|(smoothed, _)| smoothed)
    }

    /// Returns the retransmission timeout.
    pub(super) fn timeout(&self, rules: &TcpRules) -> u64 {
        let timeout = match self.estimate {
            None => rules.first_timeout,
            Some((smoothed, deviation)) => (smoothed + 4 * deviation).max(rules.least_timeout),
        };
        timeout.saturating_mul(1 << self.backoff.min(32)).min(rules.greatest_timeout)
    }

    /// Doubles the timeout. Returns `true` for the first time since a sample.
    pub(super) fn back_off(&mut self) -> bool {
        self.backoff += 1;
        self.backoff == 1
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::clock::SECOND;
    use super::*;

    #[test]
    fn the_timeout_follows_the_samples_and_doubles() {
        let rules = TcpRules { least_timeout: 0, ..TcpRules::default() };
        let mut times = RoundTrips::new();
        assert_eq!(times.timeout(&rules), SECOND);
        times.sample(800);
        assert_eq!(times.timeout(&rules), 800 + 4 * 400);
        // The error is 160: the deviation becomes 300 + 40, the smoothed time 700 + 120.
        times.sample(960);
        assert_eq!(times.timeout(&rules), 820 + 4 * 340);
        assert!(times.back_off());
        assert!(!times.back_off());
        assert_eq!(times.timeout(&rules), 4 * 2180);
        (0..100).for_each(|_| {
            times.back_off();
        });
        assert_eq!(times.timeout(&rules), 2180 << 32);
        assert_eq!(times.timeout(&TcpRules { greatest_timeout: 5_000, ..rules }), 5_000);
        times.sample(820);
        assert_eq!(times.timeout(&TcpRules::default()), SECOND);
    }
}
