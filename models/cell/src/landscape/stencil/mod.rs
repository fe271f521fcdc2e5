//! Stencils: the segments along which fire leaves a cell.

mod refinement;
mod way;

pub(super) use refinement::RADIUS;
pub(super) use way::Way;

use super::DIRECTION_COUNT;
use super::directions::{Directions, Offset};
use refinement::{Ellipse, all, neighbours};
use std::collections::HashMap;
use std::sync::LazyLock;

/// Ratios of length to width for which there are stencils.
const RATIOS: [f64; 13] = [1.0, 1.1, 1.25, 1.5, 1.75, 2.0, 2.5, 3.0, 3.5, 4.0, 5.0, 6.0, 8.0];

/// Headings for which there are stencils, from north.
const HEADINGS: usize = 128;

/// Largest number of segments of an ellipse.
pub(super) const MOST_WAYS: usize = 39;

/// Words of a set of segments: there are 576 segments of at most [`RADIUS`] rows and columns.
const WORDS: usize = 9;

/// Set of segments, by their numbers clockwise from north.
type Set = [u64; WORDS];

/// Sets of the segments of all [`ellipses`].
static SETS: LazyLock<Vec<Set>> = LazyLock::new(|| {
    let number_of: HashMap<Offset, usize> = all().into_iter().zip(0..).collect();
    let set = |ellipse: Ellipse| set(ellipse.offsets().iter().filter_map(|offset| number_of.get(offset).copied()));
    ellipses().map(set).collect()
});

/// Segments by which fire leaves a cell.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Stencil {
    /// Numbers of the ways, clockwise from north.
    ways: Vec<u16>,
    /// Distances to the numbers of the ways' last cells from that of the first cell.
    distances: Vec<i32>,
}

/// Stencils of all ellipses, and unions of them.
#[derive(Clone, Debug)]
pub(super) struct Stencils {
    /// All segments, clockwise from north.
    ways: Vec<Way>,
    /// Segments of each ellipse.
    sets: Vec<Set>,
    /// Stencils of each ellipse, then of unions.
    all: Vec<Stencil>,
    /// Numbers of the stencils of unions.
    number_of: HashMap<Set, u32>,
}

impl Stencil {
    /// Returns the number of segments.
    pub(super) fn len(&self) -> usize {
        self.ways.len()
    }

    /// Returns the distances to the numbers of the segments' last cells from that of the first cell, clockwise from
    /// north.
    #[inline]
    pub(super) fn distances(&self) -> &[i32] {
        &self.distances
    }

    fn of(set: &Set, all: &[Way]) -> Self {
        let is_in = |number: &u16| set.get(usize::from(number / 64)).is_some_and(|word| word >> (number % 64) & 1 != 0);
        let ways: Vec<u16> = (0..64 * WORDS as u16).filter(is_in).collect();
        let ways_of_set = ways.iter().filter_map(|&number| all.get(usize::from(number)));
        let distances = ways_of_set.map(|way| way.distance).collect();
        Stencil { ways, distances }
    }
}

impl Stencils {
    /// Makes the stencils for a grid with some columns.
    pub(super) fn new(directions: Directions, columns: u32) -> Self {
        let (offsets, sets) = match directions {
            Directions::Eight => (neighbours(), vec![set(0..DIRECTION_COUNT)]),
            Directions::Adaptive => (all(), SETS.clone()),
        };
        let ways: Vec<Way> = offsets.iter().map(|&offset| Way::new(offset, columns)).collect();
        let all = sets.iter().map(|set| Stencil::of(set, &ways)).collect();
        Stencils { ways, sets, all, number_of: HashMap::new() }
    }

    /// Returns the number of the stencil for an ellipse: its eccentricity, and a vector along rows and columns in the
    /// direction of its heading.
    pub(super) fn number(&self, eccentricity: f64, [down, right]: [f64; 2]) -> u32 {
        if self.sets.len() == 1 {
            return 0;
        }
        let is_rounder = |ratio: &f64| eccentricity * ratio <= (ratio * ratio - 1.0).sqrt();
        let ratio = RATIOS.iter().position(is_rounder).unwrap_or(RATIOS.len() - 1);
        let turn = libm::atan2(right, -down) / std::f64::consts::TAU * HEADINGS as f64;
        let heading = libm::round(turn) as i64;
        (ratio * HEADINGS) as u32 + heading.rem_euclid(HEADINGS as i64) as u32
    }

