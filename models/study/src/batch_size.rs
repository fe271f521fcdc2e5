//! Number of runs that are executed together.

use std::time::{Duration, Instant};

/// Time that a batch should take.
const LONG_ENOUGH: Duration = Duration::from_secs(1);

/// Largest number of runs of the next batch. It doubles as long as batches take less than a second, so some runs finish
/// early.
#[derive(Debug)]
pub(crate) struct BatchSize {
    now: usize,
    most: usize,
}

impl BatchSize {
    /// Begins with `first` runs, and never takes more than `most`.
    pub(crate) const fn new(first: usize, most: usize) -> Self {
        BatchSize { now: first, most }
    }

    /// Returns the largest number of runs of the next batch.
    pub(crate) const fn now(&self) -> usize {
        self.now
    }

    /// Notes the time at which the last batch began, when it is done.
    pub(crate) fn done_since(&mut self, began: Instant) {
        if began.elapsed() < LONG_ENOUGH {
            self.now = self.now.saturating_mul(2).min(self.most);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn batches_grow_while_they_are_short() {
        let mut size = BatchSize::new(16, 40);
        size.done_since(Instant::now());
        assert_eq!(size.now(), 32);
        let long_ago = Instant::now().checked_sub(LONG_ENOUGH).unwrap();
        size.done_since(long_ago);
        assert_eq!(size.now(), 32);
        size.done_since(Instant::now());
        assert_eq!(size.now(), 40);
    }
}
