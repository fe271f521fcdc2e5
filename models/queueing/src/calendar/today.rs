//! Arrivals that fall into the window in which they were made.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Arrivals inserted into the current window, which has been sorted already. They are few.
#[derive(Default)]
pub(crate) struct Today(BinaryHeap<Reverse<u64>>);

impl Today {
    /// Inserts an arrival.
    #[inline(always)]
    pub(crate) fn insert(&mut self, arrival: u64) {
        self.0.push(Reverse(arrival));
    }

    /// Removes the first arrival, if it comes before `other`.
    #[inline(always)]
    pub(crate) fn pop_before(&mut self, other: u64) -> Option<u64> {
        let &Reverse(first) = self.0.peek()?;
        (first < other).then(|| {
            self.0.pop();
            first
        })
    }

    /// Iterates over all arrivals, in no particular order.
    pub(crate) fn iter(&self) -> impl Iterator<Item = u64> {
        self.0.iter().map(|Reverse(arrival)| *arrival)
    }

    /// Replaces all arrivals.
    pub(crate) fn replace(&mut self, arrivals: &[u64]) {
        self.0.clear();
        self.0.extend(arrivals.iter().map(|arrival| Reverse(*arrival)));
    }
}
