//! Where the time of a run went.

use std::ops::AddAssign;
use std::time::{Duration, Instant};

/// Wall time that an engine took, without set-up: what is left of a call is for tables and kernels.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Spent {
    /// The simulation alone: no set-up, no compilation, no transfer of results.
    pub simulation: Duration,
    /// Reading results back from the device, and making outcomes and digests of them.
    pub reading: Duration,
}

impl Spent {
    /// Time of a simulation whose results are where they are wanted.
    #[must_use]
    pub const fn simulating(simulation: Duration) -> Self {
        Self { simulation, reading: Duration::ZERO }
    }

    /// A simulation that took from `began` until now; what is done next is [reading](Reading::end).
    #[must_use]
    pub(crate) fn since(began: Instant) -> Reading {
        Reading { simulation: began.elapsed(), since: Instant::now() }
    }

    /// The share of one of `parts` equal parts.
    #[must_use]
    pub fn divided(self, parts: usize) -> Self {
        let share = |time: Duration| time.div_f64(parts.max(1) as f64);
        Self { simulation: share(self.simulation), reading: share(self.reading) }
    }

    /// Both together.
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

/// A simulation that is over and whose results are being read.
pub(crate) struct Reading {
    simulation: Duration,
    since: Instant,
}

impl Reading {
    /// The results have been read.
    pub(crate) fn end(self) -> Spent {
        Spent { simulation: self.simulation, reading: self.since.elapsed() }
    }
}
