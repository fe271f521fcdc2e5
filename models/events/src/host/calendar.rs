//! Calendar of time windows: a future event list whose events of one window may be executed in any order of modules.

use crate::contract::{Events, Scheduled};

/// Number of windows ahead that have a bucket each; a multiple of 64.
const BUCKETS: usize = 1024;

/// Pending events of some modules. Time is divided into windows of equal width, at most the lookahead: an event that
/// one module sends to another never comes in the window in which it is sent.
#[derive(Debug)]
pub(super) struct Calendar<E: Events> {
    /// Logarithm of the width of a window, in ticks.
    shift: u32,
    /// Number of the window that [`Calendar::take`] returns next at the earliest.
    window: u64,
    /// Events of the window with number `n`, at `n` modulo the number of buckets.
    buckets: Vec<Vec<Scheduled<E>>>,
    /// A bit for each bucket with events.
    occupied: [u64; BUCKETS / 64],
    /// Events beyond the last bucket, and the first window of any of them.
    far: Vec<Scheduled<E>>,
    first_far: u64,
}

impl<E: Events> Calendar<E> {
    /// Creates a calendar for a lookahead above 0, in ticks.
    pub(super) fn new(lookahead: u64) -> Self {
        Calendar {
            shift: lookahead.max(1).ilog2(),
            window: 0,
            buckets: (0..BUCKETS).map(|_| Vec::new()).collect(),
            occupied: [0; BUCKETS / 64],
            far: Vec::new(),
            first_far: u64::MAX,
        }
    }

    /// Adds an event that is not before the next window.
    pub(super) fn insert(&mut self, event: Scheduled<E>) {
        let window = event.time >> self.shift;
        if window - self.window < BUCKETS as u64 {
            let bucket = window as usize % BUCKETS;
            self.buckets[bucket].push(event);
            self.occupied[bucket / 64] |= 1 << (bucket % 64);
        } else {
            self.first_far = self.first_far.min(window);
            self.far.push(event);
        }
    }

    /// Returns the number of the first window with events; the greatest number if there is none.
    pub(super) fn first(&self) -> u64 {
        let (from, words) = (self.window as usize % BUCKETS, self.occupied.len());
        // The word of the first bucket comes twice: at last for the buckets before it.
        for turn in 0..=words {
            let word = (from / 64 + turn) % words;
            let mut bits = self.occupied[word];
            if turn == 0 {
                bits &= u64::MAX << (from % 64);
            } else if turn == words {
                bits &= !(u64::MAX << (from % 64));
            }
            if bits != 0 {
                let bucket = word * 64 + bits.trailing_zeros() as usize;
                let ahead = (bucket + BUCKETS - from) % BUCKETS;
                return (self.window + ahead as u64).min(self.first_far);
            }
        }
        self.first_far
    }

    /// Moves the events of a window, before which there are none, to an empty list. Returns the window's end in ticks.
    pub(super) fn take(&mut self, window: u64, events: &mut Vec<Scheduled<E>>) -> u64 {
        self.window = window;
        if self.first_far < window.saturating_add(BUCKETS as u64) {
            let far = std::mem::take(&mut self.far);
            self.first_far = u64::MAX;
            far.into_iter().for_each(|event| self.insert(event));
        }
        let bucket = window as usize % BUCKETS;
        self.occupied[bucket / 64] &= !(1 << (bucket % 64));
        std::mem::swap(&mut self.buckets[bucket], events);
        self.window = window + 1;
        (window + 1).checked_shl(self.shift).filter(|end| end >> self.shift == window + 1).unwrap_or(u64::MAX)
    }

    /// Passes a window without events.
    pub(super) fn pass(&mut self, window: u64) {
        self.window = window + 1;
    }

    /// Removes all events.
    pub(super) fn drain(&mut self) -> impl Iterator<Item = Scheduled<E>> + '_ {
        self.occupied = [0; BUCKETS / 64];
        self.first_far = u64::MAX;
        let far = std::mem::take(&mut self.far);
        self.buckets.iter_mut().flat_map(|bucket| bucket.drain(..)).chain(far)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::phold::{Phold, phold};
    use proptest::prelude::*;

    fn event(time: u64) -> Scheduled<Phold> {
        Scheduled { time, to: 0, tie: time, kind: 0, payload: phold::Payload { token: 0, hops: 0 } }
    }

    proptest! {
        #[test]
        fn events_come_window_by_window(
            lookahead in 1_u64..2000,
            first in prop::collection::vec(0_u64..3_000_000, 0..60),
            later in prop::collection::vec(0_u64..3_000_000, 0..200)
        ) {
            let mut calendar = Calendar::new(lookahead);
            let (mut later, mut expected) = (later.into_iter(), first.clone());
            first.into_iter().for_each(|time| calendar.insert(event(time)));
            let (mut found, mut events, mut before) = (Vec::new(), Vec::new(), 0);
            while calendar.first() < u64::MAX {
                let end = calendar.take(calendar.first(), &mut events);
                prop_assert!(!events.is_empty() && end > before);
                let width = end & end.wrapping_neg();
                prop_assert!(width >= 1 << lookahead.ilog2());
                for Scheduled { time, .. } in events.drain(..) {
                    prop_assert!(time >= before && time < end);
                    found.push(time);
                    if let Some(delay) = later.next() {
                        calendar.insert(event(end + delay));
                        expected.push(end + delay);
                    }
                }
                before = end;
            }
            found.sort_unstable();
            expected.sort_unstable();
            prop_assert_eq!(found, expected);
        }
    }

    #[test]
    fn the_end_of_time_is_a_window() {
        let mut calendar = Calendar::new(1 << 40);
        calendar.insert(event(u64::MAX));
        let mut events = Vec::new();
        assert_eq!(calendar.take(calendar.first(), &mut events), u64::MAX);
        assert_eq!((events.len(), calendar.first()), (1, u64::MAX));
    }
}
