//! The cells that see a cell.

use crate::space::{CellSpace, MAX_DIMENSIONS};

/// Cells that have a cell in their neighbourhood: its influencees.
///
/// Numbers of cells that are far enough from every edge differ from those of their influencees by constants, so no
/// coordinate is computed for them but their own.
pub(super) struct Reach<'a> {
    space: &'a CellSpace,
    /// Differences of numbers, in the order of the neighbourhood.
    by: Vec<i64>,
    /// Coordinates from which on, and before which, a cell is far enough from the edges.
    inner: [(u32, u32); MAX_DIMENSIONS],
}

impl<'a> Reach<'a> {
    pub(super) fn new(space: &'a CellSpace) -> Self {
        let numbered =
            |sum: i64, (&by, &cells): (&i32, &u32)| sum.wrapping_mul(i64::from(cells)).wrapping_sub(i64::from(by));
        let by = |offset: &[i32; MAX_DIMENSIONS]| offset.iter().zip(space.dimensions()).fold(0, numbered);
        let mut inner = [(0, 1); MAX_DIMENSIONS];
        for (at, (inner, &cells)) in inner.iter_mut().zip(space.dimensions()).enumerate() {
            let along = space.neighbours().iter().filter_map(|offset| offset.get(at).copied());
            let (low, high) =
                along.fold((0, 0), |(low, high): (i32, i32), by| (low.max(by), high.max(by.saturating_neg())));
            *inner = (low as u32, cells.saturating_sub(high as u32));
        }
        Reach { space, by: space.neighbours().iter().map(by).collect(), inner }
    }

    /// Calls `reached` for each influencee of a cell.
    pub(super) fn of(&self, cell: u32, mut reached: impl FnMut(u32)) {
        let position = self.space.position(cell);
        if position.iter().zip(&self.inner).all(|(at, (first, end))| at >= first && at < end) {
            self.by.iter().for_each(|by| reached((i64::from(cell) + by) as u32));
        } else {
            let seen = self.space.neighbours().iter().filter_map(|offset| self.space.seen_from(cell, offset));
            seen.for_each(reached);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::space::Border;

    #[test]
    fn influencees_are_those_of_the_space() {
        for border in [Border::Open, Border::Wrapped] {
            let offsets = [vec![0, 0, 0], vec![-1, 0, 2], vec![0, 3, -1], vec![5, 0, 0]];
            let space = CellSpace::new(&[4, 6, 5], border, &offsets).unwrap();
            let reach = Reach::new(&space);
            for cell in 0..space.cells() as u32 {
                let mut found = Vec::new();
                reach.of(cell, |cell| found.push(cell));
                let seen = space.neighbours().iter().filter_map(|offset| space.seen_from(cell, offset));
                assert_eq!(found, seen.collect::<Vec<_>>(), "cell {cell}");
            }
        }
    }
}
