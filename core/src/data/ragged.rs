//! Individual room for each row's lanes, in one pool.

use crate::error::{Error, Result};
use crate::limit::Limit;
use std::ops::Range;
use std::sync::Arc;

/// Partition of a pool's places among the rows of a ragged table: one contiguous stretch per row, in row order.
///
/// Stretches are disjoint and cover the pool. So no two rows share a lane, as in a table whose rows all have the same
/// room.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ragged {
    /// First place of each row's stretch, and the end of the last.
    starts: Arc<[u32]>,
    /// Length of the longest stretch.
    most: u32,
}

impl Ragged {
    /// Largest number of places of a pool: they are numbered in 32 bits, and its columns are padded.
    pub const MAX_PLACES: u32 = u32::MAX - 1024;

    /// Creates stretches of these lengths. `what` is the table, for error texts.
    ///
    /// # Errors
    /// [`Error::Limit`] for more places than can be numbered.
    pub fn new(what: &str, capacities: impl IntoIterator<Item = u32>) -> Result<Ragged> {
        let (mut end, mut most) = (0_u64, 0);
        let starts = std::iter::once(0).chain(capacities.into_iter().map(|capacity| {
            most = most.max(capacity);
            end += u64::from(capacity);
            u32::try_from(end).unwrap_or(u32::MAX)
        }));
        let starts: Arc<[u32]> = starts.collect();
        if end > u64::from(Self::MAX_PLACES) {
            return Err(Error::limit(Limit::Lanes { of: format!("a {what}") }, end, Self::MAX_PLACES));
        }
        Ok(Ragged { starts, most })
    }

    /// Returns stretches with room for at least `wanted[i]` elements in row `i`; no stretch shrinks. Rows past the end
    /// of `wanted` stay.
    ///
    /// # Errors
    /// As for [`Ragged::new`].
    pub fn at_least(&self, what: &str, wanted: &[u32]) -> Result<Ragged> {
        let wanted = wanted.iter().copied().chain(std::iter::repeat(0));
        Ragged::new(what, self.capacities().zip(wanted).map(|(has, wanted)| has.max(wanted)))
    }

    /// Returns the number of rows.
    #[must_use]
    pub fn rows(&self) -> u32 {
        self.starts.len().saturating_sub(1) as u32
    }

    /// Returns the number of places of the pool.
    #[must_use]
    pub fn places(&self) -> u32 {
        self.starts.last().copied().unwrap_or(0)
    }

    /// Returns the number of elements in each lane array of the largest row.
    #[must_use]
    pub fn most(&self) -> u32 {
        self.most
    }

    /// Returns the places of a row; empty for a row that does not exist.
    #[must_use]
    pub fn of(&self, row: u32) -> Range<u32> {
        match self.starts.get(row as usize..) {
            Some([start, end, ..]) => *start..*end,
            _ => 0..0,
        }
    }

    /// Returns the number of elements in each lane array of every row.
    pub fn capacities(&self) -> impl Iterator<Item = u32> + '_ {
        self.starts.windows(2).map(|pair| pair[1] - pair[0])
    }

    /// Returns the first place of every row's stretch.
    #[must_use]
    pub fn starts(&self) -> &[u32] {
        self.starts.split_last().map_or(&[], |(_, starts)| starts)
    }

    /// Finds the row that owns a place, and the lane of that row.
    #[must_use]
    pub fn find(&self, place: u32) -> Option<(u32, u32)> {
        if place >= self.places() {
            return None;
        }
        // Rows without room begin where the next row does. `partition_point` finds the last row that begins here, which
        // has room.
        let row = self.starts.partition_point(|start| *start <= place).checked_sub(1)?;
        Some((row as u32, place - self.starts.get(row)?))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn every_place_is_one_lane_of_one_row(capacities in proptest::collection::vec(0_u32..9, 0..60)) {
            let ragged = Ragged::new("table", capacities.iter().copied()).unwrap();
            prop_assert_eq!(ragged.rows() as usize, capacities.len());
            prop_assert_eq!(ragged.places(), capacities.iter().sum::<u32>());
            let mut next = 0;
            for (row, capacity) in (0..).zip(&capacities) {
                prop_assert_eq!(ragged.of(row), next..next + capacity);
                for lane in 0..*capacity {
                    prop_assert_eq!(ragged.find(next + lane), Some((row, lane)));
                }
                next += capacity;
            }
            prop_assert_eq!(ragged.find(next), None);
            prop_assert_eq!(ragged.of(ragged.rows()), 0..0);
        }

        #[test]
        fn growth_takes_no_room_away(
            capacities in proptest::collection::vec(0_u32..9, 0..40),
            wanted in proptest::collection::vec(0_u32..20, 0..40),
        ) {
            let before = Ragged::new("table", capacities.iter().copied()).unwrap();
            let after = before.at_least("table", &wanted).unwrap();
            prop_assert_eq!(after.rows(), before.rows());
            for (row, (has, had)) in after.capacities().zip(&capacities).enumerate() {
                prop_assert_eq!(has, (*had).max(wanted.get(row).copied().unwrap_or(0)));
            }
        }
    }

    #[test]
    fn places_that_cannot_be_numbered_are_refused() {
        let error = Ragged::new("table of `Line`", [u32::MAX, 5]).unwrap_err();
        assert!(matches!(error, Error::Limit { requested: 0x1_0000_0004, .. }), "{error}");
        assert!(Ragged::new("table", [Ragged::MAX_PLACES]).is_ok());
        assert!(Ragged::new("table", [Ragged::MAX_PLACES, 1]).is_err());
    }
}
