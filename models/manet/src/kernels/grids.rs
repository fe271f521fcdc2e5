//! Cell lists: nodes by their positions.

/// Lists of the nodes in each cell of a square grid over the field.
///
/// Cells are numbered line by line, so nodes of neighbouring cells in a line are one range of the list.
#[imminent_core::kernels]
pub mod grid {
    use crate::kernels::geometry::Position;
    use crate::kernels::motion::{Clock, Motion, Owner, Terms, place_at};

    /// Position of a node when the cells were sorted. 16 bytes, which a device reads at once.
    #[derive(Row)]
    #[row(packed)]
    pub struct Spot {
        /// Position.
        pub place: Position,
        /// Row of the cell.
        pub cell: u32,
        /// Row of the node.
        pub node: u32,
    }

    /// First node of a cell.
    #[derive(Row)]
    pub struct Cell {
        /// Place in the list of nodes.
        pub first: u32,
    }

    /// Grid of all simulations.
    #[derive(Bundle)]
    pub struct Grid {
        /// Cells, one more than there are.
        pub cells: &Rows<Cell>,
        /// Nodes in the order of their cells.
        pub spots: &Rows<Spot>,
    }

    /// Rectangle of cells around a cell, within the field.
    pub struct Around {
        /// Lowest line.
        pub bottom: u32,
        /// Line above the highest.
        pub top: u32,
        /// Leftmost column.
        pub left: u32,
        /// Column right of the rightmost.
        pub right: u32,
    }

    /// Returns the cells up to some cells away from a cell.
    pub fn around(cell: u32, distance: u32, terms: &Terms) -> Around {
        let own = cell - terms.first_cell;
        let column = own % terms.columns;
        let line = own / terms.columns;
        Around {
            bottom: line.saturating_sub(distance),
            top: (line + distance + 1).min(terms.lines),
            left: column.saturating_sub(distance),
            right: (column + distance + 1).min(terms.columns),
        }
    }

    impl Grid {
        /// Returns the first place in the list of the cells of a line, from a column on.
        pub fn first(&self, line: u32, column: u32, terms: &Terms) -> u32 {
            self.cells.get(terms.first_cell + line * terms.columns + column).first
        }
    }

    /// Finds the cell of every node of the simulations that have not ended. Rows without a node stay behind all cells.
    #[kernel]
    pub fn find(spot: &mut Spot, owner: &Owner, motion: &Motion, terms: &Rows<Terms>, clock: &Rows<Clock>, id: u32) {
        let of_all = terms.get(owner.simulation);
        let time = clock.get(owner.clock).time;
        if time >= of_all.end || id - of_all.first >= of_all.nodes {
            return;
        }
        let place = place_at(id, time, of_all, motion);
        let column = (place.x as u32 / of_all.side).min(of_all.columns - 1);
        let line = (place.y as u32 / of_all.side).min(of_all.lines - 1);
        spot.place = place;
        spot.cell = of_all.first_cell + line * of_all.columns + column;
        spot.node = id;
    }

    /// Node at a place of the list.
    #[derive(Row)]
    pub struct Entry {
        /// Row of the node.
        pub node: u32,
    }

    /// Fills the list with the nodes' positions.
    #[kernel]
    pub fn fill(sorted: &mut Spot, entry: &Entry, spots: &Rows<Spot>) {
        let spot = spots.get(entry.node);
        sorted.place = spot.place;
        sorted.cell = spot.cell;
        sorted.node = entry.node;
    }

    /// Finds where the nodes of every cell begin in the sorted list.
    #[kernel]
    pub fn index(cell: &mut Cell, sorted: &Rows<Spot>, id: u32) {
        let mut low = 0;
        let mut high = sorted.len();
        while low < high {
            let middle = low + (high - low) / 2;
            if sorted.get(middle).cell < id {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        cell.first = low;
    }
}
