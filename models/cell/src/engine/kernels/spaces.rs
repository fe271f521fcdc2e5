//! Cell spaces and places in them.

/// Cell spaces on a device.
#[imminent_core::kernels]
pub mod space {
    /// Time of a cell that has nothing pending.
    pub const NEVER: u32 = u32::MAX;

    /// Distance to a neighbour.
    #[derive(Row)]
    pub struct Offset {
        /// Cells along each dimension.
        pub by: [i32; 4],
        /// Difference of the cells' numbers, modulo 2^32, where no edge is between them.
        pub jump: u32,
    }

    /// Shape of the cell space, kind of the delays, and end of the run.
    #[derive(Params)]
    pub struct Space {
        /// Cells along each dimension; 1 for those that the space lacks.
        pub cells: [u32; 4],
        /// Number of dimensions.
        pub dimensions: u32,
        /// Least coordinates of cells whose neighbours are all inside the space.
        pub low: [u32; 4],
        /// Ends of these coordinates: the first ones that are too large.
        pub high: [u32; 4],
        /// 1 if opposite edges touch.
        pub wrapped: u32,
        /// Neighbours of a cell.
        pub neighbours: u32,
        /// Values that a cell keeps for itself.
        pub kept: u32,
        /// 0 for inertial delays; 1 for transport delays, of whose outputs at one time the last counts; 2 if all do.
        pub transport: u32,
        /// Last time that is simulated, in milliseconds.
        pub horizon: u32,
    }

    /// Coordinates of a cell.
    pub struct Position {
        /// Coordinate along each dimension. Those of the space are the last ones; the others are 0.
        pub at: [u32; 4],
    }

    /// Returns the coordinates of a cell.
    pub fn place_of(space: &Space, id: u32) -> Position {
        let mut place = Position { at: [0; 4] };
        let mut rest = id;
        for back in 0..4u32 {
            let cells = space.cells[(3 - back) as usize];
            place.at[(3 - back) as usize] = rest % cells;
            rest /= cells;
        }
        place
    }

    /// Returns the number of the cell at these coordinates.
    pub fn number_of(space: &Space, place: &Position) -> u32 {
        let mut number = 0u32;
        for dimension in 0..4u32 {
            number = number * space.cells[dimension as usize] + place.at[dimension as usize];
        }
        number
    }

    /// Returns the number of a neighbour of the cell at `place`; [`NEVER`] beyond an open border. No offset of a
    /// wrapped space is longer than the space, so no division is needed.
    pub fn neighbour(space: &Space, offsets: &Rows<Offset>, place: &Position, which: u32) -> u32 {
        let offset = offsets.get(which);
        let mut number = 0u32;
        let mut inside = true;
        for dimension in 0..4u32 {
            let cells = space.cells[dimension as usize] as i32;
            let mut to = place.at[dimension as usize] as i32 + offset.by[dimension as usize];
            if to < 0 || to >= cells {
                inside = inside && space.wrapped != 0;
                to += if to < 0 { cells } else { 0 - cells };
            }
            number = number * cells as u32 + to as u32;
        }
        if inside { number } else { NEVER }
    }

    /// Returns `true` if no neighbour of the cell at `place` is beyond an edge.
    pub fn is_inner(space: &Space, place: &Position) -> bool {
        let mut inner = true;
        for dimension in 0..4u32 {
            let at = place.at[dimension as usize];
            inner = inner && at >= space.low[dimension as usize] && at < space.high[dimension as usize];
        }
        inner
    }

    /// Returns the time of an output. One beyond the last time that can be simulated stays pending for ever, so it is
    /// not confused with [`NEVER`], which means that nothing is pending.
    pub fn due_after(now: u32, delay: u32) -> u32 {
        now.saturating_add(delay).min(NEVER - 1)
    }
}
