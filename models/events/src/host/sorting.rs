//! Sorting of the events of a time window.

use crate::contract::Events;
use crate::event_types::Scheduled;

/// Number of events from which on they are first distributed to blocks of modules, whose events fit into a near cache.
const MIN_DISTRIBUTED_EVENTS: usize = 2048;

/// Logarithm of the number of blocks of modules.
const BLOCKS: u32 = 8;

/// Sorts events by module, time and tie.
#[derive(Debug)]
pub(super) struct Sorter<E: Events> {
    /// First module.
    first: u32,
    /// Logarithm of the number of modules in a block.
    shift: u32,
    /// Place in the sorted list of the next event of each block.
    places: Vec<usize>,
    /// Memory for the next sorted list.
    spare: Vec<Scheduled<E>>,
}

impl<E: Events> Sorter<E> {
    /// Creates a sorter for events of `modules` modules, which are numbered from `first` on.
    pub(super) fn new(first: u32, modules: usize) -> Self {
        let shift = modules.max(1).ilog2().saturating_sub(BLOCKS);
        Sorter { first, shift, places: vec![0; (modules >> shift) + 1], spare: Vec::new() }
    }

    /// Sorts the events of a window.
    pub(super) fn sort(&mut self, events: &mut Vec<Scheduled<E>>) {
        if events.len() < MIN_DISTRIBUTED_EVENTS {
            sort(events);
            return;
        }
        self.distribute(events);
        events.chunk_by_mut(|a, b| self.block(a) == self.block(b)).for_each(sort);
    }

    fn block(&self, event: &Scheduled<E>) -> usize {
        ((event.to - self.first) >> self.shift) as usize
    }

    /// Sorts events by block.
    fn distribute(&mut self, events: &mut Vec<Scheduled<E>>) {
        self.places.fill(0);
        for event in events.iter() {
            let block = self.block(event);
            self.places[block] += 1;
        }
        let mut before = 0;
        for place in &mut self.places {
            // The number of the block's events until here.
            before += std::mem::replace(place, before);
        }
        let mut sorted = std::mem::take(&mut self.spare);
        sorted.clear();
        sorted.extend_from_slice(events);
        for event in events.iter() {
            let block = self.block(event);
            sorted[self.places[block]] = *event;
            self.places[block] += 1;
        }
        self.spare = std::mem::replace(events, sorted);
    }
}

fn sort<E: Events>(events: &mut [Scheduled<E>]) {
    events.sort_unstable_by_key(|event| (event.to, event.time, event.tie));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::phold::{Phold, phold};
    use imminent_core::random::Pcg32;

    #[test]
    fn events_are_sorted_by_module_time_and_tie() {
        let mut random = Pcg32::new(1, 0);
        for (first, modules, count) in [(0, 1, 3000), (7, 200, 5000), (100_000, 3001, 100), (100_000, 3001, 9000)] {
            let mut sorter = Sorter::new(first, modules as usize);
            for _ in 0..3 {
                let event = |tie| Scheduled::<Phold> {
                    time: u64::from(random.below(9)),
                    to: first + random.below(modules),
                    tie,
                    kind: 0,
                    payload: phold::Payload { token: 0, hops: 0 },
                };
                let mut events: Vec<_> = (0..count).map(event).collect();
                let key = |event: &Scheduled<Phold>| (event.to, event.time, event.tie);
                let mut expected: Vec<_> = events.iter().map(key).collect();
                expected.sort_unstable();
                sorter.sort(&mut events);
                assert_eq!(events.iter().map(key).collect::<Vec<_>>(), expected);
            }
        }
    }
}
