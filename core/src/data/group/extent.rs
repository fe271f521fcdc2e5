//! Rows of a group, and their position.

use imminent_ir::Shape;

/// The rows of one group: a rectangle of the grid, or a part of one line for a table that is no grid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Extent {
    shape: Shape,
    index: u32,
    /// Column and line of the first row.
    first: (u32, u32),
    /// Number of existing columns and lines, at most those of the shape.
    columns: u32,
    lines: u32,
    /// Columns of the grid; 0 without one.
    width: u32,
}

impl Extent {
    /// Returns group `index` of a launch over `rows` rows in groups of `size`.
    #[must_use]
    pub const fn group(size: u32, index: u32, rows: u32) -> Extent {
        Extent::of(Shape::Group(size), index, rows, 0)
    }

    /// Returns tile `index`, `tile_width` by `tile_height`, of a grid of `width` by `height`.
    #[must_use]
    pub const fn tile(tile_width: u32, tile_height: u32, index: u32, width: u32, height: u32) -> Extent {
        Extent::of(Shape::Tile(tile_width, tile_height), index, width.saturating_mul(height), width)
    }

    /// Returns group `index` of a launch over `rows` rows, a grid of `width` columns if the shape has tiles. A group
    /// past the last has no rows.
    #[must_use]
    pub const fn of(shape: Shape, index: u32, rows: u32, width: u32) -> Extent {
        match shape {
            Shape::Tile(tile_width, tile_height) if width > 0 && tile_width > 0 => {
                let across = width.div_ceil(tile_width);
                let first = ((index % across) * tile_width, (index / across).saturating_mul(tile_height));
                let columns = least(tile_width, width - first.0);
                let lines = least(tile_height, (rows / width).saturating_sub(first.1));
                Extent { shape, index, first, columns, lines, width }
            }
            Shape::Tile(..) => Extent { shape, index, first: (0, 0), columns: 0, lines: 0, width },
            _ => {
                let first = index.saturating_mul(shape.size());
                let columns = least(shape.size(), rows.saturating_sub(first));
                Extent { shape, index, first: (first, 0), columns, lines: 1, width: 0 }
            }
        }
    }

    /// Returns the number of the group.
    #[must_use]
    pub const fn index(&self) -> u32 {
        self.index
    }

    /// Returns the number of rows of the group.
    #[must_use]
    pub const fn len(&self) -> u32 {
        self.columns * self.lines
    }

    /// Returns `true` if the group has no rows.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the number of rows of a full group.
    #[must_use]
    pub const fn size(&self) -> u32 {
        self.shape.size()
    }

    /// Returns the number of the first row.
    #[must_use]
    pub const fn first_row(&self) -> u32 {
        self.row(0, 0)
    }

    /// Returns the columns of the rectangle.
    pub(super) const fn columns(&self) -> u32 {
        self.columns
    }

    /// Returns the lines of the rectangle.
    pub(super) const fn lines(&self) -> u32 {
        self.lines
    }

    /// Returns the columns of the grid, for tiles.
    pub(super) const fn grid(&self) -> Option<u32> {
        match self.shape {
            Shape::Tile(..) => Some(self.width),
            _ => None,
        }
    }

    /// Returns the column and line of the first row in the grid.
    pub(super) const fn origin(&self) -> (u32, u32) {
        self.first
    }

    /// Returns the position in the group of the invocation at `x`, `y` of the rectangle.
    #[inline]
    pub(super) const fn lane(&self, x: u32, y: u32) -> u32 {
        match self.shape {
            Shape::Tile(tile_width, _) => y * tile_width + x,
            _ => x,
        }
    }

    /// Returns the number of its row.
    #[inline]
    pub(super) const fn row(&self, x: u32, y: u32) -> u32 {
        // Wrapping, because a group past the last, which has no rows, can be asked too.
        self.first.1.wrapping_add(y).wrapping_mul(self.width).wrapping_add(self.first.0).wrapping_add(x)
    }
}

/// Returns the lesser of two; usable in constants.
const fn least(a: u32, b: u32) -> u32 {
    if a < b { a } else { b }
}
