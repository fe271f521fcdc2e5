//! How far the work of a queue has come.

use std::sync::atomic::{AtomicU64, Ordering};

/// The work of a queue, cut into numbered stretches: each ends where somebody set a mark, and is over when that mark has been
/// reached. Stretches are over in order.
#[derive(Debug)]
pub struct Timeline {
    /// The stretch that work is put into now.
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
    /// The stretch that holds what was put on the queue last, or an earlier one that is over.
    #[must_use]
    pub fn present(&self) -> u64 {
        self.present.load(Ordering::Acquire)
    }

    /// Ends the present stretch: what is put on the queue from now on is of the next. Call it before the mark is set.
    #[must_use]
    pub fn cut(&self) -> u64 {
        self.present.fetch_add(1, Ordering::AcqRel)
    }

    /// Notes that the mark of a stretch has been reached.
    pub fn reached(&self, stretch: u64) {
        self.over.fetch_max(stretch, Ordering::AcqRel);
    }

    /// Notes that the queue has no work any more, and gets none.
    pub fn closed(&self) {
        self.over.store(u64::MAX, Ordering::Release);
    }

    /// Whether a stretch is over.
    #[must_use]
    pub fn is_over(&self, stretch: u64) -> bool {
        self.over.load(Ordering::Acquire) >= stretch
    }
}
