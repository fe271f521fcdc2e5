//! Neighbours in grids.

/// Neighbours of cells in a two-dimensional grid, whose rows are numbered line by line: the cell in column `x` of line
/// `y` is row `y * width + x`.
///
/// ```
/// #[imminent_core::kernels]
/// mod life {
///     use imminent_core::grid::wrapped;
///
///     #[derive(Row)]
///     pub struct Cell { pub alive: bool }
///
///     #[derive(Params)]
///     pub struct World { pub width: u32, pub height: u32 }
///
///     #[kernel]
///     pub fn step(me: &mut Cell, before: &Rows<Cell>, world: &World, id: u32) {
///         let mut alive = 0;
///         for dy in -1..2 {
///             for dx in -1..2 {
///                 let there = wrapped(id, dx, dy, world.width, world.height);
///                 if there != id && before.get(there).alive {
///                     alive += 1;
///                 }
///             }
///         }
///         me.alive = alive == 3 || alive == 2 && before.get(id).alive;
///     }
/// }
/// ```
#[crate::kernels]
pub mod grid {
    /// Returned by [`bounded`] for a place outside the grid.
    pub const OUTSIDE: u32 = u32::MAX;

    /// Returns the row of the cell `dx` columns to the right of and `dy` lines below the cell in row `row`, in a grid
    /// of `width` columns and `height` lines, each at most 2^30, whose opposite edges are joined.
    ///
    /// ```
    /// use imminent_core::grid::wrapped;
    ///
    /// assert_eq!(wrapped(0, -1, 0, 4, 3), 3); // left of the first cell is the end of its line
    /// assert_eq!(wrapped(5, 1, -2, 4, 3), 10);
    /// ```
    pub fn wrapped(row: u32, dx: i32, dy: i32, width: u32, height: u32) -> u32 {
        moved(row / width, dy, height) * width + moved(row % width, dx, width)
    }

    /// Returns the row of the cell `dx` columns to the right of and `dy` lines below the cell in row `row`, in a grid
    /// of `width` columns and `height` lines, each at most 2^30; [`OUTSIDE`] beyond the edges.
    ///
    /// ```
    /// use imminent_core::grid::{OUTSIDE, bounded};
    ///
    /// assert_eq!(bounded(5, 1, -1, 4, 3), 2);
    /// assert_eq!(bounded(4, -1, 0, 4, 3), OUTSIDE);
    /// ```
    pub fn bounded(row: u32, dx: i32, dy: i32, width: u32, height: u32) -> u32 {
        // A negative coordinate wraps to a number beyond every grid.
        let x = (row % width).wrapping_add(dx as u32);
        let y = (row / width).wrapping_add(dy as u32);
        if x < width && y < height { y * width + x } else { OUTSIDE }
    }

    /// Moves a coordinate by `by` on a ring of `length` places.
    fn moved(at: u32, by: i32, length: u32) -> u32 {
        let ahead = if by < 0 { length - 0u32.wrapping_sub(by as u32) % length } else { by as u32 % length };
        let sum = at + ahead;
        if sum < length { sum } else { sum - length }
    }
}

#[cfg(test)]
mod tests {
    use super::grid::{OUTSIDE, bounded, wrapped};
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn coordinates_wrap_like_remainders(
            (width, height) in (1_u32..40, 1_u32..40),
            (dx, dy) in (-100_i32..100, -100_i32..100),
            cell in any::<u32>()
        ) {
            let row = cell % (width * height);
            let (x, y) = (i64::from(row % width) + i64::from(dx), i64::from(row / width) + i64::from(dy));
            let (w, h) = (i64::from(width), i64::from(height));
            let expected = y.rem_euclid(h) * w + x.rem_euclid(w);
            prop_assert_eq!(i64::from(wrapped(row, dx, dy, width, height)), expected);
            let is_inside = (0..w).contains(&x) && (0..h).contains(&y);
            let expected = if is_inside { y * w + x } else { i64::from(OUTSIDE) };
            prop_assert_eq!(i64::from(bounded(row, dx, dy, width, height)), expected);
        }
    }

    #[test]
    fn the_greatest_steps_wrap_too() {
        for by in [i32::MIN, i32::MIN + 1, i32::MAX] {
            let expected = (3 + i64::from(by)).rem_euclid(7);
            assert_eq!(i64::from(wrapped(3, by, 0, 7, 1)), expected);
            assert_eq!(i64::from(wrapped(3, 0, by, 1, 7)), expected);
            assert_eq!(bounded(3, by, 0, 7, 1), OUTSIDE);
        }
    }
}
