//! A cell space as the kernels see it.

use super::kernels::space::{Offset, Space};
use crate::sequential::Delay;
use crate::space::{Border, CellSpace, MAX_DIMENSIONS};

/// Aligns the numbers of the dimensions at the end of an array of four.
fn aligned<T: Copy>(of: &[T], fill: T) -> [T; MAX_DIMENSIONS] {
    let mut all = [fill; MAX_DIMENSIONS];
    for (to, &from) in all.iter_mut().rev().zip(of.iter().rev()) {
        *to = from;
    }
    all
}

/// Returns the offsets of the neighbourhood. Those of a wrapped space are shorter than the space.
fn shortened(space: &CellSpace) -> impl Iterator<Item = Vec<i32>> {
    let wraps = space.border() == Border::Wrapped;
    let along = move |(&by, &cells): (&i32, &u32)| if wraps { by % cells as i32 } else { by };
    space.neighbours().iter().map(move |offset| offset.iter().zip(space.dimensions()).map(along).collect())
}

/// Returns the offsets of the neighbourhood as the kernels take them.
pub(crate) fn offsets(space: &CellSpace) -> Vec<Offset> {
    let number = |number: u32, (&by, &cells): (&i32, &u32)| number.wrapping_mul(cells).wrapping_add(by as u32);
    let offset = |by: Vec<i32>| {
        let jump = by.iter().zip(space.dimensions()).fold(0, number);
        Offset { by: aligned(&by, 0), jump }
    };
    shortened(space).map(offset).collect()
}

/// Returns the shape of the space, and the end of the run.
pub(crate) fn shape(space: &CellSpace, delay: Delay, horizon: u32, kept: u32) -> Space {
    let (mut low, mut high) = (vec![0; space.dimensions().len()], space.dimensions().to_vec());
    for offset in shortened(space) {
        for (((low, high), &cells), &by) in low.iter_mut().zip(&mut high).zip(space.dimensions()).zip(&offset) {
            *low = by.saturating_neg().max(*low as i32) as u32;
            *high = cells.saturating_sub(by.max(0) as u32).min(*high);
        }
    }
    Space {
        cells: aligned(space.dimensions(), 1),
        dimensions: space.dimensions().len() as u32,
        low: aligned(&low, 0),
        high: aligned(&high, 1),
        wrapped: u32::from(space.border() == Border::Wrapped),
        neighbours: space.neighbours().len() as u32,
        kept,
        transport: match delay {
            Delay::Inertial => 0,
            Delay::Transport => 1,
            Delay::TransportAll => 2,
        },
        horizon,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::kernels::space::{NEVER, is_inner, neighbour, place_of};
    use imminent_core::RowsBuf;

    #[test]
    fn an_inner_cell_has_all_neighbours_at_the_differences_of_their_numbers() {
        for border in [Border::Open, Border::Wrapped] {
            let neighbours = [vec![0, 0, 0], vec![-1, 0, 2], vec![0, 3, -1], vec![2, 0, -3]];
            let cells = CellSpace::new(&[5, 7, 6], border, &neighbours).unwrap();
            let (space, offsets) = (shape(&cells, Delay::Inertial, 0, 0), offsets(&cells));
            let rows: RowsBuf<Offset> = offsets.clone().into();
            let mut inner = 0;
            for cell in 0..cells.cells() as u32 {
                let place = place_of(&space, cell);
                inner += u32::from(is_inner(&space, &place));
                for (which, offset) in (0..).zip(&offsets) {
                    let number = neighbour(&space, &rows, &place, which);
                    let expected = cells.at(cell, &cells.neighbours()[which as usize]);
                    assert_eq!(number, expected.unwrap_or(NEVER));
                    assert!(!is_inner(&space, &place) || number == cell.wrapping_add(offset.jump));
                }
            }
            assert_eq!(inner, 2 * 4);
        }
    }
}
