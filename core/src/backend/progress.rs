//! Progress and outcome of a replay.

/// Progress of a replay.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Progress {
    /// Steps of the current loop that are done.
    pub steps: u64,
}

/// Reason for the end of the last loop of a replay.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Stop {
    /// The program has no loop, or reached the end of its nodes.
    End,
    /// The condition with this number held.
    Condition(usize),
    /// The step limit was reached.
    StepLimit,
    /// The progress function asked to stop.
    Cancelled,
}

/// Result of a replay.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Outcome {
    /// Steps of the last loop.
    pub steps: u64,
    /// Reason for its end.
    pub stop: Stop,
}
