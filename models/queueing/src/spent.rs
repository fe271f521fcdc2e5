//! Wall time of a run, by phase.

use crate::outcome::{Ended, Outcome};
use imminent_core::clock::Instant;
use std::ops::AddAssign;
use std::time::Duration;

/// Wall time of an engine, without set-up. The rest of a call goes to tables and kernels.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Spent {
    /// Time of the simulation alone: no set-up, no compilation, no transfer of results.
    pub simulation: Duration,
    /// Time of reading results back from the device, and of making outcomes and digests from them.
    pub reading: Duration,
}

impl Spent {
    /// Returns the time of a simulation whose results need no transfer.
    #[must_use]
    pub const fn simulating(simulation: Duration) -> Self {
        Self { simulation, reading: Duration::ZERO }
    }

    /// Ends the simulation that started at `began`; the time from now on is [reading](Reading::end).
    #[must_use]
    pub(crate) fn since(began: Instant) -> Reading {
        Reading { simulation: began.elapsed(), since: Instant::now() }
    }

    /// Returns one of `parts` equal shares.
    #[must_use]
    pub fn divided(self, parts: usize) -> Self {
        let share = |time: Duration| time.div_f64(parts.max(1) as f64);
        Self { simulation: share(self.simulation), reading: share(self.reading) }
    }

    /// Returns simulation and reading time together.
    #[must_use]
    pub fn total(self) -> Duration {
        self.simulation + self.reading
    }
}

impl AddAssign for Spent {
    fn add_assign(&mut self, other: Self) {
        self.simulation += other.simulation;
        self.reading += other.reading;
    }
}

/// Results of a replication, and the wall time that the simulation took.
#[derive(Debug, Clone)]
pub struct Timed {
    /// Result of the replication.
    pub ended: Ended,
    /// Wall time, without set-up and compilation.
    pub spent: Spent,
}

impl Timed {
    /// Measures the wall time of an engine that needs no set-up.
    pub fn measure(engine: impl FnOnce() -> Outcome) -> Self {
        let began = Instant::now();
        let outcome = engine();
        Self::read(outcome, Spent::simulating(began.elapsed()))
    }

    /// Makes what a run keeps of an outcome. The time of this is added to that of reading.
    pub(crate) fn read(outcome: Outcome, mut spent: Spent) -> Self {
        let began = Instant::now();
        let ended = outcome.into();
        spent.reading += began.elapsed();
        Self { ended, spent }
    }
}

/// A simulation that is over and whose results are being read.
pub(crate) struct Reading {
    simulation: Duration,
    since: Instant,
}

impl Reading {
    /// Ends the reading of results.
    pub(crate) fn end(self) -> Spent {
        Spent { simulation: self.simulation, reading: self.since.elapsed() }
    }
}
