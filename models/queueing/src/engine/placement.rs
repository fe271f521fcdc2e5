//! Placement of nodes in rows.

use crate::network::Network;
use imminent_common::parallel;
use std::collections::VecDeque;

/// An order of the nodes in which neighbours are mostly near each other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Placement(Order);

#[derive(Clone, Debug, PartialEq, Eq)]
enum Order {
    /// Every node in the row of its number.
    Numbers,
    /// Tiles of a grid, whose rows are computed.
    Tiles(Tiles),
    Listed {
        /// Node of each row.
        node_of: Vec<u32>,
        /// Row of each node.
        row_of: Vec<u32>,
    },
}

impl Placement {
    /// Places every node in the row of its number.
    pub(super) fn by_number() -> Placement {
        Placement(Order::Numbers)
    }

    /// Places the cells of a grid in square tiles, without lists: for those who look at few of them.
    pub(super) fn in_tiles((width, height): (u32, u32), side: u32) -> Placement {
        Placement(Order::Tiles(Tiles { width, height, side: side.max(1) }))
    }

    /// Places nodes in groups of `size` rows with few edges between groups. Groups are square tiles if the nodes are
    /// the cells of a grid, otherwise the results of breadth-first searches.
    pub(super) fn in_groups(network: &Network, size: u32) -> Placement {
        match network.grid() {
            Some((width, height)) => {
                let (tiles, cells) = (Tiles { width, height, side: size.isqrt().max(1) }, network.len());
                Placement(Order::Listed {
                    node_of: parallel::map(cells, |row| tiles.cell(row as u32)),
                    row_of: parallel::map(cells, |cell| tiles.row(cell as u32)),
                })
            }
            None => Self::of(clusters(network, size as usize)),
        }
    }

    fn of(node_of: Vec<u32>) -> Placement {
        let mut row_of = vec![0; node_of.len()];
        for (row, &node) in (0..).zip(&node_of) {
            if let Some(place) = row_of.get_mut(node as usize) {
                *place = row;
            }
        }
        Placement(Order::Listed { node_of, row_of })
    }

    /// Returns the row of a node.
    pub(super) fn row(&self, node: u32) -> u32 {
        match &self.0 {
            Order::Numbers => node,
            Order::Tiles(tiles) => tiles.row(node),
            Order::Listed { row_of, .. } => row_of.get(node as usize).copied().unwrap_or(node),
        }
    }

    /// Returns the node of a row.
    pub(super) fn node(&self, row: u32) -> u32 {
        match &self.0 {
            Order::Numbers => row,
            Order::Tiles(tiles) => tiles.cell(row),
            Order::Listed { node_of, .. } => node_of.get(row as usize).copied().unwrap_or(row),
        }
    }
}

/// Square tiles of a grid, one after the other, each row by row; those at the right and lower edges may be narrower.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Tiles {
    width: u32,
    height: u32,
    side: u32,
}

impl Tiles {
    /// Returns the length of the part that begins at `first`, of a length cut into sides.
    fn part(self, first: u32, length: u32) -> u32 {
        self.side.min(length - first)
    }

    /// Returns the cell of a row.
    fn cell(self, row: u32) -> u32 {
        let of_band = u64::from(self.side) * u64::from(self.width);
        let band = (u64::from(row) / of_band) as u32 * self.side;
        let (in_band, height) = (row - band * self.width, self.part(band, self.height));
        let left = in_band / (self.side * height) * self.side;
        let (in_tile, width) = (in_band - left * height, self.part(left, self.width));
        (band + in_tile / width) * self.width + left + in_tile % width
    }

    /// Returns the row of a cell.
    fn row(self, cell: u32) -> u32 {
        let (x, y) = (cell % self.width, cell / self.width);
        let (left, band) = (x - x % self.side, y - y % self.side);
        let (width, height) = (self.part(left, self.width), self.part(band, self.height));
        band * self.width + left * height + (y - band) * width + x - left
    }
}

