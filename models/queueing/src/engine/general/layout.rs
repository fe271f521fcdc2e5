//! Assignment of the nodes of several networks to rows.

use crate::engine::placement::Placement;
use crate::scenario::Scenario;

/// A node of an ensemble.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Home {
    /// Index of the scenario in the ensemble.
    pub(super) network: u32,
    /// Number of the node in its network.
    pub(super) node: u32,
}

/// Rows of an ensemble, network after network. Rows without a node pad groups.
pub(super) struct Layout {
    homes: Vec<Option<Home>>,
    /// Row of each node, by network.
    rows: Vec<Vec<u32>>,
}

impl Layout {
    /// Lays rows out in groups of `size`. A network that fits into one group is in one group; a larger one begins with
    /// a group of its own. `None` if the number of rows exceeds 32 bits.
    pub(super) fn in_groups(scenarios: &[Scenario<'_>], size: u32) -> Option<Self> {
        let mut homes: Vec<Option<Home>> = Vec::new();
        let mut rows = Vec::with_capacity(scenarios.len());
        for (network, scenario) in (0..).zip(scenarios) {
            let group = size as usize;
            let (nodes, filled) = (scenario.network().len(), homes.len() % group);
            if filled > 0 && filled + nodes > group {
                homes.resize(homes.len() + group - filled, None);
            }
            let placement = Placement::in_groups(scenario.network(), size);
            let first = u32::try_from(homes.len()).ok()?;
            first.checked_add(u32::try_from(nodes).ok()?)?;
            homes.extend((0..nodes as u32).map(|row| Some(Home { network, node: placement.node(row) })));
            rows.push((0..nodes as u32).map(|node| first + placement.row(node)).collect());
        }
        Some(Self { homes, rows })
    }

    /// Lays out rows in the order of nodes, for an engine that processes one network at a time.
    pub(super) fn by_number(scenario: &Scenario<'_>) -> Self {
        let nodes = scenario.network().len() as u32;
        Self {
            homes: (0..nodes).map(|node| Some(Home { network: 0, node })).collect(),
            rows: vec![(0..nodes).collect()],
        }
    }

    /// Returns the node of each row.
    pub(super) fn homes(&self) -> &[Option<Home>] {
        &self.homes
    }

    /// Returns the row of a node.
    pub(super) fn row(&self, network: u32, node: u32) -> u32 {
        self.rows_of(network).get(node as usize).copied().unwrap_or(0)
    }

    /// Returns the rows of a network's nodes, by number.
    pub(super) fn rows_of(&self, network: u32) -> &[u32] {
        self.rows.get(network as usize).map_or(&[], Vec::as_slice)
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
            let groups = layout.rows_of(network).iter().map(|row| row / 256);
            groups.collect::<std::collections::BTreeSet<u32>>()
        };
        assert_eq!([0, 1, 2].map(groups), [[0].into(), [0].into(), [1].into()]);
        assert_eq!(groups(3), [2, 3].into());
        assert_eq!(groups(4), [3].into());
        for (row, home) in (0..).zip(layout.homes()) {
            if let Some(home) = home {
                assert_eq!(layout.row(home.network, home.node), row);
            }
        }
        assert_eq!(layout.homes().iter().flatten().count(), 300 + 400 + 16);
    }
}
