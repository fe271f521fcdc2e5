//! Work of a simulation, which decides whether a GPU is worth its start.

/// Kind of work, with the speed of a host.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum WorkKind {
    /// Events of queueing networks: services and arrivals.
    QueueingEvents,
    /// Ignitions of cells; at most one for each cell of each fire.
    Ignitions,
    /// Steps of cells of a flood.
    FloodSteps,
    /// Changes of cells by the rules of a file.
    RuleChanges,
    /// Simulated seconds of nodes of mobile ad hoc networks.
    NodeSeconds,
    /// Steps of the hops of fluids: fluid equations of one flow on one link.
    FluidSteps,
}

impl std::fmt::Display for WorkKind {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}

impl WorkKind {
    /// Returns the name of a unit, in the plural.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            WorkKind::QueueingEvents => "events",
            WorkKind::Ignitions => "ignitions",
            WorkKind::FloodSteps => "steps of cells",
            WorkKind::RuleChanges => "changes of cells",
            WorkKind::NodeSeconds => "simulated seconds of nodes",
            WorkKind::FluidSteps => "steps of fluids",
        }
    }

    /// Returns the number of units that one thread of a host carries out in a second, a low round figure of those
    /// measured in the book's chapter of results or by the named command.
    const fn per_second(self) -> f64 {
        match self {
            // 12 to 45 M on one thread.
            WorkKind::QueueingEvents => 10e6,
            // `run fire`: 2.1 to 3.9 M.
            WorkKind::Ignitions => 2e6,
            // A simulated hour of 1024 x 1024 cells takes 5.2 s: 726 M.
            WorkKind::FloodSteps => 700e6,
            // `run cells examples/cells/heat.ma`: 0.31 M.
            WorkKind::RuleChanges => 0.3e6,
            // 20 s of 50 to 3,200 nodes take 5 to 232 ms: 0.19 to 0.28 M.
            WorkKind::NodeSeconds => 0.2e6,
            // `run traffic --topology campus --campuses 2`: 72 M with two threads.
            WorkKind::FluidSteps => 50e6,
        }
    }
}

/// Time of a host, in seconds, from which on a GPU is worth its start. To open CUDA and to compile a model's kernels
/// for the first time takes 2.7 s on an H200, for a queueing network that a host simulates in 0.026 s.
const WORTH_A_GPU: f64 = 3.0;

/// Work of a simulation, about.
///
/// ```
/// use imminent::{Work, WorkKind};
///
/// let nsfnet = Work::new(WorkKind::QueueingEvents, 160_000.0);
/// assert!(nsfnet.is_small());
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Work {
    kind: WorkKind,
    amount: f64,
}

impl Work {
    /// Creates work of `amount` units, an upper bound where the number is not known.
    #[must_use]
    pub const fn new(kind: WorkKind, amount: f64) -> Self {
        Work { kind, amount }
    }

    /// Returns the kind of work.
    #[must_use]
    pub const fn kind(&self) -> WorkKind {
        self.kind
    }

    /// Returns the number of units.
    #[must_use]
    pub const fn amount(&self) -> f64 {
        self.amount
    }

    /// Returns the time that one thread of a host takes, in seconds.
    #[must_use]
    pub fn seconds_of_host(&self) -> f64 {
        self.amount / self.kind.per_second()
    }

    /// Returns `true` if a GPU takes longer to start than a host to carry out the work.
    #[must_use]
    pub fn is_small(&self) -> bool {
        self.seconds_of_host() < WORTH_A_GPU
    }
}
