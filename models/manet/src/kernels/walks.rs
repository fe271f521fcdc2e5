//! Nodes near a node, divided among parts.

/// Search for the nodes near a node, which several lanes of a device can share.
#[imminent_core::kernels]
pub mod walk {
    use crate::kernels::geometry::squared_distance;
    use crate::kernels::grid::{Grid, Spot, around};
    use crate::kernels::motion::Terms;

    /// Result of [`next_near`]: no node is left.
    pub const NONE: u32 = u32::MAX;

    /// Part of the nodes in the cells around a node: one of some.
    pub struct Part {
        /// Number of the part.
        pub number: u32,
        /// Number of parts, at least 1.
        pub of: u32,
    }

    /// Search through a part of the nodes.
    ///
    /// Parts form a grid of `above` by `beside`. A part has every line of cells that is `above` lines after another,
    /// and in it every node that is `beside` places after another.
    pub struct Walk {
        /// Next line of cells.
        pub line: u32,
        /// Line above the highest.
        pub top: u32,
        /// Distance of two lines.
        pub above: u32,
        /// Leftmost column.
        pub left: u32,
        /// Column right of the rightmost.
        pub right: u32,
        /// Place of the next node in the list of nodes.
        pub next: u32,
        /// Place in that list behind the current line.
        pub end: u32,
        /// Place of the first node within a line.
        pub offset: u32,
        /// Distance of two places.
        pub beside: u32,
    }

    /// Begins to search a part of the nodes in the cells up to some cells away.
    pub fn begin(spot: &Spot, distance: u32, part: Part, terms: &Terms) -> Walk {
        let area = around(spot.cell, distance, terms);
        let lines = area.top.saturating_sub(area.bottom).max(1);
        let beside = (part.of / lines).max(1);
        let line = part.number / beside;
        Walk {
            line: area.bottom.saturating_add(line),
            top: area.top,
            above: (part.of / beside).max(1),
            left: area.left,
            right: area.right,
            next: 0,
            end: 0,
            offset: part.number - line * beside,
            beside,
        }
    }

    /// Returns the next node that was near when the cells were sorted, or [`NONE`]. `reach` is the square of the
    /// greatest distance.
    pub fn next_near(walk: &mut Walk, id: u32, spot: &Spot, reach: u64, terms: &Terms, grid: &Grid) -> u32 {
        let mut found = NONE;
        while found == NONE && (walk.next < walk.end || walk.line < walk.top) {
            if walk.next < walk.end {
                let near = grid.spots.get(walk.next);
                walk.next = walk.next.saturating_add(walk.beside);
                if near.node != id && squared_distance(spot.place, near.place) <= reach {
                    found = near.node;
                }
            } else {
                walk.next = grid.first(walk.line, walk.left, terms).saturating_add(walk.offset);
                walk.end = grid.first(walk.line, walk.right, terms);
                walk.line = walk.line.saturating_add(walk.above);
            }
        }
        found
    }
}
