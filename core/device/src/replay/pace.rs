//! Number of steps to hand to the device at a time.

use std::time::Duration;

/// Chooses chunks that take about one to five milliseconds. They are long enough to hide the cost of reading the head.
/// They are short enough for progress, for cancellation, and for the useless steps after the end.
///
/// A chunk has one of a few sizes, each four times the one before, so a backend may keep something prepared for each.
#[derive(Debug)]
pub(super) struct Pace {
    level: u32,
    most: u32,
}

const SHORT: Duration = Duration::from_millis(1);
const LONG: Duration = Duration::from_millis(5);
/// Largest number of operations in one chunk: they take host memory until they are done.
const MAX_OPERATIONS: u64 = 8192;
/// Largest number of operations in one chunk if the device repeats them, so that they take no memory.
const MAX_REPEATED: u64 = 1 << 24;

fn size(level: u32) -> u64 {
    1 << (2 * level.min(20))
}

impl Pace {
    /// Creates the pace for passes of `operations` operations, which the device repeats by itself or receives one by
    /// one.
    pub(super) fn new(operations: u64, repeated: bool) -> Pace {
        let most = if repeated { MAX_REPEATED } else { MAX_OPERATIONS };
        let passes = (most / operations.max(1)).max(1);
        let most = passes.ilog2() / 2;
        Pace { level: most.min(1), most }
    }

    /// Returns the number of passes of the next chunk, if `left` are still to be handed over.
    pub(super) fn next(&self, left: u64) -> u64 {
        let level = (0..=self.level).rev().find(|level| size(*level) <= left);
        level.map_or(left, size)
    }

    /// Records that a chunk of `passes` took `time`.
    pub(super) fn took(&mut self, passes: u64, time: Duration) {
        // Chunks that were shortened, or handed over before the last change, carry no information.
        if passes != size(self.level) {
            return;
        }
        if time < SHORT / 2 {
            self.level = (self.level + 1).min(self.most);
        } else if time > LONG * 2 {
            self.level = self.level.saturating_sub(1);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chunks_grow_while_they_are_short_and_shrink_when_they_are_long() {
        let mut pace = Pace::new(2, false);
        assert_eq!(pace.next(u64::MAX), 4);
        for _ in 0..40 {
            pace.took(pace.next(u64::MAX), Duration::from_micros(10));
        }
        assert_eq!(pace.next(u64::MAX), 4096);
        assert_eq!(pace.next(1000), 256);
        assert_eq!(pace.next(3), 1);
        pace.took(256, Duration::from_secs(1));
        assert_eq!(pace.next(u64::MAX), 4096);
        for _ in 0..40 {
            pace.took(pace.next(u64::MAX), Duration::from_millis(20));
        }
        assert_eq!(pace.next(u64::MAX), 1);
        pace.took(1, Duration::from_millis(3));
        assert_eq!(pace.next(u64::MAX), 1);
    }

    #[test]
    fn what_the_device_repeats_by_itself_may_be_long() {
        let mut pace = Pace::new(4, true);
        for _ in 0..40 {
            pace.took(pace.next(u64::MAX), Duration::from_micros(10));
        }
        assert_eq!(pace.next(u64::MAX), 1 << 22);
    }

    #[test]
    fn a_step_longer_than_a_chunk_is_a_chunk_of_its_own() {
        assert_eq!(Pace::new(1 << 20, false).next(u64::MAX), 1);
        assert_eq!(Pace::new(0, false).next(0), 0);
    }

    #[test]
    fn chunks_are_powers_of_four_and_never_longer_than_the_device_may_be_given() {
        let mut pace = Pace::new(3, false);
        for _ in 0..10 {
            let passes = pace.next(u64::MAX);
            assert!(passes.is_power_of_two() && passes.ilog2().is_multiple_of(2) && passes * 3 <= MAX_OPERATIONS);
            pace.took(passes, Duration::ZERO);
        }
    }
}
