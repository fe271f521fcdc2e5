//! Figures of the paper on hybrid traffic, and the simulations that are measured for them.

use crate::bench::hybrid::cell::CellTimes;
use crate::figures::measured;
use clap::ValueEnum;

/// A figure of the paper.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, ValueEnum)]
pub(super) enum Figure {
    /// Wall time of a simulated second by campuses and shares of packets.
    #[value(name = "8")]
    Campuses,
    /// Speed-up by shares of packets.
    #[value(name = "9")]
    Shares,
    /// Wall time of a simulated second by launches of a batch.
    #[value(name = "10")]
    Batches,
}

/// Parameters of one simulation of campus networks that is measured.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Setting {
    pub(super) campuses: u32,
    /// Share of the flows that are packets.
    pub(super) share: f64,
    pub(super) batch: u32,
}

pub(super) type Point = measured::Point<Setting, CellTimes>;
pub(super) type Measured = measured::Measured<Figure, Setting, CellTimes>;

impl Setting {
    pub(super) fn name(&self) -> String {
        format!("{} campuses, {} % packets, batches of {}", self.campuses, 100.0 * self.share, self.batch)
    }
}

impl Measured {
    /// Returns the speed relative to the first place.
    pub(super) fn speed_up(&self, point: &Point) -> Option<f64> {
        Some(self.in_first(point)?.found.seconds_per_second / point.found.seconds_per_second)
    }
}
