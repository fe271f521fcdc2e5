//! Parts that both advances of the fire share.

/// Shared parts of both advances: directions, and the tiles of the grid.
#[imminent_core::kernels]
pub mod grid {
    /// Columns and lines of a tile.
    pub const SIDE: u32 = 16;
    /// Time of a cell to which no fire is coming.
    pub const NEVER: u32 = u32::MAX;
    /// Delay of each direction, in milliseconds.
    const DELAYS: [u32; 8] = crate::fire::DELAYS;
    /// Step of value of each direction.
    const STEPS: [u64; 8] = crate::fire::STEPS;
    /// Largest difference between two equal values.
    const TOLERANCE: u64 = crate::fire::TOLERANCE;
    /// Rows and columns from a cell to the neighbours of the eight directions, plus 1, two bits each, the first
    /// direction lowest.
    const ROWS: u32 = crate::fire::kernels::ROW_BITS;
    /// Columns from a cell to the neighbours, encoded like [`ROWS`].
    const COLUMNS: u32 = crate::fire::kernels::COLUMN_BITS;

    /// Shape of the grid and end of the run.
    #[derive(Params)]
    pub struct Grid {
        /// Columns.
        pub width: u32,
        /// Lines.
        pub height: u32,
        /// Columns of the table: [`Grid::width`], or more where tiles are whole.
        pub stride: u32,
        /// Last time that is simulated, in milliseconds.
        pub horizon: u32,
    }

    /// Ignition of a cell: its time and the value of the cell then.
    pub struct Ignition {
        /// Milliseconds; [`NEVER`] if it does not.
        pub time: u32,
        /// Minute of ignition plus 1, in units of 2^-40.
        pub value: u64,
    }

    impl Ignition {
        /// Returns the ignition of a cell that does not burn.
        pub fn none() -> Ignition {
            Ignition { time: NEVER, value: 0 }
        }

        /// Returns `true` if a newly computed value differs from that of this ignition.
        pub fn differs(&self, value: u64) -> bool {
            self.value.abs_diff(value) > TOLERANCE
        }

        /// Returns the ignition of the neighbour to which fire spreads from this cell in a direction, computed at time
        /// `now`.
        pub fn spread(&self, direction: u32, now: u32) -> Ignition {
            Ignition {
                time: now.saturating_add(DELAYS[direction as usize]),
                value: self.value + STEPS[direction as usize],
            }
        }
    }

    impl Grid {
        /// Returns the number of tiles side by side.
        pub fn across(&self) -> u32 {
            (self.width + SIDE - 1) / SIDE
        }

        /// Returns the number of tiles one above the other.
        pub fn down(&self) -> u32 {
            (self.height + SIDE - 1) / SIDE
        }
    }

    /// Returns the line of a direction's neighbour, plus 1.
    pub fn line(y: u32, direction: u32) -> u32 {
        y + ((ROWS >> (2 * direction)) & 3)
    }

    /// Returns the column of a direction's neighbour, plus 1.
    pub fn column(x: u32, direction: u32) -> u32 {
        x + ((COLUMNS >> (2 * direction)) & 3)
    }
}
