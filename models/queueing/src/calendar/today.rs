//! Arrivals that are made in the month in which they come.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Arrivals inserted into the month under way, which has been sorted already. They are few.
#[derive(Default)]
pub(crate) struct Today(BinaryHeap<Reverse<u64>>);

impl Today {
    /// Inserts an arrival.
    #[inline(always)]
    pub(crate) fn insert(&mut self, arrival: u64) {
        self.0.push(Reverse(arrival));
    }

    /// Takes the first, if it comes before another arrival.
    #[inline(always)]
    pub(crate) fn pop_before(&mut self, other: u64) -> Option<u64> {
        let &Reverse(first) = self.0.peek()?;
        (first < other).then(|| {
            self.0.pop();
            first
        })
    }

    /// All of them, in no order.
    pub(crate) fn iter(&self) -> impl Iterator<Item = u64> {
        self.0.iter().map(|Reverse(arrival)| *arrival)
    }

    /// Puts others in their place.
    pub(crate) fn replace(&mut self, arrivals: &[u64]) {
        self.0.clear();
        self.0.extend(arrivals.iter().map(|arrival| Reverse(*arrival)));
    }
}
