//! Straight segments from the middle of a cell to that of another one, and the cells that they cross.

use super::super::directions::Offset;
use super::super::{DIRECTIONS, Direction};

/// Part of a segment that lies in a cell.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in super::super) struct Crossing {
    /// Distance to the number of the crossed cell from that of the first cell.
    pub(in super::super) distance: i32,
    /// Share of the segment's length.
    pub(in super::super) share: f32,
}

/// A segment that fire can follow.
#[derive(Clone, Debug, PartialEq)]
pub(in super::super) struct Way {
    /// Step from the first to the last cell.
    pub(in super::super) offset: Offset,
    /// Number among [`DIRECTIONS`], of a neighbour.
    pub(in super::super) direction: Option<usize>,
    /// The step as a vector of rows and columns, and the square of its length.
    pub(in super::super) vector: [f32; 2],
    pub(in super::super) square: f32,
    /// Distance to the number of the last cell from that of the first cell.
    pub(in super::super) distance: i32,
    /// Cells from the first to the last one.
    pub(in super::super) crossed: Vec<Crossing>,
    /// Distances to the two cells at whose common corner the segment passes between two others.
    pub(in super::super) corner: Option<[i32; 2]>,
}

impl Way {
    /// A segment that crosses nothing.
    pub(in super::super) const NONE: Way = Way {
        offset: Offset { row: 0, column: 0 },
        direction: None,
        vector: [0.0; 2],
        square: 0.0,
        distance: 0,
        crossed: Vec::new(),
        corner: None,
    };

    /// Finds the cells that a segment crosses in a grid with some columns. The two parts of `offset` have no common
    /// divisor.
    pub(in super::super) fn new(offset: Offset, columns: u32) -> Self {
        // A distance that overflows leads out of the grid, where no fire goes.
        let place = |row: i32, column: i32| row.saturating_mul(columns as i32).saturating_add(column);
        let (rows, across) = (i64::from(offset.row.abs()), i64::from(offset.column.abs()));
        // Time runs from 0 to `whole`. Borders between rows and columns are crossed at odd multiples.
        let whole = 2 * rows.max(1) * across.max(1);
        let (of_row, of_column) = (across.max(1), rows.max(1));
        let (mut row, mut column) = (0_i64, 0_i64);
        let (mut crossed, mut now) = (Vec::new(), 0);
        let (row_step, column_step) = (offset.row.signum(), offset.column.signum());
        let mut corner = None;
        while (row, column) != (rows, across) {
            let next_row = if row < rows { (2 * row + 1) * of_row } else { i64::MAX };
            let next_column = if column < across { (2 * column + 1) * of_column } else { i64::MAX };
            let next = next_row.min(next_column);
            let at = |row: i64, column: i64| place(row as i32 * row_step, column as i32 * column_step);
            crossed.push(Crossing { distance: at(row, column), share: (next - now) as f32 / whole as f32 });
            if next_row == next_column {
                corner = Some([at(row + 1, column), at(row, column + 1)]);
            }
            row += i64::from(next_row == next);
            column += i64::from(next_column == next);
            now = next;
        }
        let distance = place(offset.row, offset.column);
        crossed.push(Crossing { distance, share: (whole - now) as f32 / whole as f32 });
        let is_here = |way: &Direction| (way.row, way.column) == (offset.row, offset.column);
        let direction = DIRECTIONS.iter().position(is_here);
        let (vector, square) = ([offset.row as f32, offset.column as f32], (rows * rows + across * across) as f32);
        Way { offset, direction, vector, square, distance, crossed, corner }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn way(row: i32, column: i32) -> Way {
        Way::new(Offset { row, column }, 100)
    }

    #[test]
    fn neighbours_share_their_segment_in_halves() {
        let halves = |to| vec![Crossing { distance: 0, share: 0.5 }, Crossing { distance: to, share: 0.5 }];
        assert_eq!((way(0, -1).crossed, way(0, -1).corner), (halves(-1), None));
        assert_eq!((way(-1, 1).crossed, way(-1, 1).corner), (halves(-99), Some([-100, 1])));
    }

    #[test]
    fn a_segment_crosses_the_cells_of_its_line() {
        // One row down and two columns left: the border between the rows is crossed half way, in the middle column.
        let found = way(1, -2).crossed;
        let expected = [(0, 0.25), (-1, 0.25), (99, 0.25), (98, 0.25)];
        assert_eq!(found, expected.map(|(distance, share)| Crossing { distance, share }));
        // Both parts are odd: the middle of the segment is a corner.
        assert_eq!((way(3, 1).corner, way(3, 1).crossed.len()), (Some([200, 101]), 4));
        assert_eq!((way(4, 1).corner, way(4, 1).crossed.len()), (None, 6));
    }

    #[test]
    fn shares_are_those_of_a_walk_in_small_steps() {
        for (row, column) in [(3, 2), (-7, 15), (14, -9), (-1, -15), (5, 3)] {
            let way = way(row, column);
            assert!((way.crossed.iter().map(|crossing| crossing.share).sum::<f32>() - 1.0).abs() < 1e-6);
            let steps = 1_000_000;
            for crossing in &way.crossed {
                let inside = (0..steps).filter(|&step| {
                    let along = (f64::from(step) + 0.5) / f64::from(steps);
                    let [down, right] = [row, column].map(|part| (along * f64::from(part)).round() as i32);
                    down * 100 + right == crossing.distance
                });
                let found = inside.count() as f64 / f64::from(steps);
                assert!((found - f64::from(crossing.share)).abs() < 1e-5, "{row},{column}: {found} {crossing:?}");
            }
        }
    }
}
