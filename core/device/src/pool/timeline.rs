//! Progress of a queue's work.

use std::sync::atomic::{AtomicU64, Ordering};

/// The work of a queue, divided into numbered stretches. Each ends at a mark, and is over when that mark has been
/// reached. Stretches end in order.
#[derive(Debug)]
pub struct Timeline {
    /// Stretch into which work is put now.
    present: AtomicU64,
    /// All stretches up to this one are over.
    over: AtomicU64,
}

impl Default for Timeline {
    fn default() -> Self {
        Timeline { present: AtomicU64::new(1), over: AtomicU64::new(0) }
    }
}

impl Timeline {
    /// Returns the stretch that holds the queue's most recent work, or an earlier one that is over.
    #[must_use]
    pub fn present(&self) -> u64 {
        self.present.load(Ordering::Acquire)
    }

    /// Ends the present stretch: later work on the queue belongs to the next. Call it before the mark is set.
    #[must_use]
    pub fn cut(&self) -> u64 {
        self.present.fetch_add(1, Ordering::AcqRel)
    }

    /// Records that the mark of a stretch has been reached.
    pub fn reached(&self, stretch: u64) {
        self.over.fetch_max(stretch, Ordering::AcqRel);
    }

    /// Records that the queue has no work, and will get none.
    pub fn closed(&self) {
        self.over.store(u64::MAX, Ordering::Release);
    }

    /// Returns `true` if a stretch is over.
    #[must_use]
    pub fn is_over(&self, stretch: u64) -> bool {
        self.over.load(Ordering::Acquire) >= stretch
    }
}
