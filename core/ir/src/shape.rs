//! Grouping of a kernel's rows.

use serde::{Deserialize, Serialize};

/// Largest number of bytes of a group's scratch, for all its elements together: WebGPU's 16,384 bytes of workgroup
/// memory, minus the space for votes and values that the whole group shares.
pub const SCRATCH_BYTES: u32 = 15_360;

/// Grouping of the rows of a launch.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Shape {
    /// Each row separately.
    #[default]
    Rows,
    /// Groups of this number of consecutive rows, from 1 to [`Shape::MAX_SIZE`]. The last group may have fewer.
    Group(u32),
    /// Tiles of a grid, of this width and height, possibly cut at the edges. Their product is 1 to [`Shape::MAX_SIZE`].
    Tile(u32, u32),
}

impl Shape {
    /// Largest number of rows of a group, on every backend.
    pub const MAX_SIZE: u32 = 256;

    /// Returns `true` if rows are run in groups.
    #[must_use]
    pub const fn is_grouped(self) -> bool {
        !matches!(self, Shape::Rows)
    }

    /// Returns the number of rows of a full group; 1 if each row is run separately.
    #[must_use]
    pub const fn size(self) -> u32 {
        match self {
            Shape::Rows => 1,
            Shape::Group(size) => size,
            Shape::Tile(width, height) => width.saturating_mul(height),
        }
    }

    /// Returns the number of groups of a launch over `rows` rows, which are a grid of `width` columns if the kernel has
    /// tiles.
    #[must_use]
    pub const fn groups(self, rows: u32, width: u32) -> u32 {
        match self {
            Shape::Rows => rows,
            Shape::Group(size) => rows.div_ceil(if size == 0 { 1 } else { size }),
            Shape::Tile(..) if width == 0 => 0,
            Shape::Tile(tile_width, tile_height) => {
                let (tile_width, tile_height) =
                    (if tile_width == 0 { 1 } else { tile_width }, if tile_height == 0 { 1 } else { tile_height });
                width.div_ceil(tile_width).saturating_mul((rows / width).div_ceil(tile_height))
            }
        }
    }
}

/// Combination of the values that a phase's invocations return into one for the group.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Vote {
    /// `true` if at least one is true: `bool`, `false` of no rows.
    Any,
    /// `true` if all are true: `bool`, also of no rows.
    All,
    /// Number that are true: `u32`.
    Count,
}

/// Query of an invocation about its group. Every answer is a `u32` and constant during the invocation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum GroupQuery {
    /// Position of the invocation in the group. In phases only.
    Lane,
    /// Number of the invocation's row. In phases only.
    Row,
    /// Column of the invocation's row in the grid. Only for tiles, in phases.
    X,
    /// Line of the invocation's row in the grid. Only for tiles, in phases.
    Y,
    /// Number of the group.
    Index,
    /// Number of rows of this group: fewer than [`GroupQuery::Size`] if it is cut.
    Len,
    /// Number of rows of a full group.
    Size,
}

impl GroupQuery {
    /// Returns `true` if the answer is the same for the whole group.
    #[must_use]
    pub const fn is_uniform(self) -> bool {
        matches!(self, GroupQuery::Index | GroupQuery::Len | GroupQuery::Size)
    }
}

#[cfg(test)]
mod tests {
    use super::Shape;

    #[test]
    fn groups_cover_their_rows() {
        assert_eq!(Shape::Rows.groups(7, 0), 7);
        assert_eq!(Shape::Group(4).groups(8, 0), 2);
        assert_eq!(Shape::Group(4).groups(9, 0), 3);
        assert_eq!(Shape::Group(256).groups(u32::MAX, 0), 1 << 24);
        assert_eq!(Shape::Group(4).groups(0, 0), 0);
        // Five columns and three lines in tiles of two by two.
        assert_eq!(Shape::Tile(2, 2).groups(15, 5), 6);
        assert_eq!(Shape::Tile(2, 2).groups(0, 0), 0);
    }
}
