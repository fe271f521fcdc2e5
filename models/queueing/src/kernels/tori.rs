//! Tables of a torus, made on the device from the numbers of its rows.

/// Kernels that make the tables of a torus of equal servers. Its sides are multiples of a tile's, and longer.
///
/// Tiles of 16 x 16 cells follow one another, line by line, and so do the cells of a tile. A tile is a group of the
/// relaxation, so the in-neighbours of a cell that are not in its tile are far. The 64 far ones of a tile stand in
/// order around it, from the left of its upper left cell clockwise, so both of a corner are side by side.
#[imminent_core::kernels]
pub mod torus {
    use crate::kernels::boundary::at_start;
    use crate::kernels::relaxation::{Far, NEAR, Reach, SIZE};
    use crate::kernels::station::{Station, Target};

    /// Number of cells along a side of a tile.
    pub const SIDE: u32 = 16;

    /// Last column or line of a tile.
    const LAST: u32 = SIDE - 1;

    /// Number of edges of a cell.
    pub const EDGES: u32 = 4;

    /// Number of far in-neighbours of a tile.
    pub const FARS: u32 = 4 * SIDE;

    /// A torus of equal servers.
    #[derive(Params)]
    pub struct Torus {
        /// Number of columns.
        pub width: u32,
        /// Number of lines.
        pub height: u32,
        /// Mean service time, in ticks.
        pub mean: u32,
        /// Number of tokens at each node at time 0.
        pub tokens: u32,
        /// Key of the random streams.
        pub key: u64,
    }

    /// Position of a cell.
    pub struct Cell {
        /// Column.
        pub x: u32,
        /// Line.
        pub y: u32,
    }

    /// Returns the cell in a row.
    fn cell(row: u32, torus: &Torus) -> Cell {
        let across = torus.width / SIDE;
        let tile = row / SIZE;
        let place = row % SIZE;
        Cell { x: tile % across * SIDE + place % SIDE, y: tile / across * SIDE + place / SIDE }
    }

    /// Returns the row of a neighbour of a cell: to the left, to the right, above, or below.
    fn neighbour(of: Cell, edge: u32, torus: &Torus) -> u32 {
        let mut x = of.x;
        let mut y = of.y;
        if edge == 0 {
            x = if x == 0 { torus.width - 1 } else { x - 1 };
        } else if edge == 1 {
            x = if x + 1 == torus.width { 0 } else { x + 1 };
        } else if edge == 2 {
            y = if y == 0 { torus.height - 1 } else { y - 1 };
        } else {
            y = if y + 1 == torus.height { 0 } else { y + 1 };
        }
        let tile = y / SIDE * (torus.width / SIDE) + x / SIDE;
        tile * SIZE + y % SIDE * SIDE + x % SIDE
    }

    /// Returns the place of the first far in-neighbour of a cell among those of its tile; 0 if it has none.
    fn first_far(x: u32, y: u32) -> u32 {
        if y == 0 {
            if x == 0 { 0 } else { 1 + x }
        } else if x == LAST {
            SIDE + 1 + y
        } else if y == LAST {
            2 * SIDE + 1 + LAST - x
        } else if x == 0 {
            3 * SIDE + 1 + LAST - y
        } else {
            0
        }
    }

    /// Initializes a zeroed station to its state at time 0, and finds its in-neighbours.
    #[kernel]
    pub fn set_up(me: &mut Station, reach: &mut Reach, torus: &Torus, id: u32) {
        let at = cell(id, torus);
        let node = at.y * torus.width + at.x;
        at_start(me, node, torus.mean, torus.key);
        me.waiting = torus.tokens;
        me.first_target = EDGES * id;
        me.targets = EDGES;
        let mut near = 0;
        let mut places = 0;
        for edge in 0..EDGES {
            let from = neighbour(Cell { x: at.x, y: at.y }, edge, torus);
            if from / SIZE == id / SIZE {
                places |= (from % SIZE) << (8 * near);
                near += 1;
            }
        }
        // Every cell of a tile has a neighbour in it.
        for place in near..NEAR {
            places |= (places % SIZE) << (8 * place);
        }
        reach.places = places;
        reach.near = near;
        reach.first_far = id / SIZE * FARS + first_far(at.x % SIDE, at.y % SIDE);
        reach.far = EDGES - near;
    }

    /// Finds a far in-neighbour.
    #[kernel]
    pub fn look_around(me: &mut Far, torus: &Torus, id: u32) {
        let tile = id / FARS;
        let place = id % FARS;
        let mut x = 0;
        let mut y = 0;
        let mut edge = 0;
        if place > 3 * SIDE {
            y = 4 * SIDE - place;
        } else if place > 2 * SIDE {
            x = 3 * SIDE - place;
            y = LAST;
            edge = 3;
        } else if place > SIDE {
            x = LAST;
            y = place - SIDE - 1;
            edge = 1;
        } else if place > 0 {
            x = place - 1;
            edge = 2;
        }
        me.node = neighbour(cell(tile * SIZE + y * SIDE + x, torus), edge, torus);
    }

    /// Finds the target of an edge.
    #[kernel]
    pub fn lead(me: &mut Target, torus: &Torus, id: u32) {
        me.node = neighbour(cell(id / EDGES, torus), id % EDGES, torus);
    }
}
