//! Reports of progress from threads of the host.

use imminent_core::Progress;
use imminent_core::clock::Instant;
use std::ops::ControlFlow;
use std::time::Duration;

/// Least time between two reports.
const PAUSE: Duration = Duration::from_millis(10);

/// Number of events and time windows after which a thread looks whether it is to stop.
const LOOK_INTERVAL: u64 = 1 << 12;

/// Called by the threads of a run from time to time, with the number of time windows so far. Returns `true` if the run
/// is to stop.
pub(super) type Watch<'w> = &'w mut dyn FnMut(u64) -> bool;

/// Reports of the calling thread.
pub(super) struct Look<'p> {
    progress: &'p mut dyn FnMut(Progress) -> ControlFlow<()>,
    /// Number of time windows of all stretches that have ended.
    steps: u64,
    reported: Option<Instant>,
    is_cancelled: bool,
}

impl<'p> Look<'p> {
    pub(super) fn new(progress: &'p mut dyn FnMut(Progress) -> ControlFlow<()>, steps: u64) -> Self {
        Look { progress, steps, reported: None, is_cancelled: false }
    }

    /// Reports progress, if it is time to, from a stretch of `steps` time windows so far. Returns `true` if the run is
    /// cancelled.
    pub(super) fn at(&mut self, steps: u64) -> bool {
        if self.reported.is_none_or(|reported| reported.elapsed() >= PAUSE) {
            self.reported = Some(Instant::now());
            self.is_cancelled |= (self.progress)(Progress { steps: self.steps + steps }).is_break();
        }
        self.is_cancelled
    }

    /// Adds the time windows of a stretch that has ended.
    pub(super) fn add(&mut self, steps: u64) {
        self.steps += steps;
    }

    /// Returns the number of time windows, and whether the run was cancelled.
    pub(super) fn end(self) -> (u64, bool) {
        (self.steps, self.is_cancelled)
    }
}

/// Times at which a thread looks whether it is to stop: after its first time window, and then after each stretch.
#[derive(Debug, Default)]
pub(super) struct Pace(u64);

impl Pace {
    /// Returns `true` if the thread is to look after this many events and time windows.
    pub(super) fn is_due(&mut self, events: u64, steps: u64) -> bool {
        let is_due = events + steps >= self.0;
        if is_due {
            self.0 = events + steps + LOOK_INTERVAL;
        }
        is_due
    }
}
