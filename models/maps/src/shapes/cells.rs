//! Cells of a grid that shapes cover, in coordinates of the grid: columns from the west and rows from the north.

use super::{Point, Shape};

/// Greatest number of steps for the shapes of a file: cells along lines, rows that sides of polygons cross, and cells
/// around polygons.
const MAX_STEPS: u64 = 1 << 30;

/// A grid over which shapes are drawn.
#[derive(Debug, Clone)]
pub(super) struct Canvas {
    rows: u32,
    columns: u32,
    /// Says for each cell, row by row, whether a shape covers it.
    covered: Vec<bool>,
    /// Steps that are left.
    steps: u64,
}

/// Says that shapes take too many steps.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct TooLong;

impl Canvas {
    /// Creates the canvas of a grid with at least one cell.
    pub(super) fn new(rows: u32, columns: u32) -> Self {
        Self { rows, columns, covered: vec![false; rows as usize * columns as usize], steps: MAX_STEPS }
    }

    /// Covers cells by a shape. Returns whether one of them lies in the grid.
    ///
    /// * A point covers the cell that it lies in. Points on the edge of a cell belong to the cell south or east of it.
    /// * A line covers all cells that it crosses.
    /// * A polygon covers the cells whose middles it has inside, by the rule of even and odd. If it has none, it covers
    ///   the cells that its rings cross.
    pub(super) fn cover(&mut self, shape: &Shape) -> Result<bool, TooLong> {
        match shape {
            Shape::Point((x, y)) => {
                let inside = *x >= 0.0 && *y >= 0.0 && *x < f64::from(self.columns) && *y < f64::from(self.rows);
                Ok(inside && self.mark(*y as u32, *x as u32))
            }
            Shape::Line(points) => self.trace(points),
            Shape::Polygon(rings) => Ok(self.fill(rings)? || self.trace_all(rings)?),
        }
    }

    /// Covers all cells that a shape touches. Returns whether one of them lies in the grid.
    pub(super) fn block(&mut self, shape: &Shape) -> Result<bool, TooLong> {
        match shape {
            Shape::Point(_) | Shape::Line(_) => self.cover(shape),
            Shape::Polygon(rings) => Ok(self.fill(rings)? | self.trace_all(rings)?),
        }
    }

    /// Covers the cells that rings cross.
    fn trace_all(&mut self, rings: &[Vec<Point>]) -> Result<bool, TooLong> {
        let mut any = false;
        for ring in rings {
            let closed: Vec<_> = ring.iter().chain(ring.first()).copied().collect();
            any |= self.trace(&closed)?;
        }
        Ok(any)
    }

    /// Returns the cells that shapes cover, by row and column, from the north and west.
    pub(super) fn cells(&self) -> Vec<(u32, u32)> {
        let columns = self.columns as usize;
        let covered = self.covered.iter().enumerate().filter(|(_, covered)| **covered);
        covered.map(|(cell, _)| ((cell / columns) as u32, (cell % columns) as u32)).collect()
    }

    /// Covers a cell.
    fn mark(&mut self, row: u32, column: u32) -> bool {
        let cell = self.covered.get_mut(row as usize * self.columns as usize + column as usize);
        cell.map(|covered| *covered = true).is_some()
    }

    fn step(&mut self, steps: u64) -> Result<(), TooLong> {
        self.steps = self.steps.checked_sub(steps).ok_or(TooLong)?;
        Ok(())
    }

    /// Covers the cells that a line crosses.
    fn trace(&mut self, points: &[Point]) -> Result<bool, TooLong> {
        let mut any = false;
        for ends in points.windows(2) {
            self.step(1)?;
            if let &[from, to] = ends
                && let Some((from, to)) = self.clip(from, to)
            {
                any |= self.cross(from, to)?;
            }
        }
        Ok(any)
    }

