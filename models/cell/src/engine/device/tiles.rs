//! Tiles of 256 cells, one cell for each lane of a group.

use crate::engine::kernels::edges::Edge;
use crate::engine::kernels::lanes::LANES;
use crate::engine::kernels::space::Space;
use crate::engine::offsets;
use crate::space::{CellSpace, MAX_DIMENSIONS};

/// Cells of a space in tiles of 256.
pub(super) struct Tiles {
    /// Bits of a coordinate within a tile, along each dimension.
    pub(super) bits: [u32; MAX_DIMENSIONS],
    /// Tiles along each dimension.
    pub(super) number: [u32; MAX_DIMENSIONS],
}

impl Tiles {
    /// Cuts a space. The longest dimension in tiles is halved until a tile has 256 cells, so that the fewest are cut.
    pub(super) fn cut(cells: [u32; MAX_DIMENSIONS]) -> Self {
        let (mut bits, mut number) = ([0; MAX_DIMENSIONS], cells);
        for _ in 0..LANES.ilog2() {
            // Of equals the last, so that neighbouring cells are those of neighbouring lanes.
            let longest = (0..MAX_DIMENSIONS).max_by_key(|&at| number.get(at).copied());
            if let Some((bits, (number, cells))) =
                longest.and_then(|at| Some((bits.get_mut(at)?, (number.get_mut(at)?, cells.get(at)?))))
            {
                *bits += 1;
                *number = cells.div_ceil(1 << *bits);
            }
        }
        Tiles { bits, number }
    }

    /// Returns the highest bit of each coordinate in the number of a lane.
    pub(super) fn tops(&self) -> u32 {
        let (mut tops, mut shift) = (0, 0);
        for &bits in self.bits.iter().rev().filter(|&&bits| bits > 0) {
            shift += bits;
            tops |= 1 << (shift - 1);
        }
        tops
    }

    /// Returns the distance between lanes whose cells have these distances.
    fn distance(&self, by: [i64; MAX_DIMENSIONS]) -> u32 {
        let along = |distance: u32, (&bits, by): (&u32, i64)| (distance << bits) | by.rem_euclid(1 << bits) as u32;
        self.bits.iter().zip(by).fold(0, along)
    }

    /// Lists the edges from each lane to the lanes whose cells its cells see; a neighbour has several where opposite
    /// edges of the space touch and a tile is cut.
    pub(super) fn edges(&self, cells: &CellSpace, space: &Space) -> Vec<Edge> {
        let mut edges: Vec<Edge> = Vec::new();
        for (which, offset) in (0..).zip(offsets(cells)) {
            let mut ways = vec![[0; MAX_DIMENSIONS]];
            for (at, (&by, &cells)) in offset.by.iter().zip(&space.cells).enumerate() {
                let (by, cells) = (i64::from(by), i64::from(cells));
                let wraps = [by, by - by.signum() * cells];
                let wraps = wraps.get(..if space.wrapped != 0 && by != 0 { 2 } else { 1 }).unwrap_or(&[]);
                let with = |way: &[i64; MAX_DIMENSIONS]| {
                    let mut way = *way;
                    wraps.iter().map(move |&by| {
                        way.iter_mut().skip(at).take(1).for_each(|to| *to = by);
                        way
                    })
                };
                ways = ways.iter().flat_map(with).collect();
            }
            for way in ways {
                let edge = Edge { which, by: self.distance(way), offset: offset.by };
                if !edges.contains(&edge) {
                    edges.push(edge);
                }
            }
        }
        edges
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tile_has_256_cells_and_follows_the_space() {
        let cut = |cells| {
            let tiles = Tiles::cut(cells);
            assert_eq!(tiles.bits.iter().sum::<u32>(), 8);
            (tiles.bits, tiles.number, tiles.tops())
        };
        assert_eq!(cut([1, 1, 1024, 1024]), ([0, 0, 4, 4], [1, 1, 64, 64], 0x88));
        assert_eq!(cut([1, 1, 1, 1000]), ([0, 0, 0, 8], [1, 1, 1, 4], 0x80));
        assert_eq!(cut([1, 15, 15, 2]).1.iter().product::<u32>(), 2);
        assert_eq!(cut([1, 1, 1, 1]).1, [1; 4]);
        assert_eq!(cut([1, 1, 5, 1000]).1, [1, 1, 5, 4]);
    }

    #[test]
    fn a_lane_is_as_far_as_its_coordinates() {
        let tiles = Tiles::cut([1, 1, 64, 64]);
        assert_eq!(tiles.distance([0, 0, -1, 1]), 0xf1);
        assert_eq!(tiles.distance([0, 0, 17, -16]), 0x10);
    }
}
