//! Lanes by length, so that the longest one is found in logarithmic time.

use std::cmp::Reverse;
use std::collections::BTreeSet;

/// Place of a lane in two lists: all of the first list are before those of the second, in the order of their listing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Place {
    pub(super) is_second: bool,
    /// Number of listings before.
    pub(super) turn: u64,
}

/// Bytes, place and number of a listed lane. The greatest is that of the longest lane; of several, that of the first.
pub(super) type Rank = (u64, Reverse<Place>, u64);

/// Ranks of all listed lanes, while they are needed: a queue that never overflows keeps none.
#[derive(Debug, Clone, Default)]
pub(super) struct Longest {
    ranks: Option<BTreeSet<Rank>>,
}

impl Longest {
    /// Returns the number of the longest lane. `all` returns the ranks of all listed lanes, if they are not kept yet.
    pub(super) fn find<I: Iterator<Item = Rank>>(&mut self, all: impl FnOnce() -> I) -> Option<u64> {
        self.ranks.get_or_insert_with(|| all().collect()).last().map(|(.., number)| *number)
    }

    /// Replaces the rank of a lane; `None` is that of a lane that is not listed.
    pub(super) fn replace(&mut self, before: Option<Rank>, after: Option<Rank>) {
        let Some(ranks) = self.ranks.as_mut().filter(|_| before != after) else { return };
        if let Some(before) = before {
            ranks.remove(&before);
        }
        ranks.extend(after);
    }

    /// Forgets all ranks, until the longest lane is looked for again.
    pub(super) fn forget(&mut self) {
        self.ranks = None;
    }
}
