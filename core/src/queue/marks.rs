//! Marks: points of a queue's work for which the host and other queues can wait.

use super::state::{QueueState, lock};
use crate::backend::Pending;
use crate::error::Result;
use crate::memory::{Clock, Mark, Memory, Numbered};
use std::sync::Arc;
use std::sync::atomic::Ordering;

/// Largest number of marks kept; a later one then serves instead.
const MAX_MARKS: usize = 64;

impl QueueState {
    /// Marks the end of everything that has a place in the line.
    pub(crate) fn mark(&self) -> Result<Arc<Mark>> {
        self.mark_after(self.line.issued())
    }

    /// Marks the end of the present operation, given the backend's object to wait on.
    pub(crate) fn note(&self, number: u64, pending: Arc<dyn Pending>) -> Arc<Mark> {
        let mark = Arc::new(Mark { number, pending, clock: lock(&self.clock).clone() });
        let mut marks = lock(&self.marks);
        marks.push_back(mark.clone());
        // A mark that is let go loses nothing: a later mark of the queue covers its work, and tells its error if no
        // call was told it. Completing one that is done frees fault slots and staging memory.
        let oldest = if marks.len() > MAX_MARKS { marks.pop_front() } else { None };
        drop(marks);
        if let Some(oldest) = oldest.filter(|mark| mark.pending.is_done()) {
            self.complete_unheard(&oldest);
        }
        mark
    }

    /// Records that new memory was cleared by work put on the queue just now, beside its operations.
    pub(crate) fn allocated(self: &Arc<Self>, memory: &Memory) -> Result<()> {
        if self.shared.ledger().is_none() {
            return Ok(());
        }
        let pending = self.shared.backend.signal(&self.handle)?;
        // A device that waits at a signal has told the mark of an earlier fault: a later wait looks at it.
        self.note(self.line.passed(), pending.clone());
        let mark = Some(Arc::new(Mark { number: 0, pending, clock: Clock::default() }));
        let used = self.used(0, mark);
        memory.uses().add(used, true, &mut Vec::new());
        Ok(())
    }

    /// Sets the mark of a use that was recorded when the operation was planned.
    pub(crate) fn mark_use(&self, memory: &Memory, mark: &Arc<Mark>) {
        memory.uses().mark(self.id, mark);
    }

    /// Returns the marks up to an operation, the earliest first.
    pub(super) fn marks_until(&self, number: u64) -> Vec<Arc<Mark>> {
        lock(&self.marks).iter().filter(|mark| mark.number <= number).cloned().collect()
    }
}

impl Numbered for QueueState {
    fn id(&self) -> u64 {
        self.id
    }

    fn finished(&self) -> u64 {
        self.finished.load(Ordering::Acquire)
    }

    fn mark_after(&self, number: u64) -> Result<Arc<Mark>> {
        // A signal covers what is on the queue, so the operation must have been put there.
        self.line.wait_until_passed(number);
        if let Some(mark) = lock(&self.marks).iter().find(|mark| mark.number >= number) {
            return Ok(mark.clone());
        }
        // Read before the signal is set: operations put on the queue meanwhile are covered, too, but not promised.
        let passed = self.line.passed();
        let pending = self.shared.backend.signal(&self.handle)?;
        Ok(self.note(passed, pending))
    }

    fn complete(&self, mark: &Mark) -> Result<()> {
        // As in a turn: the error may be in this call's hands before memory is invalid.
        self.waiting.fetch_add(1, Ordering::AcqRel);
        // An error of earlier work may have been reported to an earlier mark.
        let marks = self.marks_until(mark.number);
        let outcome = marks.iter().try_for_each(|mark| mark.pending.complete());
        let outcome = outcome.and(mark.pending.complete()).and_then(|()| check(&mark.clock));
        let settled = self.settle(mark.number, outcome);
        self.waiting.fetch_sub(1, Ordering::AcqRel);
        settled
    }
}

/// Checks that work of other queues succeeded.
pub(super) fn check(clock: &Clock) -> Result<()> {
    // Completing a mark checks its own clock in turn. This ends, since a clock knows only work before its mark.
    for known in clock.iter() {
        if let Some(queue) = known.queue.upgrade()
            && queue.finished() < known.number
        {
            let mark = queue.mark_after(known.number)?;
            queue.complete(&mark)?;
        }
    }
    Ok(())
}
