//! Runs to be executed. Only their numbers are stored; a run is computed from its number when it is needed.

use super::plan::Study;
use super::point::{Point, Run};
use std::ops::Range;
use std::sync::Arc;

/// Numbers of runs, in order: a bit for each between the least and the greatest.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct RunSet {
    /// The number of the first bit, a multiple of 64.
    first: u64,
    words: Vec<u64>,
    count: u64,
}

impl RunSet {
    /// Creates an empty set with room for the numbers below `runs`.
    #[must_use]
    pub fn none_of(runs: u64) -> Self {
        Self { first: 0, words: vec![0; runs.div_ceil(64) as usize], count: 0 }
    }

    /// Creates the set of all numbers below `runs`.
    #[must_use]
    pub fn all_of(runs: u64) -> Self {
        Self::none_of(runs).complement(runs)
    }

    /// Returns the numbers below `runs` that are not in this set.
    #[must_use]
    pub fn complement(&self, runs: u64) -> Self {
        let word = |place: u64| {
            let own = place.checked_sub(self.first / 64).and_then(|place| self.words.get(place as usize));
            let bits = (runs - place * 64).min(64);
            !own.copied().unwrap_or(0) & (u64::MAX >> (64 - bits))
        };
        let words: Vec<u64> = (0..runs.div_ceil(64)).map(word).collect();
        Self { first: 0, count: words.iter().map(|word| u64::from(word.count_ones())).sum(), words }
    }

    /// Returns the number of elements.
    #[must_use]
    pub const fn len(&self) -> u64 {
        self.count
    }

    /// Returns `true` if the set has no numbers.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Returns `true` if a number is in the set.
    #[must_use]
    pub fn contains(&self, number: u64) -> bool {
        self.place(number).is_some_and(|(place, bit)| self.words.get(place).is_some_and(|word| word & bit != 0))
    }

    /// Adds a number. Returns `false` if the set has no room for it, or has it already.
    pub fn insert(&mut self, number: u64) -> bool {
        let slot = self.place(number).and_then(|(place, bit)| Some((self.words.get_mut(place)?, bit)));
        let is_new = slot.is_some_and(|(word, bit)| {
            let is_new = *word & bit == 0;
            *word |= bit;
            is_new
        });
        self.count += u64::from(is_new);
        is_new
    }

    /// Removes a number. Returns `false` if it is not in the set.
    pub fn remove(&mut self, number: u64) -> bool {
        let slot = self.place(number).and_then(|(place, bit)| Some((self.words.get_mut(place)?, bit)));
        let was_there = slot.is_some_and(|(word, bit)| {
            let was_there = *word & bit != 0;
            *word &= !bit;
            was_there
        });
        self.count -= u64::from(was_there);
        was_there
    }

    /// Returns the numbers, ascending.
    pub fn iter(&self) -> impl Iterator<Item = u64> + '_ {
        let of = |(place, word): (u64, &u64)| bits(*word).map(move |bit| place * 64 + u64::from(bit));
        (self.first / 64..).zip(&self.words).flat_map(of)
    }

    /// Takes the first `count` numbers away, and gives them.
    pub(super) fn take_first(&mut self, count: u64) -> Vec<u64> {
        self.take_ranked((0..count.min(self.count)).collect())
    }

    /// Takes `count` numbers away that lie evenly among all, and gives them.
    pub(super) fn take_spaced(&mut self, count: u64) -> Vec<u64> {
        let (all, count) = (self.count, count.min(self.count));
        // Their product fits: there are fewer than 2^32 runs.
        self.take_ranked((0..count).map(|place| place * all / count).collect())
    }

    /// Takes numbers away by their places in the order, which are in order.
    fn take_ranked(&mut self, ranks: Vec<u64>) -> Vec<u64> {
        let mut taken = Vec::with_capacity(ranks.len());
        let mut ranks = ranks.into_iter().peekable();
        let mut rank = 0;
        for (place, word) in (self.first / 64..).zip(&mut self.words) {
            let all = *word;
            if ranks.peek().is_none() {
                break;
            }
            let next = rank + u64::from(all.count_ones());
            for (number, bit) in (rank..next).zip(bits(all)) {
                if ranks.next_if_eq(&number).is_some() {
                    taken.push(place * 64 + u64::from(bit));
                    *word &= !(1 << bit);
                }
            }
            rank = next;
        }
        self.count -= taken.len() as u64;
        taken
    }

    fn place(&self, number: u64) -> Option<(usize, u64)> {
        Some((usize::try_from(number.checked_sub(self.first)? / 64).ok()?, 1 << (number % 64)))
    }
}

/// The places of the bits of a word that are set.
fn bits(mut word: u64) -> impl Iterator<Item = u32> {
    std::iter::from_fn(move || {
        let bit = (word != 0).then(|| word.trailing_zeros());
        word &= word.wrapping_sub(1);
        bit
    })
}

