//! The fire as a model of cells: the published rule as a function of a kernel module.

use super::Fire;
use super::TOLERANCE;
use super::UNITS;
use crate::model::{Cells, CellsError};
use crate::sequential::Delay;
use crate::space::{Border, CellSpace};

/// The published rule: of the neighbours that burn, the first one in the order of the directions sets a cell alight.
#[imminent_core::kernels]
pub mod spreading {
    /// Place of each direction's neighbour in the Moore neighbourhood.
    const PLACES: [u32; 8] = super::PLACES;
    /// Delay of each direction, in milliseconds.
    const DELAYS: [u32; 8] = crate::fire::DELAYS;
    /// Time that the fire takes in each direction, in units of 2^-40 minutes.
    const STEPS: [u64; 8] = crate::fire::STEPS;

    /// Parameters of the fire.
    #[derive(Params)]
    pub struct Spread {
        /// Values that differ by no more are equal, in units of 2^-40 minutes.
        pub tolerance: u64,
    }

    /// Value that a cell takes on.
    pub struct Next {
        /// Minute of ignition plus 1, in units of 2^-40; 0 if the cell does not burn.
        pub value: u64,
        /// Milliseconds until it does.
        pub delay: u32,
    }

    /// Tells whether two values are equal within the tolerance.
    pub fn equal(a: u64, b: u64, spread: &Spread) -> bool {
        a.abs_diff(b) <= spread.tolerance
    }

    /// Evaluates the rules of a cell.
    pub fn spread(own: u64, seen: &[u64; 9]) -> Next {
        for rule in 0..8u32 {
            let burning = seen[PLACES[rule as usize] as usize];
            if own == 0 && burning > 0 {
                return Next { value: burning + STEPS[rule as usize], delay: DELAYS[rule as usize] };
            }
        }
        Next { value: own, delay: 0 }
    }
}

crate::cell_model! {
    /// Kernels of the fire as a model of cells.
    pub mod kernels for spreading {
        model: Spread,
        value: u64,
        undefined: 0,
        neighbours: 9,
        same: equal,
        rule: spread(own, seen),
    }
}

pub use spreading::Spread;

/// Places of the directions' neighbours in the Moore neighbourhood, row by row.
const PLACES: [u32; super::DIRECTION_COUNT] = {
    let (mut places, mut at) = ([0; super::DIRECTION_COUNT], 0);
    while at < places.len() {
        places[at] = (3 * (super::DIRECTIONS[at].row + 1) + super::DIRECTIONS[at].column + 1) as u32;
        at += 1;
    }
    places
};

impl Fire {
    /// Returns the fire as a scenario of a model of cells, which ignites the same cells at the same times.
    ///
    /// # Errors
    /// [`CellsError`].
    pub fn cells(&self) -> Result<Cells<Spread>, CellsError> {
        let space = CellSpace::plane(self.height(), self.width(), Border::Open)?;
        let mut initial = vec![0; space.cells()];
        for &(row, column) in self.ignitions() {
            let cell = space.cell(&[row, column]).and_then(|cell| initial.get_mut(cell as usize));
            cell.into_iter().for_each(|cell| *cell = UNITS);
        }
        let cells = Cells::new(Spread { tolerance: TOLERANCE }, space, Delay::Inertial, initial)?;
        Ok(cells.with_lookahead(super::LOOKAHEAD))
    }
}
