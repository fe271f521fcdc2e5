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
pub(crate) fn offsets(space: &CellSpace) -> Vec<Offset> {
    let wraps = space.border() == Border::Wrapped;
    let along = |(&by, &cells): (&i32, &u32)| if wraps { by % cells as i32 } else { by };
    let offset = |offset: &[i32; MAX_DIMENSIONS]| {
        let by: Vec<i32> = offset.iter().zip(space.dimensions()).map(along).collect();
        Offset { by: aligned(&by, 0) }
    };
    space.neighbours().iter().map(offset).collect()
}

/// Returns the shape of the space, and the end of the run.
pub(crate) fn shape(space: &CellSpace, delay: Delay, horizon: u32) -> Space {
    Space {
        cells: aligned(space.dimensions(), 1),
        dimensions: space.dimensions().len() as u32,
        wrapped: u32::from(space.border() == Border::Wrapped),
        neighbours: space.neighbours().len() as u32,
        transport: u32::from(delay == Delay::Transport),
        horizon,
    }
}
