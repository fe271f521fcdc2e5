//! What is remembered of what was sent.

use serde::{Deserialize, Serialize};

/// From so many flows on they are put into classes.
const MANY: usize = 1 << 21;
/// Into so many.
const CLASSES: u32 = 3;

/// For how long an engine remembers what was sent, and for which flows together.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Memory {
    /// The longest that fluid waits in all queues of its way together, in seconds. More than they can hold makes no difference.
    pub waiting: f64,
    /// Into how many classes flows are put by how far they go: what is remembered of a flow is as much as of the one that goes farthest in its class, and
    /// each class has launches of its own. `None` for one class, or three of more than two million flows.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub classes: Option<u32>,
}

impl Default for Memory {
    fn default() -> Self {
        Memory { waiting: 2.0, classes: None }
    }
}

impl Memory {
    /// How many classes so many flows are put into.
    pub(super) fn classes_of(&self, flows: usize) -> u32 {
        self.classes.unwrap_or(if flows < MANY { 1 } else { CLASSES }).max(1)
    }
}
