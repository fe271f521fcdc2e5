//! Progress and outcome of a replay.

/// How far a replay has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// Steps of the current loop that are done.
    pub steps: u64,
}

/// Why the last loop of a replay ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    /// The program has no loop, or its nodes came to their end.
    End,
    /// The condition of this number held.
    Condition(usize),
    /// The step limit was reached.
    StepLimit,
    /// The progress function asked to stop.
    Cancelled,
}

/// What a replay did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// Steps of the last loop.
    pub steps: u64,
    /// Why it ended.
    pub stop: Stop,
}
