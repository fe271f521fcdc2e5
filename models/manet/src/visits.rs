//! Ways to visit the nodes in a step.

use crate::kernels::team::LANES;
use crate::network::Network;
use imminent_core::DeviceKind;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Way in which a device visits the nodes in a step. Results do not depend on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Visits {
    /// The nodes with something to do are listed, and visited.
    Listed,
    /// All nodes are visited, and each works for itself.
    Single,
    /// All nodes are visited in groups, whose lanes share the work of the nodes that sense the medium or fill a
    /// neighbour table.
    Grouped,
    /// Nodes are visited in such groups, and each network lies within one, which makes its steps without the others. If
    /// a network has more than 256 nodes, all are visited as by `Grouped`.
    Apart,
}

impl Visits {
    /// Returns the way that suits a kind of device and some networks: the fastest one where it was measured.
    pub(crate) fn on<'n>(kind: DeviceKind, networks: impl Iterator<Item = &'n Network>) -> Self {
        match kind {
            DeviceKind::Host => Visits::Listed,
            DeviceKind::CpuDevice => Visits::Single,
            _ => Visits::Apart.of(networks),
        }
    }

    /// Returns the way in which some networks are visited if this one is asked for.
    pub(crate) fn of<'n>(self, mut networks: impl Iterator<Item = &'n Network>) -> Self {
        match self {
            Visits::Apart if networks.any(|network| network.nodes > LANES) => Visits::Grouped,
            visits => visits,
        }
    }
}
