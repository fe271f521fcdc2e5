//! Nodes by their positions.

use super::walk::Point;

/// Lists of nodes by squares, as they were at some time.
#[derive(Debug)]
pub(super) struct Squares {
    side: i128,
    columns: i128,
    lines: i128,
    nodes: Vec<Vec<u32>>,
}

impl Squares {
    /// Creates empty squares over a field.
    pub(super) fn new(width: u32, height: u32, side: u32, nodes: u32) -> Self {
        let mut side = i128::from(side.max(1));
        let count = |side: i128, length: u32| i128::from(length) / side + 1;
        while count(side, width) * count(side, height) > 4 * i128::from(nodes) + 64 {
            side *= 2;
        }
        let (columns, lines) = (count(side, width), count(side, height));
        Squares { side, columns, lines, nodes: vec![vec![]; (columns * lines) as usize] }
    }

    /// Puts all nodes into the squares of their positions.
    pub(super) fn fill(&mut self, places: impl Iterator<Item = Point>) {
        self.nodes.iter_mut().for_each(Vec::clear);
        for (node, (x, y)) in (0..).zip(places) {
            let square = (y / self.side) * self.columns + x / self.side;
            self.nodes[square as usize].push(node);
        }
    }

    /// Visits the nodes of all squares within a distance of a position.
    pub(super) fn visit(&self, (x, y): Point, distance: i128, mut visit: impl FnMut(u32)) {
        let bounds = |at: i128, count: i128| {
            let least = (at - distance).div_euclid(self.side).max(0);
            least..=((at + distance) / self.side).min(count - 1)
        };
        for line in bounds(y, self.lines) {
            for column in bounds(x, self.columns) {
                self.nodes[(line * self.columns + column) as usize].iter().for_each(|node| visit(*node));
            }
        }
    }

    /// Memory of the squares in bytes.
    #[cfg(test)]
    pub(super) fn bytes(&self) -> usize {
        self.nodes.capacity() * size_of::<Vec<u32>>()
            + self.nodes.iter().map(|nodes| nodes.capacity() * 4).sum::<usize>()
    }
}
