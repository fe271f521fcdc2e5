//! Bookkeeping of fault slots that is common to all devices: slots in use, and slots already looked at.

use super::layout::slot_bytes;
use std::ops::Range;

/// The fault slots of a queue: those of its launches since all were last free, in order. A device writes the row of a
/// fault into a launch's slots. The host looks at them when it waits for anything on the queue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct SlotRing {
    capacity: u32,
    used: u32,
    /// Number of slots in use that were looked at.
    seen: u32,
    /// Number of times that all slots were freed.
    epoch: u64,
}

/// The slots in use that nobody had looked at when their bytes were requested.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SlotWindow {
    epoch: u64,
    slots: Range<u32>,
}

impl SlotWindow {
    /// Returns the slots.
    #[must_use]
    pub fn slots(&self) -> Range<u32> {
        self.slots.clone()
    }

    /// Returns the bytes of the slots in the state buffer.
    #[must_use]
    pub const fn bytes(&self) -> Range<u64> {
        slot_bytes(&self.slots)
    }
}

impl SlotRing {
    /// Creates `capacity` free slots.
    pub(super) const fn new(capacity: u32) -> SlotRing {
        SlotRing { capacity, used: 0, seen: 0, epoch: 0 }
    }

    /// Returns the total number of slots.
    pub(super) const fn capacity(&self) -> u32 {
        self.capacity
    }

    /// Returns the number of slots in use; these are the first.
    pub(super) const fn used(&self) -> u32 {
        self.used
    }

    /// Returns `true` if `slots` slots are free.
    pub(super) const fn has_room(&self, slots: u32) -> bool {
        self.capacity - self.used >= slots
    }

    /// Takes `slots` slots, which must be free. Returns the first of them.
    pub(super) fn claim(&mut self, slots: u32) -> u32 {
        let first = self.used;
        self.used = self.used.saturating_add(slots).min(self.capacity);
        first
    }

    /// Returns the slots that were not yet looked at, if there are any: their bytes are to be read.
    pub(super) fn unseen(&self) -> Option<SlotWindow> {
        (self.seen < self.used).then_some(SlotWindow { epoch: self.epoch, slots: self.seen..self.used })
    }

    /// Records that the bytes of a window have arrived. Returns the slots that still have to be looked at; the rest of
    /// the window was read earlier.
    pub(super) fn see(&mut self, window: &SlotWindow) -> Option<Range<u32>> {
        if window.epoch != self.epoch || window.slots.end <= self.seen {
            return None;
        }
        let unseen = window.slots.start.max(self.seen)..window.slots.end;
        self.seen = window.slots.end;
        Some(unseen)
    }

    /// Returns `true` if all slots in use were looked at, so that they can be freed.
    pub(super) const fn all_seen(&self) -> bool {
        self.seen == self.used
    }

    /// Makes all slots free.
    pub(super) fn free(&mut self) {
        (self.used, self.seen) = (0, 0);
        self.epoch += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_window_that_was_overtaken_has_nothing_to_look_at() {
        let mut ring = SlotRing::new(10);
        assert_eq!((ring.claim(3), ring.unseen().map(|w| w.slots())), (0, Some(0..3)));
        let first = ring.unseen().unwrap();
        ring.claim(2);
        let second = ring.unseen().unwrap();
        assert_eq!(ring.see(&second), Some(0..5));
        assert_eq!(ring.see(&first), None);
        assert!(ring.all_seen());
        ring.free();
        ring.claim(4);
        assert_eq!(ring.see(&second), None, "it is of another time");
        assert!(!ring.has_room(7) && ring.has_room(6));
    }

    proptest! {
        /// Every slot is looked at exactly once, in whatever order windows are looked at.
        #[test]
        fn every_slot_is_seen_once(steps in proptest::collection::vec((0_u32..4, 0_usize..4), 1..60)) {
            let mut ring = SlotRing::new(u32::MAX);
            let (mut windows, mut seen, mut claimed) = (Vec::new(), 0, 0);
            for (claim, look) in steps {
                ring.claim(claim);
                claimed += claim;
                windows.extend(ring.unseen());
                if look < windows.len() {
                    let window = windows.remove(look);
                    seen += ring.see(&window).map_or(0, |slots| slots.len() as u32);
                    if ring.all_seen() {
                        ring.free();
                    }
                }
            }
            windows.extend(ring.unseen());
            for window in windows {
                seen += ring.see(&window).map_or(0, |slots| slots.len() as u32);
            }
            prop_assert_eq!(seen, claimed);
        }
    }
}