    /// Covers the cells that a segment within the grid crosses, row by row.
    fn cross(&mut self, from: Point, to: Point) -> Result<bool, TooLong> {
        let mut any = false;
        let ((from_x, from_y), (to_x, to_y)) = if from.1 <= to.1 { (from, to) } else { (to, from) };
        let (least, most) = (from_x.min(to_x), from_x.max(to_x));
        let x_at = |y: f64| {
            let share = if to_y > from_y { (y - from_y) / (to_y - from_y) } else { 0.0 };
            (from_x + (to_x - from_x) * share).clamp(least, most)
        };
        let cell = |at: f64, all: u32| (at as u32).min(all - 1);
        for row in cell(from_y, self.rows)..=cell(to_y, self.rows) {
            let (top, bottom) = (f64::from(row).max(from_y), f64::from(row + 1).min(to_y));
            let (one, other) = if to_y > from_y { (x_at(top), x_at(bottom)) } else { (from_x, to_x) };
            let columns = cell(one.min(other), self.columns)..=cell(one.max(other), self.columns);
            self.step(u64::from(columns.end() - columns.start() + 1))?;
            for column in columns {
                any |= self.mark(row, column);
            }
        }
        Ok(any)
    }

    /// Returns the part of a segment that lies in the grid (Liang and Barsky 1984).
    fn clip(&self, from: Point, to: Point) -> Option<(Point, Point)> {
        let (width, height) = (f64::from(self.columns), f64::from(self.rows));
        let (dx, dy) = (to.0 - from.0, to.1 - from.1);
        let (mut begin, mut end) = (0.0_f64, 1.0_f64);
        for (by, room) in [(-dx, from.0), (dx, width - from.0), (-dy, from.1), (dy, height - from.1)] {
            if by == 0.0 {
                if room < 0.0 {
                    return None;
                }
            } else if by < 0.0 {
                begin = begin.max(room / by);
            } else {
                end = end.min(room / by);
            }
        }
        let inside = |share: f64| ((from.0 + dx * share).clamp(0.0, width), (from.1 + dy * share).clamp(0.0, height));
        let exact = |share: f64| {
            if share == 0.0 {
                from
            } else if share == 1.0 {
                to
            } else {
                inside(share)
            }
        };
        (begin <= end).then(|| (exact(begin), exact(end)))
    }

