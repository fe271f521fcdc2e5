//! Length of the histories of sending rates.

use serde::{Deserialize, Serialize};

/// Number of flows from which on flows are divided into classes.
const MIN_FLOWS_IN_CLASSES: usize = 1 << 21;
/// Number of classes.
const CLASSES: u32 = 3;

/// Length of the history of sending rates, and its division into classes of flows.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Memory {
    /// Longest total queueing delay of fluid on its path, in seconds. Values beyond the capacity of the queues have no
    /// effect.
    pub waiting: f64,
    /// Number of classes into which flows are divided by the length of their paths. The longest path of a class sets
    /// the history of all its flows, and each class has its own launches. `None` stands for one class, or three for
    /// more than two million flows.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub classes: Option<u32>,
}

impl Default for Memory {
    fn default() -> Self {
        Memory { waiting: 2.0, classes: None }
    }
}

impl Memory {
    /// Returns the number of classes for some number of flows.
    pub(super) fn classes_of(&self, flows: usize) -> u32 {
        self.classes.unwrap_or(if flows < MIN_FLOWS_IN_CLASSES { 1 } else { CLASSES }).max(1)
    }
}
