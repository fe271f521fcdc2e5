//! Number of runs that are executed together.

use imminent_core::clock::Instant;
use std::time::Duration;

/// Time that a batch should take.
const BATCH_TIME: Duration = Duration::from_secs(1);

/// Time that a batch should not exceed: runs of a batch on a GPU end together, and a process that is killed loses them.
const TOO_LONG: Duration = Duration::from_secs(10);

/// Largest number of runs of the next batch. It doubles as long as batches take less than a second, so some runs finish
/// early, and the next takes two seconds if its runs are alike. It halves after a batch of more than ten seconds, since
/// later runs may be longer than those before.
#[derive(Debug)]
pub struct BatchSize {
    first: usize,
    now: usize,
    most: usize,
}

impl BatchSize {
    /// Begins with `first` runs, and never takes less, with which a device is not busy, or more than `most`.
    #[must_use]
    pub const fn new(first: usize, most: usize) -> Self {
        BatchSize { first, now: first, most }
    }

    /// Returns the largest number of runs of the next batch.
    #[must_use]
    pub const fn now(&self) -> usize {
        self.now
    }

    /// Notes the time at which the last batch began, when it is done.
    pub fn done_since(&mut self, began: Instant) {
        let took = began.elapsed();
        if took < BATCH_TIME {
            self.now = self.now.saturating_mul(2).min(self.most);
        } else if took > TOO_LONG {
            self.now = (self.now / 2).max(self.first);
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
        let long_ago = Instant::now().checked_sub(BATCH_TIME).unwrap();
        size.done_since(long_ago);
        assert_eq!(size.now(), 32);
        size.done_since(Instant::now());
        assert_eq!(size.now(), 40);
    }

    /// Runs that became longer shrink the batches of 64, down to the first size of 16.
    #[test]
    fn batches_shrink_while_they_are_long() {
        let long_ago = Instant::now().checked_sub(TOO_LONG + BATCH_TIME).unwrap();
        let mut size = BatchSize::new(16, 64);
        (0..2).for_each(|_| size.done_since(Instant::now()));
        let sizes = [(); 3].map(|()| {
            size.done_since(long_ago);
            size.now()
        });
        assert_eq!(sizes, [32, 16, 16]);
    }
}
