//! Perimeters: polygons, with holes, of the cells that fire has reached.

use crate::features;
use crate::raster::{Georeference, Raster};
use geojson::Geometry;
use std::collections::HashMap;

/// Point on the grid: columns from the west and rows from the north.
type Corner = (u32, u32);

/// Closed ring of corners, of which the last one is not repeated.
type Ring = Vec<Corner>;

/// Cells that fire has reached and that touch at sides, as a polygon.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Polygon {
    /// Ring around the cells, counter-clockwise on the map.
    pub outside: Vec<(u32, u32)>,
    /// Rings around cells within it that fire has not reached, clockwise on the map. They touch other rings at corners
    /// at most.
    pub holes: Vec<Vec<(u32, u32)>>,
}

/// Sides of a cell in the order in which its edge is walked counter-clockwise, the cell on the left: south, east,
/// north, west; each with the corner at which it begins, and the way to the cells ahead on the left and right.
const SIDES: [Side; 4] = [
    Side { begin: (0, 1), left: (0, 1), right: (1, 1) },
    Side { begin: (1, 1), left: (-1, 0), right: (-1, 1) },
    Side { begin: (1, 0), left: (0, -1), right: (-1, -1) },
    Side { begin: (0, 0), left: (1, 0), right: (1, -1) },
];

struct Side {
    /// Columns and rows from the cell's north-western corner.
    begin: (u32, u32),
    /// Rows and columns to the cells ahead.
    left: (i32, i32),
    right: (i32, i32),
}

/// A grid of cells that belong to an area or not.
struct Area<'a> {
    rows: u32,
    columns: u32,
    inside: &'a dyn Fn(usize) -> bool,
}

impl Area<'_> {
    fn number(&self, row: u32, column: u32) -> usize {
        row as usize * self.columns as usize + column as usize
    }

    /// Returns the cell at some rows and columns from another one, if it is in the area.
    fn beside(&self, (row, column): (u32, u32), (down, right): (i32, i32)) -> Option<(u32, u32)> {
        let (row, column) = (row.wrapping_add_signed(down), column.wrapping_add_signed(right));
        let is_inside = row < self.rows && column < self.columns && (self.inside)(self.number(row, column));
        is_inside.then_some((row, column))
    }

    /// Returns the cell beyond a side, if it is in the area.
    fn beyond(&self, at: (u32, u32), side: usize) -> Option<(u32, u32)> {
        const WAYS: [(i32, i32); 4] = [(1, 0), (0, 1), (-1, 0), (0, -1)];
        self.beside(at, *WAYS.get(side)?)
    }

    /// Numbers the parts of the area, whose cells touch at sides, from 1; 0 stands for all other cells.
    fn parts(&self) -> (Vec<u32>, u32) {
        let mut parts = vec![0; self.rows as usize * self.columns as usize];
        let (mut count, mut next) = (0, Vec::new());
        for row in 0..self.rows {
            for column in 0..self.columns {
                let first = self.number(row, column);
                if !(self.inside)(first) || parts.get(first) != Some(&0) {
                    continue;
                }
                count += 1;
                let mut reach = |at: (u32, u32), next: &mut Vec<(u32, u32)>| {
                    if let Some(part) = parts.get_mut(self.number(at.0, at.1)).filter(|part| **part == 0) {
                        *part = count;
                        next.push(at);
                    }
                };
                reach((row, column), &mut next);
                while let Some(at) = next.pop() {
                    (0..SIDES.len()).filter_map(|side| self.beyond(at, side)).for_each(|at| reach(at, &mut next));
                }
            }
        }
        (parts, count)
    }

    /// Walks along the edge of the area from a side of a cell, and marks the sides. Two cells that touch at a corner
    /// alone are kept apart.
    fn walk(&self, from: (u32, u32), first: usize, walked: &mut [u8]) -> Ring {
        let (mut at, mut side, mut ring) = (from, first, Ring::new());
        loop {
            let cell = self.number(at.0, at.1);
            let Some(Side { begin, left, right, .. }) = SIDES.get(side) else { return ring };
            let Some(mark) = walked.get_mut(cell).filter(|mark| **mark & (1 << side) == 0) else { return ring };
            *mark |= 1 << side;
            ring.push((at.1 + begin.0, at.0 + begin.1));
            (at, side) = match (self.beside(at, *left), self.beside(at, *right)) {
                (None, _) => (at, (side + 1) % SIDES.len()),
                (Some(ahead), None) => (ahead, side),
                (Some(_), Some(across)) => (across, (side + SIDES.len() - 1) % SIDES.len()),
            };
        }
    }
}

