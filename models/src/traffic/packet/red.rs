//! The running average of a queue's length, on which random early detection decides.
//!
//! The average is sampled once in the time that a packet takes on the link, at multiples of that time: x ← (1 - w) x + w q. So it obeys dx/dt = -ln(1 - w) (C/P) (q - x),
//! the form of Misra, Gong and Towsley, at the samples. Between two arrivals the queue shrinks by one packet a sample until it is empty; the samples of that time are summed
//! in closed form, with additions and multiplications alone, so that every machine computes the same bits.

/// The average of one queue, in picoseconds of its link's work.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Average {
    value: f64,
    samples: u64,
}

impl Average {
    /// The average at `now`, where the queue has been empty from `free_at` on; a sample at `now` itself is taken before whatever arrives now.
    pub(super) fn advance(&mut self, now: u64, free_at: u64, sample: u64, weight: f64) -> f64 {
        let last = now / sample;
        // The last sample that finds something in the queue.
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

/// A power by repeated squaring: the same multiplications on every machine.
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
