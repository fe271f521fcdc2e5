//! Groups: how a kernel's rows are run together.

use serde::{Deserialize, Serialize};

/// The most bytes of scratch that a group may have, all its elements together: WebGPU's 16,384 bytes of workgroup memory,
/// less what votes and values that the whole group shares take.
pub const SCRATCH_BYTES: u32 = 15_360;

/// How the rows of a launch are run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Shape {
    /// Each row alone.
    #[default]
    Rows,
    /// So many consecutive rows together, the last group perhaps fewer: 1 to [`Shape::MAX_SIZE`].
    Group(u32),
    /// Tiles of a grid, of this width and height, those at the edges perhaps cut. Their product is 1 to
    /// [`Shape::MAX_SIZE`].
    Tile(u32, u32),
}

impl Shape {
    /// The most rows of a group, on every backend.
    pub const MAX_SIZE: u32 = 256;

    /// Whether rows are run in groups.
    #[must_use]
    pub const fn is_grouped(self) -> bool {
        !matches!(self, Shape::Rows)
    }

    /// Rows of a whole group; 1 where each row is run alone.
    #[must_use]
    pub const fn size(self) -> u32 {
        match self {
            Shape::Rows => 1,
            Shape::Group(size) => size,
            Shape::Tile(width, height) => width.saturating_mul(height),
        }
    }

    /// Groups of a launch over `rows` rows, which are a grid of `width` columns if the kernel has tiles.
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

/// How the values that a phase's invocations return become one for the group.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Vote {
    /// Whether one is true: `bool`, `false` of no rows.
    Any,
    /// Whether all are true: `bool`, `true` of no rows.
    All,
    /// How many are true: `u32`.
    Count,
}

/// What an invocation can ask about its group. Every answer is a `u32` and stays the same as long as the invocation runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum GroupQuery {
    /// Position of the invocation in the group. In phases only.
    Lane,
    /// Number of the invocation's row. In phases only.
    Row,
    /// Column of the invocation's row in the grid: of tiles, in phases only.
    X,
    /// Line of the invocation's row in the grid: of tiles, in phases only.
    Y,
    /// Number of the group.
    Index,
    /// Rows of this group: fewer than [`GroupQuery::Size`] where it is cut.
    Len,
    /// Rows of a whole group.
    Size,
}

impl GroupQuery {
    /// Whether the answer is the same for the whole group.
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
