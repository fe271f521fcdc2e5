//! Servers that block one another for ever.

use thiserror::Error;

/// A deadlock: servers block each other for ever.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error(
    "deadlock at tick {time}: every server of {} is blocked by a token that waits for room at the next of them; give one of these nodes a \
     greater capacity, more servers, or the overflow 'lose'",
    .labels.iter().map(|label| format!("'{label}'")).collect::<Vec<_>>().join(" -> ")
)]
pub struct Deadlock {
    /// Tick in which the last server was blocked.
    pub time: u64,
    /// Nodes of the cycle; each waits for the next, and the last for the first.
    pub nodes: Vec<u32>,
    /// Labels of the nodes.
    pub labels: Vec<String>,
}
