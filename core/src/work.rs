//! Work of a simulation, which decides whether a GPU is worth its start.

use std::fmt;

/// Unit of work of a model, with the speed of a host.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WorkUnit {
    name: &'static str,
    per_second: f64,
}

impl WorkUnit {
    /// Creates a unit. `name` is a plural; `per_second` is the number of units that one thread of a host carries out in
    /// a second, a low round figure of those measured.
    #[must_use]
    pub const fn new(name: &'static str, per_second: f64) -> Self {
        WorkUnit { name, per_second }
    }

    /// Returns the name of a unit, in the plural.
    #[must_use]
    pub const fn name(self) -> &'static str {
        self.name
    }
}

impl fmt::Display for WorkUnit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}

/// Time of a host, in seconds, from which on a GPU is worth its start. To open CUDA and to compile a model's kernels
/// for the first time takes 2.7 s on an H200, for a queueing network that a host simulates in 0.026 s.
const WORTH_A_GPU: f64 = 3.0;

/// Work of a simulation, about.
///
/// ```
/// use imminent_core::{Work, WorkUnit};
///
/// let steps = WorkUnit::new("steps of cells", 700e6);
/// assert!(Work::new(steps, 1e9).is_small() && !Work::new(steps, 1e12).is_small());
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Work {
    unit: WorkUnit,
    amount: f64,
}

impl Work {
    /// Creates work of `amount` units, an upper bound where the number is not known.
    #[must_use]
    pub const fn new(unit: WorkUnit, amount: f64) -> Self {
        Work { unit, amount }
    }

    /// Returns the unit.
    #[must_use]
    pub const fn unit(&self) -> WorkUnit {
        self.unit
    }

    /// Returns the number of units.
    #[must_use]
    pub const fn amount(&self) -> f64 {
        self.amount
    }

    /// Returns the time that one thread of a host takes, in seconds.
    #[must_use]
    pub fn seconds_of_host(&self) -> f64 {
        self.amount / self.unit.per_second
    }

    /// Returns `true` if a GPU takes longer to start than a host to carry out the work.
    #[must_use]
    pub fn is_small(&self) -> bool {
        self.seconds_of_host() < WORTH_A_GPU
    }
}
