//! Facts about a kernel that help a backend to lower it: columns touched, types used.

use std::collections::BTreeSet;
use std::ops::Range;

/// Words of a row, as ranges in increasing order that neither overlap nor touch.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WordSet {
    /// Words among the fixed ones of the row.
    pub fixed: Vec<Range<u32>>,
    /// Words among those of one lane, and so of every lane.
    pub lanes: Vec<Range<u32>>,
}

impl WordSet {
    /// Returns `true` if the set is empty.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.fixed.is_empty() && self.lanes.is_empty()
    }

    pub(super) fn insert(&mut self, lane: bool, words: Range<u32>) {
        let ranges = if lane { &mut self.lanes } else { &mut self.fixed };
        if words.is_empty() {
            return;
        }
        ranges.push(words);
        ranges.sort_by_key(|r| r.start);
        let mut merged: Vec<Range<u32>> = Vec::with_capacity(ranges.len());
        for range in ranges.drain(..) {
            match merged.last_mut() {
                Some(last) if range.start <= last.end => last.end = last.end.max(range.end),
                _ => merged.push(range),
            }
        }
        *ranges = merged;
    }
}

/// Words of a binding that a kernel reads and writes. An element at a computed index counts as its whole array.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Access {
    /// Words read.
    pub read: WordSet,
    /// Words written.
    pub written: WordSet,
}

/// A place in the source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Spot {
    /// The source file.
    pub file: String,
    /// The line in it.
    pub line: u32,
}

/// Features that a kernel uses.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Facts {
    /// `true` if a fault can be raised.
    pub faults: bool,
    /// The first use of a 64-bit integer.
    pub int64: Option<Spot>,
    /// The first use of an `f64`.
    pub float64: Option<Spot>,
    /// The first minimum or maximum contributed to a tally of 64-bit integers.
    pub wide_tally_minmax: Option<Spot>,
    /// The bindings of tallies whose number of slots the kernel reads.
    pub measured_tallies: BTreeSet<u32>,
}