impl FromIterator<u64> for RunSet {
    fn from_iter<I: IntoIterator<Item = u64>>(numbers: I) -> Self {
        let numbers: Vec<u64> = numbers.into_iter().collect();
        let (Some(least), Some(greatest)) = (numbers.iter().min(), numbers.iter().max()) else {
            return Self::default();
        };
        let first = least / 64 * 64;
        let mut set = Self { first, words: vec![0; ((greatest - first) / 64) as usize + 1], count: 0 };
        for number in numbers {
            set.insert(number);
        }
        set
    }
}

/// Runs of a study that a laboratory must execute. A run is computed when it is needed, so that many runs take only the
/// memory of their numbers.
#[derive(Debug, Clone)]
pub struct Runs<'s> {
    study: &'s Study,
    numbers: RunSet,
}

impl Study {
    /// The runs with these numbers, in the order of the numbers; those that are not there are left out.
    #[must_use]
    pub fn select(&self, numbers: impl IntoIterator<Item = u64>) -> Runs<'_> {
        Runs::new(self, numbers.into_iter().filter(|number| *number < self.runs()).collect())
    }
}

impl<'s> Runs<'s> {
    /// Selects runs of a study by their numbers. Iteration leaves out numbers that the study does not have.
    #[must_use]
    pub fn new(study: &'s Study, numbers: RunSet) -> Self {
        Self { study, numbers }
    }

    /// Returns the study.
    #[must_use]
    pub const fn study(&self) -> &'s Study {
        self.study
    }

    /// Returns the numbers.
    #[must_use]
    pub const fn numbers(&self) -> &RunSet {
        &self.numbers
    }

    /// Returns the number of runs.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.numbers.len() as usize
    }

    /// Returns `true` if there are no runs.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.numbers.is_empty()
    }

    /// The runs, in the order of their numbers. Those of one point share it where they follow each other.
    pub fn iter(&self) -> impl Iterator<Item = Run> + '_ {
        let mut last: Option<Arc<Point>> = None;
        self.numbers.iter().filter_map(move |number| {
            let (point, repetition) = (number / self.study.repetitions(), number % self.study.repetitions());
            let known = last.take().filter(|last| last.number() == point);
            let point = known.map_or_else(|| self.study.point(point).map(Arc::new), Some)?;
            last = Some(Arc::clone(&point));
            let seed = self.study.seed_of(point.number(), repetition)?;
            Some(Run { number, point, repetition: repetition as u32, seed })
        })
    }

    /// Returns the runs whose places in the order are in a range.
    #[must_use]
    pub fn part(&self, places: Range<usize>) -> Self {
        let numbers = self.numbers.iter().skip(places.start).take(places.len()).collect();
        Self { study: self.study, numbers }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    proptest! {
        /// A set is what a sorted set of the standard library is, whatever is done to it.
        #[test]
        fn numbers_are_kept(numbers in prop::collection::vec(0_u64..400, 0..90), others in prop::collection::vec(0_u64..500, 0..90), count in 0_u64..120) {
            let mut set: RunSet = numbers.iter().copied().collect();
            let mut model: BTreeSet<u64> = numbers.iter().copied().collect();
            for other in others {
                prop_assert_eq!(set.contains(other), model.contains(&other));
                prop_assert_eq!(set.remove(other), model.remove(&other));
            }
            prop_assert_eq!(set.iter().collect::<Vec<_>>(), model.iter().copied().collect::<Vec<_>>());
            let missing: Vec<u64> = (0..450).filter(|number| !model.contains(number)).collect();
            prop_assert_eq!(set.complement(450).iter().collect::<Vec<_>>(), missing);
            let all: Vec<u64> = model.iter().copied().collect();
            let count = count.min(all.len() as u64);
            let spaced: Vec<u64> = (0..count).map(|place| all[(place * all.len() as u64 / count) as usize]).collect();
            let mut left = set.clone();
            prop_assert_eq!(&left.take_spaced(count), &spaced);
            prop_assert_eq!(left.iter().chain(spaced).collect::<BTreeSet<_>>(), model);
            prop_assert_eq!(set.take_first(count), &all[..count as usize]);
            prop_assert_eq!(set.iter().collect::<Vec<_>>(), &all[count as usize..]);
            prop_assert_eq!(set.len(), all.len() as u64 - count);
        }
    }

    #[test]
    fn a_set_takes_what_it_has_room_for() {
        let mut set = RunSet::none_of(70);
        assert!(set.insert(69) && !set.insert(69) && !set.insert(128) && set.is_empty() != set.contains(69));
        assert_eq!(
            (set.len(), RunSet::all_of(70).len(), RunSet::all_of(64).len(), RunSet::all_of(0).len()),
            (1, 70, 64, 0)
        );
    }
}
