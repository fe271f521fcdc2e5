//! Calls of the progress function.

use imminent_core::Progress;
use std::ops::ControlFlow;

/// Number of events between two calls of the progress function.
pub(super) const EVENTS_PER_CALL: u64 = 1 << 18;

/// Progress function that is called once in [`EVENTS_PER_CALL`] events.
pub(super) struct Reporter<'a> {
    /// Number of events at the last call.
    reported: u64,
    progress: &'a mut dyn FnMut(Progress) -> ControlFlow<()>,
}

impl<'a> Reporter<'a> {
    pub(super) fn new(progress: &'a mut dyn FnMut(Progress) -> ControlFlow<()>) -> Self {
        Self { reported: 0, progress }
    }

    /// Reports the number of events so far, if it is time for a call. Breaks if the function does.
    pub(super) fn report(&mut self, events: u64) -> ControlFlow<()> {
        if events - self.reported < EVENTS_PER_CALL {
            return ControlFlow::Continue(());
        }
        self.reported = events;
        (self.progress)(Progress { steps: events })
    }
}
