//! Running average of a queue's length, for random early detection.
//!
//! The average is sampled at multiples of the time that a packet takes on the link: x ← (1 - w) x + w q. At the samples
//! it obeys dx/dt = -ln(1 - w) (C/P) (q - x), the form of Misra, Gong and Towsley. Between two arrivals the queue
//! shrinks by one packet per sample until it is empty. These samples are summed in closed form with additions and
//! multiplications only, so every machine computes the same bits.

/// Average length of one queue, as the time that its link needs to send it, in picoseconds.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Average {
    value: f64,
    samples: u64,
}

impl Average {
    /// Advances the average to `now`, if the queue has been empty from `free_at` on. A sample at `now` itself precedes
    /// arrivals at `now`.
    pub(super) fn advance(&mut self, now: u64, free_at: u64, sample: u64, weight: f64) -> f64 {
        let last = now / sample;
        // Last sample at which the queue is not empty.
        let busy = (free_at.saturating_sub(1) / sample).min(last);
        if busy > self.samples {
            let count = busy - self.samples;
            let first = free_at - (self.samples + 1) * sample;
            let step = sample as f64;
            let (before, end) = (first as f64 + step, (free_at - busy * sample) as f64);
            let lag = (1.0 - weight) * step / weight;
            self.value = end + lag + power(1.0 - weight, count) * (self.value - before - lag);
            self.samples = busy;
        }
        if last > self.samples {
            self.value *= power(1.0 - weight, last - self.samples);
            self.samples = last;
        }
        self.value = self.value.max(0.0);
        self.value
    }
}

/// Distance from the last drop, for [`OfPackets::Prime`](crate::network::OfPackets).
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Distance {
    /// `true` if the average was high enough for drops at the last arrival.
    due: bool,
    /// Bytes that arrived since the last drop, or since the average became high enough.
    bytes: u64,
}

impl Distance {
    /// Returns the drop probability of a packet of `bytes`, if the average alone gives `probability` and packets have
    /// `usual` bytes.
    pub(super) fn probability(&mut self, probability: f64, bytes: u32, usual: u32) -> f64 {
        self.bytes += u64::from(bytes);
        if probability <= 0.0 {
            self.due = false;
            return 0.0;
        }
        if !std::mem::replace(&mut self.due, true) {
            self.bytes = 0;
            return 0.0;
        }
        let expected = (self.bytes / u64::from(usual.max(1))) as f64 * probability;
        if expected < 1.0 {
            0.0
        } else if expected < 2.0 {
            (probability / (2.0 - expected) * f64::from(bytes) / f64::from(usual)).min(1.0)
        } else {
            1.0
        }
    }

    /// Records a drop.
    pub(super) fn begin(&mut self) {
        self.bytes = 0;
    }
}

/// Computes a power by repeated squaring, with the same multiplications on every machine.
fn power(mut base: f64, mut exponent: u64) -> f64 {
    let mut product = 1.0;
    while exponent > 0 {
        if exponent & 1 == 1 {
            product *= base;
        }
        base *= base;
        exponent >>= 1;
    }
    product
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn gaps_between_drops_are_uniform_from_one_to_two_times_the_mean_of_independent_ones() {
        let (mut distance, mut state, mut gaps, mut gap) = (Distance::default(), 1_u64, vec![], 0_u32);
        assert_eq!(distance.probability(0.01, 1000, 1000), 0.0, "the first that finds the average high");
        while gaps.len() < 20_000 {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let uniform = (state >> 11) as f64 / (1_u64 << 53) as f64;
            gap += 1;
            if uniform < distance.probability(0.01, 1000, 1000) {
                distance.begin();
                gaps.push(gap);
                gap = 0;
            }
        }
        assert_eq!((gaps.iter().min(), gaps.iter().max()), (Some(&100), Some(&199)));
        let count = |from, to| gaps.iter().filter(|gap| (from..to).contains(*gap)).count() as f64 / 20_000.0;
        for from in [100, 125, 150, 175] {
            assert!((count(from, from + 25) - 0.25).abs() < 0.01, "{from}: {}", count(from, from + 25));
        }
    }

    #[test]
    fn small_packets_are_dropped_less_often_and_an_average_that_falls_begins_anew() {
        let mut distance = Distance { due: true, bytes: 149_960 };
        assert!((distance.probability(0.01, 40, 1000) - 0.01 / 0.5 * 0.04).abs() < 1e-12);
        assert_eq!(distance.probability(0.0, 1000, 1000), 0.0);
        assert_eq!(distance.probability(1.0, 1000, 1000), 0.0);
        assert_eq!([1.0, 1.0].map(|p| distance.probability(p, 1000, 1000)), [1.0, 1.0]);
    }

    proptest! {
        #[test]
        fn the_closed_form_is_the_sum_of_the_samples(
            steps in prop::collection::vec((1..5_000_u64, 0..9_000_u64), 1..20),
            sample in 1..500_u64,
            weight in prop::sample::select(vec![1e-4, 0.01, 0.3, 1.0]),
        ) {
            let mut average = Average::default();
            let (mut now, mut free_at, mut plain) = (0_u64, 0_u64, 0.0_f64);
            for (gap, work) in steps {
                let before = now / sample;
                now += gap;
                for number in before + 1..=now / sample {
                    let queue = free_at.saturating_sub(number * sample) as f64;
                    plain = (1.0 - weight) * plain + weight * queue;
                }
                let closed = average.advance(now, free_at, sample, weight);
                prop_assert!((closed - plain).abs() <= 1e-6 * (1.0 + plain), "{closed} {plain}");
                free_at = free_at.max(now) + work;
            }
        }
    }
}
