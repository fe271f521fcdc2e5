//! What those who carry out runs are told, and what they say.

use crate::laboratory::{Fault, News};
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// What a worker is told.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) enum Order {
    /// To carry out the runs of these numbers.
    CarryOut(Vec<u64>),
    /// To break off what it is at.
    Stop,
    /// That there is nothing more to do.
    End,
}

/// What a worker says.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) enum Told {
    /// What there is to tell of runs.
    News(News),
    /// It is through with what it was told to carry out, or broke it off.
    Idle,
    /// It cannot go on, and why: nothing more is heard of it.
    Lost(String),
}

/// Workers, by number, wherever they are.
pub(super) trait Crew {
    /// Tells a worker what to do.
    ///
    /// # Errors
    /// Those of the way to it. A worker that is gone says so itself.
    fn order(&mut self, worker: usize, order: Order) -> Result<(), Fault>;

    /// What a worker says next; none if nothing is said for so long.
    ///
    /// # Errors
    /// Those of the way from them.
    fn hear(&mut self, at_most: Duration) -> Result<Option<(usize, Told)>, Fault>;
}