/// Runs breadth-first searches from node after node, each until it has filled a group.
fn clusters(network: &Network, size: usize) -> Vec<u32> {
    let count = network.len();
    let mut nodes: Vec<u32> = Vec::with_capacity(count);
    let mut seen = vec![false; count];
    // Nodes that the last group's search reached but did not take: the next group starts there.
    let mut frontier: VecDeque<u32> = VecDeque::new();
    let mut unseen = 0..count as u32;
    while nodes.len() < count {
        let filled = nodes.len() + size.max(1);
        let mut reached: VecDeque<u32> = VecDeque::new();
        while nodes.len() < filled.min(count) {
            let next = reached.pop_front().or_else(|| frontier.pop_front()).or_else(|| unseen.next());
            let Some(node) = next else { break };
            let Some(taken) = seen.get_mut(node as usize).filter(|taken| !**taken) else { continue };
            *taken = true;
            nodes.push(node);
            reached.extend((0..network.classes() as u32).flat_map(|class| network.routes(node, class).targets()));
            reached.extend(network.in_neighbours(node));
        }
        reached.append(&mut frontier);
        frontier = reached;
        frontier.retain(|&node| seen.get(node as usize) == Some(&false));
    }
    nodes
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::network::Node;
    use proptest::prelude::*;

    fn is_a_permutation(placement: &Placement, count: usize) -> bool {
        let mut sorted: Vec<u32> = (0..count as u32).map(|row| placement.node(row)).collect();
        sorted.sort_unstable();
        sorted == (0..count as u32).collect::<Vec<_>>()
            && (0..count as u32).all(|n| placement.node(placement.row(n)) == n)
    }

    proptest! {
        #[test]
        fn every_node_has_one_row(
            nodes in 1usize..80,
            edges in prop::collection::vec((0u32..80, 0u32..80), 0..200),
            size in 1u32..40,
        ) {
            let count = nodes as u32;
            // Every node needs an edge that leaves it.
            let ring = (0..count).map(|node| (node, (node + 1) % count));
            let edges: Vec<_> = edges.into_iter().map(|(a, b)| (a % count, b % count)).chain(ring).collect();
            let node = Node { mean_service: 1, tokens: 1, label: None };
            let network = Network::from_edges(vec![node; nodes], &edges).unwrap();
            prop_assert!(is_a_permutation(&Placement::in_groups(&network, size), nodes));
        }

        #[test]
        fn every_cell_has_one_row(width in 1u32..40, height in 1u32..40, size in 1u32..300) {
            let network = Network::torus(width, height, 1, 1).unwrap();
            let placement = Placement::in_groups(&network, size);
            prop_assert!(is_a_permutation(&placement, network.len()));
            let computed = Placement::in_tiles((width, height), size.isqrt());
            prop_assert!((0..width * height).all(|cell| computed.row(cell) == placement.row(cell)));
            prop_assert!(is_a_permutation(&computed, network.len()));
        }
    }

    #[test]
    fn a_group_of_a_grid_is_a_square() {
        let placement = Placement::in_groups(&Network::torus(64, 32, 1, 1).unwrap(), 256);
        let nodes = (256..512).map(|row| placement.node(row));
        let cells: Vec<(u32, u32)> = nodes.map(|node| (node % 64, node / 64)).collect();
        assert!(cells.iter().all(|&(x, y)| (16..32).contains(&x) && y < 16));
    }

    #[test]
    fn groups_of_a_long_ring_are_its_pieces() {
        let ring: Vec<(u32, u32)> = (0..1000).map(|node| (node, (node + 1) % 1000)).collect();
        let node = Node { mean_service: 1, tokens: 1, label: None };
        let network = Network::from_edges(vec![node; 1000], &ring).unwrap();
        let placement = Placement::in_groups(&network, 100);
        let group = |node: u32| placement.row(node) / 100;
        let crossing = ring.iter().filter(|&&(a, b)| group(a) != group(b)).count();
        assert!(crossing <= 22, "{crossing} of 1000 edges join two groups");
    }
}