/// Splits a ring at corners through which it goes twice.
fn split(ring: Ring) -> Vec<Ring> {
    let (mut rings, mut open, mut places) = (Vec::new(), Ring::new(), HashMap::new());
    for corner in ring {
        if let Some(&place) = places.get(&corner) {
            let loop_of = open.split_off(place);
            loop_of.iter().for_each(|corner| {
                places.remove(corner);
            });
            rings.push(loop_of);
        }
        places.insert(corner, open.len());
        open.push(corner);
    }
    rings.push(open);
    rings
}

/// Returns twice the area of a ring, positive if it is counter-clockwise on the map.
fn double_area(ring: &[Corner]) -> i64 {
    let ends = ring.iter().skip(1).chain(ring.first());
    let wide = |corner: &Corner| (i64::from(corner.0), i64::from(corner.1));
    ring.iter().zip(ends).map(|(from, to)| (wide(from), wide(to))).map(|((x, y), (u, v))| u * y - x * v).sum()
}

/// Leaves out corners at which a ring goes straight on.
fn straightened(ring: &[Corner]) -> Ring {
    let before = ring.last().into_iter().chain(ring);
    let after = ring.iter().skip(1).chain(ring.first());
    let turns = before.zip(ring).zip(after).filter(|((before, _), after)| before.0 != after.0 && before.1 != after.1);
    turns.map(|((_, corner), _)| *corner).collect()
}

/// Returns the polygons of the cells of a raster for which `inside` is true. Their area is that of these cells, and no
/// ring touches itself.
#[must_use]
pub fn polygons(raster: &Raster, inside: &dyn Fn(f64) -> bool) -> Vec<Polygon> {
    let values = raster.values();
    let area = Area {
        rows: raster.rows(),
        columns: raster.columns(),
        inside: &|cell| values.get(cell).is_some_and(|value| inside(*value)),
    };
    let (parts, count) = area.parts();
    let mut polygons = vec![Polygon { outside: vec![], holes: vec![] }; count as usize];
    let mut walked = vec![0; parts.len()];
    for row in 0..area.rows {
        for column in 0..area.columns {
            let cell = area.number(row, column);
            let part = parts.get(cell).and_then(|part| (*part as usize).checked_sub(1));
            let Some(polygon) = part.and_then(|part| polygons.get_mut(part)) else { continue };
            for side in 0..SIDES.len() {
                let is_walked = walked.get(cell).is_none_or(|mark| mark & (1 << side) != 0);
                if is_walked || area.beyond((row, column), side).is_some() {
                    continue;
                }
                for ring in split(area.walk((row, column), side, &mut walked)) {
                    let straight = straightened(&ring);
                    if double_area(&ring) > 0 { polygon.outside = straight } else { polygon.holes.push(straight) }
                }
            }
        }
    }
    polygons
}

