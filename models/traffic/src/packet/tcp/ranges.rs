//! Sets of packet numbers, as ranges.

use std::collections::BTreeMap;
use std::ops::Range;

/// Set of numbers as disjoint ranges that do not touch each other.
#[derive(Debug, Clone, Default)]
pub(super) struct Ranges {
    /// End of each range (exclusive) by its start.
    ends: BTreeMap<u64, u64>,
}

impl Ranges {
    pub(super) fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// Adds the numbers of a range. Returns the number of those that were not in the set.
    pub(super) fn insert(&mut self, range: Range<u64>) -> u64 {
        if range.is_empty() {
            return 0;
        }
        let (mut start, mut end, mut known) = (range.start, range.end, 0);
        if let Some((&before, &its_end)) = self.ends.range(..=start).next_back()
            && its_end >= start
        {
            start = before;
        }
        while let Some((&first, &last)) = self.ends.range(start..=end).next() {
            known += last - first;
            end = end.max(last);
            self.ends.remove(&first);
        }
        self.ends.insert(start, end);
        end - start - known
    }

    /// Returns the range that contains a number.
    pub(super) fn containing(&self, number: u64) -> Option<Range<u64>> {
        let (&start, &end) = self.ends.range(..=number).next_back()?;
        (number < end).then_some(start..end)
    }

    /// Removes all numbers below `end`. Returns the number of those that were in the set.
    pub(super) fn remove_below(&mut self, end: u64) -> u64 {
        let mut removed = 0;
        while let Some(entry) = self.ends.first_entry().filter(|entry| *entry.key() < end) {
            let (start, last) = entry.remove_entry();
            removed += last.min(end) - start;
            if last > end {
                self.ends.insert(end, last);
            }
        }
        removed
    }

    /// Returns the greatest numbers of the set, in descending order.
    pub(super) fn greatest(&self) -> impl Iterator<Item = u64> {
        self.ends.iter().rev().flat_map(|(&start, &end)| (start..end).rev())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    /// Random insertions and removals give what a set of single numbers gives.
    #[test]
    fn ranges_are_sets_of_numbers() {
        let (mut ranges, mut set, mut word) = (Ranges::default(), BTreeSet::new(), 1_u64);
        let mut draw = |below: u64| {
            word = word.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (word >> 33) % below
        };
        for _ in 0..20_000 {
            let (start, length) = (draw(200), draw(9));
            if draw(20) == 0 {
                let below = set.iter().filter(|number| **number < start).count() as u64;
                set.retain(|number| *number >= start);
                assert_eq!(ranges.remove_below(start), below);
            } else {
                let new = (start..start + length).filter(|number| set.insert(*number)).count() as u64;
                assert_eq!(ranges.insert(start..start + length), new);
            }
            assert_eq!(ranges.is_empty(), set.is_empty());
            assert!(ranges.greatest().eq(set.iter().rev().copied()));
            let number = draw(210);
            let found = ranges.containing(number);
            assert_eq!(found.is_some(), set.contains(&number));
            if let Some(range) = found {
                assert!(range.contains(&number) && range.clone().all(|number| set.contains(&number)));
                assert!(!set.contains(&range.end) && (range.start == 0 || !set.contains(&(range.start - 1))));
            }
        }
    }
}
