//! Events to come, by time.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Kind of an event; the order is the one in a tick.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Kind {
    /// A service ends. The number is the service's, the detail that of the plan.
    End,
    /// Servers come on duty or go. The number is that of their kind.
    Duty,
    /// A server breaks down or works again. The number is the server's, the detail 1 for a breakdown.
    Breakdown,
    /// The patience of a token ends. The number is that of its entry, the detail the first part of its rank.
    Patience,
    /// A token that found no room tries again. The number is that of its entry.
    Retry,
    /// A node is looked at, since something may start there.
    Wake,
}

/// An event; the order of its fields is that of events.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Event {
    pub(super) time: u64,
    pub(super) kind: Kind,
    pub(super) node: u32,
    pub(super) number: u64,
    pub(super) detail: u64,
}

/// Events to come.
#[derive(Debug, Default)]
pub(super) struct Calendar(BinaryHeap<Reverse<Event>>);

impl Calendar {
    pub(super) fn add(&mut self, event: Event) {
        self.0.push(Reverse(event));
    }

    /// Returns the time of the next event.
    pub(super) fn next_time(&self) -> Option<u64> {
        self.0.peek().map(|Reverse(event)| event.time)
    }

    /// Removes the next event at `time` that is of a kind up to `kind`.
    pub(super) fn pop(&mut self, time: u64, kind: Kind) -> Option<Event> {
        let Reverse(event) = self.0.peek()?;
        let is_due = event.time == time && event.kind <= kind;
        if is_due { self.0.pop().map(|Reverse(event)| event) } else { None }
    }
}
