//! Cells and their places, as rules see them.

/// Cell spaces on a device.
#[imminent_core::kernels]
pub mod space {
    /// Time of a cell that has nothing pending.
    pub const NEVER: u32 = u32::MAX;

    /// Distance to a neighbour.
    #[derive(Row)]
    pub struct Offset {
        /// Along each dimension.
        pub by: [i32; 4],
    }

    /// What neighbours see of a cell.
    #[derive(Row)]
    pub struct Cell {
        /// Value emitted last; NaN if it is undefined.
        pub value: f64,
        /// Value that is emitted next.
        pub pending: f64,
        /// When it is emitted, in milliseconds; [`NEVER`] if nothing is pending.
        pub due: u32,
    }

    /// Shape of the cell space.
    #[derive(Params)]
    pub struct Space {
        /// Cells along each dimension; 1 for those that the space lacks.
        pub cells: [u32; 4],
        /// Dimensions.
        pub dimensions: u32,
        /// 1 if opposite edges touch.
        pub wrapped: u32,
        /// Neighbours of a cell.
        pub neighbours: u32,
        /// 1 if delays are of the transport kind.
        pub transport: u32,
        /// Last time that is simulated, in milliseconds.
        pub horizon: u32,
        /// Steps in which values are compared; 0 if they are compared as they are.
        pub quantum: f64,
    }

    impl Cell {
        /// The value once the outputs of this time have reached the neighbours.
        pub fn seen(&self, now: u32) -> f64 {
            if self.due == now { self.pending } else { self.value }
        }
    }

    /// The coordinate of a cell along a dimension.
    pub fn coordinate(space: &Space, id: u32, dimension: u32) -> u32 {
        let mut rest = id;
        let mut at = 3u32;
        while at > dimension {
            rest /= space.cells[at as usize];
            at -= 1;
        }
        rest % space.cells[dimension as usize]
    }

    /// The number of a neighbour; [`NEVER`] beyond an open border.
    pub fn neighbour(space: &Space, offsets: &Rows<Offset>, id: u32, which: u32) -> u32 {
        let offset = offsets.get(which);
        let mut rest = id;
        let mut number = 0u32;
        let mut stride = 1u32;
        let mut inside = true;
        for back in 0..4u32 {
            let dimension = 3 - back;
            let cells = space.cells[dimension as usize];
            let at = rest % cells;
            rest /= cells;
            let mut to = at as i32 + offset.by[dimension as usize];
            if to < 0 || to >= cells as i32 {
                if space.wrapped == 0 {
                    inside = false;
                }
                to %= cells as i32;
                if to < 0 {
                    to += cells as i32;
                }
            }
            number += to as u32 * stride;
            stride *= cells;
        }
        if inside { number } else { NEVER }
    }

    /// The value of a neighbour; NaN beyond an open border.
    pub fn value_of(space: &Space, offsets: &Rows<Offset>, cells: &Rows<Cell>, id: u32, which: u32, now: u32) -> f64 {
        let number = neighbour(space, offsets, id, which);
        if number == NEVER { f64::NAN } else { cells.get(number).seen(now) }
    }
}
