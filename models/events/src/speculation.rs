//! Work of speculative execution.

/// Work of an engine in [speculative time windows](crate::Engine::set_window).
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
pub struct Speculation {
    /// Number of rounds. In a round all modules whose messages have changed execute their events of the window.
    pub rounds: u64,
    /// Number of executed events, those that were rolled back included. Divided by the number of events in the
    /// outcomes, it is the number of executions per event.
    pub executed: u64,
}