    /// Returns the number of the stencil that has the segments of several ellipses, given by the numbers of theirs.
    pub(super) fn union(&mut self, numbers: impl IntoIterator<Item = u32>) -> u32 {
        let mut numbers = numbers.into_iter();
        let first = numbers.next().unwrap_or(0);
        let mut union = self.sets.get(first as usize).copied().unwrap_or_default();
        let mut is_first = true;
        for set in numbers.filter(|&number| number != first).filter_map(|number| self.sets.get(number as usize)) {
            is_first = false;
            union.iter_mut().zip(set).for_each(|(word, other)| *word |= other);
        }
        if is_first {
            return first;
        }
        *self.number_of.entry(union).or_insert_with(|| {
            self.all.push(Stencil::of(&union, &self.ways));
            (self.all.len() - 1) as u32
        })
    }

    /// Returns a stencil by its number.
    #[inline]
    pub(super) fn get(&self, number: u32) -> &Stencil {
        const NONE: &Stencil = &Stencil { ways: Vec::new(), distances: Vec::new() };
        self.all.get(number as usize).unwrap_or(NONE)
    }

    /// Returns the segments of a stencil, clockwise from north.
    #[inline]
    pub(super) fn ways<'a>(&'a self, stencil: &'a Stencil) -> impl ExactSizeIterator<Item = &'a Way> {
        const NONE: &Way = &Way::NONE;
        let known = self.ways.as_slice();
        // Every number is below the number of all ways.
        stencil.ways.iter().map(move |&number| known.get(usize::from(number)).unwrap_or(NONE))
    }

    /// Returns a segment of a stencil by its number there.
    pub(super) fn way(&self, stencil: &Stencil, number: usize) -> Option<&Way> {
        self.ways.get(usize::from(*stencil.ways.get(number)?))
    }

    /// Returns all stencils in the order of their numbers.
    pub(super) fn all(&self) -> &[Stencil] {
        &self.all
    }
}

/// Returns the set of segments with some numbers.
fn set(numbers: impl IntoIterator<Item = usize>) -> Set {
    let mut set = [0; WORDS];
    for number in numbers {
        if let Some(word) = set.get_mut(number / 64) {
            *word |= 1 << (number % 64);
        }
    }
    set
}

/// Returns the ellipses for which there are stencils, in the order of their numbers.
fn ellipses() -> impl Iterator<Item = Ellipse> {
    let eccentricities = RATIOS.iter().map(|ratio| (ratio * ratio - 1.0).sqrt() / ratio);
    eccentricities.flat_map(|eccentricity| {
        (0..HEADINGS).map(move |heading| {
            let angle = heading as f64 * std::f64::consts::TAU / HEADINGS as f64;
            Ellipse { eccentricity, heading: [-libm::cos(angle), libm::sin(angle)] }
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stencils_have_the_offsets_of_their_ellipses() {
        let stencils = Stencils::new(Directions::Adaptive, 50);
        assert!(stencils.ways.len() <= 64 * WORDS);
        for (ellipse, stencil) in ellipses().zip(stencils.all()) {
            let found: Vec<Offset> = stencils.ways(stencil).map(|way| way.offset).collect();
            assert_eq!(found, ellipse.offsets());
        }
        let counts = stencils.all().iter().map(Stencil::len);
        assert_eq!((counts.clone().min(), counts.max()), (Some(16), Some(MOST_WAYS)));
        let eight = Stencils::new(Directions::Eight, 50);
        let found: Vec<Option<usize>> = eight.ways(eight.get(0)).map(|way| way.direction).collect();
        assert_eq!(found, (0..8).map(Some).collect::<Vec<_>>());
    }

    #[test]
    fn ellipses_have_the_stencil_of_their_heading_and_ratio() {
        let stencils = Stencils::new(Directions::Adaptive, 50);
        assert!(stencils.number(0.0, [0.0, 0.0]) < 128);
        let eccentricity = |ratio: f64| (ratio * ratio - 1.0).sqrt() / ratio;
        // East is a quarter of the headings, west three quarters.
        assert_eq!(stencils.number(eccentricity(1.9), [0.0, 2.0]), 5 * 128 + 32);
        assert_eq!(stencils.number(eccentricity(2.1), [0.01, -2.0]), 6 * 128 + 96);
        assert_eq!(stencils.number(0.9999, [-1.0, -0.01]), 12 * 128);
        assert_eq!(Stencils::new(Directions::Eight, 50).number(0.9, [1.0, 0.0]), 0);
    }

    #[test]
    fn unions_have_the_segments_of_all_their_ellipses() {
        let mut stencils = Stencils::new(Directions::Adaptive, 50);
        assert_eq!([stencils.union([]), stencils.union([7]), stencils.union([9, 9])], [0, 7, 9]);
        let both = stencils.union([1200, 1216, 1200]);
        let first = ellipses().count() as u32;
        assert_eq!((both, stencils.union([1216, 1200]), stencils.union([1200, 1232])), (first, first, first + 1));
        let of = |number: u32| stencils.get(number).ways.clone();
        let mut expected = [of(1200), of(1216)].concat();
        expected.sort_unstable();
        expected.dedup();
        assert_eq!(of(both), expected);
    }
}
