//! Calendar of time windows: a future event list whose events of one window may be executed in any order of modules.

use super::chunks::{Chunks, Stack};
use crate::contract::Events;
use crate::event_types::Scheduled;

/// Logarithm of the number of slots of a level.
const BITS: u32 = 8;
const SLOTS: usize = 1 << BITS;

/// Pending events of some modules. Time is divided into windows of equal width, at most the lookahead: an event that
/// one module sends to another never comes in the window in which it is sent.
///
/// Windows are counted in digits of [`BITS`] bits. An event stands at the level of the first digit by which its window
/// differs from the present one, in the slot of that digit (a hierarchical timing wheel). Its level falls as the
/// present window comes closer, so that an event is moved once for each level at most.
#[derive(Debug)]
pub(super) struct Calendar<E: Events> {
    /// Logarithm of the width of a window, in ticks.
    shift: u32,
    /// Number of the present window: there are no events before it.
    window: u64,
    /// Levels, from the last digit on; those above hold no events.
    levels: Vec<Level>,
    chunks: Chunks<Scheduled<E>>,
}

/// Events whose windows begin with the same digits as the present window, by the next digit.
#[derive(Debug)]
struct Level {
    slots: [Slot; SLOTS],
    /// A bit for each slot with events.
    occupied: [u64; SLOTS / 64],
}

/// Events of windows that have some first digits in common.
#[derive(Clone, Copy, Debug)]
struct Slot {
    events: Stack,
    /// Time of the first of them.
    first: u64,
}

impl Slot {
    const EMPTY: Slot = Slot { events: Stack::EMPTY, first: u64::MAX };
}

impl Level {
    /// Returns the first slot with events from a digit on.
    fn first(&self, digit: usize) -> Option<&Slot> {
        let mut word = digit / 64;
        let mut bits = self.occupied[word] & u64::MAX << (digit % 64);
        while bits == 0 {
            word += 1;
            bits = *self.occupied.get(word)?;
        }
        self.slots.get(word * 64 + bits.trailing_zeros() as usize)
    }

    /// Empties a slot, and returns its events.
    fn take(&mut self, digit: usize) -> Stack {
        self.occupied[digit / 64] &= !(1 << (digit % 64));
        std::mem::replace(&mut self.slots[digit], Slot::EMPTY).events
    }
}

/// Returns a digit of a window's number.
fn digit(window: u64, level: usize) -> usize {
    (window >> (level as u32 * BITS)) as usize % SLOTS
}

impl<E: Events> Calendar<E> {
    /// Creates a calendar for a lookahead above 0, in ticks.
    pub(super) fn new(lookahead: u64) -> Self {
        Calendar { shift: lookahead.max(1).ilog2(), window: 0, levels: Vec::new(), chunks: Chunks::default() }
    }

    /// Adds an event that is not before the present window.
    pub(super) fn insert(&mut self, event: Scheduled<E>) {
        let window = event.time >> self.shift;
        let level = ((window ^ self.window).checked_ilog2().unwrap_or(0) / BITS) as usize;
        while self.levels.len() <= level {
            self.levels.push(Level { slots: [Slot::EMPTY; SLOTS], occupied: [0; SLOTS / 64] });
        }
        let (level, digit) = (&mut self.levels[level], digit(window, level));
        let slot = &mut level.slots[digit];
        self.chunks.push(&mut slot.events, event);
        slot.first = slot.first.min(event.time);
        level.occupied[digit / 64] |= 1 << (digit % 64);
    }

    /// Returns the number of the first window with events; the greatest number if there is none.
    pub(super) fn first(&self) -> u64 {
        let levels = self.levels.iter().enumerate();
        let slot = levels.into_iter().find_map(|(number, level)| level.first(digit(self.window, number)));
        slot.map_or(u64::MAX, |slot| slot.first >> self.shift)
    }

    /// Moves the events of a window, before which there are none, to an empty list. Returns the window's end in ticks.
    pub(super) fn take(&mut self, window: u64, events: &mut Vec<Scheduled<E>>) -> u64 {
        self.advance(window);
        if let Some(level) = self.levels.first_mut() {
            self.chunks.pop_all(level.take(digit(window, 0)), events);
        }
        self.pass(window);
        (window + 1).checked_shl(self.shift).filter(|end| end >> self.shift == window + 1).unwrap_or(u64::MAX)
    }

    /// Passes a window without events.
    pub(super) fn pass(&mut self, window: u64) {
        self.advance(window + 1);
    }

    /// Makes a window the present one.
    fn advance(&mut self, window: u64) {
        let changed = std::mem::replace(&mut self.window, window) ^ window;
        for level in (1..self.levels.len()).rev() {
            if changed >> (level as u32 * BITS) > 0 {
                let mut events = Vec::new();
                let stack = self.levels[level].take(digit(window, level));
                self.chunks.pop_all(stack, &mut events);
                events.into_iter().for_each(|event| self.insert(event));
            }
        }
    }

    /// Removes all events.
    pub(super) fn into_events(mut self) -> Vec<Scheduled<E>> {
        let mut events = Vec::new();
        for slot in self.levels.iter().flat_map(|level| &level.slots) {
            self.chunks.pop_all(slot.events, &mut events);
        }
        events
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
