//! Kernels of the fire.

mod settling;
mod shared;
mod stepping;

pub use settling::window;
pub use shared::grid;
pub use stepping::step;

/// Two bits for each direction: the row of its neighbour plus 1.
pub(crate) const ROW_BITS: u32 = bits(true);
/// Two bits for each direction: the column of its neighbour plus 1.
pub(crate) const COLUMN_BITS: u32 = bits(false);

const fn bits(rows: bool) -> u32 {
    let (mut bits, mut k) = (0, 0);
    while k < crate::fire::DIRECTION_COUNT {
        let direction = crate::fire::DIRECTIONS[k];
        let by = if rows { direction.row } else { direction.column };
        bits |= ((by + 1) as u32) << (2 * k);
        k += 1;
    }
    bits
}
