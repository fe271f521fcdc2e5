//! Ways to visit the nodes in a step.

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
}

impl Visits {
    /// Returns the way that suits a kind of device: the fastest one where it was measured.
    pub(crate) fn on(kind: DeviceKind) -> Self {
        match kind {
            DeviceKind::Host => Visits::Listed,
            DeviceKind::CpuDevice => Visits::Single,
            _ => Visits::Grouped,
        }
    }
}
