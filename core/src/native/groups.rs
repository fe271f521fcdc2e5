//! The groups that a call visits, and their rows.

use crate::data::{Each, Extent, Row};
use imminent_ir::Shape;
use std::ops::Range;

/// The groups that a call visits.
#[derive(Clone, Debug)]
pub struct Groups {
    pub(super) shape: Shape,
    pub(super) numbers: Range<u32>,
    /// Rows of the launch, and columns of its grid.
    pub(super) rows: u32,
    pub(super) width: u32,
}

impl Groups {
    /// Returns the position of a group's rows, by its number.
    #[must_use]
    pub const fn extent(&self, number: u32) -> Extent {
        Extent::of(self.shape, number, self.rows, self.width)
    }

    /// Returns the rows that these groups cover; `None` if other rows lie between them, which cannot happen with whole
    /// bands of tiles.
    pub(super) fn covered(&self) -> Option<Range<u32>> {
        let all = self.shape.groups(self.rows, self.width);
        let Range { start, end } = self.numbers;
        if start > end || end > all {
            return None;
        }
        let (per_band, band_rows) = band(self.shape, self.width);
        let whole = start.is_multiple_of(per_band) && (end.is_multiple_of(per_band) || end == all);
        let row = |group: u32| (group / per_band).saturating_mul(band_rows).min(self.rows);
        whole.then(|| row(start)..if end == all { self.rows } else { row(end) })
    }
}

/// Returns the number of groups side by side over consecutive rows, and the number of these rows: one group and its
/// size, or the tiles of one band of the grid.
#[must_use]
pub fn band(shape: Shape, width: u32) -> (u32, u32) {
    match shape {
        Shape::Tile(tile_width, tile_height) => {
            (width.div_ceil(tile_width.max(1)).max(1), width.saturating_mul(tile_height))
        }
        _ => (1, shape.size()),
    }
}

/// Own rows of a call's groups, from one table that they may change.
#[derive(Debug)]
pub struct EachMut<'a, R: Row> {
    /// The rows that the groups cover, and the number of the first.
    pub(super) rows: &'a mut [R],
    pub(super) start: u32,
}

impl<R: Row> EachMut<'_, R> {
    /// Returns the rows of one group.
    #[must_use]
    pub fn of(&mut self, extent: &Extent) -> Each<'_, R> {
        Each::within(self.rows, self.start, extent)
    }
}

/// Own rows of a call's groups, from one table that they only read.
#[derive(Clone, Copy, Debug)]
pub struct EachRef<'a, R: Row> {
    pub(super) rows: &'a [R],
    pub(super) start: u32,
}

impl<R: Row> EachRef<'_, R> {
    /// Returns the rows of one group.
    #[must_use]
    pub fn of(&self, extent: &Extent) -> Each<'_, R> {
        Each::shared_within(self.rows, self.start, extent)
    }
}
