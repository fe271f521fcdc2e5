//! Field that nodes move on.

use crate::kernels::geometry::Position;

/// Longest side of a field: 2^30 mm, 1,073 km.
pub const MAX_SIDE: u32 = 1 << 30;

/// Rectangular field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Field {
    /// Width in mm, at most [`MAX_SIDE`].
    pub width: u32,
    /// Height in mm, at most [`MAX_SIDE`].
    pub height: u32,
}

impl Field {
    /// Returns `true` if a position lies in the field.
    #[must_use]
    pub fn contains(self, place: Position) -> bool {
        (0..=self.width as i32).contains(&place.x) && (0..=self.height as i32).contains(&place.y)
    }
}
