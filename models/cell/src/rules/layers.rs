//! Cells that send by several ports, as a space of cells with one value each.

use crate::space::{Border, CellSpace, SpaceError};

/// Layers of a cell space: one for each port by which its cells send.
///
/// The first dimension of the space that runs is the port. A cell of a layer sends by one port, sees all ports of the
/// neighbours, evaluates the rules whenever a cell of another layer at its place does, and draws the same random
/// numbers. All of them therefore agree on the state variables.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Layers {
    /// Number of ports.
    pub(super) ports: u32,
    /// Cells of a layer.
    pub(super) cells: u32,
    /// Neighbours of a cell in one layer.
    neighbours: u32,
    wrapped: bool,
}

impl Layers {
    /// Returns the layers of a space whose cells have a number of ports.
    pub(super) fn new(space: &CellSpace, ports: u32) -> Self {
        let (cells, neighbours) = (space.cells() as u32, space.neighbours().len() as u32);
        Layers { ports, cells, neighbours, wrapped: space.border() == Border::Wrapped }
    }

    /// Returns the space with a layer for each port; the space itself if there is one port.
    pub(super) fn space(&self, space: &CellSpace) -> Result<CellSpace, SpaceError> {
        if self.ports == 1 {
            return Ok(space.clone());
        }
        let dimensions: Vec<u32> = [self.ports].into_iter().chain(space.dimensions().iter().copied()).collect();
        let length = space.dimensions().len();
        let ports = self.ports as i32;
        let first = if self.wrapped { 0 } else { 1 - ports };
        let layer = |by: i32| {
            let offset = move |offset: &crate::space::Offset| {
                [by].into_iter().chain(offset.iter().copied().take(length)).collect::<Vec<i32>>()
            };
            space.neighbours().iter().map(offset)
        };
        let neighbours: Vec<Vec<i32>> = (first..ports).flat_map(layer).collect();
        CellSpace::new(&dimensions, space.border(), &neighbours)
    }

    /// Returns the port of a cell.
    pub(super) fn port(&self, cell: u32) -> u32 {
        cell / self.cells.max(1)
    }

    /// Returns the place of a cell in its layer.
    pub(super) fn place(&self, cell: u32) -> u32 {
        cell % self.cells.max(1)
    }

    /// Returns the numbers of the neighbours that a cell of the layer `from` has in the layer `port`.
    pub(super) fn seen(&self, from: u32, port: u32) -> std::ops::Range<u32> {
        let layer = if self.ports == 1 {
            0
        } else if self.wrapped {
            (port + self.ports - from) % self.ports
        } else {
            port + self.ports - 1 - from
        };
        layer * self.neighbours..(layer + 1) * self.neighbours
    }

    /// Number of dimensions before those of the rule file.
    pub(super) fn dimensions(&self) -> u32 {
        u32::from(self.ports > 1)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn neighbours_in_a_layer_are_those_of_the_space() {
        for border in [Border::Open, Border::Wrapped] {
            let flat = CellSpace::new(&[4, 5], border, &[vec![0, 0], vec![0, -1], vec![1, 2]]).unwrap();
            let layers = Layers::new(&flat, 3);
            let space = layers.space(&flat).unwrap();
            for cell in 0..60 {
                for port in 0..3 {
                    let seen = layers.seen(layers.port(cell), port);
                    for (number, offset) in seen.zip(flat.neighbours()) {
                        let found = space.at(cell, &space.neighbours()[number as usize]);
                        let expected = flat.at(layers.place(cell), offset).map(|place| place + port * 20);
                        assert_eq!(found, expected, "{border:?} {cell} {port}");
                    }
                }
            }
        }
    }
}
