//! Cell spaces: dimensions, border and neighbourhood.

use std::collections::HashSet;
use thiserror::Error;

/// Largest number of dimensions of a cell space.
pub const MAX_DIMENSIONS: usize = 4;

/// Largest number of cells in a neighbourhood.
pub const MAX_NEIGHBOURS: usize = 1024;

/// Distance from a cell to one of its neighbours, one number for each dimension.
pub type Offset = [i32; MAX_DIMENSIONS];

/// Rule for the cells beyond the edge of the space.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Border {
    /// A neighbour beyond the edge is undefined.
    Open,
    /// Opposite edges touch.
    Wrapped,
}

/// Reasons why a cell space cannot be made.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum SpaceError {
    /// The number of dimensions is 0 or too large.
    #[error("a cell space has 1 to {MAX_DIMENSIONS} dimensions, not {0}")]
    Dimensions(usize),
    /// A dimension has no cells.
    #[error("dimension {0} of the cell space is empty: give every dimension at least one cell")]
    Empty(usize),
    /// There are more cells than a device table has rows.
    #[error("the cell space has {0} cells, more than the {most} that a table can have: use a smaller space", most = most_cells())]
    TooLarge(u128),
    /// An offset has another number of coordinates than the space has dimensions.
    #[error("neighbour {index} has {found} coordinates in a space of {expected} dimensions")]
    Offset {
        /// Position in the list of neighbours.
        index: usize,
        /// Number of its coordinates.
        found: usize,
        /// Dimensions of the space.
        expected: usize,
    },
    /// There are no neighbours, or too many.
    #[error("a neighbourhood has 1 to {MAX_NEIGHBOURS} cells, not {0}")]
    Neighbours(usize),
}

/// Returns the largest number of cells of a space.
const fn most_cells() -> u32 {
    u32::MAX - 2048
}

/// A grid of cells in up to [`MAX_DIMENSIONS`] dimensions, with one neighbourhood for all cells.
///
/// Cells are numbered in row-major order: the last coordinate is the fastest.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CellSpace {
    dimensions: Vec<u32>,
    border: Border,
    neighbours: Vec<Offset>,
}

impl CellSpace {
    /// Makes a space. A neighbour that is listed twice counts once.
    ///
    /// # Errors
    /// [`SpaceError`].
    pub fn new(dimensions: &[u32], border: Border, neighbours: &[Vec<i32>]) -> Result<Self, SpaceError> {
        if dimensions.is_empty() || dimensions.len() > MAX_DIMENSIONS {
            return Err(SpaceError::Dimensions(dimensions.len()));
        }
        if let Some(empty) = dimensions.iter().position(|&cells| cells == 0) {
            return Err(SpaceError::Empty(empty));
        }
        let cells: u128 = dimensions.iter().map(|&cells| u128::from(cells)).product();
        if cells > u128::from(most_cells()) || dimensions.iter().any(|&cells| cells > i32::MAX as u32 / 2) {
            return Err(SpaceError::TooLarge(cells));
        }
        let (mut offsets, mut seen): (Vec<Offset>, HashSet<Offset>) = (Vec::new(), HashSet::new());
        for (index, neighbour) in neighbours.iter().enumerate() {
            if neighbour.len() != dimensions.len() {
                let (found, expected) = (neighbour.len(), dimensions.len());
                return Err(SpaceError::Offset { index, found, expected });
            }
            let mut offset = [0; MAX_DIMENSIONS];
            for (to, &from) in offset.iter_mut().zip(neighbour) {
                *to = from;
            }
            if seen.insert(offset) {
                offsets.push(offset);
            }
        }
        if offsets.is_empty() || offsets.len() > MAX_NEIGHBOURS {
            return Err(SpaceError::Neighbours(offsets.len()));
        }
        Ok(CellSpace { dimensions: dimensions.to_vec(), border, neighbours: offsets })
    }

    /// Makes a plane of `height` rows and `width` columns with the nine cells of the Moore neighbourhood, row by row.
    ///
    /// # Errors
    /// [`SpaceError`].
    pub fn plane(height: u32, width: u32, border: Border) -> Result<Self, SpaceError> {
        let moore: Vec<Vec<i32>> = (-1..=1).flat_map(|row| (-1..=1).map(move |column| vec![row, column])).collect();
        Self::new(&[height, width], border, &moore)
    }

    /// Returns the number of cells.
    #[must_use]
    pub fn cells(&self) -> usize {
        self.dimensions.iter().map(|&cells| cells as usize).product()
    }

