//! Schedules of the exact engine.

use serde::{Deserialize, Serialize};

/// Order in which the exact engine visits the nodes. The outcome does not depend on it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Schedule {
    /// Events if the device's rows are native structs, otherwise tiles.
    #[default]
    Auto,
    /// Tiles: groups of nodes relax their bounds to the fixed point, then all nodes serve at once.
    Tiles,
    /// Events: one node at a time, in the order of events.
    Events,
}
