//! How many steps to enqueue at a time.

use std::time::Duration;

/// Chooses chunks that take about one to five milliseconds: long enough to hide what a look at the
/// device costs, short enough for progress, cancellation, and for the steps after the end, which are enqueued in vain.
#[derive(Debug)]
pub(super) struct Pace {
    steps: u64,
    most: u64,
}

const SHORT: Duration = Duration::from_millis(1);
const LONG: Duration = Duration::from_millis(5);
/// Steps of the first chunk.
const FIRST: u64 = 4;
/// Kernels of one chunk: commands take host memory until they are done.
const MOST_KERNELS: u64 = 4096;

impl Pace {
    /// The pace for steps of so many kernels.
    pub(super) fn new(kernels: usize) -> Pace {
        let most = (MOST_KERNELS / (kernels as u64).max(1)).max(1);
        Pace { steps: FIRST.min(most), most }
    }

    /// Steps of the next chunk, if so many are still to be enqueued.
    pub(super) fn next(&self, left: u64) -> u64 {
        self.steps.min(left)
    }

    /// A chunk of `steps` took `time`.
    pub(super) fn took(&mut self, steps: u64, time: Duration) {
        // A chunk that was cut short, or was enqueued before the last change, says nothing.
        if steps != self.steps {
            return;
        }
        if time < SHORT {
            self.steps = (self.steps * 2).min(self.most);
        } else if time > LONG {
            self.steps = (self.steps / 2).max(1);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chunks_grow_while_they_are_short_and_shrink_when_they_are_long() {
        let mut pace = Pace::new(2);
        for _ in 0..40 {
            pace.took(pace.next(u64::MAX), Duration::from_micros(10));
        }
        assert_eq!(pace.next(u64::MAX), 2048);
        assert_eq!(pace.next(3), 3);
        pace.took(3, Duration::from_secs(1));
        assert_eq!(pace.next(u64::MAX), 2048);
        for _ in 0..40 {
            pace.took(pace.next(u64::MAX), Duration::from_millis(20));
        }
        assert_eq!(pace.next(u64::MAX), 1);
        pace.took(1, Duration::from_millis(3));
        assert_eq!(pace.next(u64::MAX), 1);
    }

    #[test]
    fn a_step_longer_than_a_chunk_is_a_chunk_of_its_own() {
        assert_eq!(Pace::new(1 << 20).next(u64::MAX), 1);
    }
}