    /// Returns the number of cells along each dimension.
    #[must_use]
    pub fn dimensions(&self) -> &[u32] {
        &self.dimensions
    }

    /// Returns the rule for neighbours beyond the edge.
    #[must_use]
    pub const fn border(&self) -> Border {
        self.border
    }

    /// Returns the offsets of the neighbourhood, without repetitions.
    #[must_use]
    pub fn neighbours(&self) -> &[Offset] {
        &self.neighbours
    }

    /// Returns the coordinates of a cell; those of dimensions that the space lacks are 0.
    #[must_use]
    pub fn position(&self, cell: u32) -> [u32; MAX_DIMENSIONS] {
        let (mut rest, mut position) = (cell, [0; MAX_DIMENSIONS]);
        for (at, &cells) in self.dimensions.iter().enumerate().rev() {
            if let Some(coordinate) = position.get_mut(at) {
                *coordinate = rest % cells;
            }
            rest /= cells;
        }
        position
    }

    /// Returns the number of the cell at these coordinates; `None` outside the space.
    #[must_use]
    pub fn cell(&self, position: &[u32]) -> Option<u32> {
        if position.len() != self.dimensions.len() {
            return None;
        }
        let inside = position.iter().zip(&self.dimensions).all(|(at, cells)| at < cells);
        inside.then(|| position.iter().zip(&self.dimensions).fold(0, |cell, (at, cells)| cell * cells + at))
    }

    /// Returns the number of the cell at an offset from another; `None` beyond an open border.
    #[must_use]
    pub fn at(&self, cell: u32, offset: &Offset) -> Option<u32> {
        self.shifted(cell, offset, 1)
    }

    /// Returns the number of the cell that has `cell` at this offset: an influencee of `cell`.
    #[must_use]
    pub fn seen_from(&self, cell: u32, offset: &Offset) -> Option<u32> {
        self.shifted(cell, offset, -1)
    }

    fn shifted(&self, cell: u32, offset: &Offset, sign: i64) -> Option<u32> {
        let position = self.position(cell);
        let mut number = 0;
        for ((&at, &by), &cells) in position.iter().zip(offset).zip(&self.dimensions) {
            let to = i64::from(at) + sign * i64::from(by);
            let to = match self.border {
                Border::Wrapped => to.rem_euclid(i64::from(cells)),
                Border::Open if to < 0 || to >= i64::from(cells) => return None,
                Border::Open => to,
            };
            number = number * cells + to as u32;
        }
        Some(number)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_numbered_row_by_row() {
        let space = CellSpace::new(&[2, 3, 4], Border::Open, &[vec![0, 0, 0]]).unwrap();
        assert_eq!(space.cells(), 24);
        for cell in 0..24 {
            assert_eq!(space.cell(&space.position(cell)[..3]), Some(cell));
        }
        assert_eq!(space.position(23), [1, 2, 3, 0]);
        assert_eq!(space.cell(&[0, 3, 0]), None);
    }

    #[test]
    fn an_open_border_ends_and_a_wrapped_one_does_not() {
        let open = CellSpace::plane(3, 5, Border::Open).unwrap();
        let wrapped = CellSpace::plane(3, 5, Border::Wrapped).unwrap();
        assert_eq!(open.at(0, &[-1, -1, 0, 0]), None);
        assert_eq!(wrapped.at(0, &[-1, -1, 0, 0]), Some(14));
        assert_eq!(open.at(0, &[1, 1, 0, 0]), Some(6));
        assert_eq!(open.seen_from(6, &[1, 1, 0, 0]), Some(0));
        assert_eq!(wrapped.seen_from(0, &[1, 1, 0, 0]), Some(14));
    }

    #[test]
    fn bad_spaces_are_refused() {
        let none: &[Vec<i32>] = &[];
        assert_eq!(CellSpace::new(&[], Border::Open, none), Err(SpaceError::Dimensions(0)));
        assert_eq!(CellSpace::new(&[2, 0], Border::Open, none), Err(SpaceError::Empty(1)));
        assert_eq!(CellSpace::new(&[2, 2], Border::Open, none), Err(SpaceError::Neighbours(0)));
        let offset = SpaceError::Offset { index: 0, found: 1, expected: 2 };
        assert_eq!(CellSpace::new(&[2, 2], Border::Open, &[vec![0]]), Err(offset));
        assert!(matches!(CellSpace::new(&[65536, 65536], Border::Open, none), Err(SpaceError::TooLarge(_))));
    }
}
