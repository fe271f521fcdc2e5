//! Growth of lines that may overflow.

use super::model::lanes;
use crate::engine::EngineError;
use crate::kernels::general::line::{Line, LineColumns as _};
use imminent_core::Table;

/// Largest mean room of the floor, relative to the mean need of lines.
const ROOM_FOR_A_NEED: u64 = 8;

/// Returns the number of places that the line of each row may need: its tokens, and those that can come before the next
/// check.
pub(super) fn needs(lines: &Table<Line>, in_neighbours: &[u32], arrivals: u32) -> Result<Vec<u64>, EngineError> {
    let (expected, waiting) = (lines.expected().read()?, lines.waiting().read()?);
    let held = expected.iter().zip(&waiting).map(|(expected, waiting)| u64::from(*expected) + u64::from(*waiting));
    Ok(held.zip(in_neighbours).map(|(held, from)| held + u64::from(arrivals) * u64::from(*from)).collect())
}

/// Returns the new number of places of each row's line, 0 if unchanged, by the places that it needs and has.
///
/// A line that may need more than three quarters of its room gets twice as much. Other lines would follow later, one
/// after the other, and each would stop the program. All others therefore get a floor, a room that satisfies most of
/// the present demand. On average the floor is at most twice the room of lines, and at most eight times their needs.
pub(super) fn wanted(needs: &[u64], places: &[u32]) -> Result<Vec<u32>, EngineError> {
    let rows = || needs.iter().copied().zip(places.iter().map(|places| u64::from(*places)));
    let urgent = |needed: u64, places: u64| 4 * needed > 3 * places;
    let most = rows().filter(|&(needed, places)| urgent(needed, places)).map(|(needed, _)| 2 * needed).max();
    let count = rows().filter(|&(_, places)| places > 0).count().max(1) as u64;
    let mean = |sum: u64| sum.div_ceil(count);
    let floor = most.unwrap_or(0).min(2 * mean(rows().map(|(_, places)| places).sum()));
    let floor = floor.min(ROOM_FOR_A_NEED * mean(needs.iter().sum()));
    rows()
        .map(|(needed, places)| {
            // Rings need twice their places, if they grow at all.
            if urgent(needed, places) {
                lanes(2 * needed.max(places))
            } else if places > 0 && 2 * places <= floor {
                lanes(floor)
            } else {
                Ok(0)
            }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn lines_get_what_they_need_and_not_much_more(lines in prop::collection::vec((0_u64..100, 1_u32..100), 1..50)) {
            let (needs, places): (Vec<u64>, Vec<u32>) = lines.into_iter().unzip();
            let wanted = wanted(&needs, &places).unwrap();
            for ((needed, places), wanted) in needs.iter().zip(&places).zip(&wanted) {
                prop_assert!(*wanted == 0 || *wanted >= 2 * places, "a ring of {places} places got {wanted}");
                prop_assert!(*needed <= u64::from(*wanted.max(places)));
            }
            let sum = |rows: &[u32]| rows.iter().map(|row| u64::from(*row)).sum::<u64>();
            let bound = 2 * needs.iter().sum::<u64>() + 4 * sum(&places) + 2 * places.len() as u64;
            prop_assert!(sum(&wanted) <= bound);
        }
    }

    #[test]
    fn one_long_line_does_not_lengthen_the_others_by_its_own_length() {
        let mut needs = vec![3; 1000];
        needs[0] = 100_000;
        let wanted = wanted(&needs, &vec![8; 1000]).unwrap();
        assert_eq!((wanted[0], wanted[1], wanted[999]), (200_000, 16, 16));
    }

    #[test]
    fn a_line_that_is_in_need_takes_the_others_along() {
        let mut needs = vec![5; 1000];
        needs[7] = 9;
        let wanted = wanted(&needs, &vec![8; 1000]).unwrap();
        assert!(wanted.iter().all(|places| *places >= 16), "{wanted:?}");
    }

    #[test]
    fn rows_without_a_node_get_nothing() {
        assert_eq!(wanted(&[0, 9, 0], &[0, 8, 0]).unwrap(), [0, 18, 0]);
    }
}
