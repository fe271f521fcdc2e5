//! The cell whose rule is evaluated.

/// Circumstances of an evaluation that do not depend on the type of a cell's value.
#[imminent_core::kernels]
pub mod here {
    use crate::engine::kernels::space::{NEVER, Offset, Position, Space, is_inner, neighbour};

    /// Words of the set of neighbours that exist: a bit for each of the most that a space can have.
    pub const WORDS: usize = 4;

    /// A cell at the time at which its rule is evaluated.
    pub struct Here {
        /// Number of the cell, in row-major order.
        pub cell: u32,
        /// Time of the evaluation, in milliseconds.
        pub time: u32,
        /// Number that the scenario gives to the cell's zone; 0 without zones.
        pub zone: u32,
        /// Number of neighbours in the neighbourhood.
        pub neighbours: u32,
        /// `true` if an external input has come to the cell at this time.
        pub fed: bool,
        /// Number of inputs that the source of this input sent before it.
        pub sent: u32,
        /// Number of dimensions of the space.
        pub dimensions: u32,
        /// Coordinates of the cell.
        pub place: Position,
        /// `true` if no neighbour is beyond an edge of the space.
        pub inner: bool,
        /// Neighbours that exist, a bit for each.
        pub there: [u32; WORDS],
    }

    impl Here {
        /// Returns a cell without external input whose neighbours are not known yet.
        pub fn new(space: &Space, place: Position, cell: u32, zone: u32, time: u32) -> Here {
            let inner = is_inner(space, &place);
            Here {
                cell,
                time,
                zone,
                neighbours: space.neighbours,
                fed: false,
                sent: 0,
                dimensions: space.dimensions,
                place,
                inner,
                there: [0; WORDS],
            }
        }

        /// Returns `true` if a neighbour exists: it is not beyond an open border.
        pub fn sees(&self, neighbour: u32) -> bool {
            let word = self.there[(neighbour / 32 % 4) as usize];
            neighbour < self.neighbours && (word >> (neighbour % 32)) & 1 != 0
        }

        /// Returns a coordinate of the cell: 0 is the first dimension, along which numbers of cells change slowest. A
        /// dimension that the space lacks gives 0.
        pub fn coordinate(&self, dimension: u32) -> u32 {
            if dimension < self.dimensions {
                self.place.at[((dimension + 4 - self.dimensions) % 4) as usize]
            } else {
                0
            }
        }

        /// Notes that a neighbour exists.
        pub fn note(&mut self, neighbour: u32) {
            self.there[(neighbour / 32 % 4) as usize] |= 1u32 << (neighbour % 32);
        }

        /// Returns the number of a neighbour; the greatest number beyond an open border.
        pub fn number_of(&self, space: &Space, offsets: &Rows<Offset>, which: u32) -> u32 {
            // Few cells are at an edge, and only for these are coordinates needed.
            if self.inner { self.cell + offsets.get(which).jump } else { neighbour(space, offsets, &self.place, which) }
        }

        /// Notes all neighbours that exist.
        pub fn look_around(&mut self, space: &Space, offsets: &Rows<Offset>) {
            for which in 0..space.neighbours {
                if self.number_of(space, offsets, which) != NEVER {
                    self.note(which);
                }
            }
        }
    }
}
