//! Parts of the dissertation on queueing networks, and their measurements.

use super::measure::Observation;
use clap::ValueEnum;

/// Figures of queueing networks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, ValueEnum)]
pub(super) enum Figure {
    /// Utilization and sojourn time at four intervals and three mean services.
    #[value(name = "5-2")]
    Table,
    /// Sojourn time and utilization of a closed and an open network.
    #[value(name = "5-4")]
    Networks,
    /// Utilization of closed networks of several sizes and mean services.
    #[value(name = "5-5")]
    Parameters,
    /// Speed of the clustered engine compared with the exact one.
    #[value(name = "5-6")]
    Speed,
}

/// Measurements of one part, in the order of their settings.
pub(super) struct Measured {
    pub(super) part: Figure,
    pub(super) figures: Vec<Observation>,
}

/// Side of the papers' networks.
pub(super) const SIDE: u32 = 32;
/// Mean service time of the papers' networks, in time units.
pub(super) const MEAN: f64 = 10.0;
/// Mean service times of Table 5-2 and figure 5-5 B.
pub(super) const MEANS: [f64; 3] = [5.0, 10.0, 20.0];
