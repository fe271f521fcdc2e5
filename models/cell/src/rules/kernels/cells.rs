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

    /// State of a cell that its neighbours see.
    #[derive(Row)]
    pub struct Cell {
        /// Value emitted last; NaN if it is undefined.
        pub value: f64,
        /// Value that is emitted next.
        pub pending: f64,
        /// Time of the next output, in milliseconds; [`NEVER`] if nothing is pending.
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
        /// Returns the value once the outputs of this time have reached the neighbours.
        pub fn seen(&self, now: u32) -> f64 {
            if self.due == now { self.pending } else { self.value }
        }
    }

    /// Coordinates of a cell.
    pub struct Place {
        /// Along each dimension.
        pub at: [u32; 4],
    }

    /// Returns the coordinates of a cell.
    pub fn place_of(space: &Space, id: u32) -> Place {
        let mut place = Place { at: [0; 4] };
        let mut rest = id;
        for back in 0..4u32 {
            let cells = space.cells[(3 - back) as usize];
            place.at[(3 - back) as usize] = rest % cells;
            rest /= cells;
        }
        place
    }

    /// Returns the number of the cell at these coordinates.
    pub fn number_of(space: &Space, place: &Place) -> u32 {
        let mut number = 0u32;
        for dimension in 0..4u32 {
            number = number * space.cells[dimension as usize] + place.at[dimension as usize];
        }
        number
    }

    /// Returns the number of a neighbour of the cell at `place`; [`NEVER`] beyond an open border. No offset of a
    /// wrapped space is longer than the space, so no division is needed.
    pub fn neighbour(space: &Space, offsets: &Rows<Offset>, place: &Place, which: u32) -> u32 {
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

    /// Returns the value of a neighbour; NaN beyond an open border.
    pub fn value_of(
        space: &Space,
        offsets: &Rows<Offset>,
        cells: &Rows<Cell>,
        place: &Place,
        which: u32,
        now: u32,
    ) -> f64 {
        let number = neighbour(space, offsets, place, which);
        if number == NEVER { f64::NAN } else { cells.get(number).seen(now) }
    }
}
