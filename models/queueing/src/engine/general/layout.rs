//! Assignment of the nodes of several networks to rows.

use crate::engine::placement::Placement;
use crate::network::Network;
use crate::scenario::Scenario;
use std::collections::HashMap;

/// A node of an ensemble.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Home {
    /// Index of the scenario in the ensemble.
    pub(super) network: u32,
    /// Number of the node in its network.
    pub(super) node: u32,
}

/// Rows of one scenario, one for each node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Block {
    /// First row.
    pub(super) first: u32,
    /// Number of rows.
    pub(super) nodes: u32,
    /// Number of the scenario's network among the distinct ones.
    pub(super) kind: u32,
}

/// Rows of an ensemble, scenario after scenario. Rows without a node pad groups.
pub(super) struct Layout {
    /// Placement of the nodes of each distinct network, from row 0 on.
    placements: Vec<Placement>,
    blocks: Vec<Block>,
    /// Number of rows.
    rows: u32,
}

impl Layout {
    /// Lays rows out in groups of `size`. A network that fits into one group is in one group; a larger one begins with
    /// a group of its own. `None` if the number of rows exceeds 32 bits.
    pub(super) fn in_groups(scenarios: &[Scenario<'_>], size: u32) -> Option<Self> {
        let (mut placements, mut blocks) = (Vec::new(), Vec::with_capacity(scenarios.len()));
        let mut known: HashMap<*const Network, u32> = HashMap::new();
        let mut rows = 0_u32;
        for scenario in scenarios {
            let network = scenario.network();
            let kind = *known.entry(std::ptr::from_ref(network)).or_insert_with(|| {
                placements.push(Placement::in_groups(network, size));
                placements.len() as u32 - 1
            });
            let (nodes, filled) = (u32::try_from(network.len()).ok()?, rows % size);
            if filled > 0 && filled.checked_add(nodes)? > size {
                rows = rows.checked_add(size - filled)?;
            }
            blocks.push(Block { first: rows, nodes, kind });
            rows = rows.checked_add(nodes)?;
        }
        Some(Self { placements, blocks, rows })
    }

    /// Lays out rows in the order of nodes, for an engine that processes one network at a time.
    pub(super) fn by_number(scenario: &Scenario<'_>) -> Self {
        let nodes = scenario.network().len() as u32;
        Self { placements: vec![Placement::by_number()], blocks: vec![Block { first: 0, nodes, kind: 0 }], rows: nodes }
    }

    /// Returns the number of rows, those without a node included.
    pub(super) fn rows(&self) -> usize {
        self.rows as usize
    }

    /// Returns the rows of each scenario, in ascending order.
    pub(super) fn blocks(&self) -> &[Block] {
        &self.blocks
    }

    /// Returns the placement of the nodes of each distinct network, from row 0 on.
    pub(super) fn placements(&self) -> &[Placement] {
        &self.placements
    }

    /// Returns the node of a row.
    pub(super) fn home(&self, row: u32) -> Option<Home> {
        let network = self.blocks.partition_point(|block| block.first <= row).checked_sub(1)?;
        let (block, placement) = self.block(network)?;
        let place = row - block.first;
        (place < block.nodes).then(|| Home { network: network as u32, node: placement.node(place) })
    }

    /// Returns the rows of a network's nodes, by number.
    pub(super) fn rows_of(&self, network: u32) -> impl ExactSizeIterator<Item = u32> + Clone {
        let (nodes, of_node) = match self.block(network as usize) {
            Some((block, placement)) => (block.nodes, Some((block.first, placement))),
            None => (0, None),
        };
        (0..nodes).map(move |node| of_node.map_or(0, |(first, placement)| first + placement.row(node)))
    }

    fn block(&self, network: usize) -> Option<(Block, &Placement)> {
        let block = self.blocks.get(network)?;
        Some((*block, self.placements.get(block.kind as usize)?))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Network, Start};

    #[test]
    fn small_networks_share_groups_and_no_network_is_cut_that_need_not_be() {
        let tori = [(10, 10), (10, 10), (10, 10), (20, 20), (4, 4)]
            .map(|(width, height)| Network::torus(width, height, 1, 1).unwrap());
        let scenarios: Vec<_> = tori.iter().map(|torus| Scenario::new(torus, Start::One, 10, 1, 0).unwrap()).collect();
        let layout = Layout::in_groups(&scenarios, 256).unwrap();
        let groups = |network| {
            let groups = layout.rows_of(network).map(|row| row / 256);
            groups.collect::<std::collections::BTreeSet<u32>>()
        };
        assert_eq!([0, 1, 2].map(groups), [[0].into(), [0].into(), [1].into()]);
        assert_eq!(groups(3), [2, 3].into());
        assert_eq!(groups(4), [3].into());
        let homes = || (0..layout.rows() as u32).filter_map(|row| Some((row, layout.home(row)?)));
        for (row, Home { network, node }) in homes() {
            assert_eq!(layout.rows_of(network).nth(node as usize), Some(row));
        }
        assert_eq!(homes().count(), 300 + 400 + 16);
        assert_eq!(layout.home(layout.rows() as u32), None);
    }
}