/// Returns polygons as the text of a GeoJSON file with one feature, whose properties are numbers.
#[must_use]
pub fn geojson(polygons: &[Polygon], place: &Georeference, properties: &[(&str, f64)]) -> String {
    let ring = |ring: &Ring| -> Vec<[f64; 2]> {
        let closed = ring.iter().chain(ring.first());
        closed.map(|&(column, row)| features::point(place, (column.into(), row.into()))).collect()
    };
    let rings = |polygon: &Polygon| -> Vec<Vec<[f64; 2]>> {
        std::iter::once(&polygon.outside).chain(&polygon.holes).map(ring).collect()
    };
    let geometry = Geometry::new_multi_polygon(polygons.iter().map(rings));
    features::collection(vec![features::feature(geometry, properties)], place)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use proptest::collection::vec;
    use proptest::prelude::*;
    use std::collections::HashSet;

    /// Polygons of a map of `#` and `.`.
    fn of(map: &[&str]) -> Vec<Polygon> {
        let cells: Vec<f64> = map.concat().chars().map(|cell| if cell == '#' { 1.0 } else { f64::NAN }).collect();
        let (rows, columns) = (map.len() as u32, map[0].len() as u32);
        let raster = Raster::new(columns, rows, cells, Georeference::square(0.0, 0.0, 1.0)).unwrap();
        polygons(&raster, &|value| !value.is_nan())
    }

    #[test]
    fn a_block_is_a_rectangle_and_its_hole_is_one() {
        let found = of(&["....", ".##.", ".##.", "...."]);
        assert_eq!(found.len(), 1);
        assert_eq!((double_area(&found[0].outside), found[0].outside.len(), found[0].holes.len()), (8, 4, 0));
        let found = of(&["####", "#..#", "#..#", "####"]);
        let [Polygon { outside, holes }] = &found[..] else { panic!("{found:?}") };
        assert_eq!((double_area(outside), holes.len(), double_area(&holes[0])), (32, 1, -8));
    }

    #[test]
    fn cells_that_touch_at_a_corner_are_two_polygons_and_a_ring_never_touches_itself() {
        assert_eq!(of(&["#.", ".#"]).len(), 2);
        // The area within is closed by a corner: a hole that touches the ring around it there.
        let found = of(&["###", "#.#", "##."]);
        let [Polygon { outside, holes }] = &found[..] else { panic!("{found:?}") };
        assert_eq!((double_area(outside), holes.len(), double_area(&holes[0])), (16, 1, -2));
        let found = of(&["####", "#.##", "##.#", "####"]);
        assert_eq!((found.len(), found[0].holes.len()), (1, 2));
        assert!(of(&["..", ".."]).is_empty());
    }

    #[test]
    fn files_have_closed_rings_and_the_coordinates_of_the_map() {
        let place = Georeference::square(1000.0, 500.0, 30.0);
        let text = geojson(&of(&["##", ".#"]), &place, &[("hours", 2.5)]);
        let value: serde_json::Value = serde_json::from_str(&text).unwrap();
        assert_eq!(value["features"][0]["properties"]["hours"], 2.5);
        let rings = value["features"][0]["geometry"]["coordinates"][0].as_array().unwrap();
        let ring: Vec<[f64; 2]> = serde_json::from_value(rings[0].clone()).unwrap();
        assert_eq!((rings.len(), ring.len(), ring.first() == ring.last()), (1, 7, true));
        assert!(ring.contains(&[1000.0, 500.0]) && ring.contains(&[1060.0, 440.0]) && !ring.contains(&[1000.0, 440.0]));
    }

    /// Says whether the middle of a cell is inside of a ring, by a ray to the east.
    fn is_inside(ring: &[Corner], (row, column): (u32, u32)) -> bool {
        let ends = ring.iter().skip(1).chain(ring.first());
        let crosses = |(from, to): (&Corner, &Corner)| {
            from.0 == to.0 && from.0 > column && from.1.min(to.1) <= row && row < from.1.max(to.1)
        };
        ring.iter().zip(ends).filter(|ends| crosses(*ends)).count() % 2 == 1
    }

    proptest! {
        #[test]
        fn polygons_have_the_cells_inside_and_no_others(cells in vec(any::<bool>(), 63)) {
            let values = cells.iter().map(|inside| if *inside { 1.0 } else { 0.0 }).collect();
            let raster = Raster::new(9, 7, values, Georeference::square(0.0, 0.0, 1.0)).unwrap();
            let found = polygons(&raster, &|value| value > 0.0);
            for (cell, inside) in (0..63).zip(&cells) {
                let at = (cell / 9, cell % 9);
                let around = found.iter().filter(|polygon| is_inside(&polygon.outside, at));
                let covered = around.filter(|polygon| !polygon.holes.iter().any(|hole| is_inside(hole, at)));
                prop_assert_eq!(covered.count(), usize::from(*inside));
            }
            for polygon in &found {
                prop_assert!(double_area(&polygon.outside) > 0);
                for ring in polygon.holes.iter().chain([&polygon.outside]) {
                    let distinct: HashSet<_> = ring.iter().collect();
                    prop_assert_eq!(distinct.len(), ring.len());
                }
            }
        }
    }
}