    /// Covers the cells whose middles are inside of a polygon.
    fn fill(&mut self, rings: &[Vec<Point>]) -> Result<bool, TooLong> {
        let (rows, columns) = (f64::from(self.rows), self.columns as usize);
        // The first row whose middle is at or below a height.
        let row_of = |y: f64| (y - 0.5).ceil().clamp(0.0, rows) as u32;
        let heights = || rings.iter().flatten().map(|point| point.1);
        let top = row_of(heights().fold(f64::INFINITY, f64::min));
        let bottom = row_of(heights().fold(f64::NEG_INFINITY, f64::max)).max(top);
        let width = columns + 1;
        self.step((u64::from(bottom - top)).saturating_mul(width as u64))?;
        // Parity changes at these cells: the first one whose middle is at or right of a side.
        let mut changes = vec![false; (bottom - top) as usize * width];
        for ring in rings {
            let ends = ring.iter().skip(1).chain(ring.first());
            for (&from, &to) in ring.iter().zip(ends) {
                let ((from_x, from_y), (to_x, to_y)) = if from.1 <= to.1 { (from, to) } else { (to, from) };
                let (first, last) = (row_of(from_y), row_of(to_y));
                self.step(1 + u64::from(last.saturating_sub(first)))?;
                for row in first..last {
                    let share = (f64::from(row) + 0.5 - from_y) / (to_y - from_y);
                    let x = from_x + (to_x - from_x) * share;
                    let column = (x - 0.5).ceil().clamp(0.0, f64::from(self.columns)) as usize;
                    if let Some(change) = changes.get_mut((row - top) as usize * width + column) {
                        *change = !*change;
                    }
                }
            }
        }
        let mut any = false;
        for (row, changes) in (top..bottom).zip(changes.chunks_exact(width)) {
            let mut is_inside = false;
            for (column, change) in (0..self.columns).zip(changes) {
                is_inside ^= change;
                any |= is_inside && self.mark(row, column);
            }
        }
        Ok(any)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use proptest::collection::vec;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    fn covered(rows: u32, columns: u32, shape: &Shape) -> BTreeSet<(u32, u32)> {
        let mut canvas = Canvas::new(rows, columns);
        let any = canvas.cover(shape).unwrap();
        let cells: BTreeSet<_> = canvas.cells().into_iter().collect();
        assert_eq!(any, !cells.is_empty());
        cells
    }

    fn rectangle(west: f64, north: f64, east: f64, south: f64) -> Vec<Point> {
        vec![(west, north), (east, north), (east, south), (west, south)]
    }

    /// Corners in and around a grid of 12 x 16 cells.
    fn corner() -> impl Strategy<Value = Point> {
        (-4.0..20.0_f64, -4.0..16.0_f64)
    }

    #[test]
    fn a_rectangle_has_the_middles_within_it_and_a_hole_none() {
        let shape = Shape::Polygon(vec![rectangle(2.0, 1.0, 8.0, 5.0)]);
        assert_eq!(covered(10, 10, &shape).len(), 6 * 4);
        let with_hole = Shape::Polygon(vec![rectangle(2.0, 1.0, 8.0, 5.0), rectangle(3.0, 2.0, 6.0, 4.0)]);
        let cells = covered(10, 10, &with_hole);
        assert!(cells.len() == 6 * 4 - 3 * 2 && !cells.contains(&(2, 3)) && cells.contains(&(1, 2)));
        // What lies outside is cut off.
        let wide = Shape::Polygon(vec![rectangle(-1e300, -5.0, 1e300, 3.0)]);
        assert_eq!(covered(10, 10, &wide).len(), 30);
        assert!(covered(10, 10, &Shape::Polygon(vec![rectangle(20.0, 20.0, 30.0, 30.0)])).is_empty());
    }

    #[test]
    fn a_polygon_without_a_middle_has_the_cells_of_its_rings() {
        let small = Shape::Polygon(vec![rectangle(2.6, 3.6, 2.8, 3.9)]);
        assert_eq!(covered(10, 10, &small), BTreeSet::from([(3, 2)]));
        let sliver = Shape::Polygon(vec![rectangle(2.6, 3.6, 5.2, 3.7)]);
        assert_eq!(covered(10, 10, &sliver), (2..=5).map(|column| (3, column)).collect());
    }

    #[test]
    fn lines_along_axes_and_diagonals() {
        let line = |from, to| covered(4, 6, &Shape::Line(vec![from, to]));
        assert_eq!(line((1.5, 2.5), (4.5, 2.5)), (1..=4).map(|column| (2, column)).collect());
        assert_eq!(line((1.5, 0.5), (1.5, 3.5)), (0..=3).map(|row| (row, 1)).collect());
        assert_eq!(line((2.2, 2.2), (2.2, 2.2)), BTreeSet::from([(2, 2)]));
        assert_eq!(line((-9.0, 1.5), (99.0, 1.5)).len(), 6);
        assert!(line((7.0, 0.0), (9.0, 3.0)).is_empty());
    }

    #[test]
    fn a_file_that_would_take_for_ever_is_refused() {
        // 100 lines across 1,000 rows, of which 50 fit.
        let points: Vec<Point> = (0..101).map(|place| [0.0, 1000.0][place % 2]).map(|at| (0.0, at)).collect();
        for shape in [Shape::Line(points.clone()), Shape::Polygon(vec![points])] {
            let mut canvas = Canvas { steps: 50_000, ..Canvas::new(1000, 1) };
            assert_eq!(canvas.cover(&shape), Err(TooLong));
        }
    }

    /// Returns whether a point is inside, by a ray to the south.
    fn is_inside(rings: &[Vec<Point>], (x, y): Point) -> bool {
        let mut crossings = 0;
        for ring in rings {
            for place in 0..ring.len() {
                let (a, b) = (ring[place], ring[(place + 1) % ring.len()]);
                if (a.0 < x) != (b.0 < x) {
                    let side = (b.0 - a.0) * (y - a.1) - (b.1 - a.1) * (x - a.0);
                    crossings += u32::from((side > 0.0) != (b.0 > a.0));
                }
            }
        }
        crossings % 2 == 1
    }

    /// Returns whether a segment comes into a closed cell that is larger by a millionth: axes that separate them.
    fn meets((a, b): (Point, Point), (row, column): (u32, u32)) -> bool {
        let (x, y, half) = (f64::from(column) + 0.5, f64::from(row) + 0.5, 0.5 + 1e-6);
        let apart =
            |one: f64, other: f64, middle: f64| one.max(other) < middle - half || one.min(other) > middle + half;
        let normal = (b.1 - a.1, a.0 - b.0);
        let distance = (normal.0 * (x - a.0) + normal.1 * (y - a.1)).abs();
        !apart(a.0, b.0, x) && !apart(a.1, b.1, y) && distance <= half * (normal.0.abs() + normal.1.abs())
    }

    /// Returns the cells that can be reached from the first ones by steps to eight neighbours, outside of a barrier.
    fn beyond(barrier: &BTreeSet<(u32, u32)>, first: impl Iterator<Item = (u32, u32)>) -> BTreeSet<(u32, u32)> {
        let mut next: Vec<_> = first.filter(|cell| !barrier.contains(cell)).collect();
        let mut reached: BTreeSet<(u32, u32)> = next.iter().copied().collect();
        while let Some((row, column)) = next.pop() {
            for cell in (-1..=1).flat_map(|down| (-1..=1).map(move |right| (down, right))) {
                let cell = (row.wrapping_add_signed(cell.0), column.wrapping_add_signed(cell.1));
                if cell.0 < 12 && cell.1 < 16 && !barrier.contains(&cell) && reached.insert(cell) {
                    next.push(cell);
                }
            }
        }
        reached
    }

    #[test]
    fn a_thin_polygon_blocks_the_cells_that_it_touches() {
        let mut canvas = Canvas::new(10, 10);
        // It has the middle of a cell, and a tail without one.
        let shape = Shape::Polygon(vec![vec![(1.2, 1.2), (1.9, 1.2), (8.5, 1.25), (1.9, 1.9), (1.2, 1.9)]]);
        assert_eq!(canvas.block(&shape), Ok(true));
        assert_eq!(canvas.cells(), (1..=8).map(|column| (1, column)).collect::<Vec<_>>());
    }

    proptest! {
        #[test]
        fn lines_across_the_grid_leave_no_way_even_through_corners(
            west in 0.0..12.0_f64, middle in corner(), east in 0.0..12.0_f64, diagonal in any::<bool>()
        ) {
            let points = if diagonal {
                // Through corners of cells.
                vec![(-1.0, west.floor() - 1.0), (middle.0.floor(), west.floor() + middle.0.floor()), (17.0, east.floor())]
            } else {
                vec![(-1.0, west), middle, (17.0, east)]
            };
            let barrier = covered(12, 16, &Shape::Line(points.clone()));
            // Above the highest point, and below the lowest.
            let heights = || points.iter().map(|point| point.1);
            let (highest, lowest) = (heights().fold(12.0, f64::min), heights().fold(0.0, f64::max));
            let above = (0..16).map(|column| (0, column)).filter(|_| highest >= 1.0);
            let below = |&(row, _): &(u32, u32)| f64::from(row) > lowest;
            let reached = beyond(&barrier, above);
            prop_assert!(!reached.iter().any(below), "{points:?} {reached:?}");
        }

        #[test]
        fn polygons_have_the_middles_that_another_ray_finds(
            rings in vec(vec(corner(), 3..8), 1..4)
        ) {
            let expected: BTreeSet<(u32, u32)> = (0..12)
                .flat_map(|row| (0..16).map(move |column| (row, column)))
                .filter(|&(row, column)| is_inside(&rings, (f64::from(column) + 0.5, f64::from(row) + 0.5)))
                .collect();
            let found = covered(12, 16, &Shape::Polygon(rings));
            prop_assert!(expected.is_empty() || found == expected, "{found:?} {expected:?}");
        }

        #[test]
        fn lines_have_connected_cells_that_they_meet(from in corner(), to in corner()) {
            let found = covered(12, 16, &Shape::Line(vec![from, to]));
            for &cell in &found {
                prop_assert!(meets((from, to), cell), "{cell:?}");
            }
            for part in 0..=1000 {
                let share = f64::from(part) / 1000.0;
                let (x, y) = (from.0 + (to.0 - from.0) * share, from.1 + (to.1 - from.1) * share);
                let on_an_edge = (x - x.round()).abs() < 1e-9 || (y - y.round()).abs() < 1e-9;
                if (0.0..16.0).contains(&x) && (0.0..12.0).contains(&y) && !on_an_edge {
                    prop_assert!(found.contains(&(y as u32, x as u32)), "{x} {y}");
                }
            }
            let mut reached: BTreeSet<(u32, u32)> = found.first().copied().into_iter().collect();
            let mut next: Vec<_> = reached.iter().copied().collect();
            while let Some((row, column)) = next.pop() {
                for (row, column) in [(row + 1, column), (row.wrapping_sub(1), column), (row, column + 1), (row, column.wrapping_sub(1))] {
                    if found.contains(&(row, column)) && reached.insert((row, column)) {
                        next.push((row, column));
                    }
                }
            }
            prop_assert_eq!(reached, found);
        }
    }
}
