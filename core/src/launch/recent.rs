//! Launches of a queue that may repeat.

use super::kept::{Kept, Key};

/// Recent launches of a queue, in order of arrival: those of a loop repeat cyclically.
#[derive(Debug, Default)]
pub(crate) struct Recent {
    // A launch in execution is taken out of its place, which stays free for it.
    places: Vec<Option<Box<Kept>>>,
    /// Place after the one that was taken last.
    next: usize,
}

/// Largest number of launches cached.
const MAX_LAUNCHES: usize = 64;

impl Recent {
    /// Takes out the next launch with this key, if there is one. Its arguments may differ.
    #[inline]
    pub(crate) fn take(&mut self, key: Key<'_>) -> Option<Box<Kept>> {
        let next = if self.next < self.places.len() { self.next } else { 0 };
        match self.take_from(next, key) {
            None => (next + 1..self.places.len()).chain(0..next).find_map(|at| self.take_from(at, key)),
            kept => kept,
        }
    }

    fn take_from(&mut self, at: usize, key: Key<'_>) -> Option<Box<Kept>> {
        let mut kept = self.places.get_mut(at)?.take_if(|kept| kept.is(key))?;
        kept.place = at;
        self.next = at + 1;
        Some(kept)
    }

    /// Puts back a launch that has repeated: the caller holds all memory that it uses.
    #[inline]
    pub(crate) fn put_back(&mut self, kept: Box<Kept>) {
        match self.places.get_mut(kept.place) {
            Some(place @ None) => *place = Some(kept),
            _ => self.keep(kept),
        }
    }

    /// Puts back a launch that did not match. It is dropped if memory that it uses was dropped meanwhile.
    pub(crate) fn put_back_other(&mut self, kept: Box<Kept>) {
        if kept.is_alive() {
            self.put_back(kept);
        }
    }

    /// Caches a launch, after the one that was taken last.
    pub(crate) fn keep(&mut self, kept: Box<Kept>) {
        let count = self.places.len();
        let at = if self.next < MAX_LAUNCHES { self.next.min(count) } else { 0 };
        match self.places.get_mut(at) {
            Some(place) if place.is_none() || count >= MAX_LAUNCHES => *place = Some(kept),
            _ => self.places.insert(at, Some(kept)),
        }
        self.next = at + 1;
    }

    /// Takes out the launches that use the memory at an address; the caller drops them outside the lock.
    pub(crate) fn forget(&mut self, address: usize) -> Self {
        let used = |place: &mut Option<Box<Kept>>| place.take_if(|kept| kept.uses(address));
        Recent { places: self.places.iter_mut().map(used).collect(), next: 0 }
    }
}
